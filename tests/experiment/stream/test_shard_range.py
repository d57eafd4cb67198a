"""A range as a task: plain values in and out."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl

from heldout.data.parquet_files import open_files
from heldout.experiment.stream.partition import partition
from heldout.experiment.stream.shard_range import RangeTask, measure_range
from heldout.storage.codec import to_plain
from heldout.tables import Vocabulary


def test_a_range_by_hand(tmp_path: Path) -> None:
    # u1 likes items 0 and 1, u2 item 2; the run lists 0 before 2 for u1 and 1 for u3, who is not tested.
    test = pl.DataFrame({"user": ["u1", "u1", "u2"], "item": [0, 1, 2], "rating": [5, 5, 5]})
    run = pl.DataFrame({"user": ["u1", "u1", "u3"], "item": [0, 2, 1], "score": [2.0, 1.0, 1.0]})
    items = Vocabulary.numbered(3)
    for name, frame, role in (("test", test, "value"), ("run-0000", run, "score")):
        frame.write_parquet(tmp_path / f"{name}.parquet")
        files = open_files(tmp_path / f"{name}.parquet", {"user": "auto", "item": "auto", role: "auto"}, ("user", "item"))
        partition(files, ("user", "item", role), items, 1, tmp_path / name)
    pl.DataFrame({"item": items.series}).write_parquet(tmp_path / "items.parquet")
    task = RangeTask(
        scratch=str(tmp_path),
        systems=("A",),
        metrics=("P@2", "ItemCoverage@2"),
        aggregate=("mean",),
        judging={"relevance": ("threshold(4)",)},
        scores="order",
        seed=1,
        items=None,
        top_grade=5.0,
        lowest=5.0,
        catalogue_sizes=(3,),
        trained=False,
        train_users=0,
    )
    answer = json.loads(json.dumps(measure_range(to_plain(task), 0)))
    (protocol,) = answer.pop("protocols")
    assert (protocol["relevance"], protocol["target"]) == ("threshold(tau=4)", "AllItems")
    assert answer == {
        "ratings_per_user": {"1": 1, "2": 1},
        "unused": {"A": [1, 0]},
        "ranked": {"A": 1},
        "refused": {},
        "repeated": None,
    }
    scores = pl.read_ipc(tmp_path / "scores" / "0000" / "0000" / "0000.arrow").sort("user_id")
    assert scores.select("user_id", "P@2", "length").rows() == [("u1", 0.5, 2.0), ("u2", 0.0, 0.0)]
    counts = pl.read_parquet(tmp_path / "counts" / "0000.parquet")
    assert counts.select("system", "item", "count").rows() == [("A", 0, 1), ("A", 2, 1)]
    # A range without a test rating only counts the strangers of runs.
    assert measure_range(to_plain(task), 1)["unused"] == {"A": [0, 0]}
