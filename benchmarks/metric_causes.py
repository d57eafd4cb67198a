"""Why claims of Valcarce et al. (2018) on missing ratings and on power do not hold here: the figures of the reasons.

`python -m benchmarks.metric_causes --data FOLDER --out DIR`; both are those of `heldout reproduce valcarce-2018`, whose fits
are used. `--published FILE` names what the authors measured for their systems (systems-ml-1M.csv).

"As published" takes the authors' mean of each system. Missing ratings then change it by what they change ours by, and two
systems differ by as much from user to user as ours do (p by the normal distribution).
"""

from __future__ import annotations

import csv
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy.special import ndtr
from scipy.stats import spearmanr

from heldout.analysis.ranking_agreement import tau_b
from heldout.experiment.kept_stages import KeptRanks
from heldout.experiment.ledger import Ledger
from heldout.metric_quality.judged_systems import SystemsOnTrial, judged_systems
from heldout.metric_quality.options import metrics_at
from heldout.metric_quality.robustness import SAMPLES, SHARES
from heldout.metric_quality.sampled_means import sampled_means
from heldout.metric_quality.samples import NestedSamples, RatingSamples, random_samples
from heldout.metrics.measuring import depth_of
from heldout.papers.bench import FITS, PaperBench
from heldout.papers.data_sets import VALCARCE_SPLIT
from heldout.papers.valcarce2018.systems import NEAREST, SYSTEMS
from heldout.papers.valcarce2018.works import DEEP, DEPTHS, KEYS, METRICS
from heldout.tables.arrays import Float64, Int64

DRAWS: dict[str, tuple[str, int]] = {
    "a share of each user's ratings": ("user", 1),
    "the same, other samples": ("user", 2),
    "the same, a third time": ("user", 3),
    "a share of all ratings": ("all", 1),
    "relevant ratings only": ("relevant", 1),
    "relevant ratings only, other samples": ("relevant", 2),
}
"""Which ratings are removed, and by which seed."""
COLUMNS = {"P": "P_{}", "Recall": "recall_{}", "AP": "map_cut_{}", "nDCG": "ndcg_cut_{}"}
AT_DEEP = {"RR": "recip_rank", "bpref": "bpref", "infAP": "infAP2"}
"""Columns of the authors' file: by depth, or at 100 only."""


def samples_of(judged: SystemsOnTrial, drawing: str, seed: int) -> Callable[[int], RatingSamples]:
    """The samples of a share of the test ratings, by its number; `relevant` keeps all ratings that are not relevant."""
    relevance = judged.folds[0].relevance
    drawn = relevance.relevant if drawing == "relevant" else np.ones(len(relevance.item), np.bool_)
    groups: Int64 = np.bincount(relevance.owner[drawn], minlength=len(relevance))
    nested: NestedSamples = random_samples(
        [len(relevance.item)] if drawing == "all" else groups, SHARES, range(SAMPLES), seed=seed
    )

    def of_share(number: int) -> RatingSamples:
        words = np.full(len(relevance.item), np.iinfo(np.uint64).max, np.uint64)
        words[drawn] = nested.of_share(number).words
        return RatingSamples(words=words, count=SAMPLES)

    return of_share


def means_by_share(judged: SystemsOnTrial, drawing: str, seed: int) -> Float64:
    """Shares × metrics × systems × samples; the first share is the whole test set."""
    of_share = samples_of(judged, drawing, seed)
    means = partial(sampled_means, judged.folds, metrics=judged.metrics, systems=judged.systems, undefined_as_zero=True)
    return np.stack([means([of_share(number)]).values for number in range(len(SHARES))])


def robustness(values: Float64, systems: Sequence[int], published: Float64 | None = None) -> Float64:
    """Mean τ of each metric over samples and shares, with the order on the whole test set."""
    if published is not None:
        values = values / values[:1, :, :, :1] * published[None, :, :, None]
    chosen = values[:, :, systems]
    taus = [[tau_b(whole[None, :, 0], of.T)[0] for whole, of in zip(chosen[0], share, strict=True)] for share in chosen[1:]]
    of_metrics: Float64 = np.asarray(taus).mean(axis=(0, 2))  # NaN for what the authors do not publish by depth
    return of_metrics


def drift(values: Float64) -> tuple[Float64, Float64]:
    """Mean τ of single samples with the mean over samples, and of that mean with the whole test set."""
    means = values.mean(axis=3)
    shares = zip(means, values, strict=True)
    single = [[tau_b(m[None, :], of.T)[0].mean() for m, of in zip(ms, share, strict=True)] for ms, share in shares]
    moved = [[tau_b(w[None, :], m[None, :])[0, 0] for w, m in zip(means[0], ms, strict=True)] for ms in means[1:]]
    return np.mean(single[1:], axis=0), np.mean(moved, axis=0)


