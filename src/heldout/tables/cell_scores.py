"""Scores of one system on one fold, and its curves: what is kept of a task and what an analysis starts from."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from heldout.storage.codec import to_plain
from heldout.storage.deferred import Deferred
from heldout.tables import ProtocolKey, Scores, Vocabulary
from heldout.tables.arrays import Bool, digest_of

POPULARITY = "<popularity>"
"""Groups of items by their training ratings; no column of a table is called so."""


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


@dataclass(frozen=True, kw_only=True)
class ItemGroups:
    """Groups of items in the lists of one system on one fold under one protocol."""

    system: str
    protocol: ProtocolKey
    fold: int
    by: str
    """What makes the groups: POPULARITY, or a column of the table of items."""
    n: int
    groups: tuple[str, ...]
    recall: tuple[float, ...]
    """Mean Recall@n of users when relevant items of this group alone count; NaN if no user has one."""
    users: tuple[int, ...]
    """Users with a relevant test item of the group."""
    recommended: tuple[float, ...]
    """Share of the items in all top n; empty if lists were not kept."""
    catalogue: tuple[float, ...]
    """Share of the items."""
    train: tuple[float, ...]
    """Share of the training ratings."""
    relevant: tuple[float, ...]
    """Share of the relevant test ratings of tested users."""


@dataclass(frozen=True, kw_only=True)
class UserGroup:
    """Users of one fold that a column of the table of users puts into one group."""

    by: str
    """The column."""
    group: str
    users: str
    """Of each user of the part's first scores, whether they are in the group: bits, packed and in base64."""

    @classmethod
    def of(cls, by: str, group: str, members: Bool) -> UserGroup:
        """The group of these users."""
        return cls(by=by, group=group, users=b64encode(zlib.compress(np.packbits(members).tobytes(), 9)).decode())

    def members(self, users: int) -> Bool:
        """Who of so many users is in it."""
        bits = np.frombuffer(zlib.decompress(b64decode(self.users)), dtype=np.uint8)
        return np.unpackbits(bits, count=users).astype(np.bool_)


@dataclass(frozen=True, kw_only=True)
class Pictured:
    """What pictures of the first protocol need beyond scores."""

    curves: tuple[Points, ...] = ()
    item_groups: tuple[ItemGroups, ...] = ()
    user_groups: tuple[UserGroup, ...] = ()
    problem: str = ""
    """Why a table of users or items that is there makes no groups."""


@dataclass(frozen=True, eq=False)
class CellScores:
    """Scores of one system on one fold, with the vocabulary that names its users."""

    scores: tuple[Scores, ...]
    users: Vocabulary
    curves: tuple[Points, ...] = ()
    pictured: Deferred[Pictured] = field(default_factory=lambda: Deferred.known(Pictured()))

    @property
    def digest(self) -> str:
        """sha256 of all that it holds."""
        drawn = json.dumps(to_plain([list(self.curves), self.pictured.value]))
        return digest_of(self.users.digest, *(scores.digest for scores in self.scores), drawn)


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
    """True if every test rating is relevant."""

    @classmethod
    def of(cls, scores: Scores) -> MeasuredUsers:
        """The users of these scores, in numbers."""
        test, relevant = (scores.counts.get(name, np.zeros(len(scores.users))) for name in ("test", "relevant"))
        return cls(
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


def measured_users(parts: Iterable[CellScores]) -> tuple[MeasuredUsers, ...]:
    """The users of every system under every protocol and fold, in numbers."""
    return tuple(MeasuredUsers.of(scores) for part in parts for scores in part.scores)


def tested_users(parts: Iterable[CellScores]) -> Iterator[int]:
    """How many users every protocol tests in all its folds together; systems share them."""
    tested: dict[ProtocolKey, dict[int, tuple[Scores, Vocabulary]]] = {}
    for part in parts:
        for scores in part.scores:
            tested.setdefault(scores.protocol, {}).setdefault(scores.fold, (scores, part.users))
    for folds in tested.values():
        if len(folds) == 1:
            yield from (len(scores.users) for scores, _ in folds.values())
        else:
            ids = [users.decode(scores.users).cast(pl.String) for scores, users in folds.values()]
            yield pl.concat(ids).n_unique()
