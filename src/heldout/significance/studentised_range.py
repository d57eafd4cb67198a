"""The distribution of the studentised range, many values at once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from heldout.tables.arrays import Float64

_INNER = 160
_INFINITE = 1e10
"""Degrees of freedom from which the standard deviation counts as known."""
_LEAST = 1e-14
"""The least tail that is told for an estimated s, below which digits are lost."""
_AT_ONCE = 1 << 21


def range_sf(q: Float64, groups: int, degrees: float = np.inf) -> Float64:
    """P(range of `groups` standard normal values ÷ an independent s > q), s with `degrees` of freedom (∞: s = 1).

    Gauss–Legendre quadrature of k ∫ φ(z) [Φ(z) − Φ(z − q)]^(k−1) dz, and over s; absolute error below 1e-12.
    """
    q = np.asarray(q, dtype=np.float64)
    flat = np.maximum(q.ravel(), 0.0)
    if degrees > _INFINITE:
        return _normal_sf(flat, groups).reshape(q.shape)
    s, density = _spread_nodes(float(degrees))
    step = max(1, _AT_ONCE // (_INNER * len(s)))
    p = np.empty(len(flat))
    for start in range(0, len(flat), step):
        part = flat[start : start + step]
        given_s = _normal_sf(np.outer(part, s).ravel(), groups).reshape(len(part), -1)
        p[start : start + step] = (given_s * density).sum(axis=1)
    return np.where(flat == 0, 1.0, np.clip(p, _LEAST, 1.0)).reshape(q.shape)


@lru_cache(maxsize=256)
def range_quantile(level: float, groups: int, degrees: float = np.inf) -> float:
    """The q with range_sf(q) = level."""
    from scipy.optimize import brentq

    quantile = brentq(lambda q: float(range_sf(np.array([q]), groups, degrees)[0]) - level, 0.0, 400.0, xtol=1e-12)
    return float(quantile)


def _normal_sf(q: Float64, groups: int) -> Float64:
    """The same with s = 1: k ∫ φ(z) {Φ(z)^(k−1) − [Φ(z) − Φ(z − q)]^(k−1)} dz, which keeps the digits of small tails."""
    from scipy.special import log_ndtr, ndtr

    x, weight = _nodes()
    p = np.empty(len(q))
    step = max(1, _AT_ONCE // len(x))
    for start in range(0, len(q), step):
        part = q[start : start + step, None]
        z = 9.0 * x + part / 2  # what is lost lies about the middle of the range
        log_below = log_ndtr(z)
        # a^m − (a − t)^m = a^m (1 − (1 − t/a)^m), by expm1 and log1p
        share = np.minimum(ndtr(z - part) / np.exp(log_below), 1.0)
        with np.errstate(divide="ignore"):
            lost = -np.expm1((groups - 1) * np.log1p(-share))
        density = np.exp((groups - 1) * log_below - 0.5 * z * z) / np.sqrt(2 * np.pi)
        # Summed row by row, so that a value does not depend on those it is computed with.
        p[start : start + step] = (lost * density * weight).sum(axis=1)
    p = np.clip(9.0 * groups * p, 0.0, 1.0)
    p[q == 0] = 1.0
    return p


@lru_cache(maxsize=1)
def _nodes() -> tuple[Float64, Float64]:
    return np.polynomial.legendre.leggauss(_INNER)


@lru_cache(maxsize=64)
def _spread_nodes(degrees: float) -> tuple[Float64, Float64]:
    """Nodes s and weights times the density of s = √(χ²/ν)."""
    from scipy.special import chdtri, gammaln

    low = np.sqrt(chdtri(degrees, 1.0 - 1e-15) / degrees)
    high = np.sqrt(chdtri(degrees, 1e-16) / degrees)
    x, w = np.polynomial.legendre.leggauss(64 if degrees < 50 else 32)  # the density narrows as degrees grow
    s = (high - low) / 2 * x + (high + low) / 2
    v = degrees
    log = (v / 2) * np.log(v / 2) - gammaln(v / 2) + np.log(2.0) + (v - 1) * np.log(s) - v * s * s / 2
    density = np.exp(log) * w * (high - low) / 2
    return s, density / density.sum()
