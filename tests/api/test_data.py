"""Profiles and conversions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import InputError, SpecError

# --- what the command line does, in Python


def test_profile_is_data_describe(tmp_path: Path) -> None:
    table = {"userId": [1, 1, 2], "what": ["a", "b", "a"], "rating": [5, 3, 4]}
    described = ho.profile(ho.read(table, item="what"), ["positive(4)"])
    assert [label for label, _ in described.findings.steps] == [
        "as read",
        "positive(threshold=4)",
    ] and described.findings.last.ratings == 2
    assert described.verdict == "2 ratings of 2 users and 1 item, 100% of all pairs."
    assert described.tables["profile"].values("Measure")[:3] == ["Users", "Items", "Ratings"]
    pl.DataFrame(table).write_csv(tmp_path / "r.csv")
    with refused(InputError, file="r.csv", found=["userId", "what", "rating"], hint="pass item=<column>"):
        ho.profile(str(tmp_path / "r.csv"))


def test_repeated_pairs_are_counted_as_read() -> None:
    """Of (1, a) there are two rows, of 1 and 2: the mean of the pairs is (2 + 3)/2 after latest, (3 + 3)/2 after sum."""
    rows = {"user": [1, 1, 2], "item": ["a", "a", "b"], "rating": [1, 2, 3]}
    profile = ho.profile(rows)
    assert (profile.findings.repeats, profile.findings.last.ratings, profile.findings.last.density) == (1, 3, 0.5)
    table = profile.tables["repeated-pairs"]
    assert table.values("Filter") == [f"duplicates(keep={keep})" for keep in ("latest", "sum", "max")]
    assert table.values("Mean value") == [2.5, 3.0, 2.5] and table.values("Ratings") == [2, 2, 2]
    assert "ratings" not in profile.tables and "repeated-pairs" in profile.tables
    decided = ho.profile(rows, ["duplicates(keep=sum)"])
    assert [step.ratings for _, step in decided.findings.steps] == [3, 2] and "repeated-pairs" not in decided.tables
    assert decided.tables["ratings"].frame.height == 2
    assert "ratings" in ho.profile({"user": [1, 2], "item": [1, 1], "rating": [1, 2]}).tables


def test_convert(tmp_path: Path) -> None:
    rows = {"user": [1, 1, 2], "item": ["a", "a", "b"], "rating": [1, 2, 3]}
    converted = ho.convert(rows, tmp_path / "r.parquet", duplicates="sum")
    assert converted.findings.rows == 3 and ho.read(str(tmp_path / "r.parquet")).value.tolist() == [3.0, 3.0]
    with pytest.raises(SpecError):
        ho.convert(rows, tmp_path / "r.odd")


def test_filters_draw_by_the_seed(tmp_path: Path) -> None:
    """As `heldout data filter --seed` does."""
    rows = {"user": list(range(40)), "item": [1] * 40, "rating": [1] * 40}
    sizes = [ho.convert(rows, tmp_path / "r.csv", filters=["sample(ratings=0.5)"], seed=s)._source.digest for s in (1, 1, 2)]
    assert sizes[0] == sizes[1] != sizes[2]


def test_no_file_is_written_over_that_is_read(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("user,item,rating\n1,1,5\n1,2,4\n2,1,3\n")
    source = str(tmp_path / "r.csv")
    for write in (
        lambda: ho.convert(source, source),
        lambda: ho.simulate(like=source, out=source),
        lambda: ho.recommend("Popularity", source, out=source),
    ):
        with refused(ho.InputError, where="r.csv", hint="name another file for the output"):
            write()


def test_simulate_gives_the_world_and_writes_it(tmp_path: Path) -> None:
    text = "simulate(users=20, items=15, ratings=100)"
    files = {name: tmp_path / f"{name}.parquet" for name in ("out", "truth", "propensities")}
    world = ho.simulate(text, seed=4, **files)
    assert ho.read(str(files["out"])).digest == world.interactions.digest == ho.read(world.made_by).digest
    truth = pl.read_parquet(files["truth"])["rating"].to_numpy().reshape(20, 15)
    assert np.array_equal(truth, world.truth(np.arange(20)))
    chances = pl.read_parquet(files["propensities"])["propensity"].to_numpy().reshape(20, 15)
    assert np.array_equal(chances, world.propensity(np.arange(20)).astype(np.float32))
    assert repr(world).startswith(f"{world.made_by}: 100 ratings of 20 users")
    with refused(ho.SpecError, where="like"):
        ho.simulate(text, like=str(files["out"]))
    with refused(ho.SpecError, where="truth.csv", hint="use .parquet"):
        ho.simulate(text, truth=tmp_path / "truth.csv")


def test_data_sets_to_fetch_say_their_terms() -> None:
    (ml,) = ho.list_data_sets("ml-1m")
    assert "GroupLens" in ml.licence and "Harper" in ml.citation
    assert "ml-1m" in repr(ho.list_data_sets()) and len(ho.list_data_sets()) > 5


def test_a_filter_needs_no_list(tmp_path: Path) -> None:
    rows = {"user": [1, 1, 2], "item": [1, 2, 1], "rating": [5, 2, 4]}
    for data in (
        ho.profile(rows, "positive(4)")._source,
        ho.convert(rows, tmp_path / "r.csv", filters=ho.filters.Positive(4))._source,
        ho.split(rows, "ratio(train=0.5)", filters="positive(4)").data,
    ):
        assert data is not None and len(data) == 2
