"""The tables."""


def time_text(ms):
    return f"{ms / 1000:.2f} s" if ms >= 1000 else f"{ms:.0f} ms" if ms >= 100 else f"{ms:.1f} ms" if ms >= 10 else f"{ms:.2f} ms"


def ratio_text(ratio):
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.1f}" if ratio >= 3 else f"{ratio:.2f}"


def rows(todo, present, found, cell):
    for work in todo:
        results = found[work.key]
        cells = []
        for client in present:
            sample = results.get(client.name)
            cells.append("–" if isinstance(sample, str) or sample is None else cell(sample, results))
        yield [work.title, *cells]


def tables(todo, present, found):
    head = [client.name for client in present]
    yield "Wall time", head, list(rows(todo, present, found, lambda sample, _: time_text(sample.wall)))
    if "mcpcall" in head:
        yield "Wall time, times mcpcall's", head, list(
            rows(todo, present, found, lambda sample, results: ratio_text(sample.wall / results["mcpcall"].wall)))
    yield "CPU time", head, list(rows(todo, present, found, lambda sample, _: time_text(sample.cpu)))
    yield "Peak memory, MB", head, list(rows(todo, present, found, lambda sample, _: f"{sample.memory:.1f}"))


def show(todo, present, found, program):
    for title, head, body in tables(todo, present, found):
        lines = [[title, *head], *body]
        first = max(len(line[0]) for line in lines)
        widths = [max(len(line[column]) for line in lines) for column in range(1, len(lines[0]))]
        print()
        for line in lines:
            print(line[0].ljust(first) + "".join("  " + text.rjust(width) for text, width in zip(line[1:], widths)))
