#!/usr/bin/env python3
"""Thousands of calls on one connection, and thousands of runs: nothing may grow, nothing may be left. See README.md."""
import argparse
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import uuid

HERE = os.path.dirname(os.path.abspath(__file__))
SERVER = os.path.join(HERE, "server.py")
MARK = "SOAK=" + uuid.uuid4().hex
# What may come on top from the first sample to the last: memory (a tenth, and 2 MB), descriptors (connections that are
# kept for the next request), threads (as many as `commands/run.rs` allows for work that blocks).
GROWTH, SLACK_KB, MORE_FDS, MORE_THREADS = 0.10, 2048, 4, 8
ROWS, FAULTS = [], []


def proc(pid, name):
    try:
        with open("/proc/%s/%s" % (pid, name), "rb") as f:
            return f.read()
    except OSError:
        return b""


def marked():
    """The processes of this soak, by pid: their command line. A zombie has no environment, but a parent."""
    found, parents = {}, {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        stat = proc(pid, "stat").decode(errors="replace")
        if stat:
            state, parent = stat.rpartition(")")[2].split()[:2]
            parents[pid] = (state, parent)
            if MARK.encode() in proc(pid, "environ"):
                found[pid] = proc(pid, "cmdline").replace(b"\0", b" ").decode(errors="replace").strip()
    for pid, (state, parent) in parents.items():
        if state == "Z" and (parent in found or parent == str(os.getpid())):
            found[pid] = "zombie of %s" % found.get(parent, "the soak itself")
    return found


class Sample:
    def __init__(self, pid):
        status = proc(pid, "status").decode()
        number = lambda name: int(re.search(name + r":\s+(\d+)", status).group(1))
        self.rss, self.threads = number("VmRSS"), number("Threads")
        try:
            self.fds = len(os.listdir("/proc/%d/fd" % pid))
        except OSError:
            self.fds = 0
        self.zombies = sum(words.startswith("zombie") for words in marked().values())


class World:
    """A home and a folder for temporary files of their own, where what is left can be seen."""

    def __init__(self):
        self.root = tempfile.mkdtemp(prefix="soak-")
        self.tmp, self.home = os.path.join(self.root, "tmp"), os.path.join(self.root, "home")
        os.mkdir(self.tmp)
        os.mkdir(self.home)
        self.env = {"PATH": os.environ["PATH"], "HOME": self.home, "TMPDIR": self.tmp, "TERM": "xterm", "NO_COLOR": "1"}
        self.env["SOAK"] = MARK.partition("=")[2]

    def files(self):
        return sorted(os.path.join(at, name) for at, _, names in os.walk(self.root) for name in names)


def row(name, n, samples, seconds, left):
    first, middle, last = samples[0], samples[len(samples) // 2], samples[-1]
    ROWS.append((name, n, first, middle, last, seconds, left))
    show = lambda at: "%6d kB %3d fds %2d threads" % (at.rss, at.fds, at.threads)
    print("%-34s %6d  %s | %s | %s  %6.1f s" % (name, n, show(first), show(middle), show(last), seconds), flush=True)
    if last.rss > first.rss * (1 + GROWTH) + SLACK_KB:
        FAULTS.append("%s: memory grew from %d to %d kB" % (name, first.rss, last.rss))
    if last.fds > first.fds + MORE_FDS:
        FAULTS.append("%s: descriptors grew from %d to %d" % (name, first.fds, last.fds))
    if last.threads > first.threads + MORE_THREADS:
        FAULTS.append("%s: threads grew from %d to %d" % (name, first.threads, last.threads))
    if any(sample.zombies for sample in samples):
        FAULTS.append("%s: zombies while it ran" % name)
    FAULTS.extend("%s: left %s" % (name, what) for what in left)


def left(world, but=()):
    """What is there after a run and should not be; what is on its way out gets a moment."""
    for _ in range(50):
        alive = {pid: words for pid, words in marked().items() if int(pid) not in but}
        if not alive:
            break
        time.sleep(0.1)
    return ["process %s (%s)" % item for item in alive.items()] + ["file " + name for name in world.files()]


def http_server(world, *more):
    command = [sys.executable, SERVER, "--http", *more]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, env=world.env)
    port = server.stdout.readline().decode().strip()
    return server, ["--url", "http://127.0.0.1:%s/mcp" % port]


def target(world, kind, *more):
    if kind == "HTTP":
        return http_server(world, *more)
    return None, ["--stdio", " ".join([sys.executable, SERVER, *more])]


def end(server):
    if server:
        server.terminate()
        server.wait()


CALLS = [
    {"tool": "add", "arguments": {"a": 2, "b": 3}},
    {"tool": "log"},
    {"tool": "ask"},
    {"tool": "add", "arguments": {"a": 1, "b": 1}},
    {"method": "ping"},
]


def batch(options, kind, jobs):
    world = World()
    server, flags = target(world, kind)
    command = [options.mcpcall, "batch", "-", "--jobs", str(jobs), "--answer", "name=Ada", "--log-level", "info", *flags]
    run = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=world.env
    )

    def feed():
        for n in range(options.calls):
            run.stdin.write(json.dumps(CALLS[n % len(CALLS)]).encode() + b"\n")
            run.stdin.flush()
            while n - done[0] > 200:
                time.sleep(0.002)
        fed.wait(300)
        run.stdin.close()

    begin, done, fed, samples = time.time(), [0], threading.Event(), []
    feeder = threading.Thread(target=feed)
    feeder.start()
    for line in run.stdout:
        done[0] += 1
        outcome = json.loads(line)
        if outcome["exit"] != 0:
            FAULTS.append("batch over %s: %s" % (kind, line.decode().strip()))
            break
        if done[0] % max(options.calls // 20, 1) == 0:
            samples.append(Sample(run.pid))
        if done[0] == options.calls:
            fed.set()
    fed.set()
    feeder.join()
    if run.wait(30) != 0 or done[0] != options.calls:
        FAULTS.append("batch over %s: exit %s after %d calls" % (kind, run.returncode, done[0]))
    seconds = time.time() - begin
    end(server)
    row("batch over %s, %d at once" % (kind, jobs), done[0], samples, seconds, left(world))


def listen(options, kind):
    world = World()
    server, flags = target(world, kind, "--chatter", str(options.seconds))
    command = [options.mcpcall, "listen", *flags]
    run = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=world.env)
    begin, n, samples = time.time(), 0, []
    while time.time() - begin < options.seconds - 1:
        ready, _, _ = select.select([run.stdout], [], [], 1)
        got = os.read(run.stdout.fileno(), 1 << 16) if ready else b""
        n += got.count(b"\n")
        if time.time() - begin > (len(samples) + 1) * options.seconds / 20:
            samples.append(Sample(run.pid))
    run.send_signal(signal.SIGINT)
    while os.read(run.stdout.fileno(), 1 << 16):
        pass
    if run.wait(30) != 0 or n < 100:
        FAULTS.append("listen over %s: exit %s after %d notifications" % (kind, run.returncode, n))
    seconds = time.time() - begin
    end(server)
    row("listen over %s" % kind, n, samples, seconds, left(world))


