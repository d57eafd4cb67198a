"""A test repeated on random subsets of users."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from heldout import rng, threads
from heldout.aggregations.aggregation import Aggregation
from heldout.catalogue import Coerced, param
from heldout.errors import NotApplicableError, SpecError
from heldout.significance.differences import checked_rows
from heldout.significance.significance_test import Test, no_p
from heldout.tables.arrays import Float64, Int64

_STEP = 256
MOST_SAMPLES = 1_000_000_000
"""Subsets times the samples of the repeated test."""


class Subsampled(Test):
    """How often a test rejects on random subsets of the users: what smaller studies would have concluded.

    Formula: #{subsets with p < level} / subsets, subsets of `size` users drawn without replacement.

    Assumes: nothing new of the users; the share is of rejections, no p-value, and nothing corrects it for many comparisons.
    All pairs share the subsets. A share of 0.05 at level 0.05 is what equal systems give.

    Example: of 1,000 subsets of 100 users, 870 reject: 0.87.
    """

    key = "subsampled"
    formula = "#{subsets with p < α} / #subsets"
    references = ("canamares2020",)
    has_p = False
    weighable = True
    test: Coerced[Test, str] = param("t", "the test that is repeated")
    subsets: int = param(1000, "random subsets of users", least=1, most=1_000_000)
    size: int = param(100, "users in each", least=2)
    level: float = param(0.05, "the level at which a subset rejects", above=0.0, below=1.0, also=("α", "alpha"))

    def check(self) -> None:
        if not self.test.has_p or self.test.all_at_once:
            raise SpecError(
                where="subsampled: 'test'",
                found=str(self.test),
                expected="a test with a p-value for each pair",
                hint="such as subsampled(t)",
            )
        samples = getattr(self.test, "samples", 1)
        if self.subsets * samples > MOST_SAMPLES:
            raise SpecError(
                f"subsets of {samples:,} samples each would run for days",
                where="subsampled: 'subsets'",
                found=self.subsets,
                expected=f"at most {max(1, MOST_SAMPLES // samples):,} subsets with this test",
            )

    def refusal(self, aggregation: Aggregation, *, weighted: bool = False) -> str:
        """Where the repeated test refuses."""
        return self.test.refusal(aggregation, weighted=weighted)

    def p_values(self, columns: Float64, pairs: Int64, *, seed: int, weights: Float64 | None = None) -> Float64:
        """None: shares of rejections are no p-values."""
        return no_p(pairs)

    def figures(self, columns: Float64, pairs: Int64, *, seed: int, weights: Float64 | None = None) -> Mapping[str, Float64]:
        """The share of subsets that reject."""
        users = checked_rows(columns, pairs, weights).shape[1]
        if self.size > users:
            raise NotApplicableError(
                where=str(self), found=users, expected=f"at least {self.size:,} users", hint="lower 'size'"
            )
        total = np.zeros(len(pairs), dtype=np.int64)
        pieces = [range(start, min(start + _STEP, self.subsets)) for start in range(0, self.subsets, _STEP)]

        def count(part: range) -> Int64:
            return self._rejected(columns, pairs, self._members(users, part, seed), seed, weights)

        for rejections in threads.run_all(count, pieces):
            total += rejections
        return {"rejected": total / self.subsets}

    def _members(self, users: int, part: range, seed: int) -> Int64:
        """The users of each subset of a piece, ascending."""
        draw = rng.stream(seed, "subsampled test", part.start)
        # The least of random keys are a subset without replacement.
        keys = draw.random((len(part), users))
        return np.sort(np.argpartition(keys, self.size - 1, axis=1)[:, : self.size], axis=1)

    def _rejected(self, columns: Float64, pairs: Int64, members: Int64, seed: int, weights: Float64 | None) -> Int64:
        total = np.zeros(len(pairs), dtype=np.int64)
        for users in members:
            weighed = {} if weights is None else {"weights": weights[users]}
            with threads.using(1):
                p = self.test.p_values(columns[users], pairs, seed=seed, **weighed)
            total += p < self.level
        return total

    def phrase(self) -> str:
        return f"{self.test.phrase()}, repeated on {self.subsets:,} random subsets of {self.size} users"
