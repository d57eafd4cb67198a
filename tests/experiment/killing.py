"""Kill a command at many moments, run it again, and compare the folder with that of an undisturbed command.

`python -m tests.experiment.killing FOLDER KILLS WORKERS SEED [multiverse|meta|evaluate]` prints a line for each moment.
Each command runs in a process forked from one that has the modules loaded, which saves seconds; polars is not used before
the fork. `evaluate` writes nothing until it has judged everything, so it is killed only once its folder exists.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import pkgutil
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.reports.measured import without_measured

import heldout.api
import heldout.cli.app
import heldout.kernels
import heldout.reports
from heldout.catalogue import KINDS, classes
from heldout.experiment.provenance import lasting

STUDY = """
data = "simulate(users=70, items=30, ratings=900)"
split = "ratio(train=0.7, by=user)"
recommend = ["Popularity", "ItemKNN(k=5)", "WRMF(factors=3, iterations=1)"]
target = ["AllItems", "OnePlusRandom(5)"]
fallback = ["none", "popularity"]
metrics = ["P@5", "nDCG(gain=binary)@5", "UROC"]
compare = ["t"]
"""
SEVERAL = """
aggregate = ["mean", "gmean"]
coverage = ["zero", "forgive"]
[multiverse]
seeds = [1, 2]
cutoffs = [3, 5]
"""
"""What a multiverse of that study tries besides."""
TRIED = ("-m", "P", "-m", "nDCG", "--depth", "5", "--samples", "2")
"""What a trial of metrics tries by that study's systems."""
FINISHED = "the folder already holds a finished evaluation"
"""What `evaluate` says if it was killed after the last file, which is the only case in which it does not write again."""
_WATCHED = (
    "open",
    "os.rename",
    "os.remove",
    "os.mkdir",
    "os.rmdir",
    "os.chmod",
    "os.scandir",
    "sqlite3.connect",
    "shutil.rmtree",
)
"""What the interpreter tells of: each is a moment to be killed at."""


def load_all() -> None:
    """Import what runs import, so that forked processes need not."""
    import scipy.linalg.cython_blas
    import scipy.optimize
    import scipy.stats  # noqa: F401

    for kind in KINDS:
        classes(kind)
    for package in (heldout.api, heldout.kernels, heldout.reports):
        for module in pkgutil.walk_packages(package.__path__, prefix=f"{package.__name__}."):
            importlib.import_module(module.name)


def forked(work: Callable[[], Any], *, output: Path, after: float | None = None) -> int:
    """Do the work in a forked process, killed `after` seconds; how it ended, as `os.waitstatus_to_exitcode` says."""
    child = os.fork()
    if child == 0:
        written = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(written, 1)
        os.dup2(written, 2)
        work()
        os._exit(0)
    if after is not None:
        time.sleep(after)
        os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def write_runs(folder: Path) -> tuple[str, ...]:
    """Write judgements and two runs; return the options that name them."""
    draw = random.Random(7)
    names = {name: folder / f"{name}.csv" for name in ("test", "a", "b")}
    for path in names.values():
        rows = (f"u{user},i{item},{draw.randint(1, 5)}\n" for user in range(60) for item in draw.sample(range(20), 8))
        path.write_text("user,item,rating\n" + "".join(rows), encoding="utf-8")
    runs = ("--run", f"A={names['a']}", "--run", f"B={names['b']}")
    return ("--qrels", str(names["test"]), *runs, "-m", "P@5", "-m", "nDCG@5", "--relevance", "threshold(4)")


def command(study: Path, out: Path, workers: int, verb: str = "run") -> Callable[[], None]:
    """The command as a user gives it."""
    asked = write_runs(study.parent) if verb == "evaluate" else (str(study), *(TRIED if verb == "meta" else ()))

    def run() -> None:
        engine = ["--engine", "ray", "--threads", str(workers)] if workers > 1 else []
        sys.argv = ["heldout", verb, *asked, "--out", str(out), "--quiet", *engine]
        try:
            heldout.cli.app.run_command()
        except SystemExit as ended:
            sys.stderr.flush()
            os._exit(int(ended.code or 0))

    return run