def shell(options, kind):
    world = World()
    server, flags = target(world, kind)
    command = [options.mcpcall, "shell", "--no-history", "--answer", "name=Ada", *flags]
    terminal, theirs = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    run = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=world.env, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    seen = b""

    def wait_for(words):
        nonlocal seen
        limit = time.time() + 30
        while words not in seen:
            ready, _, _ = select.select([terminal], [], [], max(limit - time.time(), 0))
            if not ready:
                raise SystemExit("the shell over %s does not say %r but %r" % (kind, words, seen[-500:]))
            seen += os.read(terminal, 1 << 16)
        seen = seen.partition(words)[2]

    begin, n_calls, samples = time.time(), options.calls // 5, []
    wait_for(b"soak> ")
    for n in range(n_calls):
        if n % 2:
            os.write(terminal, b"ask\r")
            wait_for(b"Hello Ada")
        else:
            os.write(terminal, b"add a=%d b=1000000\r" % n)
            wait_for(b"%d" % (n + 1000000) + b"\r\n")
        wait_for(b"soak> ")
        if (n + 1) % max(n_calls // 20, 1) == 0:
            samples.append(Sample(run.pid))
    os.write(terminal, b"\x04")
    try:
        while os.read(terminal, 1 << 16):
            pass
    except OSError:
        pass
    if run.wait(30) != 0:
        FAULTS.append("shell over %s: exit %s" % (kind, run.returncode))
    os.close(terminal)
    seconds = time.time() - begin
    end(server)
    row("shell over %s" % kind, n_calls, samples, seconds, left(world))


def runs(options, kind):
    """One process a call. The server over HTTP is the same for all: what mcpcall leaves there is seen as its descriptors."""
    world = World()
    server, flags = target(world, kind)
    begin, samples, peaks = time.time(), [], []
    for n in range(options.runs):
        call = [["add", "a=2", "b=3"], ["ask", "--answer", "name=Ada"], ["log"]][n % 3]
        command = [options.mcpcall, "call", *call, "-q", *flags]
        run = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=world.env)
        out, problem = run.stdout.read(), run.stderr.read()
        run.stdout.close()
        run.stderr.close()
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        peaks.append(usage.ru_maxrss)
        if run.returncode != 0 or out.decode().strip() != ["5", "Hello Ada", "logged"][n % 3]:
            FAULTS.append("run %d over %s: exit %s, %r %r" % (n, kind, run.returncode, out, problem))
            break
        if (n + 1) % max(options.runs // 20, 1) == 0:
            sample = Sample(server.pid if server else os.getpid())
            # The memory is that of the runs since the sample before, at their peak.
            sample.rss = max(peaks[-max(options.runs // 20, 1):])
            samples.append(sample)
    seconds = time.time() - begin
    alive = left(world, [server.pid] if server else [])
    end(server)
    row("runs over %s" % kind, len(peaks), samples, seconds, alive)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mcpcall", default=os.path.join(HERE, "../../target/release/mcpcall"))
    parser.add_argument("--calls", type=int, default=5000, help="calls on one connection")
    parser.add_argument("--runs", type=int, default=2000, help="processes")
    parser.add_argument("--seconds", type=float, default=60, help="how long is listened")
    parser.add_argument("--only", default="", help="scenarios whose name begins so")
    options = parser.parse_args()
    scenarios = {
        "batch-stdio": lambda: batch(options, "stdio", 1),
        "batch-stdio-8": lambda: batch(options, "stdio", 8),
        "batch-http": lambda: batch(options, "HTTP", 1),
        "batch-http-8": lambda: batch(options, "HTTP", 8),
        "shell-stdio": lambda: shell(options, "stdio"),
        "shell-http": lambda: shell(options, "HTTP"),
        "listen-stdio": lambda: listen(options, "stdio"),
        "listen-http": lambda: listen(options, "HTTP"),
        "runs-stdio": lambda: runs(options, "stdio"),
        "runs-http": lambda: runs(options, "HTTP"),
    }
    print("%-34s %6s  %-28s | %-28s | %-28s" % ("", "n", "start", "middle", "end"))
    for name, scenario in scenarios.items():
        if name.startswith(options.only):
            scenario()
    print("\n".join("FAULT " + fault for fault in FAULTS) or "nothing grew, nothing is left")
    sys.exit(1 if FAULTS else 0)


main()
