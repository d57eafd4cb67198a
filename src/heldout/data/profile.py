"""A data set in numbers: sizes, spread, ratings, time, and the small curves that plots need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from heldout.storage.deferred import Deferred
from heldout.tables import Interactions
from heldout.tables.arrays import Float64, Int32, Int64, Ints
from heldout.tables.log import CodedRows
from heldout.tables.ordering import counted as row_pointers
from heldout.tables.ordering import summed
from heldout.tables.pair_counter import distinct_counts
from heldout.tables.time_units import PER_SECOND, TimeUnit, whole_seconds
from heldout.text.numbers import counted, percent, percent_digits


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
    """Pairs of user and item that have a rating ÷ (users × items)."""
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


@dataclass(frozen=True, kw_only=True)
class MergedPairs:
    """The values of ratings after a filter that makes one of repeated pairs."""

    filter: str
    ratings: int
    mean: float
    least: float
    greatest: float

    @classmethod
    def of(cls, filter: str, value: Float64) -> MergedPairs:
        """Those of the values that a filter leaves."""
        least, greatest = float(value.min()), float(value.max())
        return cls(filter=filter, ratings=len(value), mean=float(value.mean()), least=least, greatest=greatest)


@dataclass(frozen=True, kw_only=True)
class ProfileRecord:
    """A data set in numbers, as read and after each filter of a chain."""

    source: str
    """What it is called."""
    steps: tuple[tuple[str, Profile], ...]
    """Label and profile: as read, then after each filter."""
    skipped: tuple[tuple[str, int], ...]
    """Why rows could not be read, and how many."""
    rows: int
    """Rows as read, before repeated pairs were made one."""
    columns_read: str = ""
    """Which columns were taken for what, and why."""
    repeats: int = 0
    """Rows whose pair of user and item has an earlier row; every row is a rating as read."""
    merged: tuple[MergedPairs, ...] = ()
    """What filters would make of repeated pairs, if none was chosen."""

    @property
    def last(self) -> Profile:
        """The profile after all filters."""
        return self.steps[-1][1]

    @property
    def table(self) -> pl.DataFrame:
        """One row per step: counts, density, how ratings spread over users and items, positive ones, first and last time."""
        return pl.DataFrame(
            [
                {
                    "step": label,
                    "users": step.users,
                    "items": step.items,
                    "ratings": step.ratings,
                    "density": step.density,
                    "gini": step.gini,
                    **{f"per_user_{name}": value for name, value in vars(step.per_user).items()},
                    **{f"per_item_{name}": value for name, value in vars(step.per_item).items()},
                    "positive_share": step.positive_share,
                    "first_time": step.time_span[0] if step.time_span else None,
                    "last_time": step.time_span[1] if step.time_span else None,
                }
                for label, step in self.steps
            ],
            schema_overrides={"positive_share": pl.Float64, "first_time": pl.Int64, "last_time": pl.Int64},
        )

    @property
    def curves(self) -> pl.DataFrame:
        """One row per picture, step and bar or point: where it stands, or begins and ends, and its count or share."""
        rows = []
        for label, step in self.steps:
            for part, drawn in step.to_dict().items():
                if isinstance(drawn, dict) and "counts" in drawn:
                    ends = drawn["edges"][1:] if len(drawn["edges"]) > len(drawn["counts"]) else drawn["edges"]
                    rows += [(part, label, *bar) for bar in zip(drawn["edges"], ends, drawn["counts"], strict=False)]
                elif isinstance(drawn, dict) and "x" in drawn:
                    rows += [(part, label, x, x, y) for x, y in zip(drawn["x"], drawn["y"], strict=True)]
        schema = {"part": pl.String, "step": pl.String, "start": pl.Float64, "end": pl.Float64, "value": pl.Float64}
        return pl.DataFrame(rows, schema=schema, orient="row", strict=False)


@dataclass(frozen=True)
class DataStep:
    """A data set as read or after a filter; `profile` is that of `Profile.to_dict`."""

    label: str
    profile: dict[str, Any]


@dataclass(frozen=True)
class DataSteps:
    """A data set through its chain of filters."""

    name: str
    filter: str
    steps: tuple[DataStep, ...]

    @classmethod
    def of(cls, name: str, filter: str, profiles: Iterable[tuple[str, Profile]]) -> DataSteps:
        """The steps whose labels and profiles these are."""
        return cls(name, filter, tuple(DataStep(label, profile.to_dict()) for label, profile in profiles))


@dataclass(frozen=True, kw_only=True)
class ProfiledFindings:
    """Findings with the profiles of their data sets, which are computed when they are first read."""

    profiles: Deferred[tuple[DataSteps, ...]] = field(default_factory=lambda: Deferred.known(()))
    """Each data set before its filters and after each."""


def counts_in_words(profile: Profile) -> str:
    """100,000 ratings of 943 users and 1,682 items, 6.305% of all pairs."""
    of_whom = f"{counted(profile.users, 'user')} and {counted(profile.items, 'item')}"
    density = percent(profile.density, percent_digits(profile.density))
    return f"{counted(profile.ratings, 'rating')} of {of_whom}, {density} of all pairs"


@dataclass(frozen=True, eq=False, kw_only=True)
class ProfileTotals:
    """What a profile is made of: counts that add up over pieces of a data set."""

    user_sizes: Int64
    """The distinct numbers of ratings that users have, ascending."""
    user_frequency: Int64
    """How many users have so many."""
    item_counts: Int64
    """Ratings of each item; items without any may be among them."""
    item_positive: Int64 | None
    """Positive ratings of each item; None where no rating counts as positive."""
    item_sums: Float64 | None
    """The sum of each item's ratings; None where it is not known."""
    grades: Float64
    """The distinct ratings, ascending."""
    grade_counts: Int64
    times: Int64 | None = None
    time_unit: TimeUnit = "s"


