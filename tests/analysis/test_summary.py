"""The numbers of an analysis, put together: labels, leaders, letters, cards, and nothing left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.analysis.tiny import analysis, part
from tests.reports.kept import PROTOCOL

from heldout.analysis.part import Part
from heldout.analysis.summary import Summary, summarise
from heldout.errors import NotApplicableError
from heldout.tables import ProtocolKey

NAN = np.nan


def summary(parts: Sequence[Part], *, protocols: Sequence[ProtocolKey] = (PROTOCOL,), **keys: Any) -> Summary:
    systems = list(dict.fromkeys(p.scores[0].system for p in parts))
    asked = analysis(systems, **{"metrics": list(parts[0].scores[0].metrics), "compare": "t", **keys})
    return summarise(asked, parts, protocols, systems, manifest={}, failed={}, not_measured=())


def parts_of(values: Mapping[str, Sequence[float]], metric: str = "RR", **beside: Sequence[float]) -> list[Part]:
    """One part for each system."""
    return [part(system, {metric: column, **beside}) for system, column in values.items()]


def leaders(answer: Summary, setting: int = 0) -> list[tuple[str, float | None]]:
    return [(row.system, row.value) for row in answer.leaderboard if row.setting == setting]


def test_leaders_come_by_value_and_equals_in_the_order_of_systems() -> None:
    answer = summary(parts_of({"A": [0.2, 0.4], "B": [0.4, 0.6], "C": [0.4, 0.2], "D": [0.6, 0.4]}))
    assert leaders(answer) == [("B", 0.5), ("D", 0.5), ("A", pytest.approx(0.3)), ("C", pytest.approx(0.3))]
    assert [row.rank for row in answer.leaderboard] == [1, 2, 3, 4]


def test_the_smallest_error_leads_and_who_has_no_value_comes_last() -> None:
    answer = summary(parts_of({"A": [NAN, NAN], "B": [2.0, 2.0], "C": [1.0, 2.0]}, "RMSE"))
    assert leaders(answer) == [("C", 1.5), ("B", 2.0), ("A", None)]
    assert answer.settings[0].higher_is_better is False
    last = answer.leaderboard[-1]
    assert (last.users, last.undefined) == (0, 2)


def test_systems_that_are_told_apart_have_no_letter_in_common() -> None:
    """B differs from A by 0.5 for every user, give or take 0.01; C from A by as much up as down."""
    a = [0.1, 0.2, 0.3, 0.2, 0.1, 0.3]
    b = [v + 0.5 + (0.01 if k % 2 else -0.01) for k, v in enumerate(a)]
    c = [v + (0.1 if k % 2 else -0.1) for k, v in enumerate(a)]
    parts = parts_of({"A": a, "B": b, "C": c})
    groups = {row.system: set(row.group) for row in summary(parts).leaderboard}
    assert groups["A"] & groups["C"] and not groups["B"] & (groups["A"] | groups["C"])
    # against a baseline the other pairs are not compared, so letters would say what was not tested
    against = summary(parts, compare={"tests": "t", "baseline": "A"})
    assert {row.group for row in against.leaderboard} == {""}
    assert {(row.a, row.b) for row in against.comparisons} <= {("A", "B"), ("B", "A"), ("A", "C"), ("C", "A")}


def test_shares_are_those_at_the_depth_of_the_metric() -> None:
    parts = parts_of({"A": [0.2, 0.4]}, "P@5", **{"Coverage@5": [1.0, 0.5], "Coverage@10": [0.1, 0.1], "Rho@10": [0.9, 0.9]})
    (row,) = summary(parts, metrics=["P@5"]).leaderboard
    assert row.coverage == 0.75 and row.rho is None  # Rho@5 was not measured


def labels(answer: Summary) -> list[str]:
    return [setting.label for setting in answer.settings]


def test_labels_name_the_choices_in_which_settings_differ() -> None:
    values = {"P@5": [0.2, 0.4], "RR": [0.5, 1.0]}
    assert labels(summary([part("A", {"RR": [0.5]})], metrics=["RR"])) == ["RR"]
    assert labels(summary([part("A", values)], metrics=["P@5", "RR"])) == ["P@5", "RR"]
    assert labels(summary([part("A", values)], metrics=["RR"], undefined=["zero", "skip"])) == [
        "RR · undefined=zero",
        "RR · undefined=skip",
    ]
    targets = [PROTOCOL, replace(PROTOCOL, target="TestItems", relevance="all")]
    by_target = summary([part("A", values, protocol=p) for p in targets], protocols=targets, metrics=["RR"])
    assert labels(by_target) == ["AllItems · RR", "TestItems · RR"]  # relevance goes with the target
    rules = [PROTOCOL, replace(PROTOCOL, relevance="threshold(tau=5)")]
    by_rule = summary([part("A", values, protocol=p) for p in rules], protocols=rules, metrics=["RR"])
    assert labels(by_rule) == ["RR · threshold(tau=4)", "RR · threshold(tau=5)"]
    filters = [replace(PROTOCOL, filter=name, fallback=name) for name in ("none", "core(k=5)")]
    by_filter = summary([part("A", values, protocol=p) for p in filters], protocols=filters, metrics=["RR"])
    assert labels(by_filter) == ["RR · no filter · fallback=none", "RR · core(k=5) · fallback=core(k=5)"]


def test_errors_that_skip_what_is_undefined_do_not_lengthen_every_label() -> None:
    values = {"RR": [0.5, 1.0], "RMSE": [0.5, 1.0]}
    assert labels(summary([part("A", values)], metrics=["RR", "RMSE"], undefined=["zero"])) == ["RR", "RMSE"]


def test_descriptive_settings_are_labelled_among_their_own() -> None:
    values = {"P@5": [0.2, 0.4], "RR": [0.5, 1.0], "Novelty@5": [2.0, 3.0]}
    assert labels(summary([part("A", values)], metrics=["Novelty@5", "P@5", "RR"])) == ["P@5", "RR", "Novelty@5"]


def test_a_card_says_what_an_item_is_worth() -> None:
    metrics = ["nDCG(gain=exp2)@5", "P@5", "RMSE"]
    answer = summary([part("A", {metric: [0.5] for metric in metrics})], metrics=metrics)
    gains = {card.name: dict(card.facts).get("Gain") for card in answer.cards}
    assert gains["P@5"] == "1 for a relevant item, 0 for any other" and gains["RMSE"] is None
    assert (gains["nDCG(gain=exp2)@5"] or "").startswith("exp2: ")
    assert [card.range for card in answer.cards[:2]] == ["0 to 1", "0 to 1"]


def test_nothing_left_to_aggregate_is_refused_with_every_reason() -> None:
    with pytest.raises(NotApplicableError, match="nothing is left to aggregate: RR under pooled: "):
        summary([part("A", {"RR": [0.5]})], metrics=["RR"], aggregate=["pooled"])
