"""How often `heldout check` passes a candidate that is exactly as bad as the margin forbids: at most 5 % if the rule holds.

Simulated users; the baseline and the candidate differ by exactly the margin on average. `python -m benchmarks check_errors`
prints the table of docs/check.md. One argument sets the number of simulated comparisons per cell.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np

from heldout.aggregations.moments import t_quantile
from heldout.significance import noninferiority as rule

USERS = (200, 1_000, 5_000, 20_000)
MARGINS = (0.02, 0.05)
FEW = (0, 10, 20, 30, 50)
"""Numbers of differing users below which the interval is not used; with 0 it always is."""


@dataclass(frozen=True)
class World:
    """Where users' values come from: mean of the baseline, and how users change."""

    name: str
    draw: Callable[[np.random.Generator, int, float], tuple[np.ndarray, np.ndarray]]


def hits(rng: np.random.Generator, users: int, share: float) -> np.ndarray:
    """Values of a hit rate."""
    return (rng.random(users) < share).astype(np.float64)


def graded(rng: np.random.Generator, users: int) -> np.ndarray:
    """Values like those of nDCG@10: 0 for two thirds of users, on average 0.12."""
    return np.where(rng.random(users) < 1 / 3, rng.beta(1.2, 2.1, users), 0.0)


def losses(values: np.ndarray, rng: np.random.Generator, margin: float) -> np.ndarray:
    """Each user loses the whole value with the probability of the margin."""
    return np.where(rng.random(len(values)) < margin, 0.0, values)


def churn(values: np.ndarray, fresh: np.ndarray, rng: np.random.Generator, margin: float) -> np.ndarray:
    """5 % of users get a value from the same distribution, and then each loses it with the probability of the margin."""
    return losses(np.where(rng.random(len(values)) < 0.05, fresh, values), rng, margin)


def pair(baseline: Callable[..., np.ndarray], *, churned: bool) -> Callable[..., tuple[np.ndarray, np.ndarray]]:
    def draw(rng: np.random.Generator, users: int, margin: float) -> tuple[np.ndarray, np.ndarray]:
        values = baseline(rng, users)
        changed = churn(values, baseline(rng, users), rng, margin) if churned else losses(values, rng, margin)
        return values, changed

    return draw


WORLDS = (
    World("hit rate 0.05, losses only", pair(lambda rng, users: hits(rng, users, 0.05), churned=False)),
    World("hit rate 0.05, 5 % churn", pair(lambda rng, users: hits(rng, users, 0.05), churned=True)),
    World("hit rate 0.3, losses only", pair(lambda rng, users: hits(rng, users, 0.3), churned=False)),
    World("graded, losses only", pair(graded, churned=False)),
    World("graded, 5 % churn", pair(graded, churned=True)),
)


def pass_rates(world: World, users: int, margin: float, draws: int, few: tuple[int, ...] = FEW) -> dict[int, float]:
    """By the number of differing users below which the exact bound is used, the share of comparisons that pass."""
    rng = np.random.default_rng([users, round(1000 * margin), len(world.name)])
    passed = dict.fromkeys(few, 0)
    usual = rule.FEW
    try:
        for _ in range(draws):
            baseline, candidate = world.draw(rng, users, margin)
            if not baseline.any():
                continue
            for limit in few:
                rule.FEW = limit
                verdict = rule.noninferiority(baseline, candidate, rule.Margin(margin, relative=True), widest=1.0)
                passed[limit] += verdict.outcome == "passed"
    finally:
        rule.FEW = usual
    return {limit: count / draws for limit, count in passed.items()}


def t_rate(world: World, users: int, margin: float, draws: int) -> float:
    """The share that passes by Student's t interval without a correction of skewness."""
    rng = np.random.default_rng([users, round(1000 * margin), len(world.name)])
    quantile, passed = t_quantile(0.95, users - 1.0), 0
    for _ in range(draws):
        baseline, candidate = world.draw(rng, users, margin)
        distances = candidate - (1 - margin) * baseline
        passed += bool(distances.mean() > quantile * distances.std(ddof=1) / np.sqrt(users))
    return passed / draws


def main(draws: int = 2000) -> None:
    print(f"Share of candidates at the margin that pass, in {draws:,} comparisons each; the aim is at most 5 %.\n")
    limits = [f"interval from {n} users" if n else "interval" for n in FEW]
    print("| values | margin | users | t interval | " + " | ".join(limits) + " |")
    print("|---|---|---|---|" + "---|" * len(FEW))
    for world, margin, users in product(WORLDS, MARGINS, USERS):
        rates = pass_rates(world, users, margin, draws)
        cells = [t_rate(world, users, margin, draws), *(rates[limit] for limit in FEW)]
        print(f"| {world.name} | {margin:.0%} | {users:,} | " + " | ".join(f"{100 * rate:.1f} %" for rate in cells) + " |")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