def positive_grade(grades: Float64) -> float | None:
    """The rating from which one counts as positive where none is named: 4 where the highest rating is 5."""
    return 4.0 if len(grades) and grades[-1] == 5 else None


def profile(data: Interactions, positive: float | None = None) -> Profile:
    """The profile of a data set; a rating is positive from `positive` on (4 where the highest rating is 5)."""
    return _profile(data, data.user_counts, data.n_items, positive)


def profile_as_read(rows: CodedRows) -> Profile:
    """The profile of rows before repeated pairs are made one: every row counts as a rating."""
    columns, n_items = rows.columns, len(rows.items)
    written = RowColumns(item=rows.item, value=columns["value"], time=columns["time"], time_unit=columns["time_unit"])
    every = _profile(written, np.diff(row_pointers(rows.user, len(rows.users))), n_items, None)
    return replace(every, density=every.density * (1 - rows.repeats / every.ratings))


@dataclass(frozen=True, eq=False, kw_only=True)
class RowColumns:
    """What a profile needs of rows besides the numbers of ratings of users."""

    item: Int32
    value: Float64
    time: Int64 | None
    time_unit: TimeUnit


def _profile(rows: Interactions | RowColumns, user_counts: Int64, n_items: int, positive: float | None) -> Profile:
    grades, counts = distinct_counts(rows.value)
    if positive is None:
        positive = positive_grade(grades)
    sizes, frequency = np.unique(user_counts[user_counts > 0], return_counts=True)
    liked = None if positive is None else np.diff(row_pointers(rows.item[rows.value >= positive], n_items))
    totals = ProfileTotals(
        user_sizes=sizes,
        user_frequency=frequency,
        item_counts=rows.item_counts if isinstance(rows, Interactions) else np.diff(row_pointers(rows.item, n_items)),
        item_positive=liked,
        item_sums=summed(rows.item, rows.value, n_items),
        grades=grades,
        grade_counts=counts,
        times=rows.time,
        time_unit=rows.time_unit,
    )
    return profile_of(totals, positive)


