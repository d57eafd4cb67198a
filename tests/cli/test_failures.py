"""How the command ends when something fails: a sentence, an exit code, never a traceback."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import polars as pl
import pytest
from tests.cli.conftest import Command, study_text
from tests.heavy import heavy

from heldout.errors import InputError
from heldout.reports.render import terminal_catalogue as terminal

HOSTILE = "\x1b[31mred\x07 \u202egnp.exe :x: [bold]b[/bold] \x9b2J"
"""An escape sequence, a bell, a mark of direction, an emoji's code, markup, and the one-character form of `ESC [`."""


def raising(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def render_list(*_: object) -> None:
        raise error

    monkeypatch.setattr(terminal, "render_list", render_list)


def keep_traces_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heldout.cli.failures.mkstemp", lambda **options: tempfile.mkstemp(**options, dir=folder))


MENDED_BY_THE_USER: dict[str, tuple[BaseException, tuple[str, ...]]] = {
    "bad input": (InputError("is empty", file="a.csv"), ("a.csv: is empty",)),
    "full disk": (OSError(errno.ENOSPC, "No space left on device", "out.csv"), ("out.csv: No space left on device",)),
    "denied": (PermissionError(errno.EACCES, "Permission denied", "/root/a"), ("/root/a: Permission denied",)),
    "long name": (OSError(errno.ENAMETOOLONG, "File name too long", "a" * 5000), ("aaa…: File name too long",)),
    "polars' way": (OSError("No space left on device (os error 28)"), ("error: No space left on device\n",)),
    "memory": (MemoryError("Unable to allocate 9 TiB"), ("memory is full (Unable to allocate 9 TiB)",)),
    "nesting": (RecursionError("maximum recursion depth exceeded"), ("nested too deeply", "trace is in")),
}


@pytest.mark.parametrize("case", MENDED_BY_THE_USER)
def test_what_the_user_can_mend_ends_with_2(
    case: str, monkeypatch: pytest.MonkeyPatch, heldout: Command, tmp_path: Path
) -> None:
    error, words = MENDED_BY_THE_USER[case]
    keep_traces_in(tmp_path, monkeypatch)
    raising(monkeypatch, error)
    said = heldout("list", "metrics")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: ")
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err
    assert len(said.err) < 400
    for word in words:
        assert word in said.err


@pytest.mark.parametrize("error", [ZeroDivisionError("division by zero"), KeyError("x"), AssertionError()])
def test_a_bug_says_so_and_keeps_its_trace(
    error: Exception, monkeypatch: pytest.MonkeyPatch, heldout: Command, tmp_path: Path
) -> None:
    keep_traces_in(tmp_path, monkeypatch)
    raising(monkeypatch, error)
    said = heldout("list", "metrics")
    assert said.code == 70
    assert "this is a bug in Heldout" in said.err
    assert "report it" in said.err
    assert "Traceback" not in said.err
    (kept,) = tmp_path.iterdir()
    assert str(kept) in said.err
    trace = kept.read_text(encoding="utf-8")
    assert "Traceback (most recent call last)" in trace
    assert type(error).__name__ in trace
    assert "['heldout', 'list', 'metrics']" in trace
    assert kept.stat().st_mode & 0o077 == 0


def test_a_panic_of_polars_is_a_sentence(monkeypatch: pytest.MonkeyPatch, heldout: Command, tmp_path: Path) -> None:
    keep_traces_in(tmp_path, monkeypatch)
    raising(monkeypatch, pl.exceptions.PanicException("range end index 9 out of range"))
    said = heldout("list", "metrics")
    assert said.code == 70
    assert "polars" in said.err
    assert "range end index 9 out of range" in said.err
    assert len(list(tmp_path.iterdir())) == 1


def test_a_trace_that_cannot_be_kept_is_printed(monkeypatch: pytest.MonkeyPatch, heldout: Command) -> None:
    def full(**_: str) -> tuple[int, str]:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("heldout.cli.failures.mkstemp", full)
    raising(monkeypatch, KeyError("gone"))
    said = heldout("list", "metrics")
    assert said.code == 70
    assert "KeyError: 'gone'" in said.err


def command(*arguments: str, encoding: str | None = None, **options: object) -> subprocess.CompletedProcess[bytes]:
    env = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "PYTHONIO", "PYTHONUTF8"))}
    if encoding is not None:
        env |= {"PYTHONIOENCODING": encoding}
    else:
        env |= {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    run = [sys.executable, "-c", "from heldout.cli import main; main()", *arguments]
    return subprocess.run(run, env=env, stderr=subprocess.PIPE, check=False, **options)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize("encoding", [None, "ascii", *(pytest.param(e, marks=heavy) for e in ("latin-1", "cp1252"))])
def test_any_encoding_of_stdout_will_do(encoding: str | None, desk: Path) -> None:
    """Reports, and in the narrowest encoding cards and JSON too; ASCII stands for our own signs."""
    reports = [["data", "describe", "ratings.csv"]]
    others = [["describe", "nDCG"], ["data", "describe", "ratings.csv", "--json"]]
    for arguments in reports + others * (encoding == "ascii"):
        ended = command(*arguments, encoding=encoding, stdout=subprocess.PIPE)
        assert (ended.returncode, ended.stderr) == (0, b"")
        text = ended.stdout.decode(encoding or "ascii")
        assert "60" in text or "discount" in text
        if arguments[-1] == "ratings.csv" and encoding == "ascii":
            assert "?" not in text


def test_csv_keeps_ids_that_stdout_cannot_encode(desk: Path) -> None:
    names = ["--run", "é=a.csv", "--run", "日=b.csv"]
    ended = command(
        "evaluate", "--qrels", "test.csv", *names, "--format", "csv", "-q", encoding="ascii", stdout=subprocess.PIPE
    )
    assert ended.returncode == 0, ended.stderr
    assert {"é", "日"} <= set(pl.read_csv(ended.stdout)["system"])


def test_a_full_device_and_a_closed_pipe(desk: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = command("schema", encoding="utf-8", stdout=full)
    assert (ended.returncode, ended.stderr) == (2, b"error: No space left on device\n")
    for arguments in (["schema"], ["list"]):
        reading, writing = os.pipe()
        os.close(reading)
        ended = command(*arguments, encoding="utf-8", stdout=writing)
        os.close(writing)
        assert (ended.returncode, ended.stderr) == (141, b"")


def test_a_file_name_that_is_not_utf8(desk: Path) -> None:
    ended = command("data", "describe", os.fsdecode(b"no\xff.csv"), encoding="utf-8", stdout=subprocess.PIPE)
    assert ended.returncode == 2
    assert ended.stderr.startswith(b"error: no\\xff.csv: ")


def test_symlink_loops_and_unreadable_parents(desk: Path, heldout: Command) -> None:
    (desk / "loop.csv").symlink_to(desk / "loop.csv")
    (desk / "under.csv").write_text("x")
    for path in ("loop.csv", "under.csv/inside.csv", "a/" * 3000, "x" * 300 + ".csv"):
        for arguments in (
            ["data", "describe", path],
            ["run", path, "--out", "results"],
            ["evaluate", "--qrels", path, "--run", "a.csv"],
            ["evaluate", "--qrels", "test.csv", "--run", path],
            ["lint", path],
            ["report", path],
        ):
            said = heldout(*arguments)
            assert said.code == 2, (arguments, said)
            assert said.err.startswith("error: "), said.err


def shown(text: str) -> None:
    assert not set(text) & set("\x1b\x07\x9b\u202e")
    assert "❌" not in text


def test_nothing_in_a_file_is_obeyed_by_the_terminal(desk: Path, heldout: Command) -> None:
    """Ids, names of systems, titles and file names, in reports and in errors."""
    (desk / "bad.csv").write_text(f"user,item,rating\nu1,i1,{HOSTILE}\n", encoding="utf-8")
    said = heldout("data", "describe", "bad.csv")
    assert said.code == 2
    shown(said.err)
    assert r"\x1b[31mred" in said.err
    assert ":x: [bold]b[/bold]" in said.err
    said = heldout("evaluate", "--qrels", "test.csv", "--run", f"{HOSTILE}=a.csv", "--run", "B=b.csv")
    assert said.code == 0
    shown(said.out + said.err)
    assert ":x: [bold]b" in said.out
    (desk / "study.toml").write_text(
        study_text(
            title='"\\u001b[31m :x: [red]t"',
            recommend='["Random", {name = "\\u001b[2J :x: [red]p \\u202e", model = "Popularity"}]',
        )
    )
    for arguments in (
        ["run", "study.toml", "--out", "r"],
        ["report", "r"],
        ["compare", "r"],
        ["lint", "r"],
        ["power", "r", "--effect", "0.1"],
    ):
        said = heldout(*arguments)
        assert "Traceback" not in said.err
        shown(said.out + said.err)
        assert arguments[0] != "report" or ":x: [red]p" in said.out


def test_json_escapes_what_a_terminal_would_obey(desk: Path, heldout: Command) -> None:
    said = heldout("evaluate", "--qrels", "test.csv", "--run", f"{HOSTILE}=a.csv", "--format", "json", "-q")
    assert said.code == 0
    shown(said.out)


PLUG_INS = """
from typing import Any
import numpy as np
from heldout.metrics.metric import Metric
from heldout.significance.significance_test import Test


def broken() -> None:
    raise ZeroDivisionError("division by zero")


class Fails(Metric):
    \"\"\"A metric that fails.\"\"\"

    key = "Fails"

    def measure(self, judged):
        broken()


class Short(Metric):
    \"\"\"A metric with a value too few.\"\"\"

    key = "Short"

    def measure(self, judged):
        return np.zeros(len(judged) - 1)


class Endless(Metric):
    \"\"\"A metric without a finite value.\"\"\"

    key = "Endless"

    def measure(self, judged):
        return np.full(len(judged), np.inf)


class Single(Test):
    \"\"\"A test with one p for all pairs.\"\"\"

    key = "single"

    def p_values(self, columns, pairs, *, seed, weights=None):
        return np.array(0.5)
"""
POINTS = (
    "[heldout.metrics]\nFails = plug_ins:Fails\nShort = plug_ins:Short\nEndless = plug_ins:Endless\nGone = nowhere:Gone\n"
    "[heldout.tests]\nsingle = plug_ins:Single\n"
)
GONE = "entry point 'Gone' of 'heldout.metrics' (nowhere:Gone) of the package plug-ins"
CASES = {
    "-m Fails": ("error: the metric Fails of the package plug-ins ", "ZeroDivisionError"),
    "-m Short": ("error: the metric Short of the package plug-ins: ", "numbers of shape (2,)", "found 'shape (1,)"),
    "-m Endless": ("error: the metric Endless of the package plug-ins: ", "2 of 2 values"),
    "-m P@1 --test single": ("error: the test single of the package plug-ins: ", "numbers of shape (1,)", "found 'shape ()"),
    "-m Gone": (f"error: metrics: {GONE}: ", "found ModuleNotFoundError"),
}


@pytest.mark.parametrize("options", CASES)
def test_a_plug_in_that_fails_is_named_with_its_package(options: str, desk: Path) -> None:
    """As pip leaves a package, in a process of its own: what it registers stays there."""
    about = desk / "plug_ins-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: plug-ins\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(POINTS)
    (desk / "plug_ins.py").write_text(PLUG_INS)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(desk), *sys.path]), "TMPDIR": str(desk)}

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        asked = [sys.executable, "-m", "heldout", *arguments]
        return subprocess.run(asked, env=environment, capture_output=True, text=True, check=False)

    evaluate = ["evaluate", "--qrels", "test.csv", "--run", "A=a.csv", "--run", "B=b.csv", "--relevance", "threshold(4)"]
    failed = command(*evaluate, *options.split())
    assert failed.returncode == 2
    for words in CASES[options]:
        assert words in " ".join(failed.stderr.split()), failed.stderr
    assert "bug in Heldout" not in failed.stderr and "Traceback" not in failed.stderr
    if options == "-m Gone":
        card = command("describe", "nDCG")
        assert card.returncode == 0 and "nDCG" in card.stdout
        assert GONE in " ".join(card.stderr.split())
