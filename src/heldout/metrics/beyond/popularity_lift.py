"""How much more popular recommendations are than what the user chose."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff
from heldout.metrics.beyond.tops import top_items
from heldout.metrics.metric import Metric
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class PopularityLift(Metric):
    """Popularity lift: how much more popular the top n is than what the user rated in training, as a share of that.

    Assumes: popularity is the number of training ratings. 0 is as popular as the user's own choice, 1 twice as popular.

    Example: a user who rated items of 40 ratings on average gets a list of 60 on average: 60/40 − 1 = 0.5.
    """

    key = "PopularityLift"
    by_relevance = "never"
    descriptive = True
    formula = "mean n_i over the top n ÷ mean n_i over the user's training items − 1"
    references = ("abdollahpouri2020",)
    divides = "the popularity of the user's training items"
    short_lists = "averaged over what the list holds"
    range = (-1.0, np.inf)
    direction = "lower"
    undefined = "the list is empty, or the user has no training rating"
    needs_lists = True

    n: int = cutoff()

    def measure(self, judged: Judged) -> Float64:
        background = judged.relevance.require_background(self)
        train, popularity = background.train_of_judged(self), background.popularity(self).astype(np.float64)
        tops = top_items(judged, self.n, self)
        listed = divide(tops.sum(popularity), tops.sizes.astype(np.float64))
        users = judged.relevance.users[judged.owner]
        own = np.bincount(train.user, popularity[train.item], train.n_users).astype(np.float64)
        profile = divide(own, train.user_counts.astype(np.float64))
        return divide(listed, np.nan_to_num(profile)[users]) - 1
