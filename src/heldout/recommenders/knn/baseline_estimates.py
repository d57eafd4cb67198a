"""Baseline estimates: the overall mean with an offset of each user and item."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from heldout.recommenders.matrix import Rows
from heldout.tables import Interactions
from heldout.tables.arrays import Float64


class Baseline(NamedTuple):
    """b(u, i) = overall + user[u] + item[i]; NaN for users and items without ratings."""

    overall: float
    user: Float64
    item: Float64

    def residuals(self, by_user: Rows) -> Rows:
        """Ratings by user less their baseline estimates."""
        users = np.repeat(self.user, by_user.counts)
        return by_user.with_values(by_user.values - self.overall - users - self.item[by_user.indices])


def baseline(train: Interactions, *, damping_items: float, damping_users: float) -> Baseline:
    """b_i = Σ_v (r(v, i) − µ)/(λ_i + n_i), then b_u = Σ_i (r(u, i) − µ − b_i)/(λ_u + n_u)."""
    overall = float(train.value.mean()) if len(train) else 0.0
    item = np.full(train.n_items, np.nan)
    total = np.bincount(train.item, train.value - overall, train.n_items)
    np.divide(total, train.item_counts + damping_items, out=item, where=train.item_counts > 0)
    user = np.full(train.n_users, np.nan)
    total = np.bincount(train.user, train.value - overall - item[train.item], train.n_users)
    np.divide(total, train.user_counts + damping_users, out=user, where=train.user_counts > 0)
    return Baseline(overall, user, item)
