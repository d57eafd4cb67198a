"""Stop every command that writes, at many moments and on full disks: the earlier files or the complete new ones are there.

`python -m tests.cli.killing_verbs FOLDER MOMENTS SEED [CASE …]` prints a line for each moment. Commands run in processes
forked from one that has the modules loaded, which saves seconds; polars is not used before the fork.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.cli.in_place import OWN, Watch
from tests.experiment.killing import STUDY, forked, load_all
from tests.reports.measured import without_measured

import heldout.api.demo
import heldout.cli.app
from heldout.data.published import PUBLISHED
from heldout.experiment.provenance import lasting
from heldout.storage.files import is_unfinished
from heldout.study.tuned import read_tuned

PAGE = 4096
"""The least room that a file takes on a small disk, and less than any command here writes."""
EARLIER = b"what was there before\n"
RATINGS, SECOND = "ratings.csv", "second.csv"
FETCHED = "ml-10m"
"""A data set of which an archive made here takes the place; nothing of it is known but the checksum."""
RESULTS = ("report", "tune", "demo")
"""Cases that write to a folder of results: what is there is theirs already, and such folders' own tests fill the disk."""
SMALL = {
    "data": "simulate(users=70, items=30, ratings=900)",
    "recommend": ["Popularity", "ItemKNN(k=5)"],
    "target": ["AllItems", "TestItems"],
}
"""What the demonstration compares here, to be done in a second."""
CASES: dict[str, tuple[str, ...]] = {
    "convert csv": ("data", "convert", "{ratings}", "{out}/new.csv"),
    "convert parquet": ("data", "convert", "{ratings}", "{out}/new.parquet"),
    "convert jsonl": ("data", "convert", "{ratings}", "{out}/new.jsonl"),
    "filter": ("data", "filter", "{ratings}", "{out}/new.tsv", "-f", "core(2)"),
    "simulate": (
        "data", "simulate", "{out}/new.csv", "--spec", "simulate(users=200, items=90, ratings=4000)",
        "--truth", "{out}/truth.parquet", "--propensities", "{out}/propensities.parquet",
    ),
    "evaluate": (
        "evaluate", "--qrels", "{ratings}", "--run", "A={ratings}", "--run", "B={second}", "-m", "P@5", "-q",
        "--report", "{out}/report.html", "--per-user", "{out}/users.csv",
    ),
    "recommend csv": ("recommend", "--model", "Popularity", "--data", "{ratings}", "-o", "{out}/run.csv", "-q"),
    "recommend trec": ("recommend", "--model", "Popularity", "--data", "{ratings}", "-o", "{out}/run.txt", "-q"),
    "split": ("split", "ratio(train=0.8, by=user)", "{ratings}", "--save", "{out}/saved", "--plot", "{out}/plot.svg"),
    "compare": (
        "compare", "{results}", "--test", "friedman", "--report", "{out}/report.html", "--plot", "{out}/plot.pdf", "-q",
    ),
    "methods": ("methods", "{results}", "--out", "{out}/methods.tex"),
    "report": ("report", "{out}", "--html"),
    "tune": (
        "tune", "--model", "PureSVD", "--data", "simulate(users=60, items=40, ratings=900)", "--metric", "P@5",
        "--trials", "2", "--range", "factors=2..20", "--out", "{out}", "-q",
    ),
    "demo": ("demo", "--out", "{out}", "-q"),
    "fetch": ("data", "fetch", FETCHED, "--out", "{out}", "--from", "{archives}"),
}  # fmt: skip
_WATCHED = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.scandir", "os.listdir", "shutil.rmtree")


