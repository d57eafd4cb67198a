"""Rank-biased precision."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import Coerced, cutoff, param
from heldout.errors import SpecError
from heldout.metrics.discounts.rbp import Geometric
from heldout.metrics.expected import expected_gain
from heldout.metrics.ideal import discounted
from heldout.metrics.metric import Gain, Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class RBP(Metric):
    """Rank-biased precision: the rate at which a user gains who goes on to each next rank with probability φ.

    Assumes: gains within 0…1 (linear is refused); unrated items gain 0, and what they might have gained is the residual
    reported beside.

    Example: φ = 0.5, relevant items at ranks 1 and 3: 0.5 · (1 + 0.25) = 0.625.
    """

    key = "RBP"
    by_relevance = "binary"
    formula = "RBP@n = (1 − φ) Σ_{k ≤ n} g_k φ^(k−1)"
    references = ("moffat2008",)
    claims = ("moving a relevant item up never lowers", "bounded")
    tasks = ("some_good_items",)
    interval_ok = True
    additive = True
    libraries = {
        "ir_measures (cwl-eval), LensKit": "the same, with binary gains; LensKit's φ is 0.85 unless said",
        "ranx": "rbp.80 is φ = 0.8; grades above 1 count as gains",
    }

    phi: float = param(0.8, "probability of going on to the next rank", above=0, below=1, also=("φ", "p"))
    gain: Coerced[Gain, str] = param(
        "binary", "how a rating becomes gain: binary, exp2, chapelle, chapelle_scaled, table([…])"
    )
    rel: float | None = param(None, "a rating from which items are relevant, for gain=binary")
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def check(self) -> None:
        refuse_large_gains(self.key, self.gain)

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        return (1 - self.phi) * discounted(judged, self.gain, self.rel, Geometric(phi=self.phi), self.n)

    def expected(self, judged: Judged) -> Float64:
        """Over all orders of tied items."""
        gains = self.gain.rows(judged.relevance, self.rel)
        return (1 - self.phi) * expected_gain(judged, gains, Geometric(phi=self.phi).weight, self.n)

    def beside(self) -> tuple[Metric, ...]:
        """The residual."""
        return (RBPResidual(phi=self.phi, n=self.n),)


class RBPResidual(Metric):
    """The residual of rank-biased precision: how much higher it would be, were all unrated items of full gain.

    Assumes: ranks past the end of the list or the cut-off count as unrated.

    Example: φ = 0.5, a list of two, the first rated: 1 − 0.5 = 0.5.
    """

    key = "RBPResidual"
    formula = (
        "(1 − φ) Σ φ^(k−1) over unrated ranks k ≤ n or past the list's end, plus φ^n = 1 − (1 − φ) Σ_{rated k ≤ n} φ^(k−1)"
    )
    references = ("moffat2008",)
    claims = ("bounded",)
    direction = "none"

    phi: float = param(0.8, "probability of going on to the next rank", above=0, below=1, also=("φ", "p"))
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        seen = judged.sum(Geometric(phi=self.phi).of_entries(judged), self.n)
        return np.maximum(1 - (1 - self.phi) * seen, 0.0)


def refuse_large_gains(key: str, gain: Gain) -> None:
    """Raise SpecError if gains may be above 1."""
    if not gain.within_one:
        raise SpecError(
            where=f"{key}: 'gain'",
            found=str(gain),
            expected="gains from 0 to 1",
            hint="use binary, exp2, chapelle or chapelle_scaled, or a table of gains up to 1",
        )