def profile_of(totals: ProfileTotals, positive: float | None) -> Profile:
    """The profile of counts that were added up."""
    users, ratings = int(totals.user_frequency.sum()), int(totals.grade_counts.sum())
    per_item = totals.item_counts[totals.item_counts > 0]
    order = np.argsort(-totals.item_counts, kind="stable")[: len(per_item)]
    times, unit = totals.times, totals.time_unit
    span, activity = None, None
    if times is not None:
        activity = _equal_bins(times / PER_SECOND[unit], np.ones(len(times), np.int64), 50)
        if ratings:
            first, last = whole_seconds(np.array([times.min(), times.max()]), unit).tolist()
            span = (first, last)
    share = by_popularity = None
    if positive is not None and totals.item_positive is not None and ratings:
        share = float(totals.item_positive.sum() / ratings)
        by_popularity = _ratio_curve(totals.item_positive[order], totals.item_counts[order])
    cells = users * len(per_item)
    ones = np.ones(len(per_item), dtype=np.int64)
    return Profile(
        users=users,
        items=len(per_item),
        ratings=ratings,
        density=ratings / cells if cells else 0.0,
        per_user=_spread(totals.user_sizes, totals.user_frequency),
        per_item=_spread(np.sort(per_item), ones),
        gini=gini(per_item),
        positive=positive,
        positive_share=share,
        values=_values(totals.grades, totals.grade_counts),
        time_span=span,
        popularity=_popularity_curve(totals.item_counts[order]),
        positive_by_popularity=by_popularity,
        ratings_per_user=_log_bins(totals.user_sizes, totals.user_frequency),
        ratings_per_item=_log_bins(per_item, ones),
        activity=activity,
        popularity_by_rating=_by_rating(totals),
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


def _spread(sizes: Int64, frequency: Int64) -> Spread:
    """Of ascending sizes, each so many times."""
    if len(sizes) == 0:
        return Spread(0, 0.0, 0.0, 0)
    upto = np.cumsum(frequency)
    n = int(upto[-1])
    low, high = (int(sizes[np.searchsorted(upto, place, side="right")]) for place in ((n - 1) // 2, n // 2))
    return Spread(int(sizes[0]), (low + high) / 2, int(sizes @ frequency) / n, int(sizes[-1]))


def _values(grades: Float64, counts: Int64) -> Bins:
    """Each distinct rating while there are at most 20, else 20 equal bins; of counts such as plays, logarithmic bins."""
    if len(grades) <= 20:
        return Bins(tuple(grades.tolist()), tuple(counts.tolist()))
    if not _are_counts(grades):
        return _equal_bins(grades, counts, 20)
    bins = _log_bins(grades.astype(np.int64), counts)
    least, greatest = float(grades[0]), float(grades[-1])
    first = sum(edge <= least for edge in bins.edges) - 1
    return Bins((least, *bins.edges[first + 1 : -1], greatest + 1), bins.counts[first:])


def have_wider_bins(edges: Sequence[float]) -> bool:
    """True for edges of logarithmic bins, whose upper edges are the first whole number above them."""
    widths = [high - low for low, high in pairwise(edges)]
    return len(widths) > 1 and max(widths) > 1.5 * min(widths)


def extreme_values(values: Mapping[str, Any]) -> tuple[float, float]:
    """The least and the greatest value of the bins of values of a profile that has ratings."""
    edges, counts = values["edges"], values["counts"]
    binned = len(edges) > len(counts)
    return edges[0], edges[-1] - 1 if binned and have_wider_bins(edges) else edges[-1]


def _are_counts(grades: Float64) -> bool:
    """True if values look like numbers of plays or visits: whole, above 0, and over more than two orders of magnitude."""
    return bool(grades[0] >= 1 and 100 * grades[0] < grades[-1] < 2**53 and not np.fmod(grades, 1).any())


def _equal_bins(values: Float64, counts: Int64, n: int) -> Bins:
    if len(values) == 0:
        return Bins((), ())
    frequencies, edges = np.histogram(values, bins=n, weights=counts)
    return Bins(tuple(edges.tolist()), tuple(frequencies.astype(np.int64).tolist()))


def _log_bins(counts: Int64, times: Int64) -> Bins:
    """Bins from 1 on, each edge √2 times the last, rounded, and at least 1 above it."""
    edges = [1]
    while len(counts) and edges[-1] <= counts.max():
        edges.append(max(edges[-1] + 1, round(edges[-1] * 2**0.5)))
    if len(edges) == 1:
        return Bins((), ())
    frequencies, _ = np.histogram(counts, bins=edges, weights=times)
    return Bins(tuple(float(e) for e in edges), tuple(frequencies.astype(np.int64).tolist()))


def _popularity_curve(counts: Int64) -> ProfileCurve:
    """Cumulative share of ratings at up to 100 shares of the items; begins at (0, 0)."""
    if len(counts) == 0:
        return ProfileCurve((), ())
    at = np.unique(np.linspace(0, len(counts), 100).round().astype(np.int64))
    summed = np.concatenate([[0], np.cumsum(counts)])
    return ProfileCurve(tuple((at / len(counts)).tolist()), tuple((summed[at] / summed[-1]).tolist()))


def _by_rating(totals: ProfileTotals) -> ProfileCurve | None:
    """Items in 20 equal bins of their mean rating, or of its logarithm for counts: the middle, and their mean count."""
    counts = totals.item_counts
    met = counts > 0
    if not met.any() or totals.item_sums is None or totals.grades[0] == totals.grades[-1]:
        return None
    mean = totals.item_sums[met] / counts[met]
    if mean.min() == mean.max():
        return None
    counted = _are_counts(totals.grades)
    edges = (np.geomspace if counted else np.linspace)(mean.min(), mean.max(), 21)
    place = np.clip(np.searchsorted(edges, mean, side="right") - 1, 0, 19)
    items = np.bincount(place, minlength=20)
    ratings = np.bincount(place, counts[met], 20)
    kept = items > 0
    middle = np.sqrt(edges[:-1] * edges[1:]) if counted else edges[:-1] / 2 + edges[1:] / 2  # halves: values may be large
    return ProfileCurve(tuple(middle[kept].tolist()), tuple((ratings[kept] / items[kept]).tolist()))


def _ratio_curve(part: Int64, whole: Int64) -> ProfileCurve:
    """Σ part ÷ Σ whole in up to 20 equal bins of items, at the middle of each."""
    cuts = np.unique(np.linspace(0, len(whole), 21).round().astype(np.int64))
    middles = (cuts[:-1] + cuts[1:]) / 2 / len(whole)
    ratios = np.add.reduceat(part, cuts[:-1]) / np.add.reduceat(whole, cuts[:-1])
    return ProfileCurve(tuple(middles.tolist()), tuple(ratios.tolist()))
