"""The systems of a study: their parameters, and how a search chose them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from heldout.analysis.facts import Facts
from heldout.reports.page.markup import breakable, cell, el, rows, table
from heldout.words import count, number


def systems(facts: Facts) -> Markup:
    """Every system with all its parameters and what choosing them cost."""
    listed = _systems(facts)
    if not listed:
        return Markup()
    tuned = any(one.get("tuning") for one in listed)
    heads = [cell("System"), cell("Model, every parameter written out")] + ([cell("How chosen")] if tuned else [])
    body = []
    for one in listed:
        line = [cell(breakable(str(one.get("name", "")))), cell(breakable(str(one.get("model", ""))), "options")]
        body.append(line + ([cell(tuning_text(one["tuning"]) if one.get("tuning") else "as given")] if tuned else []))
    return el("section", el("h2", "Systems"), table(heads, rows(body), caption="Systems of the study"), id="systems")


def tuning_text(tuning: Mapping[str, Any]) -> str:
    """How a search chose parameters, and what it cost, in a sentence."""
    chosen = ", ".join(f"{k}={_short(v)}" for k, v in tuning.get("parameters", {}).items())
    looked = "; ".join(f"{k} in {v}" for k, v in tuning.get("ranges", {}).items())
    cost = f"{count(tuning.get('trials'))} trials, {number(tuning.get('cpu_seconds'), 1)} CPU seconds"
    reached = f"{tuning.get('metric')} = {number(tuning.get('value'))}"
    return f"{chosen} by {reached} on validation ratings ({tuning.get('validation')}); {cost}; looked for {looked}"


def tunings(facts: Facts) -> list[tuple[str, str]]:
    """The systems whose parameters a search chose: name and sentence."""
    return [(str(one["name"]), tuning_text(one["tuning"])) for one in _systems(facts) if one.get("tuning")]


def _systems(facts: Facts) -> list[dict[str, Any]]:
    found = facts.manifest.get("study", {}).get("recommend", []) if isinstance(facts.manifest, Mapping) else []
    return [one for one in found if isinstance(one, Mapping)]  # type: ignore[misc]


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
