"""Short texts that every form of report writes the same way: protocols, tests and corrections, coverage, tuning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heldout.analysis.findings import Findings
from heldout.analysis.rows import PairRow, Setting, VerdictRow
from heldout.significance.significance_test import NON_ZERO
from heldout.text.names import short_names
from heldout.text.numbers import count, number, percent

DESCRIPTIVE = (
    "These describe the lists and decide nothing. Named under objectives in the study, one is compared like the others."
)
"""Below a table of descriptive metrics."""
BOUNDS = (
    "Bounds say how far values may lie away, were every unrated item worth nothing or everything. No system wins or loses "
    "by them; where they overlap widely, the data do not tell which lists are better."
)
"""Below a table of bounds."""


def protocol_sentence(findings: Findings, setting: Setting) -> str:
    """The choices that values were measured under: "Protocol: split ratio(train=0.8); target AllItems."."""
    stages = ("data", "split", "target", "relevance", "fallback")
    data = short_names(list(dict.fromkeys(own.choices.get("data", "") for own in findings.settings)))
    texts = {**setting.choices, "data": data.get(setting.choices.get("data", ""), "")}
    choices = [f"{name} {texts[name]}" for name in stages if texts.get(name, "none") not in ("", "none")]
    return f"Protocol: {'; '.join(choices)}." if choices else ""


def confidence(findings: Findings) -> str:
    """The level of confidence intervals: 95%."""
    return f"{100 * (1 - findings.level):g}%"


def users_text(pair: PairRow) -> str:
    """Users that a pair was tested on, and figures of the test in the order of their names: "100 (5 non-zero)"."""
    figures = sorted(pair.figures.items()) if pair.p is not None else []
    texts = [f"{count(value)} non-zero" if name == NON_ZERO else f"{name} {percent(value)}" for name, value in figures]
    return f"{count(pair.users)} ({', '.join(texts)})" if texts else count(pair.users)


def uncalled_note(row: VerdictRow | None) -> str:
    """Why a small p beside the leader of a setting makes it no winner; empty where it may be called one."""
    if row is None or not row.refused:
        return ""
    return f"No winner is called: the leader {row.refused}. The tests say how the users compared differ, not who wins."


def tuning_text(tuning: Mapping[str, Any]) -> str:
    """How a search chose parameters, and what it cost, in a sentence."""
    chosen = ", ".join(f"{k}={_short(v)}" for k, v in tuning.get("parameters", {}).items())
    looked = "; ".join(f"{k} in {v}" for k, v in tuning.get("ranges", {}).items())
    cost = f"{count(tuning.get('trials'))} trials, {number(tuning.get('cpu_seconds'), 1)} CPU seconds"
    reached = f"{tuning.get('metric')} = {number(tuning.get('value'))}"
    return f"{chosen} by {reached} on validation ratings ({tuning.get('validation')}); {cost}; looked for {looked}"


def system_entries(findings: Findings) -> list[Mapping[str, Any]]:
    """The manifest's entry of each system: its name, its model with every parameter, and how a search chose them."""
    study = findings.manifest.get("study", {})
    return [entry for entry in study.get("recommend", []) if isinstance(entry, Mapping)]


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
