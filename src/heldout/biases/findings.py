"""What is found about the biases of a study, as plain frozen records: terminal, page and files are drawn from them."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import polars as pl

from heldout.biases.options import SweepName
from heldout.biases.protocols import Estimand, Role
from heldout.data.profile import ProfiledFindings

_PAIRS = ("reversed", "overturned", "lost")


@dataclass(frozen=True, kw_only=True)
class ProtocolValue:
    """One system by one metric under one protocol."""

    protocol: str
    metric: str
    system: str
    value: float
    low: float
    high: float
    users: int
    place: int
    """1 is the best."""
    random: float
    """What a random ranking is expected to reach, given the split; NaN if the metric is not precision."""

    @property
    def times_random(self) -> float:
        """The value by what a random ranking is expected to reach."""
        return self.value / self.random if self.random > 0 else float("nan")


@dataclass(frozen=True, kw_only=True)
class PairDifference:
    """Two systems by one metric under one protocol; the difference is a − b, and a is the better one in the study."""

    protocol: str
    metric: str
    a: str
    b: str
    difference: float
    low: float
    high: float
    relative: float
    """The difference by the value of b."""
    p: float
    """Adjusted for all pairs; NaN if the test does not answer."""
    significant: bool

    @property
    def reversed(self) -> bool:
        """True if the order is the other way round than under the study's own protocol."""
        return self.difference < 0


@dataclass(frozen=True, kw_only=True)
class ProtocolEffect:
    """What a protocol does to the ranking of systems by one metric."""

    protocol: str
    summary: str
    role: Role
    split: str
    target: str
    estimand: Estimand
    metric: str
    against: str
    """The metric of the reference; another one where the protocol has a metric of its own."""
    tau: float
    """τ-b with the order of systems under the reference."""
    reversed: tuple[tuple[str, str], ...]
    """Pairs (a, b) of which a is ahead under the reference, and b here."""
    overturned: tuple[tuple[str, str], ...]
    """Those of them of which b is significantly ahead here."""
    lost: tuple[tuple[str, str], ...]
    """Pairs whose difference is significant under the reference, and not here."""
    best: str


@dataclass(frozen=True, kw_only=True)
class ProtocolEffects:
    """All systems under all protocols."""

    reference: str
    """The study's own protocol."""
    values: tuple[ProtocolValue, ...]
    pairs: tuple[PairDifference, ...]
    protocols: tuple[ProtocolEffect, ...]


@dataclass(frozen=True, kw_only=True)
class ExpectationRow:
    """Precision of one system under one protocol: expected and measured."""

    protocol: str
    system: str
    formula: str
    """Which closed form; empty if there is none for this system."""
    expected: float
    """By the closed form, over splits; NaN if there is none."""
    lower: float
    """Of 1R and U1R, the bound by equation 2, from lists of all relevant items; NaN elsewhere."""
    upper: float
    exact: float
    """Given the split and the ranking: what is left to chance is the sample, or the order of a random ranking."""
    measured: float
    low: float
    """Of the interval over users."""
    high: float

    @property
    def gap(self) -> float:
        """Measured by the closed form."""
        return self.measured / self.expected if self.expected > 0 else float("nan")


@dataclass(frozen=True, kw_only=True)
class CurvePoint:
    """A system's precision at one place of a sweep."""

    sweep: SweepName
    x: float
    protocol: str
    system: str
    metric: str
    value: float
    low: float
    """Of its interval over users."""
    high: float
    lower: float = float("nan")
    """Of 1R, the lower bound by equation 2, where it was worked out."""
    upper: float = float("nan")


@dataclass(frozen=True, kw_only=True)
class DriftPeriod:
    """One of several equal parts of the test ratings, by time."""

    ratings: int
    start: float
    """The time of its first rating, in seconds since 1970."""
    correlation: float
    """Spearman's ρ between the items' popularity in training and in this part, over items in either."""
    unseen: float
    """Share of its ratings whose item has no training rating."""


