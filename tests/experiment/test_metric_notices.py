"""Metrics that say less on these data than their names promise are warned of by run and by evaluate alike."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import NotApplicableError, NoticeWarning
from heldout.targets.relevance.by_scale import exceed_scales
from heldout.text.phrases import sentence

TEST = pl.DataFrame({"user": ["u", "u", "v"], "item": ["a", "b", "a"], "rating": [5.0, 5.0, 5.0]})
RUN = pl.DataFrame({"user": ["u", "u", "v"], "item": ["a", "c", "a"], "score": [2.0, 1.0, 1.0]})
PLAYS = [700 if u == i else 1 + u * i % 4 for u in range(12) for i in range(12)]
MESSAGE = "Values up to 700 are counts, and nDCG@3 takes them as gains: use gain=binary"
EVENTS = [(user, item) for user in range(12) for item in range(12) for _ in range(1 + (user + item) % 4)]
"""1 to 4 events of every pair: no more than ratings have, and known as counts only because they are sums."""


def messages(metric: str, test: pl.DataFrame = TEST, **options: Any) -> dict[str, str]:
    results = ho.evaluate(test, {"A": RUN}, [metric], relevance="threshold(4)", **options)
    return {notice.code: notice.message for notice in results.findings.notices}


def test_without_disliked_items_bpref_is_a_kind_of_recall() -> None:
    assert messages("bpref")["HO302"] == (
        "Under threshold(tau=4) all test ratings are relevant: bpref cannot tell unrated items from disliked ones"
    )
    disliked = TEST.with_columns(rating=pl.Series([5.0, 1.0, 5.0]))
    assert "HO302" not in messages("bpref", disliked) and "HO302" not in messages("P@1")


def test_equal_ratings_cannot_be_graded() -> None:
    assert messages("nDCG@1")["HO303"] == "All ratings of test set are equal: nDCG@1 cannot grade"
    assert "HO303" not in messages("nDCG(gain=binary)@1")


def test_a_cut_off_beyond_every_list() -> None:
    """The longer list holds two items."""
    assert messages("P@3")["HO304"] == "Under AllItems no list is longer than 2: P@3 looks beyond the candidates"
    assert "HO304" not in messages("P@2")


@pytest.mark.parametrize(("undefined", "warned"), [("zero", True), ("skip", False)])
def test_undefined_errors_are_left_out_whatever_is_asked(undefined: str, warned: bool) -> None:
    assert ("HO305" in messages("RMSE", scores="ratings", undefined=undefined)) == warned


def table(values: Sequence[float]) -> pl.DataFrame:
    users, items = np.divmod(np.arange(len(values)), 12)
    return pl.DataFrame({"user": users, "item": items, "rating": np.array(values, float)})


def parts(values: Sequence[float]) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Training set, test set and a run."""
    rows = table(values).with_row_index()
    train, test = rows.filter(pl.col("index") % 3 != 0).drop("index"), rows.filter(pl.col("index") % 3 == 0).drop("index")
    return train, test, test.select("user", "item", score=100.0 - pl.col("item"))


def noticed(results: Any) -> list[str]:
    return [notice.message for notice in results.findings.notices if notice.code == "HO315"]


def test_a_run_and_its_review_name_them(tmp_path: Path) -> None:
    table(PLAYS).write_csv(tmp_path / "plays.csv")
    study = {"data": str(tmp_path / "plays.csv"), "split": "ratio(train=0.7)", "relevance": "threshold(1)"}
    study |= {"recommend": ["Popularity", "Random"]}
    results = ho.run({**study, "metrics": ["nDCG@3", "P@3"]})
    (message,) = noticed(results)
    assert message == f'csv(path="{tmp_path / "plays.csv"}"): {MESSAGE}'
    (finding,) = [f for f in ho.lint(results).findings if f.code == "HO315"]
    assert finding.message == sentence(message) and finding.change == "Replace nDCG@3 by nDCG(gain=binary)@3."
    assert not noticed(ho.run({**study, "metrics": "nDCG(gain=binary)@3"}))
    assert not noticed(ho.run({**study, "metrics": "nDCG@3", "filters": [["playcounts_to_ratings"]]}))


@pytest.mark.parametrize("stream", [False, True])
def test_an_evaluation_names_them(stream: bool, tmp_path: Path) -> None:
    train, test, run = parts(PLAYS)
    sources = {"train": train, "test": test, "run": run}
    for name, frame in sources.items():
        frame.write_parquet(tmp_path / f"{name}.parquet")
    files = [str(tmp_path / f"{name}.parquet") for name in ("test", "run", "train")]

    def evaluated(metrics: Any) -> list[str]:
        options: dict[str, Any] = {"stream": {"scratch": tmp_path / "scratch"}} if stream else {}
        return noticed(ho.evaluate(files[0], {"A": files[1]}, metrics, train=files[2], relevance="threshold(1)", **options))

    assert evaluated("nDCG@3") == [MESSAGE]
    (both,) = evaluated(["nDCG@3", "Q@3", "nDCG(gain=binary)@3"])
    assert "nDCG@3 and Q@3 take them as gains" in both
    assert not evaluated(["nDCG(gain=binary)@3", "P@3", "RBP@3"])


