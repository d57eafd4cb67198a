"""Where ratings come from, and how the truth behind them is known: a simulated world, or a random sample of opinions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from heldout.biases.truth.propensities import Chances
from heldout.biases.truth.truth_table import TruthTable, complete_truth, sampled_truth
from heldout.data.memory import InMemory, Source
from heldout.data.reader import Reader
from heldout.data.world import World, codes_of
from heldout.errors import InputError, NotApplicableError, SpecError
from heldout.study.spec import Study
from heldout.tables import Interactions, Split
from heldout.tables.arrays import Float64, Int32


@dataclass(frozen=True, eq=False, kw_only=True)
class DrawnData:
    """The data of one draw, and how their truth is known."""

    source: Source
    world: World | None = None
    sample: Interactions | None = None
    """A random sample of what users would say; None where the world tells all of it."""
    sample_name: str = ""

    def truth(self, study: Study, split: Split) -> TruthTable:
        """The truth of the pairs that are not in train; InputError where it has nothing that is relevant."""
        if self.world is not None:
            return complete_truth(self.world, split, seed=study.seed)
        assert self.sample is not None
        truth = sampled_truth(self.sample, split, source=self.sample_name, uniform=study.split[0].uniform)
        rule = study.relevance[0]
        if not rule.of_test(truth.ratings, split.train).any():
            top = truth.ratings.value.max()
            raise InputError(
                f"no rating of the truth that is not in train is relevant by {rule}: the highest is {top:g}",
                file=self.sample_name,
                hint="ratings of both tables must be on one scale, and the rule must fit it",
            )
        return truth

    def chances(self, split: Split) -> Chances | None:
        """How likely pairs were to be rated, where that is known."""
        train = split.train
        world, source = self.world, self.source
        if world is not None:

            def of_world(user: Int32, item: Int32) -> Float64:
                users, place = np.unique(user, return_inverse=True)
                return world.propensity(codes_of(train.users.decode(users)))[place, codes_of(train.items.decode(item))]

            return Chances(of=of_world, source=str(source))
        if not isinstance(source, Reader) or not source.knows_propensities:
            return None

        def of_reader(user: Int32, item: Int32) -> Float64:
            return source.propensities_of(train.users.decode(user), train.items.decode(item))

        return Chances(of=of_reader, source=str(source))


def data_of_draws(study: Study) -> Callable[[int], DrawnData]:
    """From the number of a draw to its data and truth; errors say what is missing."""
    if len(study.data) != 1:
        raise SpecError(
            f"one data set is held against its truth, found {len(study.data)}", where="data", hint="study them one by one"
        )
    [source] = study.data
    if isinstance(source, Reader) and source.simulated:
        simulated = source

        def drawn(number: int) -> DrawnData:
            reader = simulated.redrawn(number)
            world = reader.truth()
            if world is None:
                raise NotApplicableError(f"{reader} does not tell the truth behind its ratings", where="data")
            return DrawnData(source=InMemory(world.interactions, name=str(reader)), world=world)

        return drawn
    truth = study.truth or (source.random_sample() if isinstance(source, Reader) else None)
    if truth is None:
        raise NotApplicableError(
            f"{source} has no truth: nothing says what users would have said of items that they did not choose",
            where="data",
            hint='name a table of ratings of randomly drawn items, truth = "random.csv", or use simulate, cm100k or coat',
        )
    drawn_data = DrawnData(source=source, sample=truth.read().interactions(), sample_name=str(truth))
    return lambda number: drawn_data
