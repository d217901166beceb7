"""What is measured with, and what is measured: built or installed into a cache that git does not see."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("MCPCALL_BENCH_DIR") or HERE / ".cache").resolve()


class Missing(Exception):
    """Something that is needed is not there; the message says what to do."""


def tool(name):
    found = shutil.which(name)
    if not found:
        raise Missing(f"there is no {name} on PATH")
    return found


def run(command, **more):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode != 0:
        raise Missing(f"{' '.join(map(str, command))} failed:\n{done.stdout}")
    return done.stdout


def build():
    """The server, the floors and what measures: a few seconds the first time, nothing later."""
    CACHE.mkdir(parents=True, exist_ok=True)
    run([tool("cargo"), "build", "--quiet", "--release", "--locked", "--manifest-path", HERE / "server/Cargo.toml",
         "--target-dir", CACHE / "target"])
    for name in ("floor", "measure"):
        source, program = HERE / f"{name}.c", CACHE / name
        if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
            # Moved into place whole: another run may be using it.
            run([tool("cc"), "-O2", "-Wall", "-o", f"{program}.new", source])
            os.replace(f"{program}.new", program)
    return {"server": CACHE / "target/release/bench-server", "hello": CACHE / "target/release/hello",
            "floor": CACHE / "floor", "measure": CACHE / "measure", "curl": tool("curl"), "sh": tool("sh")}


def mcpcall(given):
    """The program that is compared with the others."""
    if given:
        found = Path(given).resolve()
    else:
        target = Path(os.environ.get("CARGO_TARGET_DIR") or HERE.parents[1] / "target")
        found = (HERE.parents[1] / target / "release/mcpcall").resolve()
    if not found.exists():
        raise Missing(f"{found} is not there: cargo build --release, or --mcpcall PATH")
    return found


def rivals_home(kind):
    """Where the rivals of a lock file are; the name tells the lock file's contents."""
    lock = HERE / "rivals" / {"node": "package-lock.json", "python": "requirements.txt"}[kind]
    return CACHE / f"rivals-{kind}-{hashlib.sha256(lock.read_bytes()).hexdigest()[:16]}"


def install():
    for kind, fill in (("node", install_node), ("python", install_python)):
        home = rivals_home(kind)
        if (home / "complete").exists():
            continue
        print(f"installing {kind} rivals into {home}", file=sys.stderr)
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        fill(home)
        (home / "complete").touch()


def install_node(home):
    for name in (".npmrc", "package.json", "package-lock.json"):
        shutil.copy(HERE / "rivals" / name, home)
    # Not `npm ci`: it refuses the lock file for an optional package, for Windows, that not every registry has.
    run([tool("npm"), "install", "--ignore-scripts", "--no-save", "--loglevel=error"], cwd=home)


def install_python(home):
    run([tool("python3"), "-m", "venv", home])
    run([home / "bin/python", "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check",
         "-r", HERE / "rivals/requirements.txt"])


def installed(kind):
    home = rivals_home(kind)
    return home if (home / "complete").exists() else None
