"""A small world whose every rating is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout.data.missingness import Missingness, Nature, Observed
from heldout.data.opinions import Opinions
from heldout.data.world import popularity_law


def nature(users: int = 40, items: int = 30, ratings: int = 300, seed: int = 1) -> Nature:
    """A world almost without noise, so that another seed leaves its opinions alone."""
    draw = np.random.default_rng(7)
    opinions = Opinions(
        seed=seed,
        taste=draw.standard_normal((users, 3)),
        genre=np.full((items, 3), 3**-0.5),
        appeal=draw.standard_normal(items),
        noise=1e-12,
    )
    return Nature(
        opinions=opinions,
        cuts=opinions.cuts(np.full(5, 0.2)),
        activity=np.ones(users),
        counts=popularity_law(users, items, ratings, 1.0, 1.0, 5.0),
        pull=0.8,
        ratings=ratings,
    )


def observed_with(missing: Missingness, seed: int) -> tuple[Nature, Observed]:
    world = nature()
    world = replace(world, opinions=replace(world.opinions, seed=seed))
    return world, missing.observe(world)
