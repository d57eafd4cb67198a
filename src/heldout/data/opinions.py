"""What the users of a simulated world think of its items, whether they rate them or not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout import rng
from heldout.tables.arrays import Float64, Ints

_SAMPLE = 2_000_000


@dataclass(frozen=True, eq=False, kw_only=True)
class Opinions:
    """Opinion of user u on item i = taste of u · genre of i + appeal of i + noise."""

    seed: int
    taste: Float64
    """Users × genres."""
    genre: Float64
    """Items × genres, rows of length 1."""
    appeal: Float64
    """What an item's quality adds to every user's opinion of it."""
    noise: float

    def of_pairs(self, user: Ints, item: Ints) -> Float64:
        """The opinions of these pairs."""
        opinion = affinity(self.taste, self.genre, user, item)
        opinion += self.appeal[item] + opinion_noise(self.seed, self.noise, user, item)
        return opinion

    def ratings(self, users: Ints, cuts: Float64) -> Float64:
        """What these users would rate every item, 1 to the number of levels: users × items."""
        codes = np.asarray(users, dtype=np.int64)
        opinion = self.of_pairs(codes[:, None], np.arange(len(self.genre))[None, :])
        return (1 + np.searchsorted(cuts, opinion, side="right")).astype(np.float64)

    def cuts(self, shares: Float64) -> Float64:
        """Opinions at which the rating goes up by one, such that all ratings have these shares.

        Of more than 2,000,000 pairs, so many are drawn to find them.
        """
        n_users, n_items = len(self.taste), len(self.genre)
        if n_users * n_items <= _SAMPLE:
            opinion = self.of_pairs(np.arange(n_users)[:, None], np.arange(n_items)[None, :])
        else:
            draw = rng.stream(self.seed, "simulate cuts")
            opinion = self.of_pairs(draw.integers(0, n_users, _SAMPLE), draw.integers(0, n_items, _SAMPLE))
        return cut_points(opinion, shares)


def cut_points(opinion: Float64, shares: Float64) -> Float64:
    """The opinions that cut these into levels of the given shares."""
    return np.quantile(opinion, np.cumsum(shares)[:-1]) if len(shares) > 1 else np.empty(0)


def affinity(taste: Float64, genre: Float64, user: Ints, item: Ints) -> Float64:
    """How much users' tastes meet items' genres; summed genre by genre, since BLAS sums depend on the block."""
    total = np.zeros(np.broadcast_shapes(user.shape, item.shape))
    for k in range(taste.shape[1]):
        total += taste[user, k] * genre[item, k]
    return total


def opinion_noise(seed: int, scale: float, user: Ints, item: Ints) -> Float64:
    """Logistic noise of standard deviation `scale` for pairs, the same whenever it is asked for."""
    u = draws_of_pairs(rng.key(seed, "simulate opinion"), user, item)
    np.clip(u, 1e-12, 1 - 1e-12, out=u)
    u /= 1 - u
    np.log(u, out=u)
    u *= scale * np.sqrt(3) / np.pi
    return u


def draws_of_pairs(key: int, user: Ints, item: Ints) -> Float64:
    """What `rng.uniform` gives for these pairs, without its intermediate arrays."""
    from heldout.kernels.grouping import pair_draws

    shape = np.broadcast_shapes(user.shape, item.shape)
    out = np.empty(shape)
    first, second = (np.ascontiguousarray(np.broadcast_to(x, shape)).ravel() for x in (user, item))
    pair_draws(np.uint64(key), first, second, out.ravel())
    return out
