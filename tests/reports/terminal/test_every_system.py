"""No system is left out of a report for width: twenty of 60 characters, one of them from right to left, in every verb.

A short form may stand for a name, and then the report says at its end which.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from heldout.reports.multiverse_views import MultiverseReport
from heldout.reports.truth_views import TruthReport
from rich.cells import cell_len
from tests.biases.sample import small_findings
from tests.reports.metric_trial import trial
from tests.reports.splits import split
from tests.reports.truth_rows import findings as truth_findings
from tests.universes.grids import USUAL, made, of

import heldout as ho
from heldout import audit
from heldout.metric_quality.findings import MetaFindings
from heldout.reports import metric_quality
from heldout.reports.render import terminal
from heldout.reports.terminal import (
    biases,
    comparison,
    multiverse,
    power,
    profiles,
    splits,
    study,
    truth,
)
from heldout.reports.terminal.screen import printed
from heldout.universes.analysis import multiverse_findings
from heldout.universes.grid.decisions import NAMES, decision

SYSTEMS = [f"MatrixFactorisation-{k:02}(factors={10 * k}, regularisation=0.{k:02})" for k in range(1, 20)]
SYSTEMS.append("מערכת-המלצות-20(גורמים=200, רגולריזציה=0.20, אלפא=0.5)")
WIDTHS = (60, 80, 200)
NUMBERED = re.compile(r"(?<![\d.])\d{1,2}(?= |$)")
Renderer = Callable[[], Any]


@cache
def results() -> ho.Results:
    rng = np.random.default_rng(1)
    users = np.repeat([f"u{u}" for u in range(25)], 4)
    test = pl.DataFrame({"user": users, "item": [f"i{u % 7 + 3 * j}" for u in range(25) for j in range(4)], "rating": 5})
    runs = {}
    for name in SYSTEMS:
        rows = [(f"u{u}", f"i{i}", 10.0 - r) for u in range(25) for r, i in enumerate(rng.permutation(17)[:10])]
        runs[name] = pl.DataFrame(rows, schema=["user", "item", "score"], orient="row")
    metrics = ["nDCG@10", "P@5", "Coverage@10", "Gini@10"]
    return ho.evaluate(test, runs, metrics, aggregate=["mean", "median"])


def many_biases() -> Any:
    """The small study of biases with each of its systems under several names."""
    small = small_findings()
    like = dict(zip(SYSTEMS, small.systems * len(SYSTEMS), strict=False))

    def copied(rows: Any) -> Any:
        return tuple(replace(row, system=name) for name in SYSTEMS for row in rows if row.system == like[name])

    effects = replace(small.effects, values=copied(small.effects.values))
    return replace(
        small,
        systems=tuple(SYSTEMS),
        effects=effects,
        expectations=copied(small.expectations),
        curves=copied(small.curves),
    )


def many_universes() -> MultiverseReport:
    levels = {"cutoff": ["1", "5"], "metric": ["P", "nDCG"]}
    grid = made(levels, lambda row: 0.0)
    decisions = tuple(decision(name, levels.get(name, USUAL[name])) for name in NAMES)
    values = np.random.default_rng(2).random((len(grid.codes), len(SYSTEMS)))
    return MultiverseReport(
        findings=multiverse_findings(of(decisions, grid.codes, values, systems=tuple(SYSTEMS)), level=0.05),
        title="Twenty " * 20,
    )


def users_needed() -> pl.DataFrame:
    pairs = list(combinations(SYSTEMS, 2))
    alike = {"metric": "P@10", "split": "ratio", "relevance": "", "target": "AllItems"}
    figures = {"deviation": 0.2, "d": 0.1, "users_needed": 1571, "users": 943, "power": 0.55}
    return pl.DataFrame([{**alike, "a": a, "b": b, **figures} for a, b in pairs])


VERBS: dict[str, Renderer] = {
    "run, evaluate": lambda: study.render(results().findings),
    "compare": lambda: comparison.render_comparison(results().findings, [results().findings.primary]),
    "multiverse": lambda: multiverse.render(many_universes()),
    "bias": lambda: biases.render(many_biases(), "Biases " * 20),
    "meta": lambda: terminal.document(
        metric_quality.document(MetaFindings(trials=(trial(systems=tuple(SYSTEMS)),)), title="Metrics")
    ),
    "truth": lambda: truth.render(TruthReport(title="Truth", findings=replace(truth_findings(), systems=tuple(SYSTEMS)))),
    "power": lambda: power.render_power(users_needed(), 0.02, 0.8, 0.05, 1),
}


def squeezed(text: str) -> str:
    """A text without its spaces and line ends, so that a folded name is found."""
    return "".join(text.split())


@cache
def shown(verb: str, width: int) -> str:
    return printed(VERBS[verb](), width)


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("width", WIDTHS)
def test_every_system_is_named_and_no_line_is_too_long(verb: str, width: int) -> None:
    text = shown(verb, width)
    assert max(cell_len(line.rstrip()) for line in text.splitlines()) <= width
    assert [name for name in SYSTEMS if squeezed(name) not in squeezed(text)] == []


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("width", WIDTHS)
def test_every_short_form_is_explained(verb: str, width: int) -> None:
    """Each word of a table in which something was cut stands in the list of short names, or is itself a list cut short."""
    text, _, legend = shown(verb, width).rpartition("\nShort names")
    words = {word for line in text.splitlines() for word in re.findall(r"\S*…\S*", line)}
    explained = squeezed(legend)
    assert [word for word in words if word.strip("│┃") not in explained] == []


def shown_names(text: str) -> set[str]:
    """The systems that a text names, whole or shortened: each has its two digits at least once, the last its letters."""
    flat = " ".join(text.split())
    named = {name for name in SYSTEMS[:-1] if re.search(rf"-{name[20:22]}\b|0\.{name[20:22]}\)", flat)}
    return named | ({SYSTEMS[-1]} if "מ" in flat else set())


def sections(text: str) -> dict[str, str]:
    """Head → its part of a report; heads follow an empty line."""
    parts = re.split(r"\n\s*\n(?=[A-Z])", text)
    return {part.strip().split("\n")[0][:24]: part for part in parts}


@pytest.mark.parametrize("width", [60, 80])
def test_every_table_of_run_and_evaluate_has_every_system(width: int) -> None:
    text = shown("run, evaluate", width)
    parts = sections(text)
    named = {head: part for head, part in parts.items() if head.startswith(("Leaderboard", "Aggregations", "Beside"))}
    assert len(named) >= 2
    for head, part in named.items():
        assert shown_names(part) == set(SYSTEMS), head
    holds = next(part for head, part in parts.items() if head.startswith("Does it hold"))
    text_below = text[text.index(holds[:30]) :].partition("against the others")[0]
    heads = [line for line in text_below.splitlines() if line.startswith("setting")]
    places = [int(place) for line in heads for place in NUMBERED.findall(line)]
    assert places == list(range(1, 21))
    against = text.partition("against the others")[2].partition("Under the name of")[0]
    assert len(shown_names(against)) == 19 and "system 2," not in text


@pytest.mark.parametrize("width", [60, 80])
def test_every_table_of_compare_has_every_system(width: int) -> None:
    text = shown("compare", width)
    matrix = text.partition("Matrix")[2].partition("Above the diagonal")[0]
    heads = [line for line in matrix.splitlines() if "system" in line]
    assert [int(place) for line in heads for place in NUMBERED.findall(line)] == list(range(1, 21))
    pairs = text.partition("Pairs")[2].partition("Short names")[0]
    assert shown_names(matrix) == set(SYSTEMS) == shown_names(pairs)


@pytest.mark.parametrize("width", [60, 80])
def test_every_table_of_bias_has_every_system(width: int) -> None:
    text = shown("bias", width).partition("Short names")[0]
    for part in (text.partition("How much of this")[2].partition("What was to be")[0], text.partition("What moves")[2]):
        assert shown_names(part) == set(SYSTEMS)


@pytest.mark.parametrize("width", [60, 80])
def test_every_table_of_a_multiverse_has_every_system(width: int) -> None:
    text = shown("multiverse", width)
    overview = text.partition("Does it hold?")[2].partition("Share of universes")[0]
    assert shown_names(overview) == set(SYSTEMS)
    rankings = text.partition("rank alike?")[2].partition("What five papers")[0]
    assert shown_names(rankings) == set(SYSTEMS)


@pytest.mark.parametrize("width", WIDTHS)
def test_folds_and_filters_of_any_number_are_all_shown(width: int) -> None:
    folds = [replace(split(), fold=k) for k in range(12)]
    audits = [audit(fold) for fold in folds]
    steps = [(f"keep-only-the-ratings-of-some-users(k={k}, seed={k})", trial_profile()) for k in range(9)]
    for part in (splits.render_splits(folds, "by time"), splits.render_audits(audits), profiles.render_profiles(steps)):
        text = printed(part, width)
        assert max(cell_len(line.rstrip()) for line in text.splitlines()) <= width and "…" not in text
    text = printed(splits.render_audits(audits), width)
    assert re.findall(r"fold (\d+)", text.partition("Disjoint")[0]) == [str(k + 1) for k in range(12)]
    heads = squeezed(printed(profiles.render_profiles(steps, drawn=False), width))
    assert all(f"seed={k})" in heads for k in range(9))


def trial_profile() -> Any:
    return ho.profile({"user": [1, 2, 3, 1], "item": [1, 1, 1, 2], "rating": [1, 1, 1, 5]}).findings.steps[0][1]
