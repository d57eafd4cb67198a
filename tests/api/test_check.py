"""`ho.check`: a candidate against a baseline, from runs and from results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import InputError, NotApplicableError, SpecError, UnknownNameError

USERS = 400
METRIC = "nDCG(gain=binary)@5"


def lists(skill: float) -> dict[str, list[str]]:
    """Five of ten items, of which user u likes item u mod 10; it is first for a share `skill` of all users, else last."""
    made = {}
    for u in range(USERS):
        others = [f"i{(u + k) % 10}" for k in range(1, 5)]
        liked = f"i{u % 10}"
        made[f"u{u}"] = [liked, *others] if u < skill * USERS else [*others, liked]
    return made


TEST = {f"u{u}": {f"i{u % 10}": 5.0} for u in range(USERS)}


def checked(candidate: Any, **options: Any) -> ho.Check:
    judged = {"qrels": TEST, "baseline": lists(0.5), "metrics": METRIC, "relevance": "threshold(1)"}
    return ho.check(candidate=candidate, **{**judged, **options})


def test_outcomes_and_exit_codes() -> None:
    assert (checked(lists(0.6)).outcome, checked(lists(0.6)).exit_code) == ("passed", 0)
    assert (checked(lists(0.3)).outcome, checked(lists(0.3)).exit_code) == ("worse", 1)
    assert (checked(lists(0.48)).outcome, checked(lists(0.48)).exit_code) == ("inconclusive", 4)
    assert checked(lists(0.48), inconclusive="pass").passed
    leak = checked(lists(1.0), suspicious="30%")
    assert (leak.outcome, leak.exit_code) == ("suspicious", 5)
    assert checked(lists(1.0)).passed


def test_the_numbers_are_those_of_evaluate() -> None:
    runs = {"A": lists(0.5), "B": lists(0.4)}
    board = ho.evaluate(TEST, runs, METRIC, relevance="threshold(1)").tables["all-leaderboards"].frame
    values = dict(zip(board["system"], board["value"], strict=True))
    test = checked(lists(0.4)).findings.metrics[0].test
    assert (test.baseline, test.candidate) == (values["A"], values["B"])


def test_identical_lists_pass_with_any_margin(tmp_path: Path) -> None:
    rows = [(user, item, -k) for user, items in lists(0.5).items() for k, item in enumerate(items)]
    frame = pl.DataFrame(rows, schema=["user", "item", "score"], orient="row")
    frame.sort("item").write_parquet(tmp_path / "prod.parquet")
    frame.write_csv(tmp_path / "new.csv")
    same = lists(0.5)
    for baseline, candidate in ((same, same), (same, lists(0.5)), (tmp_path / "prod.parquet", tmp_path / "new.csv")):
        check = checked(candidate, baseline=baseline, margin=0.0001)
        assert check.passed
        assert check.findings.metrics[0].identical
    longer = {user: [*items, "other"] for user, items in lists(0.5).items()}
    assert checked(longer, margin=0.0001).outcome == "inconclusive"  # the loss is bounded by the number of users only


def test_results_in_memory_whose_values_are_equal() -> None:
    results = ho.evaluate(TEST, {"A": lists(0.5), "B": lists(0.5)}, METRIC, relevance="threshold(1)")
    test = ho.check(results, baseline="A", candidate="B", margin=0.5).findings.metrics[0]
    assert (test.outcome, test.identical, test.test.differing) == ("passed", False, 0)


def test_a_metric_without_values_is_refused_rather_than_left_out() -> None:
    for metric, reason in (("RMSE", "rating scale"), ("Novelty@5", "training ratings")):
        with pytest.raises(NotApplicableError, match=f"{metric}.*{reason}"):
            checked(lists(0.6), metrics=[METRIC, metric])


def test_lower_values_may_be_better() -> None:
    near = {user: dict.fromkeys(items, 4.8) for user, items in TEST.items()}
    far = {user: dict.fromkeys(items, 4.0 + k % 2 / 10) for k, (user, items) in enumerate(TEST.items())}
    options: dict[str, Any] = {"metrics": "RMSE", "scores": "ratings"}
    assert checked(near, baseline=far, **options).outcome == "passed"
    assert checked(near, baseline=far, suspicious="50%", **options).outcome == "suspicious"
    assert checked(far, baseline=near, **options).outcome == "worse"


def test_values_of_different_users_are_refused() -> None:
    every = {user: dict.fromkeys(items, 4.0) for user, items in TEST.items()}
    half = {user: dict.fromkeys(TEST[user], 4.9) for user in list(TEST)[: USERS // 2]}
    with refused(NotApplicableError, where="RMSE"):
        checked(half, baseline=every, metrics="RMSE", scores="ratings")


def test_no_number_of_users_shows_equality_without_a_margin() -> None:
    sentence = str(checked(lists(0.48), margin=0))
    assert "neither equal systems nor the observed difference" in sentence
    assert "no user's value differs" not in sentence


def test_guards_compare_two_numbers() -> None:
    one_item = {user: ["i0"] for user in TEST}
    held = checked(lists(0.5), baseline=one_item, guards="ItemCoverage@5 >= -5%")
    assert [guard.passed for guard in held.findings.guards] == [True]
    assert held.findings.guards[0].baseline == pytest.approx(0.1)
    fails = checked(one_item, guards=["ItemCoverage@5 >= -5%"], margin=1.0)
    assert [own.outcome for own in fails.findings.metrics] == ["passed"]
    assert (fails.outcome, fails.exit_code) == ("worse", 1)


def test_results_are_checked_at_their_primary_setting(tmp_path: Path) -> None:
    runs = {"A": lists(0.5), "B": lists(0.3)}
    metrics = ["P@5", METRIC, "ItemCoverage@5"]
    results = ho.evaluate(TEST, runs, metrics, relevance="threshold(1)", out=tmp_path / "results")
    number = next(setting.id for setting in results.findings.settings if setting.metric == METRIC)
    by_folder = ho.check(tmp_path / "results", baseline="A", candidate="B", settings=number, guards="ItemCoverage@5 >= 0")
    by_runs = checked(lists(0.3))
    assert by_folder.findings.metrics[0].test == by_runs.findings.metrics[0].test
    assert ho.check(results, baseline="A", candidate="B").findings.metrics[0].metric == "P@5"
    with refused(UnknownNameError, where="baseline or candidate", found="C"):
        ho.check(results, baseline="A", candidate="C")
    with refused(SpecError, where="guard", found="Gini@5"):
        ho.check(results, baseline="A", candidate="B", guards="Gini@5 <= 5%")


def test_guards_hold_under_the_protocol_of_every_setting() -> None:
    ratings = {user: dict.fromkeys([f"i{(int(user[1:]) + k) % 10}" for k in range(3)], 5.0) for user in TEST}
    results = ho.evaluate(
        ratings, {"A": lists(0.5), "B": lists(0.3)}, [METRIC, "ItemCoverage@5"], target=["AllItems", "TestItems"]
    )
    numbers = [setting.id for setting in results.findings.settings if setting.metric == METRIC]
    check = ho.check(results, baseline="A", candidate="B", settings=numbers, guards="ItemCoverage@5 >= 0")
    assert (len(check.findings.metrics), len(check.findings.guards)) == (2, 2)


def test_all_forms_name_each_metric_and_guard() -> None:
    check = checked(lists(0.3), guards="ItemCoverage@5 >= -5%")
    record = json.loads(json.dumps(check.to_dict()))
    assert (record["outcome"], record["metrics"][0]["metric"]) == ("worse", METRIC)
    suite = ElementTree.fromstring(check.to_junit())
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.find("failure") is not None for case in suite] == [True, False]
    assert list(check.document.tables()) == ["metrics", "guards"]
    assert "ItemCoverage@5 >= -5%" in check.to_markdown()


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"guards": "ItemCoverage@5"}, "guard"),
        ({"guards": "P@5 >= -5%"}, "guard"),
        ({"margin": "-1%"}, "margin"),
        ({"suspicious": "much"}, "suspicious"),
        ({"metrics": "ItemCoverage@5"}, "metrics"),
    ],
)
def test_wrong_options(options: dict[str, Any], where: str) -> None:
    with refused(SpecError, where=where):
        checked(lists(0.4), **options)


def test_a_check_needs_results_or_a_test_set() -> None:
    with refused(SpecError, where="results"):
        ho.check(baseline="A", candidate="B")


def test_options_that_would_be_ignored_are_refused() -> None:
    results = ho.evaluate(TEST, {"A": lists(0.5), "B": lists(0.3)}, [METRIC, "P@5"], relevance="threshold(1)")
    with refused(SpecError, where="metrics"):
        ho.check(results, baseline="A", candidate="B", metrics="P@5")
    with refused(SpecError, where="settings"):
        checked(lists(0.4), settings=1)


def test_runs_of_other_users_are_refused() -> None:
    with refused(InputError):
        checked({f"v{u}": items for u, items in enumerate(lists(0.5).values())})


def test_only_plain_means_are_checked() -> None:
    runs = {"A": lists(0.5), "B": lists(0.3)}
    results = ho.evaluate(TEST, runs, METRIC, relevance="threshold(1)", aggregate=["mean", "gmean", "mean(weight=test)"])
    outcomes = []
    for setting in results.findings.settings:
        try:
            outcomes.append((setting.aggregate, ho.check(results, baseline="A", candidate="B", settings=setting.id).outcome))
        except NotApplicableError as error:
            outcomes.append((setting.aggregate, str(error.where)))
    assert [outcome for _, outcome in outcomes] == ["worse", "settings", "settings"]


@pytest.mark.parametrize("folds", ["average", "pooled"])
def test_folds_of_a_user_are_averaged(folds: str) -> None:
    study = {
        "data": "simulate(users=80, items=60, ratings=2000)",
        "split": "folds(3)",
        "recommend": ["Popularity", "Random"],
        "metrics": "P@5",
        "compare": {"folds": folds},
    }
    results = ho.run(study)
    if folds == "average":
        test = ho.check(results, baseline="Random", candidate="Popularity").findings.metrics[0].test
        assert test.users <= 80
        return
    with refused(NotApplicableError, where="compare", hint="average"):
        ho.check(results, baseline="Random", candidate="Popularity")
