"""`heldout recommend`."""

from __future__ import annotations

from heldout.data.runs import read_run


def test_recommend_writes_a_run(heldout, desk):
    done = heldout("recommend", "--model", "Popularity", "--data", "ratings.csv", "--top", "3", "--out", "run.txt")
    assert done.code == 0
    assert "by Popularity: run.txt" in done.out
    run = read_run(desk / "run.txt")
    assert run.user_id.n_unique() == 8
