"""The data of each draw, how their truth is known, and how likely each rating was to be made.

The truth is a simulated world, or a random sample of opinions. If the observed ratings are part of the sample (CM100k), each
draw halves the sample again. The observed ratings of the first half are split into train and test, and the second half tells
the truth of all pairs outside the first. Propensities are known, estimated, or wrong on purpose.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl

from heldout import rng
from heldout.biases.truth.estimators import TABLE
from heldout.biases.truth.truth_table import (
    TruthTable,
    complete_truth,
    in_test_given_not_in_train,
    overlap_with_sample,
    sampled_truth,
    share_of_test,
)
from heldout.data.memory import InMemory, Source
from heldout.data.opinions import draws_of_pairs
from heldout.data.reader import Reader
from heldout.data.world import World, codes_of
from heldout.errors import InputError, NotApplicableError, SpecError
from heldout.study.spec import Study
from heldout.tables import Interactions, Log, Side, Split
from heldout.tables.arrays import Bool, Float64, Int32, Int64
from heldout.tables.selection import rows_of


@dataclass(frozen=True, eq=False, kw_only=True)
class DrawnData:
    """The data of one draw, and how their truth is known."""

    source: Source
    world: World | None = None
    sample: Interactions | None = None
    """A random sample of what users would say; None if the world tells all of it."""
    sample_name: str = ""
    first_half: Bool | None = None
    """Rows of the sample that the observed ratings come from; None if the sample was not halved."""
    whole: Source | None = None
    """The source of which `source` has one half; None if the sample was not halved."""
    outside: int = 0
    """Observed ratings that were left out because they are not in the sample that was halved."""

    def truth(self, study: Study, split: Split) -> TruthTable:
        """The truth of the pairs that are not in train; InputError where it has nothing that is relevant."""
        if self.world is not None:
            return complete_truth(self.world, split, seed=study.seed)
        assert self.sample is not None
        uniform = study.split[0].uniform
        truth = sampled_truth(self.sample, split, source=self.sample_name, uniform=uniform, first_half=self.first_half)
        rule = study.relevance[0]
        if not rule.of_test(truth.ratings, split.train).any():
            top = truth.ratings.value.max()
            raise InputError(
                f"no rating of the truth that is not in train is relevant by {rule}",
                file=self.sample_name,
                found=float(top),
                expected="a highest rating that is relevant",
                hint="ratings of both tables must be on one scale, and the rule must fit it",
            )
        return truth

    def chances(self, split: Split) -> Chances | None:
        """How likely pairs were to be rated, where that is known."""
        train = split.train
        world, source = self.world, self.whole or self.source
        if world is not None:

            def of_world(user: Int32, item: Int32) -> Float64:
                users, place = np.unique(user, return_inverse=True)
                return world.propensity(codes_of(train.users.decode(users)))[place, codes_of(train.items.decode(item))]

            return Chances(of=of_world, source=str(source))
        if not isinstance(source, Reader) or not source.knows_propensities:
            return None

        def of_reader(user: Int32, item: Int32) -> Float64:
            chance = source.propensities_of(train.users.decode(user), train.items.decode(item))
            if self.first_half is None:
                return chance
            assert self.sample is not None
            first = np.bincount(self.sample.user, self.first_half, self.sample.n_users) / self.sample.user_counts
            return np.asarray(chance * first[self.sample.users.encode(train.users.decode(user))])

        return Chances(of=of_reader, source=str(source))


def data_of_draws(study: Study, *, halved: bool) -> Callable[[int], DrawnData]:
    """From the number of a draw to its data and truth; errors say what is missing.

    With `halved`, a sample that holds the observed ratings is halved, if the study allows it. `truth_design` of the study
    can ask for halves, or rule them out.
    """
    if len(study.data) != 1:
        raise SpecError(
            where="data",
            found=len(study.data),
            expected="one data set, which is held against its truth",
            hint="study them one by one",
        )
    [source] = study.data
    if isinstance(source, Reader) and source.simulated:
        simulated = source
        if halved and study.truth_design == "halves":
            raise NotApplicableError(
                "simulated data have a complete truth, and no sample to halve",
                where="truth_design",
                found=study.truth_design,
                hint="leave the key out",
            )

        def drawn(number: int) -> DrawnData:
            reader = simulated.redrawn(number)
            world = reader.truth()
            if world is None:
                raise NotApplicableError("the truth behind these ratings is not known", where="data", found=str(reader))
            return DrawnData(source=InMemory(world.interactions, name=str(reader)), world=world)

        return drawn
    truth = study.truth or (source.random_sample() if isinstance(source, Reader) else None)
    if truth is None:
        raise NotApplicableError(
            "these data have no truth: nothing says how users would have rated items that they did not choose",
            where="data",
            found=str(source),
            hint='name a table of ratings of randomly drawn items, truth = "random.csv", or use simulate, cm100k or coat',
        )
    sample = truth.read().interactions()
    if halved and study.truth_design != "whole":
        log = source.read()
        refusal = _why_not_halved(study, log, sample)
        if not refusal:
            return lambda number: halved_data(source, log, sample, seed=study.seed + number, sample_name=str(truth))
        if study.truth_design == "halves":
            raise NotApplicableError(
                "the sample cannot be halved",
                where="truth_design",
                found=refusal,
                expected="a random sample that holds the observed ratings",
                hint='leave the key out, or use "whole"',
            )
    drawn_data = DrawnData(source=source, sample=sample, sample_name=str(truth))
    return lambda number: drawn_data


def _why_not_halved(study: Study, log: Log, sample: Interactions) -> str:
    """What the sample holds if it cannot be halved; empty if it can."""
    if study.split[0].predefined:
        return f"ratings that {study.split[0]} divides beforehand"
    user, pair = _pairs_in(log, sample)
    sampled = sample.user.astype(np.int64) * sample.n_items + sample.item
    if np.isin(sampled, pair).all():
        return "nothing but the observed ratings"
    in_sample = user >= 0
    overlap, nested = overlap_with_sample(user[in_sample], pair[in_sample], sampled, sample.user_counts / sample.n_items)
    return "" if nested else f"{overlap:.0%} of the observed ratings in it"


def _pairs_in(log: Log, sample: Interactions) -> tuple[Int64, Int64]:
    """Users and pairs of each row of a log, in the codes of a sample; -1 for users and pairs that it lacks."""
    user, item = sample.users.encode(log.user_id).astype(np.int64), sample.items.encode(log.item_id).astype(np.int64)
    return user, np.where((user >= 0) & (item >= 0), user * sample.n_items + item, -1)


def halved_data(source: Source, log: Log, sample: Interactions, *, seed: int, sample_name: str) -> DrawnData:
    """The observed ratings of a random half of each user's sample, and the sample with that half marked.

    Example: of 97 sampled items of a user, 48 are in the first half.
    """
    chance = draws_of_pairs(rng.key(seed, "half of a random sample"), sample.user, sample.item)
    order = np.lexsort((chance, sample.user))
    place = np.empty(len(sample), np.int64)
    place[order] = np.arange(len(sample)) - sample.user_indptr[sample.user[order]]
    first = place < (sample.user_counts // 2)[sample.user]
    pairs = sample.user.astype(np.int64) * sample.n_items + sample.item
    _, observed = _pairs_in(log, sample)
    return DrawnData(
        source=InMemory(rows_of(log, np.isin(observed, pairs[first])), name=str(source)),
        whole=source,
        sample=sample,
        sample_name=sample_name,
        first_half=first,
        outside=int((~np.isin(observed, pairs)).sum()),
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Chances:
    """How likely pairs were to be rated, as the data set or the simulated world says."""

    of: Callable[[Int32, Int32], Float64]
    """From codes of users and items to the chance of each pair."""
    source: str

    def of_ratings(self, ratings: Interactions) -> Float64:
        """The chances of these ratings; InputError at the first that is no probability above 0."""
        chances = self.of(ratings.user, ratings.item)
        bad = ~((chances > 0) & (chances <= 1))
        if bad.any():
            row = int(np.argmax(bad))
            user, item = ratings.users.ids[ratings.user[row]], ratings.items.ids[ratings.item[row]]
            raise InputError(
                f"the propensity of item {item} for user {user}",
                file=self.source,
                found=float(chances[row]),
                expected="a number above 0 and at most 1",
                hint="ratings that could not have been made cannot be weighed by one over their chance",
            )
        return chances


def table_of_propensities(split: Split, chances: Chances | None) -> Side:
    """A row for each test rating with its propensity in test, given that it is not in train, of each kind.

    InputError where a known one is not above 0 and at most 1.
    """
    test, share = split.test, share_of_test(split)
    guesses = {"estimated": _estimated, "flat": _flat, "steep": _steep}
    columns = {kind: in_test_given_not_in_train(guess(split), share) for kind, guess in guesses.items()}
    if chances is not None:
        columns["known"] = in_test_given_not_in_train(chances.of_ratings(test), share)
    return pair_table(test, columns)


def pair_table(ratings: Interactions, columns: dict[str, Float64]) -> Side:
    """Numbers of pairs of a user and an item, as metrics look them up."""
    return Side(ratings.items.decode(ratings.item), pl.DataFrame(columns), TABLE, ratings.users.decode(ratings.user))


def _estimated(split: Split) -> Float64:
    users, items, total = _counts(split)
    return np.minimum(1.0, users[split.test.user] * items[split.test.item] / total)


def _flat(split: Split) -> Float64:
    _, _, total = _counts(split)
    return np.full(len(split.test), total / (split.train.n_users * split.train.n_items))


def _steep(split: Split) -> Float64:
    users, items, total = _counts(split)
    square = (users[split.test.user] * items[split.test.item] / total) ** 2
    sum_of_squares = (users**2).sum() * (items**2).sum() / total**2
    return np.asarray(np.minimum(1.0, square * total / sum_of_squares))


def _counts(split: Split) -> tuple[Float64, Float64, int]:
    """Observed ratings of each user and each item, and all of them."""
    users = (split.train.user_counts + split.test.user_counts).astype(np.float64)
    items = (split.train.item_counts + split.test.item_counts).astype(np.float64)
    return users, items, len(split.train) + len(split.test)
