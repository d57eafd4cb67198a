"""Scores of one system on one fold, and its curves: what is kept of a task and what an analysis starts from."""

from __future__ import annotations

from dataclasses import dataclass

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
