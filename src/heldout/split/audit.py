"""What a split leaks: tests older than what they are predicted from, unknown users and items, pairs in both parts."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from heldout.split.pairs import found_pairs, pairs_of
from heldout.tables import Split


@dataclass(frozen=True)
class Audit:
    """One fold examined; counts of test ratings unless said otherwise. None: the data have no times."""

    fold: int
    train: int
    test: int
    overlap: int
    """(user, item) pairs that are in both parts."""
    older_than_any: int | None
    """Test ratings older than some training rating of anyone: a model has seen the future."""
    older_than_own: int | None
    """Test ratings older than some training rating of the same user."""
    users_older_than_own: int | None
    """Users with such a test rating."""
    test_users: int
    cold_users: int
    """Test users without a training rating."""
    cold_user_ratings: int
    test_items: int
    cold_items: int
    """Test items without a training rating."""
    cold_item_ratings: int

    @property
    def consistent_in_time(self) -> bool | None:
        """Whether no test rating is older than a training rating; None without times."""
        return None if self.older_than_any is None else self.older_than_any == 0

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, as JSON takes them."""
        return asdict(self)


def audit(split: Split) -> Audit:
    """Examine a fold.

    Example: with training ratings of user a at times 1 and 9 and a test rating of a at 5, one test rating is older than
    what it is predicted from, globally and of the same user.
    """
    train, test = split.train, split.test
    overlap = int(found_pairs(pairs_of(test), pairs_of(train))[1].sum())
    any_, own, users = None, None, None
    if train.time is not None and test.time is not None and len(train) and len(test):
        newest = np.full(train.n_users, np.iinfo(np.int64).min)
        met = train.user_counts > 0
        newest[met] = np.maximum.reduceat(train.time, train.user_indptr[:-1][met])
        older = test.time < newest[test.user]
        any_, own = int((test.time < train.time.max()).sum()), int(older.sum())
        users = len(np.unique(test.user[older]))
    cold_user, cold_item = train.user_counts == 0, train.item_counts == 0
    return Audit(
        split.fold,
        len(train),
        len(test),
        overlap,
        any_,
        own,
        users,
        int((test.user_counts > 0).sum()),
        int(((test.user_counts > 0) & cold_user).sum()),
        int(cold_user[test.user].sum()),
        int((test.item_counts > 0).sum()),
        int(((test.item_counts > 0) & cold_item).sum()),
        int(cold_item[test.item].sum()),
    )
