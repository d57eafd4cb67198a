"""Scores of one system on one fold, and its curves: what is kept of a task and what an analysis starts from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout.tables import ProtocolKey, Scores, Vocabulary


@dataclass(frozen=True, kw_only=True)
class Points:
    """A curve of one system on one fold under one protocol."""

    system: str
    protocol: ProtocolKey
    fold: int
    metric: str
    x_label: str
    y_label: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Part:
    """Scores of one system on one fold, with the vocabulary that names its users."""

    scores: tuple[Scores, ...]
    users: Vocabulary
    curves: tuple[Points, ...] = ()


@dataclass(frozen=True, kw_only=True)
class MeasuredUsers:
    """The users of a system under one protocol and fold, in numbers."""

    system: str
    protocol: ProtocolKey
    fold: int
    users: int
    empty: int
    """Users without a list."""
    longest: float
    """The length of the longest list."""
    covered: bytes
    """The same for two systems with lists of the same users."""
    tested: int
    """Users with a test rating."""
    without_relevant: int
    """Users with a test rating and none that is relevant."""
    all_relevant: bool
    """Whether every test rating is relevant."""


def measured_users(scores: Scores) -> MeasuredUsers:
    """Counts of the users of one table of scores."""
    test, relevant = (scores.counts.get(name, np.zeros(len(scores.users))) for name in ("test", "relevant"))
    return MeasuredUsers(
        system=scores.system,
        protocol=scores.protocol,
        fold=scores.fold,
        users=len(scores.users),
        empty=int(np.count_nonzero(scores.length == 0)),
        longest=float(np.max(scores.length, initial=0)),
        covered=(scores.length > 0).tobytes(),
        tested=int((test > 0).sum()),
        without_relevant=int(((test > 0) & (relevant == 0)).sum()),
        all_relevant="test" in scores.counts and bool((test == relevant).all()),
    )
