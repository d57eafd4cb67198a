"""Heldout: the offline evaluation of recommender systems, every choice explicit.

    import heldout as ho

    results = ho.evaluate(test, {"A": run_a, "B": run_b}, ["nDCG(gain=binary)@10", "P@10"])
    print(results.verdict)

By hand:     read, split, fit, recommend, measure, compare_users, evaluate
Studies:     run, tune, multiverse, plan, meta, bias, truth, power, reproduce, list_experiments, demo
Results:     load, compare, check, serve, verify, lint, methods
Data:        profile, convert, simulate, fetch, list_data_sets, audit, read_log, read_side
What is there: list, describe, make, read_study, schema; a model of your own: as_recommender

Components are grouped: `ho.metrics.NDCG`, `ho.splits.Ratio`, `ho.recommenders.EASE`, and `ho.list("metrics")` has them all.
Every verb is explained by `help(ho.evaluate)`. Names are imported when they are first used, so that `import heldout` is
quick. The package contents that Python lists below are the packages of the source, not what is to be imported from.
"""

from __future__ import annotations

from heldout.catalogue.namespaces import namespace, sources

__version__ = "0.1.0"
__getattr__, _names = namespace(__name__)
__all__ = [*(name for name in sources(__name__) if name != "list"), "__version__"]  # noqa: PLE0604 - `list` is Python's own


def __dir__() -> list[str]:
    return sorted([*_names(), "__version__"])
