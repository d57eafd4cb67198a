"""Runs of other programs take part as systems."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.errors import InputError
from heldout.recommenders import External

CELLS = [[5, 3, 0], [4, 0, 0]]


def test_external_scores_what_the_run_holds(tmp_path, ratings):
    run = tmp_path / "run.csv"
    run.write_text("user,item,score\n0,2,0.7\n0,1,0.9\n1,9,3\n8,1,1\n")
    scores = External(str(run)).fit(ratings(CELLS), seed=1).score(np.array([1, 0, 0]))
    np.testing.assert_array_equal(scores, [[np.nan] * 3, [np.nan, 0.9, 0.7], [np.nan, 0.9, 0.7]])


def test_external_knows_its_file(tmp_path):
    run = tmp_path / "run.csv"
    run.write_text("user,item,score\n0,2,0.7\n")
    first = External(str(run)).source_digest()
    run.write_text("user,item,score\n0,2,0.8\n")
    assert External(str(run)).source_digest() != first


def test_a_run_of_strangers_is_refused(tmp_path, ratings):
    run = tmp_path / "run.csv"
    run.write_text("user,item,score\nu9,i1,0.7\n")
    with pytest.raises(InputError, match=r"none of its 1 pairs.*user u9, item i1"):
        External(str(run)).fit(ratings(CELLS), seed=1)
