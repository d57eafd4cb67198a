"""What reports select from findings: the systems that have a column, and the pairs that an axis of margins shows."""

from __future__ import annotations

from dataclasses import dataclass

from heldout.analysis.explored import relative_margin
from heldout.analysis.findings import Findings
from heldout.analysis.rows import VerdictRow, user_counts
from heldout.words import counted

CHARTED = 80
"""Settings up to which a chart shows them."""


@dataclass(frozen=True, kw_only=True)
class Held:
    """A system held against a rival in one setting; above 0, effect and margin favour the system."""

    a: str
    b: str
    difference: float
    effect: float | None
    margin: float | None
    """The difference of both values by the mean of their magnitudes."""


def about_users(findings: Findings) -> str:
    """How many settings rest on other users than the primary one of the verdict; empty if none do."""
    rows = findings.verdict.on_other_users
    if not rows:
        return ""
    primary, counts = f"{findings.board(findings.verdict.rows[0].setting)[0].users:,}", user_counts(rows)
    rest = f"{counted(len(rows), 'setting')} {'rests' if len(rows) == 1 else 'rest'} on other users than the primary one"
    return f"{rest}: {counts} instead of {primary}." if counts != primary else f"{rest}."


def systems_shown(findings: Findings, most: int) -> list[str]:
    """Systems with a column of their own: all by place in the primary setting, or the first of these and all leaders."""
    order = [row.system for row in findings.board(findings.primary)]
    order += [s for s in findings.systems if s not in set(order)]
    if len(order) <= most:
        return order
    leaders = {row.leader for row in findings.verdict.rows}
    first = set(order[: max(1, most - len(leaders))]) | leaders
    return [s for s in order if s in first][:most]


def held_pair(findings: Findings, row: VerdictRow) -> Held:
    """The pair that says whether the primary setting's answer holds in another, seen from the primary leader.

    It is seen from the setting's leader where the primary leader has no value, and with a baseline: does it beat that?
    """
    from_rival = findings.baseline is None and row.rival == findings.leader(findings.primary)
    system = row.rival if from_rival else row.leader
    rival, difference, effect = row.seen_from(system)
    value, other = findings.value(row.setting, system), findings.value(row.setting, rival)
    margin = None
    if value is not None and other is not None:
        margin = float(relative_margin(value, other, findings.setting(row.setting).higher_is_better))
    return Held(a=system, b=rival, difference=difference, effect=effect, margin=margin)


def margins(findings: Findings) -> list[tuple[VerdictRow, Held]]:
    """The settings that an axis of margins can show: those in which the primary leader has a value."""
    pairs = [(row, held_pair(findings, row)) for row in findings.verdict.rows]
    first = findings.leader(findings.primary)
    return [(row, pair) for row, pair in pairs if pair.margin is not None and (findings.baseline or pair.a == first)]


def margins_drawn(findings: Findings) -> bool:
    """Whether a chart shows the margins: of several settings, and not of more than it has room for."""
    return len(findings.contests) > 1 and 0 < len(margins(findings)) <= CHARTED
