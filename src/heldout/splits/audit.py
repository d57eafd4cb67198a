"""What a split leaks: tests older than what they are predicted from, unknown users and items, pairs in both parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from heldout.errors import InputError
from heldout.splits.pairs import rows_among
from heldout.tables import Interactions, Split
from heldout.tables.arrays import Int64
from heldout.tables.display import Displayed
from heldout.text.numbers import count, counted, number


@dataclass(frozen=True, kw_only=True)
class AuditLine:
    """One count or probability of an audit; both None without times."""

    what: str
    count: int | None
    """None for a probability."""
    share: float | None
    """Share of the ratings, users or items that are counted among, or a probability; None if neither applies."""


@dataclass(frozen=True, repr=False, kw_only=True)
class Audit(Displayed):
    """One fold examined; counts of test ratings unless said otherwise. None: the data have no times."""

    fold: int
    train: int
    test: int
    overlap: int
    """(user, item) pairs that are in both parts."""
    older_than_any: int | None
    """Test ratings older than the newest training rating of anyone; 0 if and only if the fold follows time."""
    train_later: float | None
    """Probability that a random training rating is later than a random test rating, equal times counted half.

    0 if one moment divides the fold, one half in a random split."""
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
    straddling_train: int | None = None
    """Training pairs merged from rows on both sides of the cut in time; None without merged pairs or without a cut."""
    straddling_test: int | None = None
    """Test pairs merged from rows on both sides of the cut in time."""

    @property
    def straddling(self) -> int:
        """Pairs merged from rows on both sides of the cut in time."""
        return (self.straddling_train or 0) + (self.straddling_test or 0)

    @property
    def consistent_in_time(self) -> bool | None:
        """Whether no test rating is older than a training rating, by the times that pairs carry; None without times."""
        return None if self.older_than_any is None else self.older_than_any == 0

    def _headline(self) -> str:
        """The counts in a sentence."""
        later = "no times" if self.train_later is None else later_words(self.train_later)
        return (
            f"fold {self.fold + 1}: {count(self.train)} training ratings and {count(self.test)} test ratings, of which "
            f"{count(self.overlap)} are in train too; {later}; {count(self.cold_user_ratings)} of "
            f"{counted(self.cold_users, 'user')} and {count(self.cold_item_ratings)} of {counted(self.cold_items, 'item')} "
            "without training ratings"
        )

    def lines(self, *, merged: bool) -> list[AuditLine]:
        """Every count with its share, as a table has them; with `merged`, also pairs merged across the cut."""
        of_test, of_users, of_items = self.test, self.test_users, self.test_items
        counts: list[tuple[str, int | None, int | None]] = [
            ("pairs in both train and test", self.overlap, None),
            ("test ratings older than one of the same user", self.older_than_own, of_test),
            ("users with such a test rating", self.users_older_than_own, of_users),
            ("test users without training ratings", self.cold_users, of_users),
            ("their test ratings", self.cold_user_ratings, of_test),
            ("test items without training ratings", self.cold_items, of_items),
            ("their test ratings", self.cold_item_ratings, of_test),
        ]
        if merged:
            counts += [
                ("test pairs merged across the cut", self.straddling_test or 0, of_test),
                ("training pairs merged across the cut", self.straddling_train or 0, self.train),
            ]
        lines = [
            AuditLine(what=what, count=n, share=None if n is None or whole is None else n / max(1, whole))
            for what, n, whole in counts
        ]
        what = "probability that a training rating is later than a test rating"
        later = AuditLine(what=what, count=None, share=self.train_later)
        return [lines[0], later, *lines[1:]]

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, as JSON takes them."""
        return asdict(self)


def audit(split: Split) -> Audit:
    """Examine a fold.

    Example: with training ratings of user a at times 1 and 9 and a test rating of a at 5, one test rating is older than
    what it is predicted from, globally and of the same user, and a random training rating is later with probability 1/2.
    """
    if not isinstance(split, Split):
        raise InputError(
            found=type(split).__name__,
            expected="one fold of a split",
            hint="ho.split(…).audits() examines every fold, ho.audit(ho.split(…)[0]) the first",
        )
    split = split.in_one_unit()
    train, test = split.train, split.test
    overlap = int((rows_among(test, train) >= 0).sum())
    any_, own, users, later = None, None, None, None
    if train.time is not None and test.time is not None and len(train) and len(test):
        newest = np.full(train.n_users, np.iinfo(np.int64).min)
        met = train.user_counts > 0
        newest[met] = np.maximum.reduceat(train.time, train.user_indptr[:-1][met])
        older = test.time < newest[test.user]
        any_, own = int((test.time < train.time.max()).sum()), int(older.sum())
        users = len(np.unique(test.user[older]))
        later = _share_later(train.time, test.time)
    straddling_train, straddling_test = None, None
    if test.time is not None and own == 0 and (train.merged_time is not None or test.merged_time is not None):
        cut = np.full(test.n_users, test.time.min())
        if any_ != 0:  # each user has a cut of their own
            cut = np.full(test.n_users, np.iinfo(np.int64).max)
            np.minimum.at(cut, test.user, test.time)
        straddling_train, straddling_test = _straddling(train, cut), _straddling(test, cut)
    cold_user, cold_item = train.user_counts == 0, train.item_counts == 0
    return Audit(
        fold=split.fold,
        train=len(train),
        test=len(test),
        overlap=overlap,
        older_than_any=any_,
        train_later=later,
        older_than_own=own,
        users_older_than_own=users,
        test_users=test.active_users,
        cold_users=int(((test.user_counts > 0) & cold_user).sum()),
        cold_user_ratings=int(cold_user[test.user].sum()),
        test_items=int((test.item_counts > 0).sum()),
        cold_items=int(((test.item_counts > 0) & cold_item).sum()),
        cold_item_ratings=int(cold_item[test.item].sum()),
        straddling_train=straddling_train,
        straddling_test=straddling_test,
    )


def _share_later(train: Int64, test: Int64) -> float:
    """P(a random time of train is later than a random one of test), equal times counted half."""
    ordered, tested = np.sort(train), np.sort(test)
    ends = [int(np.searchsorted(ordered, tested, side).sum()) for side in ("left", "right")]
    pairs = len(train) * len(test)
    return (2 * pairs - sum(ends)) / (2 * pairs)


def later_words(share: float) -> str:
    """A `train_later` in words."""
    return f"a training rating is later than a test rating with probability {number(share, 2)}"


def _straddling(part: Interactions, cut: Int64) -> int:
    """Pairs of a part that were merged from rows before and rows from each user's cut on."""
    if part.time is None or part.merged_time is None:
        return 0
    first, latest = np.minimum(part.time, part.merged_time), np.maximum(part.time, part.merged_time)
    return int(((first < cut[part.user]) & (latest >= cut[part.user])).sum())


def audit_sentence(audits: Sequence[Audit]) -> str:
    """What the folds leak, the gravest first, in a sentence."""
    if any(a.overlap for a in audits):
        return "Training and test ratings overlap: a system that remembers is rewarded for it."
    if any(a.older_than_any is None for a in audits):
        return "Disjoint; without times nothing can be said of order."
    if any(a.older_than_any for a in audits):
        return "Disjoint, but not consistent in time: systems learn from ratings that are newer than what they predict."
    if straddling := sum(a.straddling for a in audits):
        return (
            f"Disjoint; consistent in time only by the times that merged pairs carry: {count(straddling)} pairs are merged "
            "from rows before and after the cut."
        )
    return "Disjoint and consistent in time: no test rating is older than a training rating."
