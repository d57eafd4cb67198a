"""One sentence per pair of systems: who wins, in how many universes, and where that is reversed.

Formula: a winner is named when it is significantly better in more than half of the universes and the other is in fewer than
5 %. Both in 5 % or more: the verdict depends on the choices. Otherwise the pair is undecided. "Reversed only under …" is the
smallest block of choices with all universes in which the other is significantly better; where that block is the whole grid,
the corner in which they are densest is given instead, without "only".

Assumes: universes are not independent (they share users), so shares are no probabilities. Of two equal systems each is
significantly better in 2.5 % of the universes on average, at a level of 5 %, but these may fall together: in the worst case,
all universes alike, a winner is named with probability 5 %. A universe without a p-value counts as one without a winner;
one without a value is left out and counted.

Example: + in 94, − in 2 and neither in 4 of 100 universes: + holds. + in 60, − in 20: depends. + in 30, − in 1: undecided.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from heldout.analysis.served_users import ENOUGH
from heldout.json_codec import SPARSE
from heldout.tables.arrays import Int32
from heldout.universes.findings.regions import Region, densest, hull
from heldout.universes.universes import Universes
from heldout.words import rough_percent

MAJORITY, TOLERATED = 0.5, 0.05
FEW = 100
"""Below so many universes a sentence counts them instead of giving a share."""


@dataclass(frozen=True, kw_only=True)
class Shares:
    """In how many universes which of two systems is better."""

    universes: int
    """With a value for both."""
    without: int
    """Without one, left out of the rest."""
    first: int
    """The first is significantly better."""
    second: int
    neither: int
    """Tested, and neither is."""
    untested: int
    """No test gives a p-value."""
    ahead: int
    """The first is ahead, significantly or not."""
    behind: int
    equal: int
    unserved: int = 0
    """Too few users have a list of both systems, so that no winner is called."""
    other_users: int = field(default=0, metadata=SPARSE)
    """The values are averaged over other users than under the first options, on the same split."""

    @property
    def undecided(self) -> int:
        """Universes in which neither is significantly better, tested or not."""
        return self.universes - self.first - self.second

    def flipped(self) -> Shares:
        """The same seen from the other system."""
        return replace(self, first=self.second, second=self.first, ahead=self.behind, behind=self.ahead)

    def share(self, count: int) -> float:
        """A count of universes as a share of those with a value; 0 where none has one."""
        return count / max(self.universes, 1)


@dataclass(frozen=True)
class Where:
    """In which universes one of two systems is significantly better."""

    only: Region
    """The smallest block of choices that holds them all."""
    densest: Region | None


@dataclass(frozen=True, kw_only=True)
class Stability:
    """What may be said of one pair of systems."""

    kind: Literal["holds", "depends", "undecided"]
    winner: str
    """Empty where none can be named."""
    sentence: str
    first: Where | None
    """Where the first is significantly better; None where nowhere."""
    second: Where | None


def shares(universes: Universes, pair: int) -> Shares:
    """The counts of one pair."""
    has_value = np.isfinite(universes.difference[:, pair])
    won, lead = universes.winner[has_value, pair], universes.lead[has_value, pair]
    tested = np.isfinite(universes.p[has_value, pair]) | (won != 0)
    return Shares(
        universes=int(has_value.sum()),
        without=int((~has_value).sum()),
        first=int((won == 1).sum()),
        second=int((won == -1).sum()),
        neither=int((tested & (won == 0)).sum()),
        untested=int((~tested).sum()),
        ahead=int((lead == 1).sum()),
        behind=int((lead == -1).sum()),
        equal=int((lead == 0).sum()),
        unserved=int((universes.served[has_value, pair] < ENOUGH).sum()),
        other_users=int(universes.other_users[has_value].sum()),
    )


def stability(universes: Universes, counted: tuple[Shares, ...]) -> tuple[Stability, ...]:
    """What may be said of every pair."""
    has_value = np.isfinite(universes.difference)
    where: dict[int, list[Where | None]] = {}
    alike: dict[bytes, list[int]] = {}
    for pair in range(len(universes.pairs)):
        alike.setdefault(np.packbits(has_value[:, pair]).tobytes(), []).append(pair)
    for pairs in alike.values():
        valued = has_value[:, pairs[0]]
        of_pairs = universes if valued.all() else universes.only(valued)
        cases = np.concatenate([of_pairs.winner[:, pairs] == side for side in (1, -1)], axis=1)
        corners = densest(of_pairs, cases)
        for at, pair in enumerate(pairs):
            columns = (at, at + len(pairs))
            where[pair] = [Where(hull(of_pairs, cases[:, c]), corners[c]) if cases[:, c].any() else None for c in columns]
    judged = [_judged(names, counted[pair], *where[pair]) for pair, names in enumerate(universes.pair_names())]
    return tuple(
        replace(pair, sentence=pair.sentence + _unserved(s) + _on_other_users(universes, number, s))
        for number, (pair, s) in enumerate(zip(judged, counted, strict=True))
    )


_UNSERVED = "fewer than half of the users have a list of both"


def _unserved(s: Shares) -> str:
    """What is said of some universes in which too few users are served."""
    if not s.unserved or s.unserved == s.universes:
        return ""
    return f" In {_of(s.unserved, s.universes)} {_UNSERVED}, and no winner is called there."


def _on_other_users(universes: Universes, pair: int, s: Shares) -> str:
    """In how many universes a pair's values are averaged over other users than under the first options."""
    if not s.other_users:
        return ""
    users = universes.users[:, universes.pairs[pair]]
    has_value, other = np.isfinite(universes.difference[:, pair]), universes.other_users
    counts, first = _span(users[has_value & other]), _span(users[has_value & ~other])
    instead = f" ({counts} instead of {first})" if first and counts != first else ""
    return f" In {_of(s.other_users, s.universes)} the averages rest on other users than under the first options{instead}."


