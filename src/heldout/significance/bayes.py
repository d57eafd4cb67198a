"""The Bayesian sign and signed-rank tests with a region of practical equivalence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from heldout import rng, threads
from heldout.catalogue import param
from heldout.significance.differences import checked_rows, differences
from heldout.significance.significance_test import Test, no_p
from heldout.tables.arrays import Float64, Int64

_AT_ONCE = 500


class Bayes(Test):
    """How probable it is that a is better than b, worse, or practically the same: the Bayesian signed-rank or sign test.

    Formula: differences d_u and one pseudo-difference 0 of weight `prior` get weights w ~ Dirichlet(prior, 1, …, 1);
    signed_rank: θ_better = Σ_ij w_i w_j [d_i + d_j > 2·rope], θ_worse likewise below −2·rope, θ_equal the rest; sign:
    the same with d_i alone. Of `samples` draws, the share in which each θ is the greatest.

    Assumes: a difference of at most `rope`, on the scale that is compared, makes no difference in practice: choose it
    before looking. It gives probabilities of hypotheses, no p-values, and needs no correction. `signed_rank` takes
    differences to be symmetric about their median. All pairs share the weights.

    Example: ten users each 0.2 apart with rope = 0.01: all weight but the pseudo-difference's is on one side, and θ_better
    is the greatest in nearly every draw.
    """

    key = "bayes"
    aliases = ("bayesian",)
    formula = "P(θ_better > max(θ_equal, θ_worse))"
    references = ("benavoli2017",)
    compares = "ranks"
    has_p = False
    rope: float = param(0.01, "differences up to this size are practically none", least=0.0)
    statistic: Literal["signed_rank", "sign"] = param("signed_rank", "pairs of users, or users alone", also=("method",))
    prior: float = param(0.5, "weight of the pseudo-difference 0", above=0.0)
    samples: int = param(5000, "draws from the posterior", least=1, most=1_000_000)

    def p_values(self, columns: Float64, pairs: Int64, *, seed: int, weights: Float64 | None = None) -> Float64:
        """None: it gives probabilities of hypotheses instead."""
        return no_p(pairs)

    def figures(self, columns: Float64, pairs: Int64, *, seed: int, weights: Float64 | None = None) -> Mapping[str, Float64]:
        """The probabilities that a's values are greater ("better"), practically equal, or less ("worse")."""
        self.refuse_weights(weights)
        rows = checked_rows(columns, pairs)
        shares = np.zeros((len(pairs), 3))
        for part, d in differences(rows, pairs):
            with_prior = np.concatenate([np.zeros((len(d), 1)), d], axis=1)
            of_part = list(threads.run_all(lambda of_pair: self._posterior(of_pair, seed), with_prior))
            shares[part] = np.array(of_part).reshape(-1, 3)
        return dict(zip(("better", "equal", "worse"), shares.T, strict=True))

    def _posterior(self, d: Float64, seed: int) -> Float64:
        """Shares of draws in which each θ is the greatest; a tie goes to practical equivalence."""
        if self.statistic == "sign":
            theta = self._sign_draws(d, seed)
            return _shares(theta)
        total = np.zeros(3)
        for start in range(0, self.samples, _AT_ONCE):
            total += _shares(self._rank_draws(d, seed, start)) * min(_AT_ONCE, self.samples - start)
        return total / self.samples

    def _sign_draws(self, d: Float64, seed: int) -> Float64:
        """Draws of (better, equal, worse): sums of Dirichlet weights are Dirichlet with summed parameters."""
        inside = np.abs(d) <= self.rope + _margin(d)
        inside[0] = True
        weight = np.concatenate([[self.prior], np.ones(len(d) - 1)])
        alpha = np.array([weight[~inside & (d > 0)].sum(), weight[inside].sum(), weight[~inside & (d < 0)].sum()])
        drawn = np.zeros((self.samples, 3))
        stream = rng.stream(seed, "bayesian sign test")
        for k in range(3):
            uniform = stream.random(self.samples)
            if alpha[k] > 0:
                from scipy.special import gammaincinv

                drawn[:, k] = gammaincinv(alpha[k], uniform)
        return drawn

    def _rank_draws(self, d: Float64, seed: int, start: int) -> Float64:
        """Draws of (better, equal, worse): of sorted differences the partners beyond the region are a prefix or a suffix."""
        from heldout.kernels.resampling import signed_rank_draws

        order = np.argsort(d, kind="stable")
        z = d[order]
        margin = _margin(z)
        above = np.searchsorted(z, 2 * self.rope - z + margin, side="right").astype(np.int64)
        below = np.searchsorted(z, -2 * self.rope - z - margin, side="left").astype(np.int64)
        n = min(_AT_ONCE, self.samples - start)
        stream = rng.stream(seed, "bayesian signed-rank test", start)
        weights = stream.standard_exponential((n, len(d)))
        weights[:, 0] = stream.standard_gamma(self.prior, n)
        theta = np.empty((n, 3))
        signed_rank_draws(weights, order.astype(np.int64), above, below, theta)
        return theta

    def phrase(self) -> str:
        return (
            f"the Bayesian {self.statistic.replace('_', '-')} test with a region of practical equivalence of ±{self.rope:g}"
        )


def _margin(d: Float64) -> float:
    """What rounding may add to a difference: 0.3 − 0.29 is within a region of 0.01."""
    return 1e-12 * float(np.abs(d).max(initial=0.0))


def _shares(theta: Float64) -> Float64:
    better, equal, worse = theta.T
    first = (better > equal) & (better > worse)
    last = (worse > equal) & (worse > better)
    return np.array([first.mean(), (~(first | last)).mean(), last.mean()])
