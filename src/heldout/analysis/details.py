"""Costly parts of findings as plain data: definitions, profiles of the data, curves, diagnostics and pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from heldout.analysis.choices import Card, Choice
from heldout.data.profile import DataSteps
from heldout.storage.deferred import Deferred


@dataclass(frozen=True, kw_only=True)
class Definitions:
    """The choices of a study, what they and its metrics mean, and the works that they cite."""

    choices: tuple[Choice, ...] = ()
    cards: tuple[Card, ...] = ()
    references: dict[str, str] = field(default_factory=dict)
    """Citation key → formatted reference."""


@dataclass(frozen=True)
class DiagnosticRow:
    """A diagnostic under one protocol: it describes the lists and ranks no system."""

    label: str
    """The choices in which protocols differ."""
    metric: str
    values: tuple[float | None, ...]
    """One for each system, averaged over the users that have a value in every system."""
    users: int


CLASSES_MEAN = (
    "The head are the most popular items that hold a third of the training ratings, the tail the least popular that hold a "
    "third; cold items have none."
)


@dataclass(frozen=True, kw_only=True)
class CurveRow:
    """A curve of one system in one setting, its folds averaged; x ascends."""

    setting: int
    system: str
    x_label: str
    y_label: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class UserDifferences:
    """Who gains and who loses by the leader against its strongest rival; above 0 a user is better off with `a`."""

    a: str
    b: str
    metric: str
    users: int
    wins: int
    ties: int
    losses: int
    gain: float | None
    """Mean difference of those who are better off with `a`; None if nobody is."""
    loss: float | None
    """Mean difference of those who are worse off, below 0; None if nobody is."""
    curve: tuple[float, ...]
    """Differences of users, the largest gain first; of many users, that of every so many-th."""


@dataclass(frozen=True, kw_only=True)
class GroupValues:
    """A value of every system on groups of users, or with groups of items."""

    by: str
    """What makes the groups, in kebab-case: "user-activity", "warm-users", "item-popularity", "user-gender"."""
    title: str
    metric: str
    means: str
    """Whom or what the groups hold and what is averaged, in sentences."""
    groups: tuple[str, ...]
    users: tuple[int, ...]
    """Users with a value, by group."""
    systems: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    """Systems × groups."""
    ordered: bool = True
    """True if the groups have an order, which a line may show."""
    low: tuple[tuple[float | None, ...], ...] = ()
    """Ends of the confidence intervals; empty if none are kept."""
    high: tuple[tuple[float | None, ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class PopularityShares:
    """How popular what is recommended is: shares of popularity classes."""

    n: int
    classes: tuple[str, ...]
    names: tuple[str, ...]
    """The systems, then what they are held against: the catalogue, training ratings, relevant test ratings."""
    shares: tuple[tuple[float, ...], ...]
    """Names × classes; each row adds up to 1."""
    systems: int
    """How many of the names are systems."""


@dataclass(frozen=True, kw_only=True)
class SystemCost:
    """What fitting and scoring a system took, all folds together."""

    system: str
    fit: float
    """Seconds."""
    score: float
    """Seconds of scoring and ranking all users."""
    memory: int | None
    """The most bytes that the process held meanwhile; None if the system does not report them."""
    folds: int
    """Fits that were measured."""


@dataclass(frozen=True, kw_only=True)
class Pictures:
    """All pictures of the primary setting that need more than its leaderboard and pairs."""

    differences: UserDifferences | None = None
    groups: tuple[GroupValues, ...] = ()
    precision_recall: tuple[CurveRow, ...] = ()
    roc: tuple[CurveRow, ...] = ()
    popularity: PopularityShares | None = None
    absent: dict[str, str] = field(default_factory=dict)
    """Picture → why there is none."""


@dataclass(frozen=True, kw_only=True)
class Details:
    """The costly parts of findings: each is computed when it is first read, and written and read with the others."""

    definitions: Deferred[Definitions] = field(default_factory=lambda: Deferred.known(Definitions()))
    data: Deferred[tuple[DataSteps, ...]] = field(default_factory=lambda: Deferred.known(()))
    """Profiles of the data sets, before and after their filters."""
    diagnostics: Deferred[tuple[DiagnosticRow, ...]] = field(default_factory=lambda: Deferred.known(()))
    curves: Deferred[tuple[CurveRow, ...]] = field(default_factory=lambda: Deferred.known(()))
    """Curves of metrics that have one."""
    pictures: Deferred[Pictures] = field(default_factory=lambda: Deferred.known(Pictures()))
    """What further pictures of the primary setting are drawn from."""

    @classmethod
    def known(cls, **values: Any) -> Details:
        """Details that were computed before, by the names of the fields."""
        return cls(**{name: Deferred.known(value) for name, value in values.items()})
