"""Whom an item meets in a simulated world: draws without replacement whose probabilities are known exactly."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import kernel


def _pulls(taste: Any, genre: Any, first: int, last: int, bits: Any, scale: Any, out: Any) -> None:
    n = last - first
    x = np.zeros(n, np.float32)
    for k in range(len(taste)):
        x += taste[k, first:last] * genre[k]
    x = np.minimum(np.maximum(x, np.float32(-79.0)), np.float32(79.0))
    whole = np.floor(x)
    bits[:n] = (whole.astype(np.int32) + np.int32(127)) << np.int32(23)
    f = x - whole
    series: Any = np.float32(1.8775767e-3)
    for term in (8.9893397e-3, 5.5826318e-2, 2.4015361e-1, 6.9315308e-1, 9.9999994e-1):
        series = series * f + np.float32(term)
    out[:n] = series * scale[:n]


@kernel(small=_pulls, steps=lambda *, taste, first, last, **_: 20 + (last - first) * len(taste) // 20)
def pulls(taste: Any, genre: Any, first: int, last: int, bits: Any, scale: Any, out: Any) -> None:
    """exp of taste · genre for users first…last − 1 and one item, into `out` from 0 on.

    Tastes are genres × users, times pull ÷ log 2, so that 2ˣ is wanted: a polynomial for the fraction of x, and the whole
    part written into the exponent of a float (`scale` is `bits` seen as float32). About seven digits, and the same on
    every machine. x is held within ±79.
    """
    n = last - first
    for u in range(n):
        out[u] = np.float32(0.0)
    for k in range(taste.shape[0]):
        g = genre[k]
        row = taste[k, first:last]
        for u in range(n):
            out[u] += row[u] * g
    for u in range(n):
        x = min(max(out[u], np.float32(-79.0)), np.float32(79.0))
        whole = np.floor(x)
        bits[u] = (np.int32(whole) + np.int32(127)) << np.int32(23)
        f = x - whole
        series = np.float32(1.8775767e-3)
        series = series * f + np.float32(8.9893397e-3)
        series = series * f + np.float32(5.5826318e-2)
        series = series * f + np.float32(2.4015361e-1)
        series = series * f + np.float32(6.9315308e-1)
        out[u] = series * f + np.float32(9.9999994e-1)
    for u in range(n):
        out[u] *= scale[u]


@kernel(steps=lambda *, taste, genres, first, last, **_: len(genres) * (last - first))
def add_chances(taste: Any, genres: Any, counts: Any, first: int, last: int, bits: Any, scale: Any, chances: Any) -> None:
    """For users first…last − 1 the sum over items of count × pull."""
    pull = np.empty(last - first, np.float32)
    chances[first:last] = 0.0
    for i in range(genres.shape[0]):
        pulls(taste, genres[i], first, last, bits, scale, pull)
        many = counts[i]
        for u in range(last - first):
            chances[first + u] += pull[u] * many


@kernel
def scale_to_sum(weight: Any, n: int) -> Any:
    """λ such that the sum of min(1, λ w) is n."""
    capped, total, highest = 0, 0.0, 0.0
    for w in weight:
        total += w
        highest = max(highest, w)
    rate = n / total if total > 0 else 0.0
    while True:
        over, rest = 0, 0.0
        if rate * highest >= 1.0:
            for w in weight:
                if rate * w >= 1.0:
                    over += 1
                else:
                    rest += w
        if over == capped or rest <= 0.0:
            return rate
        capped = over
        rate = (n - over) / rest


@kernel(steps=lambda *, taste, first, last, **_: 4 * (last - first) * taste.shape[1])
def draw_items(
    taste: Any,
    base: Any,
    genres: Any,
    counts: Any,
    starts: Any,
    strides: Any,
    keys: Any,
    bits: Any,
    scale: Any,
    first: int,
    last: int,
    user: Any,
    rates: Any,
) -> None:
    """For items first…last − 1 exactly `counts[i]` users, each with the probability min(1, λ_i × base × pull).

    Systematic sampling (Madow 1949): users stand in a line of segments as long as their probabilities, and a comb of
    teeth one apart, laid at random, meets each segment with just that probability. The line is walked in strides of its
    own for every item, so that neighbours differ. Writes `user[starts[i]:starts[i + 1]]`, ascending, and λ.
    """
    n_users = taste.shape[1]
    pull = np.empty(n_users, np.float32)
    weight = np.empty(n_users, np.float64)
    taken = np.zeros(n_users, np.bool_)
    for i in range(first, last):
        pulls(taste, genres[i], 0, n_users, bits, scale, pull)
        for u in range(n_users):
            weight[u] = base[u] * pull[u]
        n = counts[i]
        rate = scale_to_sum(weight, n)
        rates[i] = rate
        taken[:] = False
        tooth, reached, met, u = keys[i], 0.0, 0, 0
        for _ in range(n_users):
            reached += min(1.0, rate * weight[u])
            if reached > tooth and met < n:
                taken[u] = True
                met += 1
                tooth += 1.0
            u += strides[i]
            if u >= n_users:
                u -= n_users
        while met < n:  # a sum that fell short by rounding leaves the last tooth in the air
            if not taken[u]:
                taken[u] = True
                met += 1
            u += strides[i]
            if u >= n_users:
                u -= n_users
        at = starts[i]
        for u in range(n_users):
            if taken[u]:
                user[at] = u
                at += 1
