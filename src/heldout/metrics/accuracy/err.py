"""Expected reciprocal rank."""

from __future__ import annotations

from weakref import proxy

import numpy as np

from heldout.catalogue import Coerced, cutoff, param
from heldout.metrics.accuracy.rbp import refuse_large_gains
from heldout.metrics.ideal import depth_or_all
from heldout.metrics.metric import Gain, Metric
from heldout.tables import Judged, Running
from heldout.tables.arrays import Float64
from heldout.tables.memo import once


class ERR(Metric):
    """Expected reciprocal rank: one over the rank at which a user stops who may be satisfied by any item on the way.

    Assumes: the chance of stopping at an item is its gain, (2^r − 1)/2^rmax unless another is named, and unrated items
    never satisfy. With gain=binary it is the reciprocal rank.

    Example: top grade 1, relevant items at ranks 1 and 2: 1/2 + (1/2)(1 − 1/2)/2 = 0.625.
    """

    key = "ERR"
    by_relevance = "binary"
    formula = "ERR@n = Σ_{k ≤ n} (g_k / k) Π_{j < k} (1 − g_j)"
    references = ("chapelle2009",)
    claims = ("moving a relevant item up never lowers", "bounded")
    tasks = ("some_good_items",)
    interval_ok = True
    additive = True
    libraries = {"ir_measures (gdeval)": "the same with the top grade fixed at 4: ERR(gain=stop(4))"}

    gain: Coerced[Gain, str] = param("stop", "the chance that a rating satisfies: stop, chapelle, binary, exp2, table([…])")
    rel: float | None = param(None, "a rating from which items are relevant, for gain=binary")
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def check(self) -> None:
        refuse_large_gains(self.key, self.gain)

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        return once(judged, ("stops", self.gain, self.rel), lambda: self._running(judged)).upto(self.n)

    def _running(self, owner: Judged) -> Running:
        judged: Judged = proxy(owner)  # kept by what it would keep
        chances = self.gain.rows(owner.relevance, self.rel)

        def direct(n: int | None) -> Float64:
            from heldout.kernels.gains import stop_at

            out = np.empty(len(judged))
            stop_at(judged.indptr, judged.rank, judged.row, chances, depth_or_all(n), out)
            return out

        def cumulate() -> Float64:
            from heldout.kernels.gains import cumulate_stops

            out = np.empty(len(judged.rank))
            cumulate_stops(judged.indptr, judged.rank, judged.row, chances, out)
            return out

        return Running(owner.indptr, lambda n: judged.count(n), direct, cumulate)
