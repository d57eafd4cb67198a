"""Nothing is written through a ledger whose lock was released, not even what was being written at that moment."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import polars as pl
import pytest

from heldout.experiment.ledger import Ledger
from heldout.experiment.ledger import folder as ledger_folder
from heldout.threads import AbandonedError


def contents(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_a_ledger_that_was_given_back_writes_nothing(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "out")
    with ledger.writing():
        ledger.write_manifest({"complete": False})
    before = contents(tmp_path)
    with pytest.raises(AbandonedError):
        ledger.save_text("report.html", "late")
    with pytest.raises(AbandonedError):
        ledger.note_done("a cell")
    with pytest.raises(AbandonedError):
        ledger.save_table("universes/late.parquet", pl.DataFrame({"a": [1]}))
    with pytest.raises(AbandonedError), ledger.writing():
        pass
    assert contents(tmp_path) == before


def test_a_folder_that_was_released_while_a_file_is_written_does_not_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = Ledger(tmp_path / "out")
    with ExitStack() as lock:
        lock.enter_context(ledger.writing())
        ledger.write_manifest({"complete": False})
        real = ledger_folder.write_part

        def released_in_between(frame: pl.DataFrame, path: Path, *others: object) -> None:
            real(frame, path, *others)  # type: ignore[arg-type]
            lock.close()

        monkeypatch.setattr(ledger_folder, "write_part", released_in_between)
        with pytest.raises(AbandonedError):
            ledger.save_table("late.parquet", pl.DataFrame({"a": [1]}))
    assert not [name for name in contents(tmp_path) if "late" in name]


def test_the_permission_lasts_until_the_last_block_is_left(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "out")
    with ledger.writing():
        with ledger.writing():
            ledger.write_manifest({"complete": False})
        ledger.save_text("report.html", "in time")
    assert (tmp_path / "out" / "report.html").read_text() == "in time"
