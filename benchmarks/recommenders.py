"""Every recommender with its defaults: CPU seconds and peak memory of fitting and of listing the best 100 of all users.

On MovieLens 1M where a folder of real data holds it ($HELDOUT_DATA, or ../shared/data), else on simulated ratings of its
size; each in a process of its own. Beside peers: `recommender_peers`. On 20 million ratings: `recommenders_large`.
"""

from __future__ import annotations

from benchmarks.harness import Found, Limit
from benchmarks.recommender_worker import elsewhere
from benchmarks.valcarce_data import folder
from heldout.catalogue import REQUIRED, classes, parameters
from heldout.data.read import read
from heldout.recommenders.foreign import Foreign
from heldout.tables import Interactions

SIMULATED = "simulate(users=6040, items=3706, ratings=1000000)"
ITEM_PAIRS = ("EASE", "SLIM", "ItemItem", "UIR-Item", "ExpectedUtility")
"""Recommenders whose model is a matrix of items × items, or is made from one."""
OTHERWISE = {"ExpectedUtility": "ExpectedUtility(utility=rating)"}
"""What is asked for where the defaults need data that MovieLens does not have."""
CORES = 2


def run() -> Found:
    source = movielens()
    data = read(source)
    told = f"{source.rsplit('/', 2)[-2] if '/' in source else source}: {len(data):,} ratings of "
    notes = [f"{told}{data.n_users:,} users and {data.n_items:,} items; CPU seconds, and MB over the data"]
    found = {key: elsewhere(OTHERWISE.get(key, key), source) for key in keys()}
    right = {key: one for key, one in found.items() if "refused" not in one}
    notes += [f"{key} refused: {one['refused']}" for key, one in found.items() if key not in right]
    notes += [
        f"{key}: fit {one['fit']:.1f}, rank {one['cpu'] - one['fit']:.1f}, {one['over']:.0f} MB"
        for key, one in right.items()
    ]
    total = sum(one["cpu"] for one in right.values())
    limits = [Limit(f"all {len(right)} on {CORES} cores, CPU seconds by cores", total / CORES, 300, "s")]
    limits += [Limit(f"memory of {key}", one["over"], 400, "MB") for key, one in right.items() if key not in ITEM_PAIRS]
    return Found({key: [one["cpu"]] for key, one in right.items()}, limits=limits, notes=notes, more=found)


def keys() -> list[str]:
    """All recommenders that learn and can be made of nothing but their name."""
    made = [cls for cls in classes("recommender") if not issubclass(cls, Foreign)]
    return [cls.key for cls in made if all(p.default is not REQUIRED for p in parameters(cls))]


def movielens() -> str:
    """Where MovieLens 1M is, or simulated ratings of its size."""
    path = folder() / "ml-1m" / "ratings.dat"
    return str(path) if path.exists() else SIMULATED


def ratings() -> tuple[Interactions, str]:
    """The same as a table, and what it is."""
    data = read(movielens())
    return data, f"{movielens()}: {len(data):,} ratings of {data.n_users:,} users and {data.n_items:,} items"
