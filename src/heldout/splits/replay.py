"""History replayed: a model for every moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from heldout import rng
from heldout.catalogue import param
from heldout.data.random_choice import lowest
from heldout.errors import InputError
from heldout.splits.parts import times_of
from heldout.splits.splitter import Divider, Hidden
from heldout.tables import Interactions
from heldout.tables.arrays import Int64


class Replay(Divider):
    """The fully time-consistent protocol: k sampled moments, each with its own training set of everything before it.

    Moment m_j trains on {r : t(r) < m_j} and tests on {r : m_j ≤ t(r) < m_{j+1}}, or on all that is later.

    Assumes: moments are drawn among the times of ratings, each rating as likely, after a first share of them, so that the
    first model has something to learn; no model ever sees the future. Every recommender is trained k times. What is
    neither before a moment nor tested is dropped and counted.

    Example: of ratings at times 1 to 10 and the moments 6 and 9, fold 1 trains on 1–5 and tests on 6–8, fold 2 trains on
    1–8 and tests on 9–10.
    """

    key = "replay"
    formula = "Tr_j = {r : t(r) < m_j}, Te_j = {r : m_j ≤ t(r) < m_{j+1}}"
    references = ("gunawardana2009",)
    drawn = "replay(times=2)"
    follows_time = True
    one_cut = True

    times: int = param(5, "number of moments", least=1, most=10_000, also=("k",))
    after: float = param(0.5, "share of the ratings before the first moment that can be drawn", above=0, below=1)
    until: Literal["next", "end"] = param("next", "what is tested: ratings up to the next moment, or up to the end")

    @property
    def folds_made(self) -> int:
        return self.times

    def hidden(self, data: Interactions, *, seed: int) -> Iterator[Hidden]:
        time = times_of(data, self)
        moments = self.moments(data, seed=seed)
        for k, moment in enumerate(moments):
            end = int(moments[k + 1]) if k + 1 < len(moments) and self.until == "next" else int(time.max()) + 1
            yield Hidden((time >= moment) & (time < end), (("after the next moment", time >= end),), cut=int(moment))

    def moments(self, data: Interactions, *, seed: int) -> Int64:
        """The moments, ascending; InputError when there are fewer distinct times."""
        time = times_of(data, self)
        place = int(np.floor(self.after * len(time)))
        bound = np.partition(time, place)[place]
        distinct, counts = np.unique(time[(time >= bound) & (time > time.min())], return_counts=True)
        if len(distinct) < self.times:
            raise InputError(
                "too few moments",
                found=len(distinct),
                expected=f"at least {self.times:,} distinct times after the first {self.after:g} of the ratings",
                hint="ask for fewer moments, or lower `after`",
            ).within(str(self))
        # The lowest of −log(u)/w are a sample without replacement by weight w.
        drawn = rng.uniform(rng.key(seed, "split replay"), distinct)
        return distinct[lowest(-np.log1p(-drawn) / counts, self.times)]

    def phrase(self) -> str:
        return f"at {self.times} sampled moments, systems trained on all earlier ratings and were tested on later ones"
