"""What mcpcall sends for a piece of work, so that the floors send the same: taken from its own trace."""

import json
import subprocess


def record(command, trace, env):
    """The messages that the command sends of its own accord, each with what it waited for before."""
    subprocess.run([*command[:1], "--trace-file", trace, *command[1:]], env=env, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    sent, heard = [], True
    with open(trace, encoding="utf-8") as lines:
        for line in lines:
            if '"dir":"sent"' not in line[:80]:
                heard = True
                continue
            entry = json.loads(line)
            # Replies are given by the floors themselves, and a report on an end is not a request.
            if "message" in entry and "method" not in entry["message"]:
                continue
            entry["after_answer"], heard = heard, False
            sent.append(entry)
    return sent


def script(sent):
    """For floor.c: lines, with an empty one wherever mcpcall waited for an answer."""
    blocks, open_requests = [[]], 0
    for entry in sent:
        if entry["after_answer"] and open_requests:
            blocks.append([])
            open_requests = 0
        blocks[-1].append(json.dumps(entry["message"], separators=(",", ":"), ensure_ascii=False) + "\n")
        open_requests += "id" in entry["message"]
    return "\n".join("".join(block) for block in blocks)


def curl_config(sent):
    """For `curl -K`, one a request: the same lines and headers; only the last answer is printed."""
    parts = []
    for number, entry in enumerate(sent):
        method, url = entry["line"].split(" ", 1)
        lines = ["silent", "show-error", f"url = {json.dumps(url)}", f"request = {method}"]
        lines += [f"header = {json.dumps(f'{name}: {value}')}" for name, value in entry["headers"].items()]
        if "message" in entry:
            body = json.dumps(entry["message"], separators=(",", ":"), ensure_ascii=False)
            # In curl's quotes a backslash and a quote are escaped, as in JSON.
            lines.append("data-raw = " + '"' + body.replace("\\", "\\\\").replace('"', '\\"') + '"')
        if number < len(sent) - 1:
            lines.append('output = "/dev/null"')
        parts.append("\n".join(lines) + "\n")
    return parts
