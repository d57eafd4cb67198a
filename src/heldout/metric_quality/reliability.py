"""How much of the spread of a metric's values is due to the systems: generalizability theory (Bodoff 2008; Urbano, Marrero
and Martín 2013).

Formula: values of systems × users have variance components σ²_s (systems), σ²_u (users) and σ²_su (what is left, in which
the interaction and the error cannot be told apart), by analysis of variance; negative ones are set to 0. With n users
Eρ² = σ²_s / (σ²_s + σ²_su/n) says how far the order of systems, Φ = σ²_s / (σ²_s + (σ²_u + σ²_su)/n) how far their values
themselves, would come out the same on other users.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heldout.tables.arrays import Float64

GOAL = 0.95


@dataclass(frozen=True, kw_only=True)
class Reliability:
    """Variance components of one metric, and what they say of n users."""

    metric: str
    users: int
    of_systems: float
    """The share of σ²_s in the sum of the components."""
    of_users: float
    of_rest: float
    relative: float
    """Eρ² at the users at hand."""
    absolute: float
    """Φ at the users at hand."""
    users_needed: int | None
    """Users at which Eρ² reaches 0.95; None where the systems do not differ."""

    @classmethod
    def at(cls, users: int, of_systems: float, of_users: float, of_rest: float) -> tuple[float, float]:
        """Eρ² and Φ with so many users."""
        relative, absolute = of_systems + of_rest / users, of_systems + (of_users + of_rest) / users
        return (of_systems / relative if relative > 0 else np.nan, of_systems / absolute if absolute > 0 else np.nan)

    def with_users(self, users: int) -> tuple[float, float]:
        """Eρ² and Φ of this metric with so many users."""
        return Reliability.at(users, self.of_systems, self.of_users, self.of_rest)


def reliability(values: Float64, metrics: Sequence[str]) -> list[Reliability]:
    """The reliability of each metric: `values` are metrics × systems × users; users with an undefined value are left out."""
    rows = []
    for metric, table in zip(metrics, values, strict=True):
        defined = table[:, ~np.isnan(table).any(axis=0)]
        systems, users = defined.shape
        parts = (np.nan, np.nan, np.nan) if systems < 2 or users < 2 else variance_components(defined)
        total = sum(parts)
        relative, absolute = Reliability.at(max(users, 1), *parts)
        needed = None
        if parts[0] > 0:
            needed = max(1, int(np.ceil(GOAL / (1 - GOAL) * parts[2] / parts[0])))
        shares = [part / total if total > 0 else np.nan for part in parts]
        rows.append(
            Reliability(
                metric=metric,
                users=users,
                of_systems=float(shares[0]),
                of_users=float(shares[1]),
                of_rest=float(shares[2]),
                relative=float(relative),
                absolute=float(absolute),
                users_needed=needed,
            )
        )
    return rows


def variance_components(table: Float64) -> tuple[float, float, float]:
    """σ²_s, σ²_u and σ²_su of systems × users.

    Example: [[1, 2], [3, 6]]: mean squares 9 of systems, 4 of users and 1 of the rest, so (9 − 1)/2 = 4, (4 − 1)/2 = 1.5, 1.
    """
    systems, users = table.shape
    of_system, of_user, mean = table.mean(axis=1), table.mean(axis=0), table.mean()
    between_systems = users * ((of_system - mean) ** 2).sum() / (systems - 1)
    between_users = systems * ((of_user - mean) ** 2).sum() / (users - 1)
    rest = ((table - of_system[:, None] - of_user[None, :] + mean) ** 2).sum() / ((systems - 1) * (users - 1))
    return max(0.0, (between_systems - rest) / users), max(0.0, (between_users - rest) / systems), float(rest)
