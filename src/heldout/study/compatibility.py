"""Metrics that have no value under a target, a rule for unrated items or a tie rule; rules that exclude each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from heldout.errors import NotApplicableError
from heldout.metrics.metric import Gain, Metric, Utility, no_closed_form, no_interval
from heldout.recommenders.recommender import Recommender
from heldout.study.protocol import JudgingChoices, Protocol
from heldout.tables import Judged
from heldout.targets.ranker import NO_FILE
from heldout.targets.tie_rule import TieRule

FEW_CUT, MOST_HELD = 0.05, 0.9
"""A run ends early where more than this share of its lists hold less than this share of their candidates; a few that a
system could not score, such as new items, may be missing."""


def refuse_without_order(recommenders: Mapping[str, Recommender], ties: Sequence[TieRule]) -> None:
    """Raise NotApplicableError if ties follow the order of a file, and a system's scores do not come from one."""
    rule = next((t for t in ties if t.from_file), None)
    fitted = [name for name, recommender in recommenders.items() if not recommender.has_file_order]
    if rule is not None and fitted:
        raise NotApplicableError(
            f"{fitted[0]} is fitted, so its scores have no order in a file", where="ties", found=str(rule), hint=NO_FILE
        )


def unfit(metric: Metric, choices: JudgingChoices) -> NotApplicableError | None:
    """Why a metric has no value under a way of judging; None if it has."""
    target, unrated, ties = choices.target, choices.unrated, choices.ties
    valued = metric.direction != "none"
    if valued and ties.expects and type(metric).expected is Metric.expected:
        return no_closed_form(metric)
    if valued and unrated.full_gain and not metric.has_interval:
        return no_interval(metric)
    if valued and target.form.corrected is not None and not metric.is_additive:
        return NotApplicableError(
            f"{metric} cannot be corrected under {target}: it is not a value of the relevant item's rank alone",
            where="target",
            hint="leave corrected out, or measure P, Recall, AP, RR or nDCG",
        )
    if metric.needs_lists:
        if target.single or (target.form.pool == "unrated" and target.form.sample is None and not target.form.own):
            return NotApplicableError(
                f"{metric} looks at whole lists, and {target} makes none that a user would see",
                where="metrics",
                hint="use AllItems, TestItems, TrainingItems or TestRatings",
            )
        if not unrated.keeps_lists:
            return NotApplicableError(
                f"{metric} looks at whole lists, which unrated={unrated} takes apart",
                where="metrics",
                hint="use unrated=zero",
            )
    return None


def refuse_unfit(metrics: Sequence[Metric], protocol: Protocol) -> None:
    """Raise NotApplicableError if rules exclude each other, or give no metric that ranks systems a value."""
    expecting = any(t.expects for t in protocol.ties)
    interval = next((u for u in protocol.unrated if u.full_gain), None)
    corrected = next((t for t in protocol.target if t.form.corrected is not None), None)
    if expecting and (interval is not None or corrected is not None):
        other = f"unrated={interval}" if interval is not None else f"{corrected}"
        raise NotApplicableError(
            "these options cannot be combined", where="ties", found=["ties=expected", other], hint="use ties=item or random"
        )
    valued = [m for m in metrics if m.direction != "none"]
    reasons = [unfit(metric, choices) for metric, choices in product(valued, protocol.judgements())]
    refused = [reason for reason in reasons if reason is not None]
    if refused and len(refused) == len(reasons):
        raise refused[0]


Cut = dict[str, dict[str, str]]
"""Metric → run → how many of its lists end too early for it."""
ORDER_UNKNOWN = "the order of all candidates enters the value, and lists end before the last candidate"
"""Why metrics of the whole order have no value of runs that end early."""


def cut_lists(lists: Judged, name: str) -> str:
    """How many of a run's lists end before their last candidate, and where; empty where these are few."""
    present = lists.length > 0
    cut = present & (lists.length < MOST_HELD * lists.targets)
    if cut.sum() <= FEW_CUT * present.sum():
        return ""
    held, of = lists.length[cut].mean(), lists.targets[cut].mean()
    return (
        f"{int(cut.sum()):,} of {int(present.sum()):,} of {name} (which hold {held:,.0f} of {of:,.0f} candidates on average)"
    )


def about_cut(cut: Cut) -> dict[str, NotApplicableError]:
    """One reason for all runs and metrics of the whole order that the same lists leave without a value."""
    metrics: dict[tuple[str, ...], list[str]] = {}
    for metric, runs in cut.items():
        metrics.setdefault(tuple(runs.values()), []).append(metric)
    reasons = [f"{', '.join(named)}: {ORDER_UNKNOWN}: {', '.join(runs)}" for runs, named in metrics.items()]
    return {why: NotApplicableError(why, hint="rank every candidate, or measure the top") for why in reasons}


def asks_relevance(metric: Metric) -> bool:
    """Whether a value depends on which ratings the study calls relevant, and not on grades or ranks alone."""
    utility = getattr(metric, "utility", None)
    if isinstance(utility, Utility) and utility.by_relevance:
        return True
    if getattr(metric, "rel", None) is not None or metric.by_relevance == "never":
        return False
    gain = getattr(metric, "gain", None)
    return metric.by_relevance == "always" or (isinstance(gain, Gain) and not gain.graded)
