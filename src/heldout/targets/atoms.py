"""Candidate sets cut into atoms: items that belong to the same sets, classes and heads lie together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from heldout.errors import NotApplicableError
from heldout.tables import Split
from heldout.tables.arrays import Bool, Float64, Int32, Int64
from heldout.targets.target import Candidates, Form


class SetKey(NamedTuple):
    """What tells candidate sets apart."""

    candidates: Candidates
    head: float
    percentiles: int


@dataclass(frozen=True, eq=False)
class CandidateSet:
    """One candidate set: who belongs, and the popularity class of each item."""

    member: Bool
    stratum: Int32
    """The class of each item, 0 if there is one only."""
    percentiles: int

    @property
    def size(self) -> Int64:
        """Members of each class."""
        return np.bincount(self.stratum[self.member], minlength=self.percentiles)


def key_of(form: Form) -> SetKey:
    """The candidate set of a protocol."""
    return SetKey(form.candidates, form.head, form.percentiles)


def head_of(split: Split, share: float) -> Bool:
    """The most popular share of the items that anyone rated, by ratings in train and test; of equal ones, the lower ids."""
    counts = split.train.item_counts + split.test.item_counts
    n = int(np.floor(share * np.count_nonzero(counts) + 0.5 + 1e-9))
    head = np.zeros(len(counts), bool)
    head[np.argsort(-counts, kind="stable")[:n]] = True
    return head


def candidate_set(split: Split, key: SetKey) -> CandidateSet:
    """Who belongs to a candidate set; classes are of equal size among the items outside the head.

    Of equally popular items on a boundary, those with lower ids are in the more popular class.
    """
    counts = split.train.item_counts + split.test.item_counts
    some = {"all": counts >= 0, "test": split.test.item_counts > 0, "training": split.train.item_counts > 0}
    head = head_of(split, key.head) if key.head else np.zeros(len(counts), bool)
    stratum = np.zeros(len(counts), np.int32)
    if key.percentiles > 1:
        kept = np.flatnonzero(~head)
        if key.percentiles > len(kept):
            raise NotApplicableError(
                where="target", found=key.percentiles, expected=f"at most {len(kept):,} percentiles, the number of items"
            )
        by_count = kept[np.argsort(-counts[kept], kind="stable")]
        stratum[by_count] = np.arange(len(kept)) * key.percentiles // len(kept)
    return CandidateSet(some[key.candidates] & ~head, stratum, key.percentiles)


def shares_decided_by_id(split: Split, key: SetKey) -> Float64:
    """By class, the share of its test ratings whose items have as many ratings as an item of another class.

    Which of these items is in which class depends on the order of their ids. With a head, the head comes first.

    Example: of items with 9, 4, 4 and 1 ratings, two classes are 9, 4 and 4, 1: the second item is in the first by its id.
    """
    counts = split.train.item_counts + split.test.item_counts
    label = candidate_set(split, key).stratum + np.int32(key.head > 0)
    if key.head:
        label[head_of(split, key.head)] = 0
    level = np.unique(counts, return_inverse=True)[1].reshape(-1)
    first, last = np.full(len(counts), len(counts)), np.full(len(counts), -1)
    np.minimum.at(first, level, label)
    np.maximum.at(last, level, label)
    cut = (first < last)[level]
    tested = split.test.item_counts.astype(np.float64)
    n = key.percentiles + int(key.head > 0)
    of_class = np.bincount(label, tested, n)
    shares: Float64 = np.bincount(label, tested * cut, n) / np.maximum(of_class, 1)
    return shares


@dataclass(frozen=True, eq=False)
class Atoms:
    """Items by atom, and of each candidate set which atoms it holds and their classes."""

    atom: Int32
    """The atom of each item."""
    n: int
    sets: Bool
    """Sets × atoms."""
    classes: Int32
    """Sets × atoms."""

    @classmethod
    def of(cls, sets: Sequence[CandidateSet], n_items: int) -> Atoms:
        """The coarsest atoms that tell all sets and classes apart."""
        if not sets:
            return cls(np.zeros(n_items, np.int32), 1, np.zeros((0, 1), bool), np.zeros((0, 1), np.int32))
        labels = np.array([np.where(s.member, s.stratum, -1) for s in sets])
        kinds, atom = np.unique(labels, axis=1, return_inverse=True)
        kinds = np.ascontiguousarray(kinds)  # else kernels are compiled again for the other layout
        return cls(atom.reshape(-1).astype(np.int32), kinds.shape[1], kinds >= 0, np.maximum(kinds, 0).astype(np.int32))

    def columns(self, tie: Int32) -> tuple[Any, ...]:
        """The layout that the ranking kernel works on: see `rank_candidates`."""
        order = np.lexsort((tie, self.atom)).astype(np.int32)
        start = np.concatenate([[0], np.cumsum(np.bincount(self.atom, minlength=self.n))]).astype(np.int64)
        column = np.empty(len(order), np.int32)
        column[order] = np.arange(len(order), dtype=np.int32)
        place = np.empty((len(order), self.n), np.int32)  # an item's places lie together, since they are asked for together
        for a in range(self.n):
            place[:, a] = start[a] + np.searchsorted(tie[order[start[a] : start[a + 1]]], tie)
        return order, start, self.sets, self.classes, self.atom, column, place