def test_a_measurement_warns_of_them() -> None:
    train, test, run = parts(PLAYS)
    with pytest.warns(NoticeWarning, match="HO315"):
        ho.measure(test, run, "DCG@3", train=train, relevance="threshold(1)")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ho.measure(test, run, "DCG(gain=binary)@3", train=train, relevance="threshold(1)")


def test_metrics_that_refuse_counts_are_not_named() -> None:
    train, test, run = parts(PLAYS)
    with refused(NotApplicableError, where="metrics", found=700.0, expected="at most 30", hint="gain=binary"):
        ho.measure(test, run, "ERR@3", train=train, relevance="threshold(1)")
    results = ho.evaluate(test, {"A": run}, ["ERR@3", "nDCG@3"], train=train, relevance="threshold(1)")
    assert noticed(results) == [MESSAGE]
    assert any("ERR@3" in reason for reason in [n.message for n in results.findings.notices if n.code == "HO108"])


def test_exponential_gains_of_few_counts_are_named() -> None:
    train, test, run = parts([25.0 if u == i else 1.0 + u * i % 2 for u in range(12) for i in range(12)])
    results = ho.evaluate(test, {"A": run}, "nDCG(gain=exp2)@3", train=train, relevance="threshold(1)")
    assert noticed(results) == ["Values up to 25 are counts, and nDCG(gain=exp2)@3 takes them as gains: use gain=binary"]
    assert [f.code for f in ho.lint(results).findings if f.code in ("HO312", "HO315")] == ["HO315"]


def test_sums_of_events_are_counts_however_few(tmp_path: Path) -> None:
    pl.DataFrame(EVENTS, schema=["user", "item"], orient="row").write_csv(tmp_path / "events.csv")
    study = {"data": str(tmp_path / "events.csv"), "split": "ratio(train=0.7)", "relevance": "threshold(1)"}
    study |= {"recommend": ["Popularity", "Random"], "metrics": "nDCG(gain=linear)@3", "filters": [["duplicates(keep=sum)"]]}
    (message,) = noticed(ho.run(study))
    assert message.endswith('events.csv"): Values up to 4 are counts, and nDCG@3 takes them as gains: use gain=binary')
    assert "HO315" in ho.lint(study).codes
    for more in ("binarise(1)", "playcounts_to_ratings"):
        assert not noticed(ho.run({**study, "filters": [["duplicates(keep=sum)", more]]}))
    assert not noticed(ho.run({**study, "filters": [["duplicates(keep=max)"]]}))  # every value is 1


def test_a_reader_that_declares_counts_is_believed(tmp_path: Path) -> None:
    plays = pl.DataFrame(sorted(set(EVENTS)), schema=["userID", "artistID"], orient="row")
    plays = plays.with_columns(weight=1 + (pl.col("userID") + pl.col("artistID")) % 4)
    plays.write_csv(tmp_path / "user_artists.dat", separator="\t")
    study = {"data": f'lastfm("{tmp_path}")', "split": "ratio(train=0.7)", "relevance": "threshold(1)"}
    study |= {"recommend": ["Popularity", "Random"], "metrics": "nDCG(gain=linear)@3"}
    (message,) = noticed(ho.run(study))
    assert message.startswith("lastfm(") and "Values up to 4 are counts" in message
    lists = {user: list(range(5)) for user in range(12)}
    (message,) = noticed(ho.evaluate(study["data"], lists, "nDCG@3", relevance="threshold(1)"))
    assert message == "Values up to 4 are counts, and nDCG@3 takes them as gains: use gain=binary"
    rated = plays.rename({"userID": "user", "artistID": "item", "weight": "rating"})
    assert not noticed(ho.evaluate(rated, lists, "nDCG@3", relevance="threshold(1)"))


@pytest.mark.parametrize("values", [range(1, 6), range(11), np.arange(0.5, 5.5, 0.5), range(1, 101)], ids=str)
def test_scales_of_ratings_are_not_counts(values: Any) -> None:
    train, test, run = parts([float(v) for v in np.resize(np.array(list(values)), 144)])
    assert not noticed(ho.evaluate(test, {"A": run}, "nDCG@3", train=train, relevance="threshold(1)"))


def test_values_above_every_scale_are_counts_without_a_tail() -> None:
    grades = np.array([1.0, 100.0, 900.0])
    assert exceed_scales(grades, np.array([1, 1, 8]))
    assert not exceed_scales(grades[:2], np.array([1, 8]))
    assert exceed_scales(np.array([0.0, 1, 11]), np.array([50, 5, 1]))  # the median of what is above 0 is 1


def test_readers_of_counts_are_known_before_a_run(real_data: Callable[[str], Path]) -> None:
    folder = real_data("lastfm-hetrec-2k")
    study = {"data": f'lastfm("{folder}")', "split": "ratio(train=0.7)", "relevance": "threshold(1)"}
    study |= {"recommend": ["Popularity", "Random"]}
    (finding,) = [f for f in ho.lint({**study, "metrics": ["nDCG(gain=linear)@10"]}).findings if f.code == "HO315"]
    assert finding.change == "Replace nDCG@10 by nDCG(gain=binary)@10."
    for other in ({"metrics": "nDCG(gain=binary)@10"}, {"metrics": "nDCG@10", "filters": [["playcounts_to_ratings"]]}):
        assert "HO315" not in ho.lint({**study, **other}).codes
    both = {"metrics": "nDCG@10", "filters": [["playcounts_to_ratings"], []]}
    assert "HO315" in ho.lint({**study, **both}).codes
