"""How far rankings of the same systems agree: Kendall's τ-b, τ_AP and rank-biased overlap.

A ranking is a row of values, one for each system, higher being better. Systems of equal value are tied, also where their
values are equal but for the order in which a sum was added up.
"""

from __future__ import annotations

import numpy as np

from heldout.tables.arrays import Float64

ROUNDING = 1e-12
"""Values that differ by less than this share of the largest of their ranking are equal: sums of the same numbers do."""


def tau_b(rankings: Float64, others: Float64) -> Float64:
    """Kendall's τ-b of every row of `rankings` with every row of `others`.

    Formula: with s(a, b) = sign(value of a − value of b) over all pairs of systems, Σ s s′ ÷ √(Σ s² Σ s′²). NaN where a row
    ties all systems or lacks a value.

    Example: 3, 2, 1 and 3, 1, 2: signs (1, 1, 1) and (1, 1, −1), so τ = 1/3.
    """
    cosines: Float64 = np.clip(_unit_signs(rankings) @ _unit_signs(others).T, -1.0, 1.0)
    return cosines


def _unit_signs(rankings: Float64) -> Float64:
    """The signs of all pairs as a vector of length 1; NaN where all are tied."""
    rankings = _settled(rankings)
    first, second = np.triu_indices(rankings.shape[-1], 1)
    signs = np.sign(rankings[..., first] - rankings[..., second])
    length = np.sqrt(np.sum(signs**2, axis=-1, keepdims=True))
    unit: Float64 = np.divide(signs, length, out=np.full_like(signs, np.nan), where=length > 0)
    return unit


def _settled(rankings: Float64) -> Float64:
    """The rankings with values that are equal but for rounding made equal: the least of them stands for all."""
    order = np.argsort(rankings, axis=-1, kind="stable")
    ascending = np.take_along_axis(rankings, order, axis=-1)
    largest = np.where(np.isfinite(rankings), np.abs(rankings), 0.0).max(axis=-1, keepdims=True, initial=0.0)
    begins = np.ones(rankings.shape, np.bool_)
    begins[..., 1:] = ~(np.diff(ascending, axis=-1) <= ROUNDING * largest)
    least = np.maximum.accumulate(np.where(begins, np.arange(rankings.shape[-1]), 0), axis=-1)
    settled = np.empty_like(rankings)
    np.put_along_axis(settled, order, np.take_along_axis(ascending, least, axis=-1), axis=-1)
    return settled


def tau_ap(rankings: Float64) -> Float64:
    """τ_AP between all rows, which counts mistakes among the best systems more: rows × rows.

    τ_AP takes one of two rankings as the reference; the mean of both ways is given, so the matrix is symmetric. Pairs of
    systems that are tied in either ranking are left out.
    """
    from heldout.kernels.agreement import tau_ap_lists

    rankings = _settled(rankings)
    rows, systems = rankings.shape
    indptr = np.arange(rows + 1, dtype=np.int64) * systems
    one_way = np.empty((rows, rows))
    for k, ranking in enumerate(rankings):
        order = np.argsort(-ranking, kind="stable")
        above = np.searchsorted(-ranking[order], -ranking[order], side="left").astype(np.int32)
        references = np.ascontiguousarray(rankings[:, order]).ravel()
        tau_ap_lists(indptr, np.tile(above, rows), references, one_way[k])
    missing = np.isnan(rankings).any(axis=1)
    one_way[missing] = one_way[:, missing] = np.nan
    return (one_way + one_way.T) / 2


def rank_biased_overlap(rankings: Float64, persistence: float = 0.9) -> Float64:
    """Rank-biased overlap between all rows, extrapolated (RBO_EXT of Webber, Moffat and Zobel 2010): rows × rows.

    Formula: p^k + (1 − p)/p Σ_d X_d/d · p^d with X_d the systems that the first d places share, of k in all. Tied systems
    stand in the order in which they are listed.
    """
    rankings = _settled(rankings)
    rows, systems = rankings.shape
    places = np.empty((rows, systems), np.int64)
    order = np.argsort(-rankings, axis=1, kind="stable")
    np.put_along_axis(places, order, np.arange(systems)[None, :], axis=1)
    depth = np.arange(1, systems + 1)
    weights = (1 - persistence) / persistence * persistence**depth / depth
    # Two orders share X_d systems in their first d places: those whose later place is below d.
    shared = np.zeros((rows, rows))
    for k in range(rows):
        later = np.maximum(places[k], places)
        counts = np.stack([np.bincount(row, minlength=systems) for row in later])
        shared[k] = np.cumsum(counts, axis=1) @ weights
    overlap: Float64 = shared + persistence**systems
    missing = np.isnan(rankings).any(axis=1)
    overlap[missing] = overlap[:, missing] = np.nan
    return overlap
