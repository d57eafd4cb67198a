"""What users would say of the items that are not in their training set: of all of them, or of a random sample.

A sampled truth weighs each pair by 1 ÷ the chance that a pair outside train is in the sample. There are three cases:

- The sample was drawn independently of what users rate. The chance is the same for all items of a user.
- The observed ratings are part of the sample (CM100k). A pair that a user would rate may have gone to train instead. Its
  chance is r σ / (1 − r (1 − σ)). Here r is the sampling rate and σ the share of the ratings that test: of all ratings, or
  of the item's ratings if a split gives every test item equally many. `TruthTable.rate_among` has the weights for the mean
  over tested users only.
- The sample was halved: the observed ratings are part of the first half. Every pair of the first half that is not in train
  is known, with chance 1. The second half is a random sample of all other pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from heldout.data.world import World, complete_ratings
from heldout.errors import InputError
from heldout.tables import Interactions, Split
from heldout.tables.arrays import Bool, Float64, Int64
from heldout.text.numbers import counted


@dataclass(frozen=True, eq=False, kw_only=True)
class TruthTable:
    """True ratings of pairs that are not in train, in the vocabularies of a fold."""

    ratings: Interactions
    rate: Float64 | None
    """The chance with which each row got into the sample; None where the truth is complete."""
    users: int
    """Users whose truth it is."""
    left_out: str = ""
    """Rows that could not be used, in words."""
    nested: bool = False
    """True if the observed ratings are part of the sample, and it was not halved."""
    overlap: float = 0.0
    """Share of the observed ratings, of users who have a truth, that are in the sample."""

    def rate_among(self, test: Interactions, decisive: Bool) -> Float64:
        """Chances for a mean over tested users only; `decisive` marks test ratings without which a user is not tested.

        For a pair i that is not in train, 1[tested] = 1[tested without i] + 1[not tested without i] · 1[i in test]. The
        second term is 1 only for decisive ratings and is always observed: they weigh 1. All others keep their chances.

        Example: r = 0.1, σ = 0.2. The only test rating of a user weighs 1. A test rating of a user who has another one
        weighs 1 / (0.02 / 0.92) = 46.
        """
        assert self.rate is not None
        tested, pairs = (rows.user.astype(np.int64) * rows.n_items + rows.item for rows in (test, self.ratings))
        return np.where(np.isin(pairs, tested[decisive]), 1.0, self.rate)

    @property
    def sampled(self) -> bool:
        """Whether it is a random sample of the truth."""
        return self.rate is not None


def in_test_given_not_in_train(chance: Float64, test_share: float | Float64) -> Float64:
    """p σ / (1 − p (1 − σ)): how likely a pair is in test, given that it is not in train.

    Example: p = 0.5 and σ = 0.2: 0.1 are in test, 0.4 in train; 0.1 / 0.6 = 1/6.
    """
    return np.asarray(np.minimum(1.0, chance * test_share / (1 - chance * (1 - test_share))))


def share_of_test(split: Split) -> float:
    """σ: the share of the ratings that test."""
    return len(split.test) / (len(split.test) + len(split.train))


def complete_truth(world: World, split: Split, *, seed: int) -> TruthTable:
    """All pairs that are not in train, with what the user would truly say."""
    train = split.train
    users, ratings = complete_ratings(world, train, np.arange(train.n_users, dtype=np.int32), seed=seed)
    return TruthTable(ratings=ratings, rate=None, users=len(users))


def decisive_ratings(split: Split, counted_users: Callable[[Split], Bool]) -> Bool:
    """Test ratings without which their user would not be counted.

    Removes the first test rating of every user at once, then the second of every user, and so on.

    Example: users with at least one test rating are counted. Then the only test rating of a user is decisive, and no other.
    """
    test = split.test
    place = np.arange(len(test)) - test.user_indptr[test.user]
    decisive = np.zeros(len(test), np.bool_)
    for k in range(int(test.user_counts.max(initial=0))):
        removed = place == k
        still_counted = counted_users(replace(split, test=test.select(~removed)))
        decisive[removed] = ~still_counted[test.user[removed]]
    return decisive


def overlap_with_sample(user: Int64, pair: Int64, sampled_pairs: Int64, rate_of_user: Float64) -> tuple[float, bool]:
    """Share of the observed pairs that are in the sample, and whether that makes them a part of it.

    They are taken for a part of it if the share is nearer to 1 than to the share expected by chance. Only users with a
    sample count.
    """
    rows = rate_of_user[user] > 0
    if not rows.any():
        return 0.0, False
    overlap, by_chance = float(np.isin(pair[rows], sampled_pairs).mean()), float(rate_of_user[user[rows]].mean())
    return overlap, overlap > (1 + by_chance) / 2


def sampled_truth(
    sample: Interactions, split: Split, *, source: str, uniform: bool = False, first_half: Bool | None = None
) -> TruthTable:
    """The rows of a random sample that are not in train, with the chance of each; InputError if there are none to use.

    The share of observed ratings in the sample decides whether they are part of it. `uniform` is true if every test item
    has equally many test ratings. `first_half` marks the rows of the sample that the observed ratings come from, if it was
    halved.
    """
    train, test, n_items = split.train, split.test, split.train.n_items
    user = train.users.encode(sample.users.decode(sample.user))
    item = train.items.encode(sample.items.decode(sample.item))
    there = (user >= 0) & (item >= 0)
    if not there.any():
        what = "users" if not (user >= 0).any() else "items" if not (item >= 0).any() else "pairs of both"
        raise InputError(
            f"the truth has no {what} of the data",
            file=source,
            found=f"user {sample.users.ids[0]} and item {sample.items.ids[0]}",
            expected=f"ids as in the data, such as user {train.users.ids[0]} and item {train.items.ids[0]}",
            hint="both tables must call users and items the same",
        )
    outside = int((~there).sum())
    user, item, value = user[there].astype(np.int64), item[there].astype(np.int64), sample.value[there]
    pair = user * n_items + item
    trained, tested = (part.user.astype(np.int64) * n_items + part.item for part in (train, test))
    in_train, in_test = np.isin(pair, trained), np.isin(pair, tested)
    first = None if first_half is None else first_half[there]
    if (in_train | in_test).all():
        raise InputError(
            "every pair of the truth is in the data, so that it says nothing of what users did not rate by themselves",
            file=source,
            expected="ratings of items that were drawn at random",
        )
    rate_of_user = np.bincount(user, minlength=train.n_users) / n_items
    observed = np.concatenate([trained, tested])
    overlap, nested = overlap_with_sample(observed // n_items, observed, pair, rate_of_user)
    kept = ~in_train
    if first is not None:
        in_first, in_second = (np.bincount(user[rows], minlength=train.n_users) for rows in (first, ~first))
        rate = np.where(first, 1.0, (in_second / np.maximum(1, n_items - in_first))[user])
        kept &= ((in_second > 0) | (in_first == n_items))[user]
        nested = False
    elif nested:
        rate = rate_of_user[user]
        share = test.item_counts / np.maximum(1, train.item_counts + test.item_counts) if uniform else None
        chance = in_test_given_not_in_train(rate, share_of_test(split) if share is None else share[item])
        rate = np.where(in_test, chance, rate)
    else:
        left = np.bincount(user[~in_train], minlength=train.n_users) / np.maximum(1, n_items - train.user_counts)
        rate = left[user]
    order = np.argsort(pair[kept], kind="stable")
    ratings = Interactions.build(train.users, train.items, user[kept][order], item[kept][order], value[kept][order])
    words = [f"{counted(outside, 'row')} of users or items that the data lack"] if outside else []
    words += [f"{counted(int(in_train.sum()), 'pair')} in train"] if in_train.any() else []
    return TruthTable(
        ratings=ratings,
        rate=rate[kept][order],
        users=int((ratings.user_counts > 0).sum()),
        left_out=" and ".join(words),
        nested=nested,
        overlap=overlap,
    )
