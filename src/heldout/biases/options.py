"""What is asked of a study about its biases."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Literal, get_args

from heldout.errors import SpecError, UnknownNameError
from heldout.metrics.metric import Metric

SweepName = Literal["removed", "lists", "classes", "head", "uniform", "skew"]
SWEEPS: tuple[SweepName, ...] = get_args(SweepName)


@dataclass(frozen=True, kw_only=True)
class BiasOptions:
    """Sizes of protocols and sweeps; the defaults are those of Bellogín et al. (2017), where they give any."""

    metric: Metric | None = None
    """By which systems are ranked; None for the first of the study."""
    sampled: int = 99
    classes: int = 10
    head: float = 0.1
    keep: float = 0.2
    share: float | None = None
    """Least share of the ratings in a uniform test set; None for the test share of the study's split."""
    gamma: float = 1.0
    sweeps: tuple[SweepName, ...] = SWEEPS
    removed: tuple[float, ...] = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9)
    """Shares of the test ratings that are removed."""
    lists: tuple[int, ...] = (100, 200, 400, 600, 800, 1000)
    """|T_u| of 1R."""
    class_counts: tuple[int, ...] = (1, 2, 5, 10, 15, 20)
    heads: tuple[float, ...] = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2)
    shares: tuple[float, ...] = (0.05, 0.1, 0.2, 0.3)
    """Test shares of uniform splits."""
    alphas: tuple[float, ...] = (0.0, 0.5, 1.0, 1.5, 2.0)
    """Skews of simulated popularity."""

    def __post_init__(self) -> None:
        for sweep in self.sweeps:
            if sweep not in SWEEPS:
                raise UnknownNameError("sweep", sweep, SWEEPS, where="sweeps")
        shares = "shares, each at least 0 and below 1"
        for sweep, places, least, below, expected in (
            ("removed", self.removed, 0, 1, shares),
            ("lists", self.lists, 2, inf, "lists of at least 2 items"),
            ("classes", self.class_counts, 1, inf, "at least 1 class"),
            ("head", self.heads, 0, 1, shares),
            ("uniform", self.shares, 0, 1, shares),
            ("skew", self.alphas, 0, inf, "skews, each at least 0"),
        ):
            for place in places:
                if not least <= place < below:
                    raise SpecError(where=f"sweeps: {sweep}", found=place, expected=expected)