def _span(users: Int32) -> str:
    """900, or 900 to 1,477; empty without any."""
    if not users.size:
        return ""
    low, high = int(users.min()), int(users.max())
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _judged(names: tuple[str, str], s: Shares, first: Where | None, second: Where | None) -> Stability:
    turned = s.second > s.first
    better, other = reversed(names) if turned else names
    most, least = max(s.first, s.second), min(s.first, s.second)
    rare = second if not turned else first
    common = first if not turned else second
    out = f" ({_number(s.without, 'universe')} without a value left out)" if s.without else ""
    if not s.universes:
        return Stability(
            kind="undecided",
            winner="",
            sentence=f"No universe has a value of both {better} and {other}.",
            first=first,
            second=second,
        )
    if s.unserved == s.universes:
        sentence = f"No winner is called between {better} and {other}: {_UNSERVED} in {_of(s.unserved, s.universes)}{out}."
        return Stability(kind="undecided", winner="", sentence=sentence, first=first, second=second)
    if most > MAJORITY * s.universes and least < TOLERATED * s.universes:
        sentence = f"{better} beats {other} significantly in {_of(most, s.universes)}{out}; {_reversal(rare, other)}."
        return Stability(kind="holds", winner=better, sentence=sentence, first=first, second=second)
    if least >= TOLERATED * s.universes:
        sentence = (
            f"No winner can be named between {better} and {other}, it depends on the choices: {better} is significantly "
            f"better in {_of(most, s.universes)}{out}{_place(common)}; {other} in {_part(least, s.universes)}{_place(rare)}."
        )
        return Stability(kind="depends", winner="", sentence=sentence, first=first, second=second)
    if not most:
        total = f"any of {_number(s.universes, 'universe')}" if s.universes > 1 else "the one universe there is"
        sentence = f"No winner can be named between {better} and {other}: neither is significantly better in {total}{out}."
        return Stability(kind="undecided", winner="", sentence=sentence, first=first, second=second)
    often = _place(common) if most >= TOLERATED * s.universes else ""  # fewer may be chance: a place would say too much
    sentence = (
        f"No winner can be named between {better} and {other}: of {_number(s.universes, 'universe')}{out}, {better} is "
        f"significantly better in {_part(most, s.universes)}{often}, {other} in {_part(least, s.universes)}, and neither in "
        "the others."
    )
    return Stability(kind="undecided", winner="", sentence=sentence, first=first, second=second)


def _reversal(where: Where | None, other: str) -> str:
    """Where the other is significantly better, as the end of a sentence."""
    if where is None:
        return f"{other} is significantly better in none"
    if where.only.everywhere:
        cases = _number(where.only.cases, "universe")
        return f"reversed in {cases}{_place(where)}" if where.densest else f"reversed in {cases}, spread over the grid"
    return f"reversed only under {_block(where.only)}{_mostly(where)}"


def _place(where: Where | None) -> str:
    """, only under …; , most often under …; nothing where no place stands out."""
    if where is None:
        return ""
    if where.only.everywhere:
        return _mostly(where)
    return f", only under {_block(where.only)}{_mostly(where)}"


def _mostly(where: Where) -> str:
    """The densest corner, where the block that holds all says less than it."""
    corner = where.densest
    only = where.only
    if corner is None or corner.where == only.where:
        return ""
    denser = corner.cases * only.universes >= 1.5 * only.cases * corner.universes
    if not denser:
        return ""
    return f", most often under {_block(corner)}"


def _block(region: Region) -> str:
    return f"{region.words} ({region.cases:,} of {_number(region.universes, 'universe')} there)"


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _of(count: int, total: int) -> str:
    if total < FEW:
        return "the one universe there is" if total == 1 and count == 1 else f"{count} of {_number(total, 'universe')}"
    return f"{rough_percent(count / total)} of {_number(total, 'universe')}"


def _part(count: int, total: int) -> str:
    return "none" if not count else str(count) if total < FEW else rough_percent(count / total)
