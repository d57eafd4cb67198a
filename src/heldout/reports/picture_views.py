"""What every form says of the pictures of the primary setting: sentences, and which systems are drawn."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.analysis.details import CLASSES_MEAN, Pictures, PopularityShares, UserDifferences
from heldout.analysis.findings import Findings
from heldout.reports.views import systems_shown
from heldout.words import count, listed, percent, signed

MOST_DRAWN = 8
"""Systems in one picture: the first of the primary setting, and whoever leads elsewhere."""
PR_MEANS = (
    "Each point is one depth k: the mean over users of Recall@k and of P@k (the curve of CPR). Users without a relevant "
    "test item take no part."
)
ROC_MEANS = (
    "Each point is one depth k: the mean over users of the share of their relevant targets in the top k, and of the share "
    "of all others there (the curve of CROC). The thin line is a random order."
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


def drawn_systems(findings: Findings, systems: Sequence[str]) -> dict[str, int]:
    """The systems of a picture, best first, each with the number that gives it the same colour and mark in all pictures."""
    return {system: k for k, system in enumerate(systems_shown(findings, MOST_DRAWN)) if system in set(systems)}


def board_order(findings: Findings, shares: PopularityShares) -> list[tuple[str, tuple[float, ...]]]:
    """Names with their shares, systems in the order of the leaderboard."""
    place = {row.system: row.rank for row in findings.board(findings.primary)}
    named = list(zip(shares.names, shares.shares, strict=True))
    systems = sorted(named[: shares.systems], key=lambda entry: place.get(entry[0], len(place) + 1))
    return [*systems, *named[shares.systems :]]


def gains_sentence(pair: UserDifferences) -> str:
    """How many users are better off with either system, and by how much."""
    words = [_side(pair, pair.wins, pair.a, pair.gain), _side(pair, pair.losses, pair.b, pair.loss)]
    ties = f"for {count(pair.ties)} ({percent(pair.ties / pair.users)}) both are equal"
    return f"Of {count(pair.users)} users, {'; '.join([*words, ties])}."


def _side(pair: UserDifferences, users: int, system: str, mean: float | None) -> str:
    size = f", by {signed(mean, 4).lstrip('+−')} of {pair.metric} on average" if mean is not None else ""
    are = "is" if users == 1 else "are"
    return f"{count(users)} ({percent(users / pair.users)}) {are} better off with {system}{size}"


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