def power(judged: SystemsOnTrial, systems: Sequence[int], published: Float64) -> tuple[Float64, Float64]:
    """DP of each metric over these systems by the normal distribution: of our means, and of those published."""
    ours, theirs = np.zeros(len(judged.metrics)), np.zeros(len(judged.metrics))
    values = np.nan_to_num(judged.values)
    for a, b in combinations(systems, 2):
        differences = values[:, a] - values[:, b]
        error = differences.std(axis=1, ddof=1) / np.sqrt(differences.shape[1])
        ours += 2 * ndtr(-np.abs(differences.mean(axis=1)) / error)
        theirs += 2 * ndtr(-np.abs(published[:, a] - published[:, b]) / error)
    return ours, theirs


def published_means(path: Path, judged: SystemsOnTrial) -> Float64:
    """Metrics × systems, as the authors measured theirs; NaN for what they do not publish."""
    with path.open(encoding="utf-8") as file:
        rows = {row["system"]: row for row in csv.DictReader(file)}
    means = np.full((len(judged.metrics), len(judged.systems)), np.nan)
    for m, metric in enumerate(judged.metrics):
        name, depth = str(metric).partition("@")[0], depth_of(metric)
        column = COLUMNS[name].format(depth) if name in COLUMNS else AT_DEEP[name] if depth == DEEP else None
        if column is not None:
            means[m] = [float(rows[system][column]) for system in judged.systems]
    return means


def report(judged: SystemsOnTrial, published: Float64) -> Iterator[str]:
    """All figures, a line each."""
    every = list(range(len(judged.systems)))
    without_rsv = [s for s in every if judged.systems[s] != "RSV"]
    without_nearest = [s for s in every if judged.systems[s] not in NEAREST]
    values = {title: means_by_share(judged, *draw) for title, draw in DRAWS.items()}
    first = values[next(iter(DRAWS))]
    rows = {title: robustness(of, every) for title, of in values.items()}
    rows |= {"without RSV": robustness(first, without_rsv), "without six systems": robustness(first, without_nearest)}
    rows |= {f"{title}, means as published": robustness(of, every, published) for title, of in values.items()}
    names = [str(metric).partition("@")[0] for metric in judged.metrics]
    at = {(name, depth_of(metric)): k for k, (name, metric) in enumerate(zip(names, judged.metrics, strict=True))}
    for title, taus in rows.items():
        deep = ", ".join(f"{name} {taus[at[name, DEEP]]:.3f}" for name in METRICS)
        by_depth = {name: [taus[at[name, depth]] for depth in DEPTHS] for name in METRICS}
        rhos = ", ".join(
            f"{name} {spearmanr(DEPTHS, of).statistic:.2f}" for name, of in by_depth.items() if not np.isnan(of).any()
        )
        yield f"mean τ at {DEEP}, {title}: {deep}"
        yield f"Spearman's ρ of cut-off and τ, {title}: {rhos}"
    single, moved = drift(first)
    for title, taus in (("samples with their mean", single), ("their mean with all ratings", moved)):
        shown = [f"{name} {', '.join(f'{taus[at[name, n]]:.3f}' for n in (5, 10, 100))}" for name in ("AP", "Recall", "RR")]
        yield f"τ at 5, 10, 100, {title}: {'; '.join(shown)}"
    ours, theirs = power(judged, without_rsv, published)
    for title, dp in (("ours", ours), ("means as published", theirs)):
        yield f"DP at {DEEP} without RSV, {title}: {', '.join(f'{name} {dp[at[name, DEEP]]:.2f}' for name in METRICS)}"
        for name in COLUMNS:
            yield f"DP of {name} by cut-off, {title}: {', '.join(f'{n} {dp[at[name, n]]:.2f}' for n in DEPTHS)}"


def main(arguments: list[str]) -> int:
    parser = ArgumentParser(prog="python -m benchmarks.metric_causes", description=(__doc__ or "").splitlines()[0])
    for name in ("--data", "--out", "--published"):
        parser.add_argument(name, type=Path, required=True)
    options = parser.parse_args(arguments)
    bench = PaperBench(data=options.data, out=options.out)
    study = bench.study(VALCARCE_SPLIT, KEYS, metrics=[str(metric) for metric in metrics_at(METRICS, DEPTHS)])
    assert set(SYSTEMS) == {system.name for system in study.recommend}
    [judged] = judged_systems(study, store=KeptRanks(Ledger(options.out / FITS / "meta"), None))
    for line in report(judged, published_means(options.published, judged)):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
