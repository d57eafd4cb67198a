"""Metrics on trial: 21 systems, 7 metrics × 10 cut-offs, 20 shares of the test ratings × 50 samples, and all their p-values.

`python -m benchmarks metric_quality`. Lists and ratings are drawn at MovieLens 1M's size; `python -m
benchmarks.metric_quality large` draws 138,000 users × 26,000 items, MovieLens 20M's size, and is not part of `make bench`.
pytrec_eval evaluates one system on one sample of the qrels, and scipy tests one pair with 1,000 flips: both are multiplied
up. All seconds are of the processor, on one core.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from benchmarks.harness import Found, Limit, Ratio, Seconds, Work, interleaved
from heldout import threads
from heldout.catalogue import make
from heldout.metric_quality.robustness import SAMPLES, SHARES, MissingRatings
from heldout.metric_quality.sampled_means import FoldLists
from heldout.metric_quality.separation import FLIPS, discriminative_power
from heldout.metrics.judge import judge_rankings
from heldout.metrics.measuring import measure
from heldout.tables import Rankings, Relevance
from heldout.tables.arrays import Float64, frozen

SYSTEMS, DEEPEST = 21, 100
CUTS = (5, 10, 20, 30, 40, 50, 60, 70, 80, 100)
METRICS = tuple(
    make("metric", f"{name}@{n}") for name in ("P", "Recall", "AP", "nDCG", "RR", "bpref", "infAP") for n in CUTS
)
TREC = {f"{measure}.{','.join(map(str, CUTS))}" for measure in ("P", "recall", "map_cut", "ndcg_cut")} | {
    "recip_rank",
    "bpref",
}
EVALUATIONS = SYSTEMS * len(SHARES) * SAMPLES
FEW = 1000
"""Flips of scipy's test."""


def fold_of(users: int, items: int, rated: int) -> FoldLists:
    """Users with test ratings, and lists of systems that find them more or less often."""
    draw = np.random.default_rng(7)
    counts = np.minimum(draw.geometric(1 / rated, users), items // 2)
    place = np.minimum((draw.pareto(0.9, int(counts.sum()) * 2) * items / 60).astype(np.int64), items - 1)
    owner = np.repeat(np.arange(users), counts * 2)
    pairs = np.unique(owner * items + place)
    owner, item = pairs // items, pairs % items
    grade = draw.integers(1, 6, len(item)).astype(np.float64)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=users))])
    relevance = Relevance(
        users=frozen(np.arange(users), np.int32),
        indptr=frozen(indptr, np.int64),
        item=frozen(item, np.int32),
        grade=frozen(grade, np.float64),
        relevant=frozen(grade >= 4, np.bool_),
        top_grade=5.0,
    )
    judged = {}
    for system in range(SYSTEMS):
        blocks = [min(10_000, users - start) for start in range(0, users, 10_000)]
        drawn = [
            np.argsort(draw.gumbel(size=(block, 3 * DEEPEST)), axis=1)[:, :DEEPEST].astype(np.int32) for block in blocks
        ]
        lists = np.concatenate(drawn) + system  # the popular come first
        rankings = Rankings(
            frozen(np.arange(users), np.int32),
            frozen(np.arange(users + 1) * DEEPEST, np.int64),
            frozen(lists.ravel(), np.int32),
            frozen(np.tile(-np.arange(DEEPEST, dtype=np.float64), users), np.float64),
        )
        targets = np.full(users, items, np.int32)
        judged[f"system {system}"] = judge_rankings(
            rankings, relevance, n_items=items, targets=targets, keep_lists=system == 0
        )
    return FoldLists(
        relevance=relevance, judged=judged, target=make("target", "AllItems"), eligible=np.ones(users, np.bool_)
    )


def cpu_seconds(work: Callable[[], object], times: float = 1.0) -> Seconds:
    """The processor's time for a piece of work, multiplied up."""
    begin = time.process_time()
    work()
    return Seconds((time.process_time() - begin) * times)


def sweep(fold: FoldLists) -> None:
    with threads.using(1):
        sweep = MissingRatings(folds=[fold], metrics=METRICS, systems=tuple(fold.judged), undefined_as_zero=True, seed=1)
        for number in range(len(SHARES)):
            sweep.points(number)


