"""Ratings missing by what a recommender showed."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.data.missingness import Missingness, Nature, Observed, PairChances, pair_draws
from heldout.tables.arrays import Bool, Float64, Ints, frozen


class ByRecommender(Missingness):
    """A recommender shows items, users rate what they are shown, and the recommender learns from that, round by round.

    In each of T rounds a user rates about m = |R| / (|U| T) items not rated before: a share `explore` of them drawn from
    all, the others from the list of the recommender, the item at rank k ≤ `shown` in proportion to 1/k. The recommender
    scores an item by how often it was liked together with what the user liked: Σ_j c_ij over liked j, where c_ij counts the
    users who like both and liked is the upper half of the levels. Before the first round nothing is known, and all of it
    explores.

    Assumes: nobody rates outside what is shown. Propensities are 1 − Π_t (1 − s_t), with s_t the chance of round t given the
    rounds before; they are not exact, since a pair's own rating would have changed what later rounds showed.

    Example: rounds = 1 is completely at random.
    """

    key = "by_recommender"
    aliases = ("feedback",)
    inexact = "a pair's own rating changes what later rounds show"
    formula = "s_t(u, i) = min(1, m (ε / n_u + (1 − ε) [k ≤ N] (1/k) / Σ_{j ≤ N} 1/j))"
    references = ("chaney2018",)

    rounds: int = param(4, "T, how often the recommender learns", least=1, most=100)
    explore: float = param(0.2, "ε, the share that is drawn from all items", above=0, most=1)
    shown: int = param(50, "N, the length of the recommender's lists", least=1)

    def chances(self, nature: Nature) -> Float64:
        return self._rounds(nature)[1]

    def observe(self, nature: Nature) -> Observed:
        when, chance = self._rounds(nature)
        user, item = np.nonzero(when >= 0)
        return Observed(
            user=frozen(user, np.int32),
            item=frozen(item, np.int32),
            observation=PairChances(frozen(chance, np.float64)),
            round=frozen(when[user, item], np.int32),
        )

    def _rounds(self, nature: Nature) -> tuple[Float64, Float64]:
        """The round in which each pair was rated, −1 where in none, and how likely it was to be in some."""
        liked = nature.grades > (nature.grades.min() + nature.grades.max()) / 2
        when = np.full(nature.shape, -1.0)
        never = np.ones(nature.shape)
        for number in range(self.rounds):
            chance = self._shown(nature, when >= 0, liked, first=number == 0)
            drawn = (when < 0) & (pair_draws(nature, f"simulate round {number}") < chance)
            never *= 1 - chance
            when[drawn] = number
        return when, 1 - never

    def _shown(self, nature: Nature, rated: Bool, liked: Bool, *, first: bool) -> Float64:
        """The chance of every pair in one round; of a pair rated before, what it would be had it not been."""
        users, items = nature.shape
        each = nature.ratings / (users * self.rounds)
        left = np.maximum(1, items - rated.sum(axis=1, keepdims=True) + rated)
        explore = 1.0 if first else self.explore
        chance = each * explore / left
        if not first:
            # whole numbers below 2^53, so that products are exact whatever the order of their sums
            positive = (rated & liked).astype(np.float64)
            together = positive.T @ positive
            score = positive @ together
            order = np.argsort(-score, axis=1, kind="stable")
            unrated = np.take_along_axis(~rated, order, axis=1)
            rank = np.empty_like(order)
            np.put_along_axis(rank, order, np.cumsum(unrated, axis=1) + ~unrated, axis=1)
            for user in range(users):
                own = np.flatnonzero(positive[user])
                rank[user, own] = _ranks_without(own, ~rated[user], score[user], together)
            weight = np.where(rank <= self.shown, 1 / rank, 0.0) / (1 / np.arange(1, min(self.shown, items) + 1)).sum()
            chance += each * (1 - explore) * weight
        return np.asarray(np.minimum(1.0, chance))


def _ranks_without(own: Ints, unrated: Bool, score: Float64, together: Float64) -> Ints:
    """The ranks of a user's liked items, each as if the user had not rated it, among the unrated ones.

    Without item i, Σ_j c_kj of an unrated item k loses c_ki; that of i itself loses c_ii, and 1 for each of the user's other
    liked items, since the user is no longer one who likes both.
    """
    others = np.flatnonzero(unrated)
    of_others = score[others] - together[own][:, others]
    of_own = (score[own] - together[own, own] - (len(own) - 1))[:, None]
    ahead = (of_others > of_own) | ((of_others == of_own) & (others < own[:, None]))
    return np.asarray(1 + ahead.sum(axis=1))