def counting(work: Callable[[], None], out: Path, note: Path | None, stop_at: int) -> Callable[[], None]:
    """The work, killed before the `stop_at`th thing that it does to the folder; what it does in all is noted."""

    def run() -> None:
        seen = 0

        def watch(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal seen
            if event in _WATCHED and str(arguments[0]).startswith(str(out)):
                seen += 1
                if seen == stop_at:
                    os.kill(os.getpid(), signal.SIGKILL)
                if note is not None:
                    os.pwrite(noted, str(seen).encode(), 0)

        noted = os.open(note, os.O_WRONLY | os.O_CREAT) if note is not None else -1
        sys.addaudithook(watch)
        work()

    return run


def left(out: Path) -> dict[str, str]:
    """Digests of all files of a folder; of the manifest, without what is of the run; the index without its bytes."""
    found = {}
    for path in sorted(p for p in out.rglob("*") if p.is_file()):
        content = path.read_bytes()
        if path.name == "manifest.json":
            content = json.dumps({**lasting(json.loads(content)), "digest": ""}, sort_keys=True).encode()
        if path.name == "report.html":
            content = without_measured(content.decode()).encode()
        found[str(path.relative_to(out))] = hashlib.sha256(b"" if path.name == "index.sqlite" else content).hexdigest()
    return found


def main(folder: Path, kills: int, workers: int, seed: int, verb: str = "run") -> int:
    """Kill at moments of both kinds in turn; the number of moments after which something differed."""
    load_all()
    study, output, note = folder / "study.toml", folder / "output.txt", folder / "operations.txt"
    several = STUDY.replace('"P@5", "nDCG(gain=binary)@5", "UROC"', '"P", "nDCG(gain=binary)"') + SEVERAL
    study.write_text(several if verb == "multiverse" else STUDY, encoding="utf-8")
    whole = folder / "whole"
    forked(command(study, folder / "first", workers, verb), output=output)  # kernels are compiled, if they were not
    begun = time.perf_counter()
    if forked(counting(command(study, whole, workers, verb), whole, note, 0), output=output):
        print(output.read_text())
        return kills
    seconds, operations = time.perf_counter() - begun, int(note.read_text())
    expected = left(whole)
    draw = random.Random(seed)
    wrong = 0
    for number in range(kills):
        out = folder / f"out-{number}"
        run = command(study, out, workers, verb)
        if number % 2 == 0 or verb == "evaluate":
            at = draw.randint(2 if verb == "evaluate" else 1, operations)  # the first is to make the folder
            code = forked(counting(run, out, None, at), output=output)
            moment = f"before operation {at} of {operations}"
        else:
            after = draw.uniform(0.2, 1.0) * seconds
            code = forked(run, output=output, after=after)
            moment = f"after {after:.2f} of {seconds:.2f} s"
        parts = len(list(out.rglob("*.parquet"))) if out.exists() else "no folder and no"
        again = forked(run, output=output)
        if verb == "evaluate" and again == 2 and FINISHED in output.read_text():
            (out / ".lock").unlink(missing_ok=True)  # killed after the last file, and before the lock was removed
            again = 0
        same = again == 0 and left(out) == expected
        wrong += not same
        told = {} if same else {k for k in {**left(out), **expected} if left(out).get(k) != expected.get(k)}
        killed = "killed" if code == -signal.SIGKILL else f"ended with {code}"
        print(
            f"{number} workers={workers} {killed} {moment}, {parts} parts kept: {'same' if same else f'WRONG {told}'}",
            flush=True,
        )
        if not same:
            print(output.read_text(), flush=True)
            continue
        for path in sorted(out.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
    print(f"{kills} moments, {wrong} wrong", flush=True)
    return wrong


if __name__ == "__main__":
    place, kills, workers, seed, *verb = sys.argv[1:]
    sys.exit(min(main(Path(place), int(kills), int(workers), int(seed), *verb), 100))
