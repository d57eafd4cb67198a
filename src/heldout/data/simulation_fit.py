"""The parameters under which `simulate` resembles a real data set."""

from __future__ import annotations

import numpy as np

from heldout.data.profile import gini
from heldout.data.readers.simulate import Simulate
from heldout.errors import InputError
from heldout.tables import Interactions
from heldout.tables.arrays import Float64, Int64

_LEVELS, _POINTS = 20, 5000
_AT = (np.arange(4096) + 0.5) / 4096


def fitted(data: Interactions, *, seed: int = 1) -> Simulate:
    """Simulated data of the same size whose popularity, activity and rating shares are those of `data`.

    α, c1 ≥ 0 and c2 minimise the squared difference between the curve c1 + β (c2 + k)^(−α) and the items' counts, with β
    such that both have the same sum (MovieLens 1M: α = 1.47); the spread of activity is that with the users' Gini.
    Ratings are cut into as many levels as there are distinct ones, up to 20.
    """
    counts = np.sort(data.item_counts[data.item_counts > 0])[::-1]
    users = data.active_users
    if len(counts) < 3 or len(data) < max(users, len(counts)):
        raise InputError(
            f"{len(counts):,} items and {users:,} users are too few to fit a popularity curve",
            found=len(data),
            expected="at least 3 items, and as many ratings as items and as users",
        )
    alpha, c1, c2 = popularity_fit(counts)
    values, frequencies = np.unique(data.value, return_counts=True)
    if len(values) <= _LEVELS:
        levels, shares = len(values), frequencies / frequencies.sum()
    else:
        levels, shares = 5, np.full(5, 0.2)
    shares = np.round(shares, 6)
    shares[-1] = 1 - shares[:-1].sum()
    make: type = Simulate
    simulator: Simulate = make(
        users=users,
        items=len(counts),
        ratings=len(data),
        alpha=alpha,
        c1=c1,
        c2=c2,
        levels=levels,
        prior=tuple(float(round(s, 6)) for s in shares),
        activity=activity_fit(data.user_counts[data.user_counts > 0]),
        seed=seed,
    )
    return simulator


def popularity_fit(counts: Int64) -> tuple[float, float, float]:
    """α, c1 and c2 of item counts in descending order.

    Example: counts that are 2 + 1000 (10 + k)^(−1) give α ≈ 1, c1 ≈ 2 and c2 ≈ 10.
    """
    from scipy.optimize import least_squares

    n, total = len(counts), float(counts.sum())
    place = np.arange(1, n + 1)
    some = np.unique(np.linspace(0, n - 1, min(n, _POINTS)).round().astype(np.int64))

    def law(parameters: Float64) -> Float64:
        alpha, root, log_c2 = parameters
        shape = (np.exp(log_c2) + place) ** -alpha
        c1 = min(root**2, float(total / n) * 0.999)
        return np.asarray(c1 + shape * ((total - c1 * n) / shape.sum()))

    def residual(parameters: Float64) -> Float64:
        return np.asarray((law(parameters)[some] - counts[some]) / counts[0])

    best = min(
        (
            least_squares(residual, (a, 1.0, np.log(c2)), bounds=((0.0, 0.0, -7.0), (20.0, np.inf, np.log(50.0 * n))))
            for a in (0.6, 1.4)
            for c2 in (5.0, 50.0, n / 10)
        ),
        key=lambda candidate: candidate.cost,
    )
    alpha, root, log_c2 = best.x
    c1 = min(root**2, float(total / n) * 0.999)
    return round(float(alpha), 4), round(float(c1), 4), round(float(np.exp(log_c2)), 3)


def activity_fit(counts: Int64) -> float:
    """The spread of activity 0.6 + exp(s z), z standard normal, that has the Gini of these counts."""
    from scipy.special import ndtri

    wanted, z = gini(counts), ndtri(_AT)
    low, high = 0.0, 4.0
    for _ in range(50):
        middle = (low + high) / 2
        activity = np.sort(0.6 + np.exp(middle * z))
        place = np.arange(1, len(z) + 1)
        reached = 2 * (place * activity).sum() / (len(z) * activity.sum()) - (len(z) + 1) / len(z)
        low, high = (middle, high) if reached < wanted else (low, middle)
    return round(high, 4)
