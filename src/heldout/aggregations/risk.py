"""What risk-sensitive aggregations share: gains and losses against a baseline, losses counting (1 + α) times."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.values import UserValues
from heldout.errors import NotApplicableError
from heldout.tables.arrays import Bool, Float64


def weighed_losses(delta: Float64, alpha: float) -> Float64:
    """Gains as they are, losses (1 + α)-fold."""
    weighed: Float64 = np.where(delta < 0, (1.0 + alpha) * delta, delta)
    return weighed


def against(user_values: UserValues, baseline: int, alpha: float) -> UserValues:
    """The systems' weighed gains over the baseline, a gain being what is better; higher is better from here on."""
    sign = 1.0 if user_values.higher_is_better else -1.0
    delta = sign * (user_values.values - user_values.values[baseline])
    # A user counts where both the system and the baseline are averaged.
    both = user_values.included & user_values.included[baseline] & ~np.isnan(delta)
    return replace(user_values, values=weighed_losses(delta, alpha), included=both, higher_is_better=True)


def chi_square_risk(user_values: UserValues, alpha: float, owner: Aggregation) -> tuple[Float64, Float64, Bool]:
    """Z of every system, the systems' sums of values, and the users that every system is averaged on."""
    if not user_values.higher_is_better:
        raise NotApplicableError(where=str(owner), expected="a metric of which higher values are better")
    owner.refuse_weights(user_values.weights)
    users = user_values.common
    x = user_values.values[:, users]
    if len(x) < 2 or not users.any():
        raise NotApplicableError(
            where=str(owner),
            found=[f"{len(x)} systems", f"{int(users.sum()):,} such users"],
            expected="at least 2 systems and a user that all of them are averaged on",
        )
    if (x < 0).any():
        raise NotApplicableError(where=str(owner), found=float(x.min()), expected="values of at least 0")
    of_system, of_user = x.sum(axis=1), x.sum(axis=0)
    total = of_system.sum()
    expected = np.outer(of_system, of_user) / total if total > 0 else np.zeros_like(x)
    z = np.divide(x - expected, np.sqrt(expected), out=np.zeros_like(x), where=expected > 0)
    return weighed_losses(z, alpha).sum(axis=1), of_system, users
