"""Only some users are tested."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from heldout import rng
from heldout.catalogue import REQUIRED, Coerced, param
from heldout.catalogue.prose import share
from heldout.data.random_choice import lowest, wanted
from heldout.errors import SpecError
from heldout.splits.parts import times_of
from heldout.splits.splitter import Divider, Hidden, Splitter
from heldout.tables import Interactions
from heldout.tables.arrays import Bool


class TestUsers(Divider):
    """Tests n sampled users, whose ratings another split divides; all other users train whole.

    Assumes: `then` sees the ratings of the sampled users alone, but for one cut in time for all: that is taken from all
    ratings, and what others rated from the cut on is dropped and counted, since nobody could have known it.

    Example: `test_users(2, then=leave_out(1))` of 10 users with 5 ratings each has 2 ratings in test and 48 in train.
    """

    key = "test_users"
    references = ("gunawardana2009",)
    drawn = "test_users(3, then=temporal(at=0.7))"

    n: float = param(REQUIRED, "number of users who are tested, or a share below 1", above=0)
    then: Coerced[Splitter, str] = param("hide(random)", "how their ratings are divided")

    def check(self) -> None:
        if self.n > 1 and not self.n.is_integer():
            raise SpecError(where="test_users: 'n'", found=self.n, expected="a share below 1 or a whole number")
        if not isinstance(self.then, Divider) or isinstance(self.then, TestUsers):
            raise SpecError(
                where="test_users: 'then'",
                found=str(self.then),
                expected="a split that can divide the ratings of sampled users",
                hint="such as then=leave_out(10), then=temporal(at=0.8), then=hide(random)",
            )

    @property
    def folds_made(self) -> int:
        return self.then.folds_made

    @property
    def follows_time(self) -> bool:
        return self.then.follows_time

    @property
    def one_cut(self) -> bool:
        return self.then.one_cut

    def hidden(self, data: Interactions, *, seed: int) -> Iterator[Hidden]:
        assert isinstance(self.then, Divider)
        tested = self.sampled(data, seed=seed)[data.user]
        if self.one_cut:
            time = times_of(data, self)
            for fold in self.then.hidden(data, seed=seed):
                assert fold.cut is not None
                late = ~tested & (time >= fold.cut)
                mine = [(reason, rows & tested) for reason, rows in fold.dropped]
                mine.append(("from the cut on, of users who are not tested", late))
                yield Hidden(fold.test & tested, tuple(mine), fold.cut)
            return
        for fold in self.then.hidden(data.select(tested), seed=seed):
            yield Hidden(_widened(fold.test, tested), tuple((why, _widened(rows, tested)) for why, rows in fold.dropped))

    def sampled(self, data: Interactions, *, seed: int) -> Bool:
        """Which users are tested."""
        met = np.flatnonzero(data.user_counts > 0)
        keys = rng.uniform(rng.key(seed, "split test_users"), met)
        chosen = np.zeros(data.n_users, dtype=np.bool_)
        chosen[met[lowest(keys, wanted(self.n, len(met), "users"))]] = True
        return chosen

    def phrase(self) -> str:
        n = share(self.n) + " of the users" if self.n < 1 else f"{self.n:,.0f} users"
        sampled = f"{n} were sampled for testing, while all others trained with all their ratings"
        return f"{sampled}; of the former, {self.then.phrase()}"


def _widened(rows: Bool, among: Bool) -> Bool:
    """Rows of a part as rows of the whole."""
    wide = np.zeros(len(among), dtype=np.bool_)
    wide[among] = rows
    return wide
