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
from rich.cells import cell_len
from tests.biases.sample import small_findings
from tests.reports.metric_trial import trial
from tests.reports.truth_rows import findings as truth_findings
from tests.universes.grids import USUAL, made, of

import heldout as ho
from heldout.metric_quality.findings import MetaFindings
from heldout.reports import biases, comparison, metric_quality, multiverse, power, study, truth
from heldout.reports.document import Document
from heldout.reports.multiverse_tables import MultiverseReport
from heldout.reports.render import terminal
from heldout.reports.render.screen import printed
from heldout.text.names import short_names
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

    protocols = tuple(replace(effect, reversed=(), overturned=(), lost=()) for effect in small.effects.protocols)
    effects = replace(small.effects, values=copied(small.effects.values), pairs=(), protocols=protocols)
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


def whole(document: Document) -> Any:
    return terminal.document(document, full=True)


VERBS: dict[str, Renderer] = {
    "run, evaluate": lambda: whole(study.document(results().findings)),
    "compare": lambda: whole(comparison.document(results().findings, [results().findings.primary])),
    "multiverse": lambda: whole(multiverse.document(many_universes())),
    "bias": lambda: whole(biases.document(many_biases(), title="Biases " * 20)),
    "meta": lambda: whole(metric_quality.document(MetaFindings(trials=(trial(systems=tuple(SYSTEMS)),)), title="Metrics")),
    "truth": lambda: whole(truth.document(replace(truth_findings(), systems=tuple(SYSTEMS)), title="Truth")),
    "power": lambda: whole(power.document(users_needed(), 0.02, 0.8, 0.05, 1)),
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
    short = short_names(SYSTEMS)
    named = squeezed(text)
    assert [name for name in SYSTEMS if squeezed(name) not in named and squeezed(short[name]) not in named] == []


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("width", WIDTHS)
def test_every_short_form_is_explained(verb: str, width: int) -> None:
    """Each word of a table in which something was cut stands in the list of short names, or is itself a list cut short."""
    text, _, legend = shown(verb, width).rpartition("\nShort names")
    words = {word for line in text.splitlines() for word in re.findall(r"\S*…\S*", line)} - {"…,"}
    explained = squeezed(legend)
    assert [word for word in words if word.strip("│┃") not in explained] == []
