"""Settings of an analysis: which there are, in which order, and why some are not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from tests.analysis.tiny import analysis, part
from tests.reports.kept import PROTOCOL, facts_of, outcome_of

from heldout.analysis.alignment import AlignedScores, align
from heldout.analysis.part import Part
from heldout.analysis.settings import AggregatedSetting, aggregate_settings
from heldout.reports.views import View
from heldout.tables import ProtocolKey, Vocabulary

NAN = np.nan


def table(*parts: Part, protocol: ProtocolKey = PROTOCOL) -> AlignedScores:
    return align(parts, protocol, list(dict.fromkeys(p.scores[0].system for p in parts)))


def choices(settings: list[AggregatedSetting]) -> list[tuple[str, ...]]:
    return [(str(s.metric), s.aggregate, s.undefined, s.coverage) for s in settings]


def test_every_metric_aggregation_and_rule_is_a_setting() -> None:
    asked = analysis(
        "A", metrics=["P@5", "RR"], aggregate=["mean", "median"], undefined=["zero", "skip"], coverage=["zero", "forgive"]
    )
    settings = aggregate_settings(asked, [table(part("A", {"P@5": [0.2, 0.4], "RR": [1.0, 0.5]}))])
    assert len(set(choices(settings))) == len(settings) == 16
    assert choices(settings)[:3] == [
        ("P@5", "mean", "zero", "zero"),
        ("P@5", "mean", "zero", "forgive"),
        ("P@5", "mean", "skip", "zero"),
    ]


def test_errors_and_descriptions_skip_what_is_undefined_whatever_the_rule() -> None:
    """An error of 0 would be the best there is: RMSE of the users that have one is (1 + 2)/2."""
    values = {"Novelty@5": [3.0, NAN, 5.0], "RR": [1.0, NAN, 0.5], "RMSE": [1.0, NAN, 2.0]}
    asked = analysis("A", metrics=list(values), undefined=["zero"])
    settings = aggregate_settings(asked, [table(part("A", values))])
    assert [(str(s.metric), s.undefined, s.tallies[0].value) for s in settings] == [
        ("RR", "zero", pytest.approx(0.5)),
        ("RMSE", "skip", pytest.approx(1.5)),
        ("Novelty@5", "skip", pytest.approx(4.0)),
    ]
    assert [s.contest for s in settings] == [True, True, False]  # what only describes comes last
    as_objective = replace(asked, objectives=(settings[2].metric,))
    assert [s.contest for s in aggregate_settings(as_objective, [settings[0].table])] == [True, True, True]


def test_a_setting_has_the_systems_that_its_metric_was_measured_of() -> None:
    scores = table(part("A", {"RR": [1.0, 0.5]}), part("B", {"RR": [0.5, 0.5], "RMSE": [1.0, 3.0]}))
    settings = aggregate_settings(analysis(("A", "B"), metrics=["RR", "RMSE", "P@5"]), [scores])
    assert [(str(s.metric), s.systems) for s in settings] == [("RR", ("A", "B")), ("RMSE", ("B",))]
    assert [t.value for t in settings[1].tallies] == [2.0]


def test_an_aggregation_that_does_not_apply_is_left_out_with_the_reason() -> None:
    left_out: dict[str, None] = {}
    scores = table(part("A", {"RR": [1.0, 0.5], "RMSE": [1.0, 3.0]}))
    settings = aggregate_settings(analysis("A", metrics=["RR", "RMSE"], aggregate=["mean", "pooled"]), [scores], left_out)
    assert ("RR", "pooled") not in {(str(s.metric), s.aggregate) for s in settings}
    assert len(settings) + len(left_out) == 4
    assert any(why.startswith("RR under pooled: ") and len(why) > len("RR under pooled: ") for why in left_out)


def test_bounds_of_the_unrated_are_no_contest() -> None:
    bounds = replace(PROTOCOL, unrated="interval(end=high)")
    parts = [part("A", {"RR": [1.0, 0.5]}), part("A", {"RR": [1.0, 1.0]}, protocol=bounds)]
    tables = [table(*parts, protocol=bounds), table(*parts)]
    settings = aggregate_settings(analysis("A", metrics=["RR"]), tables)
    assert [(s.protocol.unrated, s.bound, s.contest) for s in settings] == [
        ("zero", False, True),
        ("interval(end=high)", True, False),
    ]


def test_whom_all_serve_and_what_the_values_are_without_the_others() -> None:
    """B has no list for user 2: over all it has (0.6 + 0.6 + 0)/3, over the served 0.6, where A has 0.3."""
    a, b = part("A", {"RR": [0.3, 0.3, 0.9]}), part("B", {"RR": [0.6, 0.6, 0.0]}, length=[10, 10, 0])
    (setting,) = aggregate_settings(analysis(("A", "B"), metrics=["RR"]), [table(a, b)])
    served = setting.served()
    assert (served.users, served.served) == (3, 2)
    assert served.as_zero == pytest.approx((0.5, 0.4)) and served.common == pytest.approx((0.3, 0.6))
    (everyone,) = aggregate_settings(analysis("A", metrics=["RR"]), [table(a)])
    assert everyone.served().as_zero == everyone.served().common == ()


def test_aggregations_stand_side_by_side() -> None:
    outcome = outcome_of()
    ways = ["mean", "mean(weight=test)", "median", "gmean", "pooled", "urisk(1, Poor)", "standardised", "georisk"]
    facts = facts_of(outcome, metrics="Recall@10", aggregate=ways, tests=["t", "sign"])
    x = outcome.parts[0].scores[0].column("Recall@10")
    counts = outcome.parts[0].scores[0].counts
    best = {facts.settings[r.setting].aggregate: r.value for r in facts.leaderboard if r.system == "Best"}
    assert best["mean"] == pytest.approx(x.mean())
    assert best["mean(weight=test)"] == pytest.approx(np.average(x, weights=counts["test"]))
    pooled = (x * counts["relevant"]).sum() / counts["relevant"].sum()
    assert best["pooled"] == pytest.approx(pooled)
    assert [s.aggregate for s in View(facts).aggregations(0)] == [str(s.aggregate) for s in facts.settings]
    assert len(facts.settings) == len(ways)
    # t answers for all but median and georisk, sign for all but the weighted mean and georisk
    asked = {(p.test, facts.settings[p.setting].aggregate) for p in facts.comparisons if p.p is None}
    assert asked == {("t", "median"), ("sign", "mean(weight=test)"), ("t", "georisk"), ("sign", "georisk")}
    assert "HO403" in {n.code for n in facts.notices}
    assert all(p.reason for p in facts.comparisons if p.p is None)


def test_users_are_compared_by_id() -> None:
    """Two protocols with vocabularies of their own: the same two users in another order, and others of the same number."""
    asked = analysis("A", metrics=["P@5"])

    def setting(*names: str) -> AggregatedSetting:
        vocabulary = Vocabulary.of(pl.Series(names))
        (scores,) = part("A", {"P@5": [0.2, 0.4]}).scores
        users = vocabulary.encode(pl.Series(names)).astype(np.int32)
        return aggregate_settings(asked, [table(Part((replace(scores, users=users),), vocabulary))])[0]

    first = setting("ann", "bob")
    assert first.same_users(first) and first.same_users(setting("bob", "ann"))
    assert not first.same_users(setting("ann", "cy"))
