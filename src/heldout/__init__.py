"""Heldout: the offline evaluation of recommender systems, every choice explicit.

    import heldout as ho

    results = ho.evaluate(test, {"A": run_a, "B": run_b}, ["nDCG(gain=binary)@10", "P@10"])
    print(results.verdict)

By hand:     read, split, fit, recommend, measure, compare_users, evaluate
Studies:     run, tune, multiverse, plan, meta, bias, truth, power, reproduce, list_experiments, demo
Results:     load, compare, serve, verify, lint, methods
Data:        profile, convert, simulate, fetch, list_data_sets, audit, read_log, read_side
What is there: list, describe, make, read_study, schema; a model of your own: as_recommender

Components are grouped: `ho.metrics.NDCG`, `ho.splits.Ratio`, `ho.recommenders.EASE`, and `ho.list("metrics")` has them all.
Every verb is explained by `help(ho.evaluate)`. Names are imported when they are first used, so that `import heldout` is
quick; the package contents that Python lists below are the rooms of the source, not what is to be imported from.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from heldout._exports import EXPORTS
from heldout._groups import GROUPS
from heldout.namespaces import no_attribute, public_name

__version__ = "0.1.0"
_ROOMS = {public_name(room): room for room in GROUPS if "." not in public_name(room)}
_HIDING = ("list",)
"""Names that `from heldout import *` leaves out, since they would hide Python's own."""
__all__ = [*(name for name in EXPORTS if name not in _HIDING), *_ROOMS, "__version__"]  # noqa: PLE0604 - generated


def __getattr__(name: str) -> Any:
    if name in EXPORTS:
        value = getattr(import_module(EXPORTS[name]), name)
    elif name in _ROOMS:
        value = import_module(_ROOMS[name])
    else:
        raise no_attribute("heldout", name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_HIDING])