def values_of(fold: FoldLists) -> Float64:
    """Metrics × systems × users."""
    values = np.empty((len(METRICS), len(fold.judged), len(fold.relevance)))
    for s, judged in enumerate(fold.judged.values()):
        unmeasured = replace(judged)  # nothing of one system stays in memory while the next is measured
        values[:, s] = np.nan_to_num(measure(unmeasured, METRICS, target=fold.target).values.T)
    return values


def power(values: Float64) -> None:
    with threads.using(1):
        discriminative_power(values, [str(metric) for metric in METRICS], seed=1)


def run() -> Found:
    fold = fold_of(6040, 3706, 33)
    values = values_of(fold)
    times = interleaved(
        {
            "heldout, sweep": lambda: cpu_seconds(lambda: sweep(fold)),
            "pytrec_eval, sweep, extrapolated": _pytrec_eval(fold),
            "heldout, power": lambda: cpu_seconds(lambda: power(values)),
            "scipy, power, extrapolated": _scipy(),
        },
        repeats=1,
    )
    return Found(
        times,
        [
            Ratio("heldout, sweep", "pytrec_eval, sweep, extrapolated"),
            Ratio("heldout, power", "scipy, power, extrapolated"),
        ],
        [
            Limit("the sweep", min(times["heldout, sweep"]), 10.0, "s"),
            Limit("power, with its halves", min(times["heldout, power"]), 5.0, "s"),
        ],
        notes=[
            f"{EVALUATIONS:,} evaluations; pytrec_eval: one × {EVALUATIONS:,}, without infAP and cut-offs of RR and bpref",
            f"{len(METRICS) * SYSTEMS * (SYSTEMS - 1) // 2:,} tests of {FLIPS:,} flips; scipy: one of {FEW:,}, × the rest",
        ],
    )


def _pytrec_eval(fold: FoldLists) -> Work:
    import pytrec_eval

    judged = fold.judged["system 0"]
    relevance = fold.relevance
    qrels = {
        str(u): {
            str(relevance.item[i]): int(relevance.grade[i]) for i in range(relevance.indptr[u], relevance.indptr[u + 1])
        }
        for u in range(len(relevance))
        if relevance.indptr[u + 1] > relevance.indptr[u]
    }
    lists = judged.lists
    if lists is None:
        raise ValueError("the lists of the first system are kept")
    run = {
        user: {
            str(item): float(-k) for k, item in enumerate(lists.item[lists.indptr[int(user)] : lists.indptr[int(user) + 1]])
        }
        for user in qrels
    }

    def evaluate() -> None:
        pytrec_eval.RelevanceEvaluator(qrels, TREC, relevance_level=4).evaluate(run)

    return lambda: cpu_seconds(evaluate, EVALUATIONS)


def _scipy() -> Work:
    from scipy.stats import permutation_test

    draw = np.random.default_rng(4)
    pair = draw.beta(1, 6, (2, 6040))
    tests = len(METRICS) * SYSTEMS * (SYSTEMS - 1) // 2

    def mean_difference(a: np.ndarray, b: np.ndarray, axis: int) -> np.ndarray:
        return np.mean(a, axis=axis) - np.mean(b, axis=axis)

    def test() -> None:
        permutation_test(
            tuple(pair), mean_difference, permutation_type="samples", n_resamples=FEW, vectorized=True, rng=draw
        )

    return lambda: cpu_seconds(test, tests * FLIPS / FEW)


def main(size: str) -> None:
    fold = fold_of(138_000, 26_000, 29) if size == "large" else fold_of(6040, 3706, 33)
    ratings, users = len(fold.relevance.item), len(fold.relevance)
    print(f"{users:,} users, {ratings:,} test ratings; {_peak():.1f} GB at most so far")
    small = fold_of(64, 400, 10)  # compiles what follows
    sweep(small)
    power(values_of(small))
    values: list[Float64] = []
    stages: dict[str, Callable[[], None]] = {
        "sweep": lambda: sweep(fold),
        "values": lambda: values.append(values_of(fold)),
        "power": lambda: power(values[0]),
    }
    for name, work in stages.items():
        print(f"{name}: {cpu_seconds(work):.1f} CPU seconds, {_peak():.1f} GB at most so far", flush=True)


def _peak() -> float:
    """The most memory that the process has had, in gigabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["small"]))
