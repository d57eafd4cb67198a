"""From data to folds: chains of users, filters, data sets, splits, and given parts."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.experiment.conftest import STUDY
from tests.refusals import refused

import heldout as ho
from heldout import read_log
from heldout.experiment.folds import RowsRead
from heldout.tables import Interactions
from heldout.tables.mapped import set_aside

KEYS = {"split": "leave_out(1)", "recommend": ["Random", "Popularity"], "metrics": "P@5"}


def test_users_chains_are_tested_apart() -> None:
    results = ho.run(
        {**STUDY, "users": ["all", "with_relevant", ["with_relevant(2)", "with_train(10)"]], "target": "AllItems"}
    )
    per_user = results.per_user().filter(system="Popularity")
    data = ho.read(STUDY["data"])
    (split,) = ho.splits.Ratio(train=0.7, by="user").split(data, seed=1)
    liked = np.bincount(split.test.user, split.test.value >= 4, data.n_users)
    sizes = {
        "all": data.n_users,
        "with_relevant": int((liked >= 1).sum()),
        "with_relevant(min=2) + with_train(min=10)": int(((liked >= 2) & (split.train.user_counts >= 10)).sum()),
    }
    assert 0 < sizes["with_relevant(min=2) + with_train(min=10)"] < sizes["with_relevant"] < sizes["all"]
    assert dict(per_user.group_by("users").len().iter_rows()) == sizes
    averaged = (
        results.tables["all-leaderboards"].frame.filter(system="Popularity", metric="P@5").select("users", "users_averaged")
    )
    assert dict(averaged.iter_rows()) == sizes


def test_several_filters_data_sets_and_splits_are_a_grid() -> None:
    results = ho.run(
        {
            "data": ["simulate(users=40, items=30, ratings=600)", "simulate(users=40, items=30, ratings=600, seed=2)"],
            "filters": [[], ["positive(3)", "core(2)"]],
            "split": ["ratio(train=0.7)", "folds(2)"],
            "recommend": ["Popularity", "Random"],
            "metrics": "P@5",
            "compare": ["t"],
        }
    )
    board = results.tables["all-leaderboards"].frame
    assert board.height == 2 * 2 * 2 * 2
    assert board.n_unique(["data", "filter", "split", "system"]) == board.height
    assert set(board["filter"]) == {"none", "positive(threshold=3) + core(k=2)"}
    assert board["setting"].n_unique() == 8
    assert board.group_by("data", "filter", "split").agg(pl.col("value").max())["value"].n_unique() > 4


def test_given_folds(tmp_path: Path) -> None:
    ratings = ho.read("simulate(users=30, items=20, ratings=300)").to_polars()
    for k in range(2):
        ratings.filter(pl.int_range(pl.len()) % 4 != k).write_csv(tmp_path / f"{k}.base")
        ratings.filter(pl.int_range(pl.len()) % 4 == k).write_csv(tmp_path / f"{k}.test")
    parts = {name: [str(tmp_path / f"{k}.{name}") for k in range(2)] for name in ("base", "test")}
    results = ho.run(
        {"split": ho.splits.Given(tuple(parts["base"]), tuple(parts["test"])), "recommend": "Popularity", "metrics": "P@5"}
    )
    assert results._source is not None
    assert [(s.train, s.test) for s in results._source.splits] == [(225, 75), (225, 75)]
    assert len(results.findings.manifest["inputs"]) == 1


def test_filters_that_leave_nothing_of_a_given_test_set_are_refused(tmp_path: Path) -> None:
    pl.DataFrame({"user": [1, 1, 2], "item": ["a", "b", "a"], "rating": [5, 5, 1]}).write_csv(tmp_path / "all.csv")
    pl.DataFrame({"user": [2], "item": ["a"], "rating": [1]}).write_csv(tmp_path / "test.csv")
    study = {
        "data": str(tmp_path / "all.csv"),
        "filters": [["positive(4)"]],
        "split": f'given(test="{tmp_path / "test.csv"}")',
        "recommend": "Popularity",
        "metrics": "P@1",
    }
    with refused(ho.InputError, where=f"split {study['split']}", hint="hide more ratings"):
        ho.run(study)


def test_rows_are_let_go_when_they_are_taken_for_the_last_time() -> None:
    log = read_log({"user": [2, 1, 1], "item": [7, 8, 7], "rating": [1.0, 2.0, 3.0]})
    scores = weakref.ref(log.value)
    rows = RowsRead(log)
    del log
    first = rows.interactions("error", None, last=False)
    assert scores() is not None
    last = rows.interactions("error", None, last=True)
    assert scores() is None and first.digest == last.digest and rows.count == 3


def test_a_chain_that_draws_is_asked_again_after_the_others() -> None:
    """The scale of the ratings is looked up under all chains before the first split: rows must outlive the last chain."""
    study = {
        "data": "simulate(users=60, items=40, ratings=900)",
        "filters": [["sample(users=30)"], ["core(2)"]],
        "split": "ratio",
        "recommend": ["Popularity", "Random"],
        "metrics": "P@5",
        "multiverse": {"seeds": [1, 2]},
    }
    universes = ho.multiverse(study).tables["universes"].frame
    assert universes["filter"].n_unique() == 2 and universes["seed"].n_unique() == 2


def test_large_ratings_wait_on_disk_and_give_the_same_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = {"data": "simulate(users=60, items=40, ratings=900)", "split": "folds(3)", "recommend": ["Popularity"]}
    aside: list[Interactions] = []
    on_disk = Interactions.on_disk
    monkeypatch.setattr(Interactions, "on_disk", lambda data: aside.append(data) or on_disk(data, tmp_path))
    in_memory = ho.run(study)
    assert not aside
    monkeypatch.setattr("heldout.threads.memory", lambda: 32 * 900 * 24 - 1)  # only the whole is large
    assert ho.run(study).per_user().equals(in_memory.per_user())
    assert [len(data) for data in aside] == [900, 600, 600, 600]  # training sets wait for pictures
    aside.clear()
    monkeypatch.setattr("heldout.tables.mapped.PART_SET_ASIDE", 2**50)
    results = ho.run(study)
    assert sorted(len(data) for data in aside) == sorted([900, *(600, 300, 600) * 3]) and not list(tmp_path.iterdir())
    assert results.per_user().equals(in_memory.per_user())


def test_inputs_of_pictures_wait_in_one_file_for_each_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two systems on three folds are six cells; the data, three training and three test sets wait in files too."""
    data = [(u, i, 1 + (u * i) % 5) for u in range(40) for i in range(30) if (u + i) % 3]
    frame = pl.DataFrame(data, schema=["user", "item", "rating"], orient="row")
    study = {"data": frame, "split": "folds(3)", "metrics": ["P@5"], "recommend": ["Popularity", "Random"]}
    expected = ho.run(study).findings.details.pictures.value
    monkeypatch.setattr("heldout.tables.mapped.PART_SET_ASIDE", 2**50)
    before = len(list(Path("/dev/fd").iterdir()))
    results = ho.run(study)
    assert len(list(Path("/dev/fd").iterdir())) - before <= 6 + 1 + 3 + 3
    assert repr(results.findings.details.pictures.value) == repr(expected)
    del results
    gc.collect()
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_ratings_that_find_no_room_on_disk_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    data = read_log({"user": [2, 1, 1], "item": [7, 8, 7], "rating": [1.0, 2.0, 3.0]}).interactions()
    monkeypatch.setattr("heldout.threads.memory", lambda: 1)
    monkeypatch.setattr("tempfile.tempdir", "/dev/null/nowhere")
    with pytest.warns(UserWarning):
        assert set_aside(data) is data


