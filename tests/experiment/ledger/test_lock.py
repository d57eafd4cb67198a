"""One writer at a time: between processes, between threads, and where a process was forked."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from tests.experiment.conftest import LEAST, content, copied
from tests.refusals import refused

import heldout as ho
from heldout.errors import ResultsError
from heldout.experiment.ledger import Ledger

_HOLD = """
import sys, time
from heldout.experiment.ledger import Ledger
with Ledger(sys.argv[1]).writing():
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_process_is_told_who_is_writing(whole: Path, tmp_path: Path) -> None:
    out = copied(whole, tmp_path / "out")
    before = content(out)
    holder = subprocess.Popen([sys.executable, "-c", _HOLD, str(out)], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        hint = "wait until it ends, stop it, or choose another --out"
        with refused(ResultsError, where=str(out), hint=hint) as refusal:
            ho.run(LEAST, out=out)
        assert f"(process {holder.pid} on {socket.gethostname()}, since 2" in refusal.value.what
        assert {k: v for k, v in content(out).items() if k != ".lock"} == before
        assert (
            ho.load(out).tables["all-leaderboards"].frame.height == 4
        )  # two systems, two metrics: whoever reads is not in the way
        assert ho.load(out).per_user().height > 0
    finally:
        holder.kill()
        holder.wait()
    ho.run(LEAST, out=out)  # the lock went with its process
    assert not (out / ".lock").exists()


def test_a_lock_may_be_taken_again_by_its_holder(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "a" / "b")
    with ledger.writing(), Ledger(tmp_path / "a" / "b").writing():
        about = json.loads((tmp_path / "a" / "b" / ".lock").read_text())
        assert about["pid"] == os.getpid()
    assert not (tmp_path / "a").exists()  # nothing came of it


def test_a_second_thread_is_refused(tmp_path: Path) -> None:
    """Both ask at once, many times over: one writes, the other is told, and what is left is whole."""
    told: list[str] = []
    failures: list[BaseException] = []
    both = threading.Barrier(2)

    def work() -> None:
        try:
            for number in range(25):
                ledger = Ledger(tmp_path / f"out-{number}")
                both.wait()
                try:
                    with ledger.writing(), Ledger(ledger.folder).writing():
                        ledger.write_manifest({"parts": {}})
                        both.wait()
                except ResultsError as error:
                    told.append(str(error))
                    both.wait()
        except BaseException as error:
            failures.append(error)
            both.abort()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(told) == 25
    assert all("another run is writing to this folder (another thread of this process); wait until" in one for one in told)
    assert all(sorted(p.name for p in (tmp_path / f"out-{n}").iterdir()) == ["manifest.json"] for n in range(25))


def test_two_threads_run_the_same_study(tmp_path: Path) -> None:
    """The second is refused or, where it comes later, finds everything done."""
    found: list[Any] = []
    begin = threading.Barrier(3)

    def work() -> None:
        begin.wait()
        try:
            found.append(ho.run(LEAST, out=tmp_path / "out", threads=1))
        except BaseException as error:
            found.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    refused = [one for one in found if not isinstance(one, ho.Results)]
    assert len(refused) < 3
    assert all(isinstance(one, ResultsError) and "another thread of this process" in str(one) for one in refused)
    assert ho.load(tmp_path / "out").tables["all-leaderboards"].frame.height == 4


def test_a_forked_process_does_not_hold_its_parents_lock(tmp_path: Path) -> None:
    code = """
import os, sys
from heldout.errors import ResultsError
from heldout.experiment.ledger import Ledger
with Ledger(sys.argv[1]).writing():
    child = os.fork()
    if child == 0:
        try:
            with Ledger(sys.argv[1]).writing():
                print("written", flush=True)
        except ResultsError as error:
            print(error, flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""
    ran = subprocess.run([sys.executable, "-c", code, str(tmp_path / "out")], capture_output=True, text=True, check=True)
    assert "another run is writing to this folder (process " in ran.stdout, ran.stdout + ran.stderr