@dataclass(frozen=True, kw_only=True)
class Exposure:
    """Are popular items liked more, or only met more often? Told by opinions on items that users did not choose.

    Of pairs of user and item that are not in train, those of the most popular items and those of all others.
    """

    head: float
    """The share of the items that counts as the most popular, by training ratings."""
    liked_head: float
    """Share of the opinions on these that are relevant; NaN if there are none."""
    liked_rest: float
    met_head: float
    """Mean chance of being rated; NaN if it is not known."""
    met_rest: float


@dataclass(frozen=True, kw_only=True)
class Drift:
    """How popularity in the test set differs from that in training."""

    correlation: float
    """Spearman's ρ between the items' popularity in training and in test, over items in either."""
    distance: float
    """Half of Σ |share in training − share in test| over items: the share of ratings that would have to move."""
    distance_by_chance: float
    """The same to be expected if the test ratings were drawn from all ratings at random."""
    unseen_items: float
    """Share of the test items that have no training rating."""
    unseen_ratings: float
    """Share of the test ratings on such items."""
    unseen_relevant: float
    """Share of the relevant test ratings on such items."""
    timed: bool
    periods: tuple[DriftPeriod, ...]
    """The test ratings by time; none if the data have no times or all are alike."""
    repeated: float
    """Share of the rows of the data that repeat an earlier (user, item) pair; NaN if rows are not known."""
    repeating_users: float
    """Share of the users with such a row."""
    exposure: Exposure | None = None
    """What is known beyond what users chose to rate; None if nothing is."""


@dataclass(frozen=True, kw_only=True)
class BiasFindings(ProfiledFindings):
    """What popularity and sparsity do to the values of a study's systems."""

    protocol: dict[str, str]
    """The study's own choices: stage word → text form."""
    systems: tuple[str, ...]
    baselines: dict[str, str]
    """"Random" and "Popularity" → what they are called here."""
    metric: str
    precision: str
    users: int
    folds: int
    level: float
    effects: ProtocolEffects
    expectations: tuple[ExpectationRow, ...]
    curves: tuple[CurvePoint, ...]
    drift: Drift
    sentences: tuple[str, ...]
    """The answer, the most important first."""
    limits: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def table(self) -> pl.DataFrame:
        """One row per protocol, metric and system."""
        about = {effect.protocol: effect for effect in self.effects.protocols}
        rows = []
        for value in self.effects.values:
            effect = about.get(value.protocol)
            of = {"role": effect.role, "split": effect.split, "target": effect.target} if effect else {}
            rows.append({**asdict(value), "times_random": value.times_random, **of})
        return pl.DataFrame(rows, infer_schema_length=None)

    @property
    def changes(self) -> pl.DataFrame:
        """One row per protocol and metric: τ with the study's order, pairs reversed, overturned, no longer significant."""
        rows = []
        for effect in self.effects.protocols:
            row = asdict(effect)
            row |= {name: [f"{a} > {b}" for a, b in getattr(effect, name)] for name in _PAIRS}
            rows.append(row)
        return pl.DataFrame(rows, infer_schema_length=None, schema_overrides=dict.fromkeys(_PAIRS, pl.List(pl.String)))

    @property
    def pairs(self) -> pl.DataFrame:
        """One row per protocol, metric and pair of systems; differences are from the side of the study's better system."""
        rows = [{**asdict(pair), "reversed": pair.reversed} for pair in self.effects.pairs]
        return pl.DataFrame(rows, infer_schema_length=None)

    @property
    def expected(self) -> pl.DataFrame:
        """One row per protocol and system: precision in closed form, given the split, and measured."""
        return pl.DataFrame([asdict(row) for row in self.expectations], infer_schema_length=None)

    @property
    def sweeps(self) -> pl.DataFrame:
        """One row per sweep, place, protocol and system."""
        schema = {"sweep": pl.String, "x": pl.Float64, "protocol": pl.String, "system": pl.String, "metric": pl.String}
        schema |= dict.fromkeys(("value", "low", "high", "lower", "upper"), pl.Float64)
        return pl.DataFrame([asdict(point) for point in self.curves], schema=schema)
