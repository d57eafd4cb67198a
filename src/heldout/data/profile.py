"""A data set in numbers: sizes, spread, ratings, time, and the small curves that plots need."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from heldout.tables import Interactions
from heldout.tables.arrays import Float64, Int64, Ints
from heldout.words import counted, percent


@dataclass(frozen=True)
class Spread:
    """How many ratings users or items have."""

    min: int
    median: float
    mean: float
    max: int


@dataclass(frozen=True)
class Bins:
    """A histogram: `counts[k]` values lie in [edges[k], edges[k+1]), or equal `edges[k]` where there are as many."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class ProfileCurve:
    """Points of a line."""

    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class Profile:
    """What the reports say of a data set, before and after each filter; users and items are those with a rating."""

    users: int
    items: int
    ratings: int
    density: float
    """Ratings ÷ (users × items)."""
    per_user: Spread
    per_item: Spread
    gini: float
    """Of ratings over items: 0 is equal, 1 is all on one."""
    positive: float | None
    """The rating from which one counts as positive, if any."""
    positive_share: float | None
    values: Bins
    time_span: tuple[int, int] | None
    """First and last second since 1970."""
    popularity: ProfileCurve
    """Share of items, most popular first → share of ratings."""
    positive_by_popularity: ProfileCurve | None
    """Share of items, most popular first → share of positive ratings among those of the items around it."""
    ratings_per_user: Bins
    ratings_per_item: Bins
    activity: Bins | None
    """Ratings over time."""
    popularity_by_rating: ProfileCurve | None = None
    """Mean rating of an item → mean number of ratings of such items; none where all ratings are alike."""

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, lists and dicts, as JSON takes them."""
        return asdict(self)


def counts_in_words(profile: Profile) -> str:
    """100,000 ratings of 943 users and 1,682 items, 6.305% of all pairs."""
    of_whom = f"{counted(profile.users, 'user')} and {counted(profile.items, 'item')}"
    return f"{counted(profile.ratings, 'rating')} of {of_whom}, {percent(profile.density, 3)} of all pairs"


def profile(data: Interactions, positive: float | None = None) -> Profile:
    """The profile of a data set; a rating is positive from `positive` on (4 where the highest rating is 5)."""
    per_user, per_item = data.user_counts[data.user_counts > 0], data.item_counts[data.item_counts > 0]
    if positive is None and len(data) and data.value.max() == 5:
        positive = 4.0
    liked = data.value >= positive if positive is not None else None
    share = float(liked.mean()) if liked is not None and len(data) else None
    order = np.argsort(-data.item_counts, kind="stable")[: len(per_item)]
    span = (int(data.time.min()), int(data.time.max())) if data.time is not None and len(data) else None
    by_popularity = None
    if liked is not None and len(data):
        by_popularity = _ratio_curve(np.bincount(data.item[liked], minlength=data.n_items)[order], data.item_counts[order])
    cells = len(per_user) * len(per_item)
    return Profile(
        users=len(per_user),
        items=len(per_item),
        ratings=len(data),
        density=len(data) / cells if cells else 0.0,
        per_user=_spread(per_user),
        per_item=_spread(per_item),
        gini=gini(per_item),
        positive=positive,
        positive_share=share,
        values=_values(data.value),
        time_span=span,
        popularity=_popularity_curve(data.item_counts[order]),
        positive_by_popularity=by_popularity,
        ratings_per_user=_log_bins(per_user),
        ratings_per_item=_log_bins(per_item),
        activity=_equal_bins(data.time.astype(np.float64), 50) if data.time is not None else None,
        popularity_by_rating=_by_rating(data),
    )


def gini(counts: Ints) -> float:
    """Inequality of counts: 2 Σ k·c_k / (n Σ c) − (n+1)/n, sorted ascending by count; 0 for none.

    Example: counts 1 and 3 give 2(1·1 + 2·3)/(2·4) − 3/2 = 0.25.
    """
    n, total = len(counts), int(np.sum(counts))
    if total == 0:
        return 0.0
    ordered = np.sort(counts).astype(np.float64)
    return float(2 * (np.arange(1, n + 1) * ordered).sum() / (n * total) - (n + 1) / n)


def _spread(counts: Int64) -> Spread:
    if len(counts) == 0:
        return Spread(0, 0.0, 0.0, 0)
    return Spread(int(counts.min()), float(np.median(counts)), float(counts.mean()), int(counts.max()))


def _values(value: Float64) -> Bins:
    """Each distinct rating while there are at most 20, else 20 equal bins."""
    distinct, counts = np.unique(value, return_counts=True)
    if len(distinct) <= 20:
        return Bins(tuple(distinct.tolist()), tuple(counts.tolist()))
    return _equal_bins(value, 20)


def _equal_bins(values: Float64, n: int) -> Bins:
    if len(values) == 0:
        return Bins((), ())
    counts, edges = np.histogram(values, bins=n)
    return Bins(tuple(edges.tolist()), tuple(counts.tolist()))


def _log_bins(counts: Int64) -> Bins:
    """Bins from 1 on, each edge √2 times the last, rounded, and at least 1 above it."""
    edges = [1]
    while len(counts) and edges[-1] <= counts.max():
        edges.append(max(edges[-1] + 1, round(edges[-1] * 2**0.5)))
    if len(edges) == 1:
        return Bins((), ())
    frequencies, _ = np.histogram(counts, bins=edges)
    return Bins(tuple(float(e) for e in edges), tuple(frequencies.tolist()))


def _popularity_curve(counts: Int64) -> ProfileCurve:
    """Cumulative share of ratings at up to 100 shares of the items; begins at (0, 0)."""
    if len(counts) == 0:
        return ProfileCurve((), ())
    at = np.unique(np.linspace(0, len(counts), 100).round().astype(np.int64))
    summed = np.concatenate([[0], np.cumsum(counts)])
    return ProfileCurve(tuple((at / len(counts)).tolist()), tuple((summed[at] / summed[-1]).tolist()))


def _by_rating(data: Interactions) -> ProfileCurve | None:
    """Items in 20 equal bins of their mean rating, where there are any: the middle, and their mean count."""
    counts = data.item_counts
    met = counts > 0
    if not met.any() or data.value.min() == data.value.max():
        return None
    mean = np.bincount(data.item, data.value, data.n_items)[met] / counts[met]
    if mean.min() == mean.max():
        return None
    edges = np.linspace(mean.min(), mean.max(), 21)
    place = np.clip(np.searchsorted(edges, mean, side="right") - 1, 0, 19)
    items = np.bincount(place, minlength=20)
    ratings = np.bincount(place, counts[met], 20)
    kept = items > 0
    middle = (edges[:-1] / 2 + edges[1:] / 2)[kept]  # halves first: values may be near the largest number
    return ProfileCurve(tuple(middle.tolist()), tuple((ratings[kept] / items[kept]).tolist()))


def _ratio_curve(part: Int64, whole: Int64) -> ProfileCurve:
    """Σ part ÷ Σ whole in up to 20 equal bins of items, at the middle of each."""
    cuts = np.unique(np.linspace(0, len(whole), 21).round().astype(np.int64))
    middles = (cuts[:-1] + cuts[1:]) / 2 / len(whole)
    ratios = np.add.reduceat(part, cuts[:-1]) / np.add.reduceat(whole, cuts[:-1])
    return ProfileCurve(tuple(middles.tolist()), tuple(ratios.tolist()))
