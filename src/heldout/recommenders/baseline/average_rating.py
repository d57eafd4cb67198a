"""Average rating: how well an item was liked by those who rated it."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.recommenders.baseline.constant import SameForAll
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Float64


def average_rating(train: Interactions, *, damping: float = 0.0) -> Float64:
    """The damped mean training rating of each item; NaN for items without one."""
    total = np.bincount(train.item, train.value, train.n_items).astype(np.float64)
    count = train.item_counts
    overall = float(train.value.mean()) if len(train) else 0.0
    out = np.full(train.n_items, np.nan)
    np.divide(total + damping * overall, count + damping, out=out, where=count > 0)
    return out


class AverageRating(Recommender):
    """The mean training rating of an item, the same for all users.

    Assumes: an item without training ratings has no average and cannot be scored, with or without damping. Damping
    adds that many imaginary ratings of the overall mean µ to each item, which keeps items with a single high rating from the
    top.

    Example: ratings 5 and 4 of an item, µ = 3: 4.5, and (9 + 3)/(2 + 1) = 4 with `damping=1`.
    """

    key = "AverageRating"
    impersonal = True
    aliases = ("MovieAvg",)
    formula = "s(u, i) = (Σ_v r(v, i) + damping · µ) / (|{v : v rated i}| + damping)"
    weighs_by_value = True
    references = ("cremonesi2010",)
    predicts_ratings = True

    damping: float = param(0.0, "imaginary ratings of the overall mean added to each item", least=0)

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Average; there is nothing random."""
        return SameForAll(average_rating(train, damping=self.damping))