class Place:
    """Inputs, results of a run, and the folder that a command writes to."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.output = folder, folder / "output.txt"
        draw = random.Random(5)
        for name in (RATINGS, SECOND):
            pairs = {(draw.randrange(900), draw.randrange(300)): draw.randint(1, 5) for _ in range(25_000)}
            rows = "".join(f"u{user},i{item},{value}\n" for (user, item), value in sorted(pairs.items()))
            (folder / name).write_text(f"user,item,rating\n{rows}")
        (folder / "study.toml").write_text(STUDY)
        archives = folder / "archives"
        archives.mkdir()
        with zipfile.ZipFile(archives / f"{FETCHED}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name in (RATINGS, SECOND):
                archive.write(folder / name, f"ml-10M100K/{name}")
        digest = hashlib.sha256((archives / f"{FETCHED}.zip").read_bytes()).hexdigest()
        PUBLISHED[FETCHED] = replace(PUBLISHED[FETCHED], checksum=f"sha256:{digest}")
        heldout.api.demo.STUDY.update(SMALL)
        run = ("run", str(folder / "study.toml"), "--out", str(folder / "results"), "--quiet")
        assert forked(command(run), output=self.output) == 0, self.output.read_text()

    def command(self, case: str, out: Path) -> Callable[[], None]:
        names: dict[str, Any] = {name: self.folder / f"{name}.csv" for name in ("ratings", "second")}
        names |= {"results": self.folder / "results", "archives": (self.folder / "archives").as_uri()}
        return command(tuple(word.format(**names, out=out) if "{" in word else word for word in CASES[case]))

    def prepare(self, case: str, out: Path, names: list[str]) -> dict[str, bytes]:
        """Make the folder as it is before the command: with earlier files of the names that it will write."""
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        if case == "report":
            shutil.copytree(self.folder / "results", out, dirs_exist_ok=True)
        else:
            for name in (n for n in names if "/" not in n and case not in RESULTS):
                (out / name).write_bytes(EARLIER)
        return content(out)


def command(arguments: tuple[str, ...]) -> Callable[[], None]:
    """A command as a user gives it."""

    def run() -> None:
        sys.argv = ["heldout", *arguments]
        try:
            heldout.cli.app.run_command()
        except SystemExit as ended:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(int(ended.code or 0))

    return run


def stopping(work: Callable[[], None], out: Path, note: Path, how: int, at: int, after: float) -> Callable[[], None]:
    """The work, sent a signal `after` seconds after the `at`th thing that it does in the folder; all things are noted."""

    def run() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        seen, begun = 0, time.perf_counter()

        def watch(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal seen
            if event in _WATCHED and str(arguments[0]).startswith(str(out)):
                seen += 1
                os.pwrite(noted, f"{seen} {time.perf_counter() - begun:.4f}\n".encode(), 0)
                if seen == at and after:
                    threading.Timer(after, os.kill, (os.getpid(), how)).start()
                elif seen == at:
                    os.kill(os.getpid(), how)

        noted = os.open(note, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        sys.addaudithook(watch)
        work()

    return run


def content(out: Path) -> dict[str, bytes]:
    """The files of a folder; the index and the journal, which are SQLite's and optuna's, without their bytes.

    Of a manifest, which must be whole, and of a report, what differs between two runs is left out.
    """
    found = {str(p.relative_to(out)): p for p in sorted(out.rglob("*")) if p.is_file()}
    files = {name: b"" if name.startswith(OWN) else path.read_bytes() for name, path in found.items()}
    for name in files.keys() & {"manifest.json"}:
        files[name] = json.dumps({**lasting(json.loads(files[name])), "digest": ""}, sort_keys=True).encode()
    for name in [name for name in files if name.endswith("report.html")]:
        files[name] = without_measured(files[name].decode()).encode()
    return files


def wrong(
    case: str, now: dict[str, bytes], before: dict[str, bytes], new: dict[str, bytes], *, killed: bool | None
) -> list[str]:
    """Files that are neither the earlier nor the complete new one, and files that nobody asked for.

    `killed` is None after a command that was not stopped.
    """
    bad = []
    for name, bytes_now in now.items():
        if any(is_unfinished(Path(part)) for part in Path(name).parts):
            if not killed:
                bad.append(f"{name} was left behind")
        elif name in ("index.sqlite-wal", "index.sqlite-shm", ".lock") or name.startswith("trials.journal"):
            continue
        elif killed and name.startswith(".work/"):
            continue  # how far the run had come
        elif case == "tune" and name == "tuned.json":
            continue  # times differ; it is read below
        elif case == "demo" and name == "manifest.json" and killed is not None:
            continue  # it also says how far the run has come
        elif bytes_now not in (before.get(name), new.get(name)):
            bad.append(f"{name} has {len(bytes_now)} bytes of {len(new.get(name, b''))}")
    bad += [f"{name} is gone" for name in before if name not in now]
    whole = {name for name in new if name.startswith(("saved/", f"{FETCHED}/"))}
    if whole & now.keys() and not whole <= now.keys():
        bad.append("the folder of a split or a data set is there in part")
    return bad


def check(place: Place, case: str, moments: int, draw: random.Random) -> tuple[int, list[str]]:
    """Stop one command at some moments; how often something was wrong, and the files that it writes."""
    out, note = place.folder / "out", place.folder / "operations.txt"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    place.prepare(case, out, [])
    watch = Watch(out, place.folder / "folders.txt")
    whole = watch.watching(stopping(place.command(case, out), out, note, 0, 0, 0))
    assert forked(whole, output=place.output) == 0, place.output.read_text()
    operations, new = int(note.read_text().split()[0]), content(out)
    in_place = [f"{path} is written in place" for path in watch.in_place()]
    watch.close()
    print(f"{case}: every moment of an undisturbed run: {in_place or 'right'}", flush=True)
    names, failures = list(new), int(bool(in_place))
    for number in range(moments):
        how = (signal.SIGKILL, signal.SIGINT)[number % 2]
        at, after = draw.randint(1, operations), draw.choice([0.0, 0.0, draw.uniform(0, 0.02)])
        before = place.prepare(case, out, names)
        run = place.command(case, out)
        code = forked(stopping(run, out, note, how, at, after), output=place.output)
        told = place.output.read_text(errors="replace")
        bad = wrong(case, content(out), before, new, killed=how == signal.SIGKILL)
        if how == signal.SIGINT and (code not in (0, 130) or "Traceback" in told):
            bad.append(f"it ended with {code}: {told[-300:]}")
        if case == "split" and (out / "saved").exists():
            shutil.rmtree(out / "saved")
        again = forked(run, output=place.output)
        if again or wrong(case, content(out), new, new, killed=None):
            bad.append(
                f"again: {again}, {wrong(case, content(out), new, new, killed=None)} {place.output.read_text()[-300:]}"
            )
        if case == "tune":
            read_tuned(out)
        failures += bool(bad)
        when = f"{signal.Signals(how).name} {after * 1000:.0f} ms after operation {at} of {operations}"
        print(f"{case}: {when}, ended with {code}: {bad or 'right'}", flush=True)
    return failures, names


@contextmanager
def small_disk(place: Path, size: int) -> Iterator[Path]:
    """A disk of its own with room for so many bytes; needs root."""
    place.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)], check=True, capture_output=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def check_full(place: Place, case: str, names: list[str], *, mount: bool) -> int:
    """Run one command where there is too little room: 1 where it does not end with a sentence and the earlier files."""
    out, plain = place.folder / "disk", [name for name in names if "/" not in name]
    size = PAGE * (len(plain) + 1) if mount else PAGE

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    def attempt(folder: Path) -> list[str]:
        for name in plain:
            (folder / name).write_bytes(EARLIER)
        before, run = content(folder), place.command(case, folder)

        def work() -> None:
            if not mount:
                limited()
            run()

        code = forked(work, output=place.output)
        told = place.output.read_text(errors="replace")
        bad = [f"{n} changed" for n, b in before.items() if content(folder).get(n) != b]
        bad += [f"{n} was left behind" for n in content(folder) if n not in before and not n.startswith("trials.journal")]
        if code != 2 or "Traceback" in told or told.count("error:") != 1 or "cannot be written (" not in told:
            bad.append(f"it ended with {code}: {told[-500:]}")
        return bad

    if mount:
        with small_disk(out, size) as folder:
            bad = attempt(folder)
    else:
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        bad = attempt(out)
    print(f"{case}: a disk of {size:,} bytes{'' if mount else ' a file'}: {bad or 'right'}", flush=True)
    return bool(bad)


def _can_mount(place: Path) -> bool:
    try:
        with small_disk(place, PAGE):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


def main(folder: Path, moments: int, seed: int, cases: list[str]) -> int:
    """All cases; how often something was wrong."""
    load_all()
    place, draw, failures = Place(folder), random.Random(seed), 0
    mount = _can_mount(folder / "disk")
    for case in cases or CASES:
        failed, names = check(place, case, moments, draw)
        failures += failed
        if case not in RESULTS:
            failures += check_full(place, case, names, mount=mount)
    print(f"{failures} wrong", flush=True)
    return failures


if __name__ == "__main__":
    where, count, seed, *asked = sys.argv[1:]
    sys.exit(min(main(Path(where), int(count), int(seed), asked), 100))
