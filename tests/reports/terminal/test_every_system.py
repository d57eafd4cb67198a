"""No system is left out of a table for width: twenty with long names, at 80 and at 60 columns."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import polars as pl
import pytest
from tests.biases.sample import small_findings
from tests.universes.findings.grids import USUAL, made, of

import heldout as ho
from heldout.reports.multiverse_views import MultiverseReport
from heldout.reports.terminal import biases, comparison, multiverse, study
from heldout.reports.terminal.screen import printed
from heldout.universes.findings.findings import findings
from heldout.universes.grid.decisions import NAMES, decision

SYSTEMS = [f"MatrixFactorisation-{k:02}(factors={10 * k}, regularisation=0.{k:02})" for k in range(1, 21)]
NUMBERED = re.compile(r"(?<![\d.])\d{1,2}(?= |$)")


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
    return (
        ho.evaluate(test, runs, metrics, test_="t")
        if False
        else ho.evaluate(test, runs, metrics, aggregate=["mean", "median"])
    )


def shown_names(text: str) -> set[str]:
    """The systems that a text names, whole or shortened: each has its two digits at least once."""
    flat = " ".join(text.split())
    return {name for name in SYSTEMS if re.search(rf"-{name[20:22]}\b|0\.{name[20:22]}\)", flat)}


def sections(text: str) -> dict[str, str]:
    """Head → its part of a report; heads follow an empty line."""
    parts = re.split(r"\n\s*\n(?=[A-Z])", text)
    return {part.strip().split("\n")[0][:24]: part for part in parts}


@pytest.mark.parametrize("width", [60, 80])
def test_run_and_evaluate(width: int) -> None:
    text = printed(study.render(results().facts, width), width)
    assert max(map(len, text.splitlines())) <= width
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
def test_compare(width: int) -> None:
    text = printed(comparison.render_comparison(results().facts, [results().facts.primary], width), width)
    assert max(map(len, text.splitlines())) <= width
    matrix = text.partition("Matrix")[2].partition("Above the diagonal")[0]
    heads = [line for line in matrix.splitlines() if "system" in line]
    assert [int(place) for line in heads for place in NUMBERED.findall(line)] == list(range(1, 21))
    assert shown_names(matrix) == set(SYSTEMS) == shown_names(text.partition("Pairs")[2])


@pytest.mark.parametrize("width", [60, 80])
def test_bias(width: int) -> None:
    small = small_findings()
    text = printed(biases.render(small, "Biases", width), width)
    for part in (text.partition("How much of this")[2].partition("What was to be")[0], text.partition("What moves")[2]):
        assert all(name.split("(")[0] in part for name in small.systems)


@pytest.mark.parametrize("width", [60, 80])
def test_multiverse(width: int) -> None:
    levels = {"cutoff": ["1", "5"], "metric": ["P", "nDCG"]}
    grid = made(levels, lambda row: 0.0)
    decisions = tuple(decision(name, levels.get(name, USUAL[name])) for name in NAMES)
    values = np.random.default_rng(2).random((len(grid.codes), 6))
    found = findings(of(decisions, grid.codes, values, systems=tuple(SYSTEMS[:6])), level=0.05)
    text = printed(multiverse.render(MultiverseReport(findings=found, title="Six"), width), width)
    assert max(map(len, text.splitlines())) <= width
    overview = text.partition("Does it hold?")[2].partition("Share of universes")[0]
    assert shown_names(overview) == set(SYSTEMS[:6])
    rankings = text.partition("rank alike?")[2].partition("What five papers")[0]
    assert shown_names(rankings) == set(SYSTEMS[:6])
