"""The figures of a metric on trial as tables show them: heads, definitions and words."""

from __future__ import annotations

import math
from collections.abc import Sequence

from heldout.metric_quality.findings import KEEPS, MetricFindings, MetricRow
from heldout.metric_quality.sentences import dp_number
from heldout.reports.table_figure import TableFigure
from heldout.words import ABSENT, count, counted, listed, number, p_number, percent

CRITERIA_WORDS = {
    "mean_p": "mean p",
    "missing_tau": "τ with ratings missing",
    "popularity_tau": "τ without popular items",
    "swap_rate": "swap rate",
    "reliability": "Eρ²",
    "stability_tau": "τ between seeds",
    "validity_tau": "τ with the truth",
}

SAMPLED = {"all": "the test ratings", "user": "each user's test ratings"}
COUNTED = {
    "all": "training and test together",
    "train": "the training ratings; of equally popular items the one with the higher number counts as the less popular, and "
    "items without training ratings stay",
}
LEAST_ERROR = 0.0005
"""A standard error below it would be written as 0, and is left out."""
QualityFigure = TableFigure[MetricRow]


def _p_with_error(p: float, error: float) -> str:
    """A mean of p-values, which is never written as 0."""
    shown = p_number(p)
    return shown if shown == ABSENT or not error >= LEAST_ERROR else f"{shown} ± {number(error, 3)}"


def _swap_users(row: MetricRow) -> str:
    sign = "≤ " if row.swap_at_most else "≈ " if row.swap_extrapolated else ""
    return ABSENT if row.swap_users is None else f"{sign}{count(row.swap_users)}"


def _down_to(row: MetricRow) -> str:
    """The share; none where τ is below from the first share on, and a dash where there is no τ."""
    if math.isnan(row.missing_tau):
        return ABSENT
    return "none" if math.isnan(row.missing_low) else percent(row.missing_low, 0)


def figures(trial: MetricFindings) -> list[QualityFigure]:
    """The figures that some metric of the trial has."""
    level = f"{trial.level:g}"
    every = [
        QualityFigure(
            key="rank",
            head="Rank",
            brief="rank",
            better="lower",
            meaning=f"The mean of the metric's places by {rule_words(trial.rule)}; ties share a place.",
            text=lambda row: number(row.rank, 1),
        ),
        QualityFigure(
            key="dp",
            head="DP",
            brief="DP",
            better="lower",
            meaning=f"Discriminative power: the sum of the p-values of all pairs of systems, by the permutation test with "
            f"{counted(trial.flips, 'sign flip')}, uncorrected. It grows with the number of pairs.",
            text=lambda row: dp_number(row.dp),
        ),
        QualityFigure(
            key="mean_p",
            head="Mean p",
            brief="mean p",
            better="lower",
            meaning="DP by the number of pairs, which can be compared between sets of systems; ± its standard error over "
            "systems, by the jackknife that leaves out several at a time.",
            text=lambda row: _p_with_error(row.mean_p, row.mean_p_error),
        ),
        QualityFigure(
            key="half_mean_p",
            head="Mean p, half of the users",
            brief="half",
            better="lower",
            meaning="The mean p on half of the users; ± the standard deviation between disjoint halves, which is what "
            "chance in the users does to it.",
            text=lambda row: _p_with_error(row.half_mean_p, row.half_error),
        ),
        QualityFigure(
            key="significant",
            head=f"Pairs with p < {level}",
            brief=f"p<{level}",
            better="higher",
            meaning=f"The share of pairs of systems with p < {level} (Sakai).",
            text=lambda row: percent(row.significant),
        ),
        QualityFigure(
            key="median_p",
            head="Median p",
            brief="median",
            better="lower",
            meaning="The median p-value of all pairs (Lu).",
            text=lambda row: p_number(row.median_p),
        ),
        QualityFigure(
            key="missing_tau",
            head="τ, ratings missing",
            brief="missing",
            better="higher",
            meaning=f"Kendall's τ-b between the order of systems on random samples of {SAMPLED[trial.sampling]} and that on "
            "all of them, averaged over samples and shares. Training and fits stay as they are.",
            text=lambda row: number(row.missing_tau, 3),
        ),
        QualityFigure(
            key="missing_low",
            head=f"τ ≥ {KEEPS:g} down to",
            brief="down to",
            better="lower",
            meaning=f"The least share of the test ratings down to which that τ stays at {KEEPS:g} or above; none where it "
            "falls below at once.",
            text=_down_to,
        ),
        QualityFigure(
            key="popularity_tau",
            head="τ, popular items out",
            brief="popular",
            better="higher",
            meaning="The same τ when test ratings of the most popular items are left out, averaged over shares; popularity "
            f"is counted over {COUNTED[trial.counting]}.",
            text=lambda row: number(row.popularity_tau, 3),
        ),
        QualityFigure(
            key="swap_rate",
            head="Swap rate",
            brief="swaps",
            better="lower",
            meaning="How often two systems that differ on half of the users differ the other way round on the other half.",
            text=lambda row: percent(row.swap_rate),
        ),
        QualityFigure(
            key="swap_users",
            head="Users for 5% swaps",
            brief="users",
            better="lower",
            meaning="The users at which the swap rate falls to 5%: ≤ where the fewest that were tried have less, ≈ where it "
            "is extrapolated to more than half of the users at hand.",
            text=_swap_users,
        ),
        QualityFigure(
            key="reliability",
            head="Eρ²",
            brief="Eρ²",
            better="higher",
            meaning="How far the order of systems would come out the same on other users, from 0 to 1: "
            "σ²s / (σ²s + σ²su/n) of the variance components of systems and of systems × users, with n users.",
            text=lambda row: number(row.reliability, 4),
        ),
        QualityFigure(
            key="absolute_reliability",
            head="Φ",
            brief="Φ",
            better="higher",
            meaning="The same of the values themselves: σ²s / (σ²s + (σ²u + σ²su)/n).",
            text=lambda row: number(row.absolute_reliability, 4),
        ),
        QualityFigure(
            key="reliable_users",
            head="Users for Eρ² 0.95",
            brief="users Eρ²",
            better="lower",
            meaning="The users at which Eρ² reaches 0.95.",
            text=lambda row: count(row.reliable_users),
        ),
        QualityFigure(
            key="stability_tau",
            head="τ between seeds",
            brief="seeds",
            better="higher",
            meaning="Mean τ between the orders of systems under other seeds of the split.",
            text=lambda row: number(row.stability_tau, 3),
        ),
        QualityFigure(
            key="tie_tau",
            head="τ between orders of ties",
            brief="ties",
            better="higher",
            meaning="Mean τ between the orders of systems under other orders of tied items.",
            text=lambda row: number(row.tie_tau, 3),
        ),
        QualityFigure(
            key="validity_tau",
            head="τ with the truth",
            brief="truth",
            better="higher",
            meaning="τ with the order of systems by complete relevance, which simulated data know.",
            text=lambda row: number(row.validity_tau, 3),
        ),
    ]
    return [figure for figure in every if any(figure.text(row) != ABSENT for row in trial.rows)]


def rule_words(rule: Sequence[str]) -> str:
    """Mean p and τ with ratings missing."""
    return listed([CRITERIA_WORDS[criterion] for criterion in rule])
