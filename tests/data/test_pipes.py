"""Pipes are read once, however often they are looked at."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from heldout import read
from heldout.data.read import reader_of
from heldout.data.runs import read_run

TEXT = "user,item,rating\n" + "".join(f"{k},{k % 7},{k % 5}\n" for k in range(30_000))


def written(path: Path, text: str) -> threading.Thread:
    thread = threading.Thread(target=lambda: path.write_text(text))
    thread.start()
    return thread


@pytest.mark.parametrize("name", ["r", "r.csv", "r.dat"])
def test_a_named_pipe(tmp_path: Path, name: str) -> None:
    pipe = tmp_path / name
    os.mkfifo(pipe)
    thread = written(pipe, TEXT)
    reader = reader_of(pipe)
    assert len(reader.read()) == 30_000
    digest = reader.source_digest()
    thread.join()
    assert len(reader.read()) == 30_000  # again: it is kept
    (tmp_path / "file").write_text(TEXT)
    assert digest == reader_of(tmp_path / "file").source_digest()


def test_a_pipe_that_is_written_to_again_is_read_again(tmp_path: Path) -> None:
    pipe = tmp_path / "r.csv"
    os.mkfifo(pipe)
    for rows in ("1,2,3\n", "1,2,3\n4,5,6\n"):
        thread = written(pipe, "user,item,rating\n" + rows)
        time.sleep(0.2)  # the writer waits for a reader
        assert len(read(pipe)) == rows.count("\n")
        thread.join()


@pytest.mark.parametrize("command", ["describe", "evaluate"])
def test_standard_input(tmp_path: Path, command: str) -> None:
    (tmp_path / "run.csv").write_text("user,item,score\n1,2,0.5\n1,3,0.4\n2,2,0.1\n")
    given = {
        "describe": ["data", "describe", "/dev/stdin", "--json"],
        "evaluate": ["evaluate", "--qrels", "/dev/stdin", "--run", "run.csv", "-m", "P@1", "--format", "csv"],
    }[command]
    done = subprocess.run(
        [sys.executable, "-c", "from heldout.cli import main; main()", *given],
        input="user,item,rating\n1,2,5\n1,3,1\n2,2,4\n",
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert '"ratings": 3' in done.stdout if command == "describe" else ",1.0" in done.stdout


def test_runs_through_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "run.txt"
    os.mkfifo(pipe)
    thread = written(pipe, "u Q0 x 1 0.9 me\nu Q0 y 2 0.5 me\n")
    assert read_run(pipe).score.tolist() == [0.9, 0.5]
    thread.join()
