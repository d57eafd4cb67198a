"""What is kept for pictures: curves, recall by popularity class, shares of what is recommended; against other code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import heldout as ho
from heldout.errors import InputError
from heldout.experiment.ledger.part import read_header
from heldout.experiment.pictured import column_groups, popularity_classes, side_groups
from heldout.tables import Side, Vocabulary

STUDY = {
    "data": "simulate(users=60, items=50, ratings=1500)",
    "split": "ratio(train=0.7)",
    "relevance": "threshold(4)",
    "recommend": ["Popularity", "Random", "EASE"],
    "metrics": ["P@5", "Novelty@5"],
    "compare": ["t"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("pictured") / "results"
    ho.run(STUDY, out=out, progress=False)
    return out


def test_equal_counts_are_in_one_class_and_the_head_holds_a_third() -> None:
    rated = {"a": 6, "b": 2, "c": 2, "d": 1, "e": 1}
    pairs = [(f"u{k}", item) for item, n in rated.items() for k in range(n)]
    train = ho.read({"user": [u for u, _ in pairs], "item": [i for _, i in pairs], "rating": [4] * len(pairs)})
    classes = {
        name: [train.items.decode([int(k)])[0] for k in np.flatnonzero(own)]
        for name, own in popularity_classes(train).items()
    }
    # 12 ratings: a alone holds 6 ≥ 4; a and b hold 8 ≥ 8, and c is rated as often as b
    assert classes == {"head": ["a"], "middle": ["b", "c"], "tail": ["d", "e"], "cold": []}


def test_pictures_come_back_from_the_folder(folder: Path) -> None:
    results = ho.load(folder)
    again = ho.compare(folder)
    assert again.findings.pictures == results.findings.pictures
    assert {g.by for g in results.findings.pictures.groups} == {"user-activity", "item-popularity"}


def test_shares_and_recall_by_popularity_class_are_those_counted_by_hand(folder: Path) -> None:
    """From the lists that `recommend` writes, with the classes counted anew from the training ratings."""
    ratings = ho.read(STUDY["data"])
    (split,) = ho.make("split", STUDY["split"]).split(ratings, seed=1)
    train, test = split.train.to_polars(), split.test.to_polars()
    counts = dict(train.group_by("item_id").len().iter_rows())
    ordered = sorted(counts.values(), reverse=True)
    held, bounds = 0, []
    for n in ordered:
        held += n
        if len(bounds) < 2 and held >= len(train) * (len(bounds) + 1) / 3:
            bounds.append(n)
    items = ratings.items.decode(np.arange(ratings.n_items)).to_list()
    of_item = {
        i: "cold"
        if i not in counts
        else "head"
        if counts[i] >= bounds[0]
        else "middle"
        if counts[i] >= bounds[1]
        else "tail"
        for i in items
    }
    relevant = test.filter(pl.col("value") >= 4)
    facts = ho.load(folder).findings
    shares = facts.pictures.popularity
    (by_class,) = [g for g in facts.pictures.groups if g.by == "item-popularity"]
    tested = relevant["user_id"].unique().to_list()
    for system in ("Popularity", "EASE"):
        model = ho.fit(system, split.train, seed=1)
        lists = model.recommend(n=5)
        top = {
            user: rows["item_id"].to_list() for (user,), rows in pl.DataFrame(lists).group_by("user_id") if user in tested
        }
        drawn = [of_item[i] for own in top.values() for i in own]
        k = shares.names.index(system)
        for name, share in zip(shares.classes, shares.shares[k], strict=True):
            assert share == pytest.approx(drawn.count(name) / len(drawn))
        for j, name in enumerate(by_class.groups):
            recalls = []
            for (user,), rows in relevant.group_by("user_id"):
                own = [i for i in rows["item_id"] if of_item[i] == name]
                if own:
                    recalls.append(len(set(own) & set(top[user])) / len(own))
            assert by_class.users[j] == len(recalls)
            assert by_class.values[by_class.systems.index(system)][j] == pytest.approx(np.mean(recalls))


def test_curves_are_those_of_trec_eval_and_scikit_learn(folder: Path) -> None:
    """P and recall by trec_eval; rates by scikit-learn's ROC curve of each user, 1 beyond the user's last item."""
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval-terrier is not installed")
    roc_curve = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed").roc_curve
    ratings = ho.read(STUDY["data"])
    (split,) = ho.make("split", STUDY["split"]).split(ratings, seed=1)
    relevant = split.test.to_polars().filter(pl.col("value") >= 4)
    wanted = {user: set(rows["item_id"]) for (user,), rows in relevant.group_by("user_id")}
    lists = ho.fit("EASE", split.train, seed=1).recommend(n=50)
    ranked = {
        user: rows["item_id"].to_list() for (user,), rows in lists.group_by("user_id", maintain_order=True) if user in wanted
    }
    deepest = max(map(len, ranked.values()))
    pictures = ho.load(folder).findings.pictures
    (curve,) = [row for row in pictures.precision_recall if row.system == "EASE"]
    qrels = {str(user): {str(item): 1 for item in own} for user, own in wanted.items()}
    run = {str(user): {str(item): float(-k) for k, item in enumerate(own)} for user, own in ranked.items()}
    measures = {f"{name}.{k}" for name in ("P", "recall") for k in (1, 5, 20)}
    judged = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    for k in (1, 5, 20):
        assert curve.x[k - 1] == pytest.approx(np.mean([own[f"recall_{k}"] for own in judged.values()]))
        assert curve.y[k - 1] == pytest.approx(np.mean([own[f"P_{k}"] for own in judged.values()]))
    (roc,) = [row for row in pictures.roc if row.system == "EASE"]
    rates = []
    for user, own in ranked.items():
        hits = [item in wanted[user] for item in own]
        false, true, _ = roc_curve(hits, -np.arange(len(own)), drop_intermediate=False)
        rates.append([np.append(side, np.ones(deepest + 1 - len(side))) for side in (false, true)])
    mean = np.mean(rates, axis=0)
    assert np.allclose(np.array([roc.x, roc.y])[:, : deepest + 1], mean)


def test_runs_show_how_popular_they_are_by_themselves() -> None:
    """q has 3 of the 5 training ratings (head), x and z one each (middle), y none; A lists y, x, x, y."""
    train = {"user": ["u", "u", "v", "w", "w"], "item": ["z", "q", "q", "q", "x"], "rating": [5, 4, 3, 4, 5]}
    test = {"user": ["u", "u", "v", "w"], "item": ["x", "y", "x", "z"], "rating": [5, 2, 4, 5]}
    run = {"user": ["u", "u", "v", "w"], "item": ["y", "x", "x", "y"], "score": [3, 2, 1, 1]}
    runs = {"A": run, "B": {**run, "item": ["x", "y", "z", "z"]}}
    asked: dict[str, Any] = {"metrics": ["P@2"], "relevance": "threshold(4)"}
    pictures = ho.evaluate(test, runs, train=train, **asked).findings.pictures
    assert pictures.popularity is not None and pictures.popularity.n == 2
    shares = dict(zip(pictures.popularity.names, pictures.popularity.shares, strict=True))
    assert pictures.popularity.classes == ("head", "middle", "cold")  # no item is of the tail
    assert shares["A"] == (0, 0.5, 0.5) and shares["B"] == (0, 0.75, 0.25)
    assert "recommended-popularity" not in pictures.absent
    among_test = ho.evaluate(test, runs, train=train, target="TestItems", **asked).findings.pictures.popularity
    assert among_test is not None and dict(zip(among_test.names, among_test.shares, strict=True))["A"] == shares["A"]
    assert ho.evaluate(test, runs, **asked).findings.pictures.popularity is None  # nothing tells what is popular


def test_lists_of_the_first_protocol_are_made_for_pictures_alone(tmp_path: Path) -> None:
    """The shares are those of a study that looks at lists; shorter lists of an earlier run are not used, nor made again."""
    several = {"target": ["AllItems", "TestItems"], "fallback": ["popularity", "none"], "ties": ["random(1)", "item"]}
    study = {**STUDY, "metrics": ["P@5"], **several}
    asking = ho.run({**study, "metrics": ["P@5", "Novelty@5"]}, progress=False).findings.pictures.popularity
    results = ho.run(study, out=tmp_path / "results", progress=False)
    assert asking is not None and results.findings.pictures.popularity == asking
    assert ho.load(tmp_path / "results").findings.pictures.popularity == asking
    kept = list((tmp_path / "results" / "ranks").glob("*.parquet"))
    lists = [bool(entry["lists"]) for path in kept for entry in read_header(path, path.stem)["entries"]]
    assert len(kept) == 3 and sum(lists) == 3  # of each system under the first choices alone
    deeper = ho.run({**study, "metrics": ["P@6"]}, out=tmp_path / "results", progress=False)
    assert {cell["done"] for cell in deeper._source.manifest["cells"].values()} == {"measured"}
    assert deeper.findings.pictures.popularity is None
    assert "an earlier run kept" in deeper.findings.pictures.absent["recommended-popularity"]
    single = ho.run({**STUDY, "metrics": ["P@5"], "target": "OnePlusRandom(5)"}, progress=False).findings.pictures
    assert "targets of one relevant item each" in single.absent["recommended-popularity"]


def places(groups: dict) -> dict[str, list[int]]:
    return {name: np.flatnonzero(rows).tolist() for name, rows in groups.items()}


def test_many_numbers_make_quartiles_and_few_values_groups() -> None:
    ages = column_groups(pl.Series([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]))
    assert places(ages) == {"10–30": [0, 1, 2], "40–50": [3, 4], "60–80": [5, 6, 7], "90–100": [8, 9]}
    assert places(column_groups(pl.Series(["F", "M", None, "M"]))) == {"M": [1, 3], "F": [0]}


def test_an_item_of_several_genres_is_in_each() -> None:
    genres = column_groups(pl.Series(["Action|Comedy", "Comedy", "Action", "", "Comedy | Action", "Comedy"]))
    assert places(genres) == {"Comedy": [0, 1, 4, 5], "Action": [0, 2, 4]}


def test_values_that_hardly_repeat_make_no_groups() -> None:
    assert column_groups(pl.Series([f"Film {k}" for k in range(20)])) == {}
    assert column_groups(pl.Series([f"zip {k % 30}" for k in range(70)])) == {}
    assert column_groups(pl.Series(list(range(1000, 1200)))) == {}  # ids


class Source:
    """A data set with a table of users, and of items one that cannot be read."""

    def __init__(self, broken: bool) -> None:
        self.broken = broken

    def user_table(self) -> Side:
        return Side.of(pl.DataFrame({"user_id": list("abcdx"), "gender": list("FMFFM")}), "user_id")

    def item_table(self) -> Side | None:
        if self.broken:
            raise InputError("line 3 is cut off", file="items.csv")
        return None


def test_a_table_that_cannot_be_read_is_told_and_stops_nothing() -> None:
    users, items = Vocabulary.of(pl.Series(list("abcd"))), Vocabulary.of(pl.Series(["i"]))
    whole = side_groups(Source(broken=False), users, items)
    assert {name: places(dict(groups)) for name, groups in whole.users.items()} == {"gender": {"F": [0, 2, 3], "M": [1]}}
    assert whole.digest and not whole.items and not whole.problem
    broken = side_groups(Source(broken=True), users, items)
    assert not broken.users and "line 3 is cut off" in broken.problem and broken.digest != whole.digest
    assert side_groups(None, users, items).digest == ""
