"""Ratings from a simulated world, whose truth is known."""

from __future__ import annotations

import numpy as np

from heldout import rng, threads
from heldout.catalogue import Coerced, param
from heldout.data.missingness import Missingness, Nature
from heldout.data.opinions import Opinions, cut_points
from heldout.data.reader import Reader
from heldout.data.world import MOVIELENS_PRIOR, World, popularity_law, times
from heldout.errors import SpecError
from heldout.tables import Log
from heldout.tables.arrays import Float64, digest_of, frozen

_PRIOR = "simulate: 'prior'"
_QUALITY_OF_POPULAR = 0.5
"""Correlation of an item's quality with its place by popularity."""


class Simulate(Reader):
    """Simulated ratings: item counts follow a shifted power law, and users rate what meets their taste.

    With k the place of an item by popularity, |R(i_k)| = c1 + β (c2 + k)^(−α), β such that all sum to `ratings`. An item
    is rated by users drawn with probabilities min(1, λ × activity × exp(pull × affinity)), where affinity is taste · genre.
    An opinion is affinity + quality of the item + noise; ratings are opinions cut so that the observed ones have the shares
    `prior`.

    Assumes: ratings are not missing at random, since users meet what they like more often; with `pull=0` whom an item
    meets does not depend on taste, and with `factors=0, quality=0` ratings are drawn from the prior alone, as in
    Bellogín et al. (2017). `missing` names other ways for ratings to be missing (`heldout list missingness`), under which
    `prior` are the shares of all ratings, observed or not. Ids are 1 to n in an order unrelated to popularity. `world()`
    keeps the complete truth and how likely every user was to rate every item; `fitted(data)` finds the parameters of a real
    data set.

    Example: 3 users, 2 items and 4 ratings with α = 0 give each item 2 ratings; with a steep α they get 3 and 1.
    """

    key = "simulate"
    timed = True
    simulated = True
    formula = "|R(i_k)| = c1 + β (c2 + k)^(−α)"
    references = ("bellogin2017", "madow1949")

    users: int = param(2000, "number of users", least=1)
    items: int = param(1500, "number of items", least=1)
    ratings: int = param(120_000, "number of ratings; where pairs are drawn one by one, on average", least=1)
    alpha: float = param(1.0, "skew of popularity: 0 is uniform, 2 very steep", least=0, also=("α",))
    c1: float = param(1.0, "ratings that every item has besides", least=0)
    c2: float = param(40.0, "shift of places, which flattens the head", least=0)
    levels: int = param(5, "ratings are 1 to this", least=1, most=1000)
    prior: Coerced[tuple[float, ...] | None, list[float]] = param(
        None, "shares of the levels; none: those of MovieLens 1M, interpolated"
    )
    factors: int = param(8, "number of latent genres; 0: no taste", least=0)
    pull: float = param(1.2, "how much taste decides what a user rates", least=0)
    quality: float = param(0.6, "standard deviation of item quality, where taste has 1", least=0)
    noise: float = param(0.7, "standard deviation of noise, where taste has 1", above=0)
    missing: Coerced[Missingness, str] = param(
        "by_popularity", "why the other ratings are missing, such as by_value(slope=1)"
    )
    activity: float = param(0.9, "standard deviation of the logarithm of users' activity", least=0)
    seed: int = param(1, "seed of everything", least=0, most=2**63 - 1)

    def check(self) -> None:
        if self.prior is not None:
            if len(self.prior) != self.levels:
                raise SpecError(where=_PRIOR, found=len(self.prior), expected=f"{self.levels} shares, one for each level")
            if min(self.prior) < 0 or abs(sum(self.prior) - 1) > 1e-6:
                raise SpecError(where=_PRIOR, found=list(self.prior), expected="shares that sum to 1")
        self._refuse_huge()
        self.missing.check_size(self.users, self.items)

    def _refuse_huge(self) -> None:
        """SpecError when the world would not fit into this machine's memory, with the size that would."""
        per_row, per_rating, present = 8 * (self.factors + 8), 80, threads.memory()
        for name, rows, size in (
            ("users", self.users, per_row),
            ("items", self.items, per_row),
            ("ratings", self.ratings, per_rating),
        ):
            if present and rows * size > present:
                raise SpecError(
                    f"so many do not fit into the {present / 2**30:.0f} GiB of this machine",
                    where=f"simulate: '{name}'",
                    found=rows,
                    expected=f"at most {present // size:,}",
                )

    def read(self) -> Log:
        return self.world().log

    def source_digest(self) -> str:
        return digest_of(self.full_text)

    def redrawn(self, number: int) -> Simulate:
        return self.replace(seed=self.seed + number)

    def truth(self) -> World:
        """The world itself."""
        return self.world()

    def world(self) -> World:
        """The world behind the ratings, with the complete true relevance."""
        counts = popularity_law(self.users, self.items, self.ratings, self.alpha, self.c1, self.c2)
        draw = rng.stream(self.seed, "simulate")
        taste = draw.standard_normal((self.users, self.factors))
        genre = draw.gamma(0.3, size=(self.items, self.factors)) + 1e-6
        genre /= np.sqrt((genre**2).sum(axis=1, keepdims=True)) if self.factors else 1.0
        quality = draw.standard_normal(self.items)
        activity = 0.6 + np.exp(self.activity * draw.standard_normal(self.users))
        rho = _QUALITY_OF_POPULAR
        place = np.argsort(-(rho * quality + np.sqrt(1 - rho**2) * draw.standard_normal(self.items)), kind="stable")
        of_item = np.empty(self.items, dtype=np.int64)
        of_item[place] = counts
        opinions = Opinions(
            seed=self.seed,
            taste=frozen(taste, np.float64),
            genre=frozen(genre, np.float64),
            appeal=frozen(self.quality * quality, np.float64),
            noise=self.noise,
        )
        complete = self.missing.prior_of == "complete"
        cuts = opinions.cuts(self._shares()) if complete else None
        nature = Nature(
            opinions=opinions, cuts=cuts, activity=activity, counts=of_item, pull=self.pull, ratings=self.ratings
        )
        met = self.missing.observe(nature)
        user, item = met.user, met.item
        when = times(self.seed, user, item, self.users, met.round)
        order = np.argsort(when, kind="stable")
        user, item, when = user[order], item[order], when[order]
        del order
        if cuts is None:
            cuts = cut_points(opinions.of_pairs(user, item), self._shares())
        return World(
            opinions=opinions,
            cuts=frozen(cuts, np.float64),
            user=frozen(user, np.int32),
            item=frozen(item, np.int32),
            time=frozen(when, np.int64),
            observation=met.observation,
            made_by=str(self),
            inexact=self.missing.inexact,
        )

    def _shares(self) -> Float64:
        if self.prior is not None:
            return np.array(self.prior)
        summed = np.concatenate([[0.0], np.cumsum(MOVIELENS_PRIOR)])
        summed /= summed[-1]
        return np.diff(np.interp(np.linspace(0, 1, self.levels + 1), np.linspace(0, 1, 6), summed))
