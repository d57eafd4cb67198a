"""Rank-biased overlap."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import cutoff, param
from heldout.metrics.metric import Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64, Int64
from heldout.tables.memo import once


class RBO(Metric):
    """Rank-biased overlap of the user's ranked test items by score and by rating: how much their beginnings share.

    Assumes: the second order is by descending rating, equal ratings by descending score. `ext` takes the agreement at
    the last rank to go on, `min` takes nothing to agree beyond it, `res` is how much more could. All ratings equal is
    undefined, as the second order would be the first.

    Example: φ = 0.5, ratings 4, 5 in the order of the list: nothing is shared at depth 1, all at depth 2, so the
    extrapolated form is 1 · 0.5² + (0.5/0.5)(0 · 0.5 + 1 · 0.5²) = 0.5.
    """

    key = "RBO"
    by_relevance = "never"
    formula = "RBO_ext = (X_k/k) φ^k + ((1−φ)/φ) Σ_{d ≤ k} (X_d/d) φ^d, X_d items shared by the first d places"
    references = ("webber2010", "canamares2020")
    short_lists = "only ranked test items take part"
    needs_ties = True
    undefined = "all ranked test items have one rating, or there are none"
    claims = ("bounded", "ideal is 1")
    tasks = ("some_good_items",)

    phi: float = param(0.9, "probability of going on to the next rank", above=0, below=1, also=("φ", "p"))
    form: Literal["ext", "min", "res"] = param("ext", "extrapolated, least possible, or residual")
    n: int | None = cutoff(None, "depth at which both orders are cut; none takes all ranked test items")

    def measure(self, judged: Judged) -> Float64:
        overlap, depth = self._overlaps(judged), _depth_in_list(judged)
        sizes = np.diff(judged.indptr)
        last = sizes if self.n is None else np.minimum(sizes, self.n)
        phi, out = self.phi, np.full(len(judged), np.nan)
        varied = _varied(judged)
        at = judged.indptr[:-1][varied] + last[varied] - 1
        k, shared = last[varied].astype(np.float64), overlap[at].astype(np.float64)
        inside = depth <= np.repeat(last, sizes)
        powers = phi ** depth.astype(np.float64)
        if self.form == "ext":
            partial = judged.sum(np.where(inside, overlap / depth * powers, 0.0))[varied]
            out[varied] = shared / k * phi**k + (1 - phi) / phi * partial
        elif self.form == "min":
            beyond = overlap - np.repeat(_at(varied, shared, len(judged)), sizes)
            partial = judged.sum(np.where(inside, beyond / depth * powers, 0.0))[varied]
            out[varied] = (1 - phi) / phi * (partial - shared * np.log1p(-phi))
        else:
            out[varied] = _residual(phi, k, shared)
        return np.asarray(np.clip(out, 0.0, 1.0))

    def _overlaps(self, judged: Judged) -> Int64:
        def compute() -> Int64:
            from heldout.kernels.agreement import overlaps

            # Entries are by rank already, so a stable order by rating alone breaks ties by score.
            by_rating = np.lexsort((-judged.grade, judged.list_of))
            out = np.empty(len(by_rating), np.int64)
            overlaps(judged.indptr, by_rating - judged.indptr[judged.list_of], out)
            return out

        return once(judged, "overlaps", compute)


def _depth_in_list(judged: Judged) -> Int64:
    """1, 2, … within each list."""
    return np.arange(len(judged.rank)) - judged.indptr[judged.list_of] + 1


def _varied(judged: Judged) -> Int64:
    """The lists whose entries have more than one rating."""
    from heldout.metrics.correlation.pairs import pair_counts

    pairs = pair_counts(judged)
    return np.flatnonzero(pairs.agreeing + pairs.contrary + pairs.tied_scores > 0)


def _at(places: Int64, values: Float64, n: int) -> Float64:
    out = np.zeros(n)
    out[places] = values
    return out


def _residual(phi: float, k: Float64, shared: Float64) -> Float64:
    """What the ranks beyond k could add: each may bring two shared items until all agree, at depth f = 2k − X_k.

    Σ_{k<d≤f} (1−φ) φ^(d−1) (2d − f − X_k)/d + Σ_{d>f} (1−φ) φ^(d−1) (1 − X_k/d), with Σ_d φ^d/d = −ln(1−φ).
    """
    f = 2 * k - shared
    most = int(f.max(initial=0))
    d = np.arange(1.0, most + 1)
    harmonic = np.concatenate([[0.0], np.cumsum(phi**d / d)])  # Σ_{d ≤ m} φ^d/d
    to_k, to_f = harmonic[k.astype(np.int64)], harmonic[f.astype(np.int64)]
    rest = -np.log1p(-phi) - to_f
    near = 2 * (phi**k - phi**f) - (1 - phi) / phi * (f + shared) * (to_f - to_k)
    far = phi**f - (1 - phi) / phi * shared * rest
    return np.asarray(near + far)
