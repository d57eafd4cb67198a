"""The journal of trials: killed searches go on, damage is told of, and one search writes at a time."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.refusals import refused

import heldout as ho
from heldout import Tuned
from heldout.errors import ResultsError
from heldout.experiment.journal import JOURNAL, journal_errors, searching

pytest.importorskip("optuna", reason="a search needs optuna")
STUDY = {"data": "simulate(users=60, items=30, ratings=700)", "split": "ratio(train=0.7, by=user)"}


def search(out: Path) -> Tuned:
    return ho.tune("PureSVD", STUDY, metric="P@5", trials=3, out=out)


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Tuned]:
    folder = tmp_path_factory.mktemp("tuned") / "t"
    tuned = search(folder)
    assert sorted(p.name for p in folder.iterdir()) == [JOURNAL, "tuned.json"]
    return (folder / JOURNAL).read_bytes(), tuned


@pytest.mark.parametrize("left", [0.1, 0.35, 0.5, 0.77, 0.999])
def test_half_a_line_is_no_obstacle(left: float, journal: tuple[bytes, Tuned], tmp_path: Path) -> None:
    """Killed while optuna wrote: the search goes on after the last whole line, to the same parameters."""
    content, tuned = journal
    (tmp_path / JOURNAL).write_bytes(content[: int(len(content) * left)])
    again = search(tmp_path)
    assert (again.model, again.value, again.parameters) == (tuned.model, tuned.value, tuned.parameters)
    assert [t.parameters for t in again.trials] == [t.parameters for t in tuned.trials]


def test_the_lock_of_a_killed_search_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """optuna would wait for half a minute, or for ever where the folder was named by a relative path."""
    monkeypatch.chdir(tmp_path)
    Path("t").mkdir()
    os.symlink(f"t/{JOURNAL}", f"t/{JOURNAL}.lock")  # noqa: PTH211 - as optuna makes it
    search(Path("t"))
    assert sorted(p.name for p in Path("t").iterdir()) == [JOURNAL, "tuned.json"]


DAMAGE = {
    "text": b"hello\n",
    "bytes": b"\x00\xff\n",
    "a list": b"[]\n",
    "a number": b"3\n",
    "no keys": b"{}\n",
    "deep": b"[" * 100_000 + b"\n",
    "an operation": b'{"op_code": 99, "worker_id": "x"}\n',
}


@pytest.mark.parametrize("damage", [*DAMAGE, "in the middle", "values"])
def test_damage_is_told_in_a_sentence(damage: str, journal: tuple[bytes, Tuned], tmp_path: Path) -> None:
    content, _ = journal
    lines = content.splitlines(keepends=True)
    broken = {
        "in the middle": b"".join([*lines[:2], b"half\n", *lines[2:]]),
        "values": content.replace(b'"values":[', b'"values":[null,'),
        **DAMAGE,
    }[damage]
    (tmp_path / JOURNAL).write_bytes(broken)
    with refused(ResultsError, file=tmp_path / JOURNAL, hint="delete it, or choose another --out") as refusal:
        search(tmp_path)
    assert "\n" not in str(refusal.value)
    assert (tmp_path / JOURNAL).read_bytes().startswith(broken)


def test_a_journal_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).mkdir()
    with refused(ResultsError, file=tmp_path / JOURNAL, hint="mend that, or choose another --out, and run the study again"):
        search(tmp_path)


def test_a_second_search_is_refused(tmp_path: Path) -> None:
    import threading

    told: list[str] = []

    def second() -> None:
        try:
            search(tmp_path)
        except ResultsError as error:
            told.append(str(error))

    with searching(tmp_path):
        thread = threading.Thread(target=second)
        thread.start()
        thread.join()
    assert len(told) == 1 and "another run is writing to this folder" in told[0]


def test_ctrl_c_while_the_lock_is_given_back_is_ctrl_c(tmp_path: Path) -> None:
    """optuna removes a lock that is gone already, and that error hid what had happened."""

    def stopped() -> None:
        try:
            raise KeyboardInterrupt
        except BaseException:
            (tmp_path / "trials.journal.lock.rename").unlink()

    with pytest.raises(KeyboardInterrupt), journal_errors(tmp_path):
        stopped()
    with refused(ResultsError, file=tmp_path / JOURNAL, hint="mend that"), journal_errors(tmp_path):
        (tmp_path / "gone").unlink()
