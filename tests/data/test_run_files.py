"""Runs written in the formats of others, and read back."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from heldout.data.run_files import write_run
from heldout.data.runs import RunFrame, read_run
from heldout.errors import SpecError, WriteError

RUN = RunFrame(pl.Series(["u1", "u1", "u2"]), pl.Series([7, 5, 7]), np.array([0.5, 0.25, 3.0]))


@pytest.mark.parametrize("name", ["run.parquet", "run.csv", "run.tsv", "run.txt", "run.trec"])
def test_what_is_written_is_read_back(name, tmp_path):
    write_run(RUN, tmp_path / name)
    found = read_run(tmp_path / name)
    assert found.user_id.to_list() == ["u1", "u1", "u2"]
    assert found.item_id.to_list() == [7, 5, 7]
    np.testing.assert_array_equal(found.score, RUN.score)
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_trec_lines(tmp_path):
    write_run(RUN, tmp_path / "run.txt", tag="my model")
    assert (tmp_path / "run.txt").read_text() == "u1 Q0 7 1 0.5 my_model\nu1 Q0 5 2 0.25 my_model\nu2 Q0 7 1 3.0 my_model\n"


def test_csv_columns(tmp_path):
    write_run(RUN, tmp_path / "run.csv")
    assert (tmp_path / "run.csv").read_text().splitlines()[:2] == ["user_id,item_id,rank,score", "u1,7,1,0.5"]


def test_what_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(SpecError, match=r"cannot write a run as '.xls'.*\.parquet"):
        write_run(RUN, tmp_path / "run.xls")
    spaced = RunFrame(pl.Series(["a b"]), pl.Series([1]), np.ones(1))
    with pytest.raises(SpecError, match=r"'a b' has a space.*\.csv"):
        write_run(spaced, tmp_path / "run.txt")
    with pytest.raises(WriteError, match="cannot be written"):
        write_run(RUN, tmp_path / "nowhere" / "run.csv")
    assert not list(tmp_path.iterdir())
