"""What users would say of the items that are not in their training set: of all of them, or of a random sample.

A sampled truth is weighed by one over the chance with which a pair that is not in train got into the sample. Where the
sample was drawn whatever users rate by themselves, that chance is the same for all items of a user. Where the observed
ratings are themselves part of the sample (CM100k), a pair that users would rate by themselves may have gone to train
instead, and its chance is r σ / (1 − r (1 − σ)), with r the sampling rate and σ the share of the ratings that test: of all
ratings, or of the item's where a split gives every test item equally many test ratings.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout import rng
from heldout.data.world import World
from heldout.errors import InputError
from heldout.tables import Interactions, Split
from heldout.tables.arrays import Float64
from heldout.words import counted

MOST = 2_000_000
"""Complete ratings of one fold; where there would be more, so many users are drawn."""


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
    """Whether the observed ratings are part of the sample."""
    overlap: float = 0.0
    """Share of the observed ratings, of users who have a truth, that are in the sample."""

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
    users = np.arange(train.n_users, dtype=np.int32)
    most = max(1, MOST // train.n_items)
    if len(users) > most:
        drawn = rng.stream(seed, "users of the complete truth").choice(len(users), most, replace=False)
        users = users[np.sort(drawn)]
    ratings = world.outside(train, users)
    return TruthTable(ratings=ratings, rate=None, users=len(users))


def sampled_truth(sample: Interactions, split: Split, *, source: str, uniform: bool = False) -> TruthTable:
    """The rows of a random sample that are not in train, with the chance of each; InputError where it tells nothing.

    Whether the observed ratings are part of the sample is told by how many of them are in it: all, or as many as by chance.
    The nearer of both is taken. `uniform` says that every test item has equally many test ratings.
    """
    train, test, n_items = split.train, split.test, split.train.n_items
    user = train.users.encode(sample.users.decode(sample.user))
    item = train.items.encode(sample.items.decode(sample.item))
    there = (user >= 0) & (item >= 0)
    if not there.any():
        what = "users" if not (user >= 0).any() else "items" if not (item >= 0).any() else "pairs of both"
        raise InputError(
            f"the truth has no {what} of the data: users such as {sample.users.ids[0]} and items such as "
            f"{sample.items.ids[0]}, where the data have {train.users.ids[0]} and {train.items.ids[0]}",
            file=source,
            hint="both tables must call users and items the same",
        )
    outside = int((~there).sum())
    user, item, value = user[there].astype(np.int64), item[there].astype(np.int64), sample.value[there]
    pair = user * n_items + item
    trained, tested = (part.user.astype(np.int64) * n_items + part.item for part in (train, test))
    in_train, in_test = np.isin(pair, trained), np.isin(pair, tested)
    if (in_train | in_test).all():
        raise InputError(
            "every pair of the truth is in the data, so that it says nothing of what users did not rate by themselves",
            file=source,
            hint="the truth must have ratings of items that were drawn at random",
        )
    rate_of_user = np.bincount(user, minlength=train.n_users) / n_items
    observed = np.concatenate([trained, tested])
    of_sampled_users = observed[rate_of_user[observed // n_items] > 0]
    overlap = float(np.isin(of_sampled_users, pair).mean()) if len(of_sampled_users) else 0.0
    by_chance = float(rate_of_user[of_sampled_users // n_items].mean()) if len(of_sampled_users) else 0.0
    nested = overlap > (1 + by_chance) / 2
    if nested:
        rate = rate_of_user[user]
        share = test.item_counts / np.maximum(1, train.item_counts + test.item_counts) if uniform else None
        chance = in_test_given_not_in_train(rate, share_of_test(split) if share is None else share[item])
        rate = np.where(in_test, chance, rate)
    else:
        left = np.bincount(user[~in_train], minlength=train.n_users) / np.maximum(1, n_items - train.user_counts)
        rate = left[user]
    kept = ~in_train
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
