"""What the report of a study selects from findings, and sentences that its tables, figures and captions share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heldout.analysis.details import CLASSES_MEAN, Pictures, PopularityShares
from heldout.analysis.explored import relative_margin
from heldout.analysis.findings import Findings
from heldout.analysis.rows import PairRow, Setting, VerdictRow, user_counts
from heldout.significance.significance_test import NON_ZERO
from heldout.text.names import short_names
from heldout.text.numbers import count, counted, number, percent
from heldout.text.phrases import listed

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


PR_MEANS = (
    "Each point is one depth k. Means over users of Recall@k and P@k (the curve of CPR). Users without a relevant test item "
    "take no part."
)
ROC_MEANS = (
    "Each point is one depth k. Means over users of the share of relevant targets in the top k, and of all others (the "
    "curve of CROC). The dashed line is a random order."
)
AIMS_MEAN = (
    "Values under the choices of the primary setting. Novelty, diversity and coverage say what lists are like: more of them "
    "is not better by itself."
)
PICTURES = {
    "user-differences": "users who gain and lose",
    "user-activity": "values by activity",
    "warm-users": "cold and warm users",
    "item-popularity": "values by popularity of items",
    "recommended-popularity": "popularity of what is recommended",
    "precision-recall": "precision and recall",
    "roc": "ROC",
    "columns": "values by columns of users and items",
}
"""Picture → its name in a sentence."""


GROUP_FIGURES = {
    "user-activity": "Values by activity of users",
    "warm-users": "Values of cold and warm users",
    "user-columns": "Values by columns of the table of users",
    "item-popularity": "Recall by popularity of items",
    "item-columns": "Recall by columns of the table of items",
}
"""Figures of values by groups, with their titles; those of columns have a panel for each."""


def figure_of(by: str) -> str:
    """The name of the figure that shows these groups: "user-gender" is one of user-columns."""
    return by if by in GROUP_FIGURES else f"{by.partition('-')[0]}-columns"


def board_order(findings: Findings, shares: PopularityShares) -> list[tuple[str, tuple[float, ...]]]:
    """Names with their shares, systems in the order of the leaderboard."""
    place = {row.system: row.rank for row in findings.board(findings.primary)}
    named = list(zip(shares.names, shares.shares, strict=True))
    systems = sorted(named[: shares.systems], key=lambda entry: place.get(entry[0], len(place) + 1))
    return [*systems, *named[shares.systems :]]


def popularity_sentence(shares: PopularityShares) -> str:
    """What the classes are, and what the bars below the systems show."""
    return (
        f"Shares of the items in all top {shares.n}. {CLASSES_MEAN} Below the systems: relevant ratings of the test set, "
        "training ratings, and the catalogue."
    )


def absences(pictures: Pictures) -> str:
    """The pictures that results do not have, with the reasons, those of one reason together."""
    by_reason: dict[str, list[str]] = {}
    for name, reason in pictures.absent.items():
        by_reason.setdefault(reason, []).append(PICTURES.get(name, name))
    return "; ".join(f"{listed(names)} ({reason})" for reason, names in by_reason.items())


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
