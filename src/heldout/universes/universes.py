"""The table of universes: every distinct combination of choices, and what each says of every pair of systems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl

from heldout.tables.arrays import Bool, Float64, Int8, Int32, Int64
from heldout.universes.grid.decisions import NAMES, NOT_APPLICABLE, Decision, decision

_LARGEST = 2**62


@dataclass(frozen=True, eq=False, kw_only=True)
class Universes:
    """One row per distinct universe. Differences, effects, winners: above 0, the first of a pair is better."""

    systems: tuple[str, ...]
    decisions: tuple[Decision, ...]
    """All decisions, in the order of an experiment; also those with one level."""
    codes: Int32
    """Universes × decisions: the level of each; −1 where the decision does not apply."""
    pairs: Int32
    """Pairs × 2: the systems compared, by their place."""
    values: Float64
    """Universes × systems: the aggregated value of each system, over the users it is averaged on; NaN without any."""
    users: Int32
    """Universes × systems: number of users that the value is averaged over."""
    other_users: Bool
    """By universe, true if some value is averaged over other users than under the first options on the same split."""
    low: Float64
    """Universes × systems: lower end of the interval of that value at 1 − level; NaN if the aggregation has none."""
    high: Float64
    higher: Bool
    """By universe, whether higher values are better."""
    difference: Float64
    """Universes × pairs: first less second over the users both are averaged on, positive where the first is better."""
    effect: Float64
    """Universes × pairs: that difference by the mean of the two magnitudes (0.03: better by 3 %), in −2 … 2; 0 where both
    are 0, NaN if a system has no value."""
    d: Float64
    """Universes × pairs: paired Cohen d on the scale that is tested; NaN if there is none."""
    p: Float64
    """Universes × pairs: of the pair alone; NaN if no test answers."""
    p_adjusted: Float64
    """Universes × pairs: corrected for the pairs of the universe, by which winners are called."""
    winner: Int8
    """Universes × pairs: 1 where the first is significantly better, −1 where the second is, 0 where neither or where
    too few users are served by both."""
    served: Float64
    """Universes × pairs: the share of users who have a list of both systems."""

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def lead(self) -> Int8:
        """Universes × pairs: 1 where the first is ahead, −1 behind, 0 where equal or not known."""
        ahead: Int8 = np.sign(np.nan_to_num(self.difference)).astype(np.int8)
        return ahead

    @cached_property
    def varying(self) -> tuple[int, ...]:
        """The places of the decisions that vary: with two options or more, not counting where they do not apply."""
        used = (np.bincount(self.codes[:, k] + 1)[1:] for k in range(len(self.decisions)))
        return tuple(k for k, counts in enumerate(used) if np.count_nonzero(counts) > 1)

    @cached_property
    def distinct(self) -> int:
        """Number of universes with numbers that no earlier one has: values, intervals, differences and p-values.

        Two universes are alike if their choices make no difference to anything, such as two rules for undefined values of a
        metric that is always defined.
        """
        of_systems = (self.values, self.users, self.low, self.high)
        of_pairs = (self.difference, self.effect, self.d, self.p, self.p_adjusted, self.winner, self.served)
        numbers = np.concatenate([np.asarray(part, dtype=np.float64) for part in (*of_systems, *of_pairs)], axis=1)
        numbers[np.isnan(numbers)] = np.nan  # of many patterns of bits, one
        numbers += 0.0  # −0 is 0
        return len({row.tobytes() for row in numbers})

    def decision(self, name: str) -> int:
        """The place of a decision."""
        return next(k for k, decision in enumerate(self.decisions) if decision.name == name)

    def level(self, universe: int, decision: int) -> str:
        """The text of what a universe chose."""
        code = int(self.codes[universe, decision])
        return NOT_APPLICABLE if code < 0 else self.decisions[decision].levels[code]

    def pair_names(self) -> Iterator[tuple[str, str]]:
        """The names of both systems of every pair."""
        for a, b in self.pairs.tolist():
            yield self.systems[a], self.systems[b]

    def only(self, rows: Bool) -> Universes:
        """These universes alone."""
        of_pairs = ("difference", "effect", "d", "p", "p_adjusted", "winner", "served")
        names = ("codes", "values", "users", "other_users", "low", "high", "higher", *of_pairs)
        return replace(self, **{name: getattr(self, name)[rows] for name in names})

    def compared(self) -> Universes:
        """The pairs that some universe compares: those with a system that failed everywhere are left out."""
        compared = ~np.isnan(self.difference).all(axis=0)
        names = ("difference", "effect", "d", "p", "p_adjusted", "winner", "served")
        return replace(self, pairs=self.pairs[compared], **{name: getattr(self, name)[:, compared] for name in names})

    def to_polars(self) -> pl.DataFrame:
        """One row per universe and pair, with a column of text for every decision."""
        n, m = len(self), len(self.pairs)
        chosen = {
            decision.name: _texts(np.repeat(self.codes[:, k] + 1, m), (NOT_APPLICABLE, *decision.levels))
            for k, decision in enumerate(self.decisions)
        }
        a, b = (np.tile(self.pairs[:, side], n) for side in (0, 1))
        rows = np.repeat(np.arange(n, dtype=np.int32), m)
        return pl.DataFrame(
            {
                "universe": rows,
                **chosen,
                "a": _texts(a, self.systems),
                "b": _texts(b, self.systems),
                "value_a": self.values[rows, a],
                "value_b": self.values[rows, b],
                "users_a": self.users[rows, a],
                "users_b": self.users[rows, b],
                "other_users": np.repeat(self.other_users, m),
                "low_a": self.low[rows, a],
                "high_a": self.high[rows, a],
                "low_b": self.low[rows, b],
                "high_b": self.high[rows, b],
                "higher_is_better": np.repeat(self.higher, m),
                "difference": self.difference.ravel(),
                "effect": self.effect.ravel(),
                "d": self.d.ravel(),
                "p": self.p.ravel(),
                "p_adjusted": self.p_adjusted.ravel(),
                "winner": self.winner.ravel(),
                "served": self.served.ravel(),
            }
        )

    @classmethod
    def from_polars(cls, frame: pl.DataFrame) -> Universes:
        """The universes that `to_polars` wrote, in its order; tables of earlier versions hold no intervals or users."""
        systems = _words(frame["a"])
        n_pairs = int((frame["universe"] == frame["universe"][0]).sum()) if len(frame) else 0
        first = frame.gather_every(max(n_pairs, 1))
        names = [name for name in NAMES if name in frame.columns]
        decisions = [decision(name, _words(frame[name])[1:]) for name in names]
        pairs = np.column_stack([frame[side][:n_pairs].to_physical().to_numpy() for side in ("a", "b")]).astype(np.int32)
        shape = (len(first), n_pairs)
        of_pairs = ("difference", "effect", "d", "p", "p_adjusted", "winner", "served")
        wide = {name: frame[name].to_numpy().reshape(shape) for name in of_pairs}
        of_systems = {"values": "value", "users": "users", "low": "low", "high": "high"}
        for name, column in of_systems.items():
            wide[name] = (
                np.zeros((len(first), len(systems)), np.int32)
                if name == "users"
                else np.full((len(first), len(systems)), np.nan)
            )
            for side, ending in enumerate(("a", "b")):
                if f"{column}_{ending}" in frame.columns:
                    wide[name][:, pairs[:, side]] = frame[f"{column}_{ending}"].to_numpy().reshape(shape)
        codes = np.column_stack([first[name].to_physical().to_numpy() for name in names]).astype(np.int32) - 1
        return cls(
            systems=systems,
            decisions=tuple(decisions),
            codes=codes,
            pairs=pairs,
            higher=first["higher_is_better"].to_numpy(),
            other_users=first["other_users"].to_numpy()
            if "other_users" in first.columns
            else np.zeros(len(first), np.bool_),
            **wide,
        )


def _texts(codes: Int32, words: tuple[str, ...]) -> pl.Series:
    """Codes as words, kept as a dictionary."""
    return pl.Series(words, dtype=pl.Enum(words)).gather(codes)


def _words(column: pl.Series) -> tuple[str, ...]:
    """The dictionary of a column of words."""
    kind = column.dtype
    return tuple(kind.categories.to_list()) if isinstance(kind, pl.Enum) else ()


def keys(codes: Int32, columns: Iterable[int]) -> tuple[Int64, int]:
    """A number for each row that is the same where all these columns are, and how many numbers there may be.

    codes [[0, −1], [1, 0]] by both columns: 0·2 + 0 = 0 and 1·2 + 1 = 3, of 4.
    """
    key, size = np.zeros(len(codes), dtype=np.int64), 1
    for column in columns:
        width = int(codes[:, column].max(initial=-1)) + 2
        low = int(codes[:, column].min(initial=0)) >= 0
        if size > _LARGEST // width:
            key, size = compact(key)
        width -= low
        key *= width
        key += codes[:, column]
        if not low:
            key += 1
        size *= width
    return key, size


def occurring(column: Int32) -> Int32:
    """The levels that occur, ascending; faster than sorting."""
    return (np.flatnonzero(np.bincount(column + 1)) - 1).astype(np.int32)


def compact(key: Int64) -> tuple[Int64, int]:
    """The same groups, numbered 0, 1, 2, … without gaps."""
    groups, place = np.unique(key, return_inverse=True)
    return place.astype(np.int64), len(groups)


def dense(codes: Int32, columns: Sequence[int]) -> tuple[Int64, int]:
    """`keys` that are few enough to count by: without gaps where they would be many more than rows."""
    key, size = keys(codes, columns)
    return (key, size) if size <= 4 * len(codes) + 1024 else compact(key)


def summed(key: Int64, size: int, columns: Float64) -> Float64:
    """Sums of every column by key: groups × columns."""
    from scipy.sparse import csc_array

    rows = len(key)
    sums: Float64 = csc_array((np.ones(rows), key, np.arange(rows + 1)), shape=(size, rows)) @ columns
    return sums
