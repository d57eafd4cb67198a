"""Ctrl-C in the middle of a slow model: the process ends within two seconds, and what was finished is kept."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from tests.heavy import heavy

import heldout as ho
from heldout import threads
from heldout.recommenders import Popularity, Random
from heldout.universes.compute import explore

STUDY = {"data": "simulate(users=60, items=40, ratings=900)", "split": "ratio", "metrics": "P@5"}

MODELS = {
    "one long call of BLAS in fit": """
class Slow:
    def fit(self, train):
        begin()
        big = np.random.default_rng(1).normal(size=(6000, 6000))
        for _ in range(1000):
            big = np.linalg.svd(big)[0]
    def score(self, users):
        raise AssertionError
""",
    "one long compiled loop in fit": """
import numba
@numba.njit(nogil=True)
def spin(n):
    total = 0.0
    for k in range(n):
        total += np.sin(k)
    return total
spin(1)
class Slow:
    def fit(self, train):
        begin()
        spin(10**13)
    def score(self, users):
        raise AssertionError
""",
    "sleep in score": """
def Slow(train, users):
    begin()
    time.sleep(600)
""",
    "a pool of the model's own": """
from concurrent.futures import ThreadPoolExecutor
class Slow:
    def fit(self, train):
        begin()
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(time.sleep, [600, 600]))
    def score(self, users):
        raise AssertionError
""",
}
QUICKEST = "one long compiled loop in fit"
SCRIPT = """
import atexit, sys, time
from pathlib import Path
import numpy as np
import heldout as ho

def begin():
    Path("begun").touch()

{model}
atexit.register(lambda: Path("left in order").touch())
study = {{"data": "simulate(users=60, items=40, ratings=900)", "split": "ratio", "metrics": "P@5"}}
ho.run(study | {{"recommend": ["Popularity"]}}, models={{"slow": Slow}}, out="out")
"""

OTHER_VERBS = {
    "multiverse, in a fit": """ho.multiverse(study | {"recommend": ["Popularity"]}, models={"slow": Slow}, out="out")""",
    "multiverse, while another is measured": """
from heldout.universes.compute import explore
assert explore.universes_of_split
explore.universes_of_split = lambda *_: spin(10**13)
study = study | {"recommend": ["Popularity", "Random"], "split": ["ratio", "ratio(train=0.5)"]}
ho.multiverse(study, models={"slow": Slow2}, out="out")
""",
    "recommendations": """ho.recommend(Slow, study["data"], out="run.csv")""",
}


def stopped(folder: Path, command: list[str]) -> tuple[float, subprocess.CompletedProcess[str]]:
    """How long a command lives on after Ctrl-C in the middle of its slow part, and how it ends."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        for _ in range(1200):
            if (folder / "begun").exists() or process.poll() is not None:
                break
            time.sleep(0.1)
        time.sleep(1.0)
        sent = time.perf_counter()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        return time.perf_counter() - sent, subprocess.CompletedProcess(command, process.returncode, out, err)
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("model", [QUICKEST, *(pytest.param(model, marks=heavy) for model in MODELS if model != QUICKEST)])
def test_ctrl_c_ends_a_slow_model_at_once(model: str, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT.format(model=MODELS[model]))
    seconds, done = stopped(tmp_path, [sys.executable, "script.py"])
    assert (tmp_path / "begun").exists(), done.stderr
    assert seconds < 2, done.stderr
    assert done.returncode in (130, -signal.SIGINT), done.stderr
    assert "KeyboardInterrupt" in done.stderr
    assert (tmp_path / "left in order").exists()
    assert not (tmp_path / "out" / "lock").exists()
    results = ho.run({**STUDY, "recommend": ["Popularity"]}, out=tmp_path / "out")
    assert results._source is not None
    assert results._source.manifest["reused"].startswith("scores of 1 of 1 cell reused")


@pytest.mark.parametrize(
    "verb", [verb if verb == "recommendations" else pytest.param(verb, marks=heavy) for verb in OTHER_VERBS]
)
def test_ctrl_c_ends_every_verb_that_fits(verb: str, tmp_path: Path) -> None:
    model = (
        MODELS[QUICKEST]
        + """
class Slow2:
    fits = 0
    def fit(self, train):
        Slow2.fits += 1
        if Slow2.fits == 2:
            begin()
            spin(10**13)
    def score(self, users):
        return np.ones((len(users), 40))
"""
    )
    run = SCRIPT.format(model=model).rsplit("ho.run(", 1)[0]
    (tmp_path / "script.py").write_text(run + OTHER_VERBS[verb])
    seconds, done = stopped(tmp_path, [sys.executable, "script.py"])
    assert (tmp_path / "begun").exists(), done.stderr
    assert seconds < 2, done.stderr
    assert done.returncode in (130, -signal.SIGINT), done.stderr
    assert "KeyboardInterrupt" in done.stderr
    assert not [path for path in tmp_path.rglob("*") if path.name.endswith("~")]


def test_work_gives_its_result_or_raises_what_it_raised() -> None:
    with threads.using(3):
        assert threads.interruptible(threads.count) == 3
    with pytest.raises(ZeroDivisionError):
        threads.interruptible(lambda: 1 // 0)
    with pytest.raises(SystemExit):
        threads.interruptible(lambda: sys.exit(3))


def test_work_that_ctrl_c_left_behind_writes_nothing_once_the_folder_is_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a notebook, where the process goes on: a split is measured behind the fit that Ctrl-C stops."""
    study = {**STUDY, "recommend": ["Popularity", "Random"], "split": ["ratio", "ratio(train=0.5)"]}
    go_on, measured = threading.Event(), []

    def slowly(*arguments: Any) -> Any:
        chunk = real_measured(*arguments)
        measured.append(threading.current_thread())
        go_on.wait(60)
        return chunk

    def fit(self: Random, *arguments: Any, **options: Any) -> Any:
        if measured:
            raise KeyboardInterrupt
        return real_fit(self, *arguments, **options)

    real_measured, real_fit = explore.universes_of_split, Random.fit
    with monkeypatch.context() as patch:
        patch.setattr(explore, "universes_of_split", slowly)
        patch.setattr(Random, "fit", fit)
        patch.setattr(Popularity, "fit", _after(measured, Popularity.fit))
        with pytest.raises(KeyboardInterrupt):
            ho.multiverse(study, out=tmp_path / "out")
        before = _contents(tmp_path / "out")
        go_on.set()
        measured[0].join(60)
    assert _contents(tmp_path / "out") == before
    assert not [name for name in before if "universes/" in name]
    ho.multiverse(study, out=tmp_path / "out")
    ho.multiverse(study, out=tmp_path / "undisturbed")
    after, whole = _contents(tmp_path / "out"), _contents(tmp_path / "undisturbed")
    assert {name: content for name, content in after.items() if name.endswith(".parquet")} == {
        name: content for name, content in whole.items() if name.endswith(".parquet")
    }


def _after(measured: list[Any], fit: Any) -> Any:
    """A fit of the second split that begins when the first is being measured."""
    fits = []

    def waiting(self: Popularity, *arguments: Any, **options: Any) -> Any:
        fits.append(self)
        while len(fits) == 2 and not measured:
            time.sleep(0.01)
        return fit(self, *arguments, **options)

    return waiting


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