def test_what_filters_take_out_leaves_a_given_test_set_too(tmp_path: Path) -> None:
    """Ratings below 4 are filtered; of the test pairs (1, a, 5) and (2, b, 2) only the first is left."""
    rows = [(u, i, 5) for u in (1, 2, 3) for i in "acd"] + [(2, "b", 2), (3, "e", 1)]
    pl.DataFrame(rows, schema=["user", "item", "rating"], orient="row").write_csv(tmp_path / "all.csv")
    pl.DataFrame([(1, "a", 5), (2, "b", 2)], schema=["user", "item", "rating"], orient="row").write_csv(
        tmp_path / "test.csv"
    )
    study = {
        "data": str(tmp_path / "all.csv"),
        "filters": [["positive(4)"]],
        "split": f'given(test="{tmp_path / "test.csv"}")',
        "recommend": "Popularity",
        "metrics": "P@1",
    }
    found = ho.run(study).findings.splits[0]
    assert (found.train, found.test, found.users) == (8, 1, 1)
    assert found.dropped == (("test pairs that the filtered data lack", 1),)


def test_skipped_rows_are_a_notice(tmp_path: Path) -> None:
    rows = "".join(f"u{u},i{i},{(u + i) % 5 + 1}\n" for u in range(12) for i in range(8))
    (tmp_path / "r.csv").write_text(f"user,item,rating\n{rows}u1,i99,bad\nu2,i99,worse\n")
    path = str(tmp_path / "r.csv")
    with refused(ho.InputError, line=98, column="rating", found="bad", hint="these 2 rows"):
        ho.run({"data": path, **KEYS})
    for data in ({"path": path, "on_bad_rows": "skip"}, f'csv("{path}", on_bad_rows=skip)'):
        results = ho.run({"data": data, **KEYS})
        told = [n.message for n in results.findings.notices if n.code == "HO502"]
        assert len(told) == 1 and told[0].endswith("were left out: 2 × column 'rating': not a finite number")
        assert results.findings.data[0].steps[0].profile["ratings"] == 96


def test_a_study_tells_of_small_parts_and_of_users_each_rule_leaves() -> None:
    data = "simulate(users=80, items=50, ratings=1500)"
    results = ho.run({"data": data, **KEYS, "users": [["with_train", "with_relevant"]], "development": 20})
    codes = {n.code for n in results.findings.notices}
    assert {"HO501", "HO506"} <= codes
    (fold,) = results.findings.splits
    assert [rule for rule, _ in fold.chosen[0][1]] == ["all users", "with_train", "with_relevant"]
    counts = [n for _, n in fold.chosen[0][1]]
    assert counts[0] == 80 and counts == sorted(counts, reverse=True) and fold.development == 20
    assert "train later than test with probability" in results.to_html()
