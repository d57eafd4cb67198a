"""How many users a difference needs to be found, pair by pair, from how much users differ in results at hand."""

from __future__ import annotations

from dataclasses import dataclass

from heldout.analysis.facts import PairRow
from heldout.significance.power import power_of, users_needed


@dataclass(frozen=True, kw_only=True)
class NeededUsers:
    """What a paired t test needs to find a difference between two systems."""

    deviation: float
    """Standard deviation of users' differences."""
    d: float
    """The difference that is looked for, in deviations."""
    users_needed: int
    users: int
    """Users at hand."""
    power: float
    """The chance that they show the difference."""


def needed_users(pair: PairRow, effect: float, *, power: float, level: float) -> NeededUsers | None:
    """The users that a pair needs; None where no user differs, or all by the same: there is nothing to plan with."""
    if not pair.effect:
        return None
    deviation = abs(pair.difference / pair.effect)
    return NeededUsers(
        deviation=deviation,
        d=effect / deviation,
        users_needed=users_needed(effect, deviation=deviation, power=power, level=level),
        users=pair.users,
        power=power_of(pair.users, effect, deviation=deviation, level=level),
    )
