"""Scores made into findings: labels, leaders, letters, cards, bounds, and nothing left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.analysis.tiny import analysis, part
from tests.refusals import refused
from tests.reports.kept import PROTOCOL

import heldout as ho
from heldout.analysis.analyse import analyse
from heldout.analysis.findings import Findings
from heldout.analysis.sentences import UNCALLED
from heldout.errors import NotApplicableError, SpecError
from heldout.reports.render import terminal
from heldout.reports.render.screen import printed
from heldout.tables.cell_scores import CellScores
from heldout.universes.grid.file import multiverse_from

NAN = np.nan
STUDY: dict[str, Any] = {
    "data": "simulate(users=90, items=40, ratings=1500)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "UserKNN(k=7)"],
    "relevance": "threshold(4)",
    "metrics": ["P@5", "RR@5"],
    "compare": ["t"],
}


def analysed(parts: Sequence[CellScores], **keys: Any) -> Findings:
    systems = list(dict.fromkeys(p.scores[0].system for p in parts))
    asked = analysis(systems, **{"metrics": list(parts[0].scores[0].metrics), "compare": "t", **keys})
    return analyse(asked, parts, manifest={}, failed={}, not_measured=())


def parts_of(values: Mapping[str, Sequence[float]], metric: str = "RR", **beside: Sequence[float]) -> list[CellScores]:
    """One part for each system."""
    return [part(system, {metric: column, **beside}) for system, column in values.items()]


def leaders(answer: Findings, setting: int = 0) -> list[tuple[str, float | None]]:
    return [(row.system, row.value) for row in answer.leaderboard if row.setting == setting]


def test_leaders_come_by_value_and_equals_in_the_order_of_systems() -> None:
    answer = analysed(parts_of({"A": [0.2, 0.4], "B": [0.4, 0.6], "C": [0.4, 0.2], "D": [0.6, 0.4]}))
    assert leaders(answer) == [("B", 0.5), ("D", 0.5), ("A", pytest.approx(0.3)), ("C", pytest.approx(0.3))]
    assert [row.rank for row in answer.leaderboard] == [1, 2, 3, 4]


def test_the_smallest_error_leads_and_who_has_no_value_comes_last() -> None:
    answer = analysed(parts_of({"A": [NAN, NAN], "B": [2.0, 2.0], "C": [1.0, 2.0]}, "RMSE"))
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
    groups = {row.system: set(row.group) for row in analysed(parts).leaderboard}
    assert groups["A"] & groups["C"] and not groups["B"] & (groups["A"] | groups["C"])
    # against a baseline the other pairs are not compared, so letters would say what was not tested
    against = analysed(parts, compare={"tests": "t", "baseline": "A"})
    assert {row.group for row in against.leaderboard} == {""}
    assert {(row.a, row.b) for row in against.comparisons} <= {("A", "B"), ("B", "A"), ("A", "C"), ("C", "A")}


def test_shares_are_those_at_the_depth_of_the_metric() -> None:
    parts = parts_of({"A": [0.2, 0.4]}, "P@5", **{"Coverage@5": [1.0, 0.5], "Coverage@10": [0.1, 0.1], "Rho@10": [0.9, 0.9]})
    (row,) = analysed(parts, metrics=["P@5"]).leaderboard
    assert row.coverage == 0.75 and row.rho is None  # Rho@5 was not measured


def labels(answer: Findings) -> list[str]:
    return [setting.label for setting in answer.settings]


def test_labels_name_the_choices_in_which_settings_differ() -> None:
    values = {"P@5": [0.2, 0.4], "RR": [0.5, 1.0]}
    assert labels(analysed([part("A", {"RR": [0.5]})], metrics=["RR"])) == ["RR"]
    assert labels(analysed([part("A", values)], metrics=["P@5", "RR"])) == ["P@5", "RR"]
    assert labels(analysed([part("A", values)], metrics=["RR"], undefined=["zero", "skip"])) == [
        "RR · undefined=zero",
        "RR · undefined=skip",
    ]
    targets = [PROTOCOL, replace(PROTOCOL, target="TestItems", relevance="all")]
    by_target = analysed([part("A", values, protocol=p) for p in targets], metrics=["RR"])
    assert labels(by_target) == ["AllItems · RR", "TestItems · RR"]  # relevance goes with the target
    rules = [PROTOCOL, replace(PROTOCOL, relevance="threshold(tau=5)")]
    by_rule = analysed([part("A", values, protocol=p) for p in rules], metrics=["RR"])
    assert labels(by_rule) == ["RR · threshold(tau=4)", "RR · threshold(tau=5)"]
    filters = [replace(PROTOCOL, filter=name, fallback=name) for name in ("none", "core(k=5)")]
    by_filter = analysed([part("A", values, protocol=p) for p in filters], metrics=["RR"])
    assert labels(by_filter) == ["RR · no filter · fallback=none", "RR · core(k=5) · fallback=core(k=5)"]


def test_errors_that_skip_what_is_undefined_do_not_lengthen_every_label() -> None:
    values = {"RR": [0.5, 1.0], "RMSE": [0.5, 1.0]}
    assert labels(analysed([part("A", values)], metrics=["RR", "RMSE"], undefined=["zero"])) == ["RR", "RMSE"]


def test_descriptive_settings_are_labelled_among_their_own() -> None:
    values = {"P@5": [0.2, 0.4], "RR": [0.5, 1.0], "Novelty@5": [2.0, 3.0]}
    assert labels(analysed([part("A", values)], metrics=["Novelty@5", "P@5", "RR"])) == ["P@5", "RR", "Novelty@5"]


def test_a_card_says_what_an_item_is_worth() -> None:
    metrics = ["nDCG(gain=exp2)@5", "P@5", "RMSE"]
    answer = analysed([part("A", {metric: [0.5] for metric in metrics})], metrics=metrics)
    gains = {card.name: dict(card.facts).get("Gain") for card in answer.cards}
    assert gains["P@5"] == "1 for a relevant item, 0 for any other" and gains["RMSE"] is None
    assert (gains["nDCG(gain=exp2)@5"] or "").startswith("exp2: ")
    assert [card.range for card in answer.cards[:2]] == ["0 to 1", "0 to 1"]


def test_nothing_left_to_aggregate_is_refused_with_every_reason() -> None:
    with refused(NotApplicableError, where="aggregate") as refusal:
        analysed([part("A", {"RR": [0.5]})], metrics=["RR"], aggregate=["pooled"])
    assert "RR under pooled" in refusal.value.what


@pytest.fixture(scope="module")
def bounded() -> ho.Results:
    return ho.run({**STUDY, "unrated": ["zero", "interval"]})


def test_bounds_change_neither_the_verdict_nor_any_comparison(bounded: ho.Results) -> None:
    plain = ho.run(STUDY)
    assert bounded.verdict == plain.verdict
    assert bounded.findings.verdict == plain.findings.verdict
    assert bounded.findings.comparisons == plain.findings.comparisons
    assert {s.label for s in bounded.findings.settings if not s.descriptive} == {"P@5", "RR@5"}


def test_the_first_written_end_is_no_primary_setting() -> None:
    found = ho.run({**STUDY, "unrated": ["interval", "zero"]})
    assert found.findings.settings[0].choices["unrated"] == "zero"


def test_bounds_stand_beside_the_values_in_every_form(bounded: ho.Results) -> None:
    ends = bounded.tables["all-leaderboards"].frame.filter(pl.col("unrated") != "zero")
    assert len(ends) == 2 * 2 * 2
    most = ends.filter(unrated="interval(end=high)", metric="P@5", system="Popularity")["value"].item()
    table = bounded.tables["descriptive"]
    assert table.title == "Bounds of values" and "describe the lists" not in table.caption
    (row,) = [row for row in table.rows if "P@5" in row[0] and "high" in row[0]]
    assert row[1 + [column.name for column in table.columns[1:]].index("Popularity")] == most
    written = f"{most:.4f}"
    full = printed(terminal.document(bounded.document, full=True), 100)
    assert all("Bounds of values" in form and written in form for form in (full, bounded.to_html(), bounded.to_markdown()))
    assert len(bounded.findings.verdict.rows) == 2


def test_bounds_alone_call_no_winner() -> None:
    found = ho.run({**STUDY, "unrated": "interval"}).findings.verdict
    assert (found.answer, found.rows) == (UNCALLED, ())
    assert found.numbers.startswith("The ends of an interval bound values") and "objectives" not in found.numbers


def test_judged_runs_are_not_compared_by_bounds() -> None:
    test = pl.DataFrame({"user": ["u1", "u1", "u2"], "item": ["i1", "i2", "i1"], "rating": [5.0, 3.0, 4.0]})
    run = pl.DataFrame({"user": ["u1", "u1", "u2"], "item": ["i1", "i9", "i1"], "score": [2.0, 1.0, 1.0]})
    asked = {"relevance": "threshold(4)", "unrated": ["zero", "interval"]}
    found = ho.evaluate(test, {"A": run, "B": run.reverse()}, ["P@2"], **asked)
    assert [s.choices["unrated"] for s in found.findings.settings if not s.descriptive] == ["zero"]


def test_no_universe_is_a_bound() -> None:
    made = multiverse_from({**STUDY, "unrated": ["zero", "interval"]})
    assert len(made) == len(multiverse_from(STUDY))
    assert made.left_out == ("unrated = interval: its ends bound values and are no contest",)
    with refused(SpecError, where="unrated", found=["interval"], hint='use "zero" or "condense"'):
        multiverse_from({**STUDY, "unrated": "interval"})
