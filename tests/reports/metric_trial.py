"""A trial of metrics written by hand: three metrics at two depths, one of whole lists, four systems."""

from __future__ import annotations

from typing import Any

from heldout.metric_quality.analysis import agreement
from heldout.metric_quality.findings import (
    DiscriminativePower,
    MetricFindings,
    MetricRow,
    Reliability,
    SwapRate,
    SweepPoint,
    ranked,
)

NAN = float("nan")
SENTENCE = "On these data nDCG@10 separates systems best."
_MEAN_P = {"P@5": 0.2, "P@10": 0.1, "nDCG@5": 0.15, "nDCG@10": 0.02, "<b>&@5": 0.4, "<b>&@10": 0.3, "AUC": 0.25}
_TAU = {"P@5": 0.9, "P@10": 0.99, "nDCG@5": 0.91, "nDCG@10": 0.97, "<b>&@5": 0.5, "<b>&@10": 0.6, "AUC": NAN}


def trial(**changes: Any) -> MetricFindings:
    """The trial, with some of its fields replaced."""
    import numpy as np

    metrics = list(_MEAN_P)
    means = np.array([[4.0, 3, 2, 1], [4, 3, 2, 1], [4, 3, 1, 2]])
    curve = (0.0, 0.0, 0.0001, 0.01, 0.1, 0.6)
    fields: dict[str, Any] = {
        "protocol": {"data": "films_&_books.csv", "filter": "none", "target": "AllItems"},
        "fold_digests": ("0" * 64,),
        "systems": ("A", "B", "C", "D"),
        "users": 1000,
        "folds": 1,
        "pairs": 6,
        "rows": ranked([_row(metric) for metric in metrics], ("mean_p", "missing_tau")),
        "rule": ("mean_p", "missing_tau"),
        "level": 0.05,
        "flips": 100_000,
        "sampling": "all",
        "counting": "all",
        "between_metrics": tuple(
            agreement(f"@{n}", ["P", "nDCG", "<b>&"], means + 0.0 * n, tree=True) for n in (5, 10)
        ),
        "between_depths": tuple(agreement(name, ["5", "10"], means[1:], tree=False) for name in ("P", "nDCG", "<b>&")),
        "missing": tuple(_point(m, share, _TAU[m] if share < 1 else 1.0) for m in metrics for share in (1.0, 0.5, 0.05)),
        "popularity": tuple(_point(m, share, 1.0 if share == 1 else 0.4) for m in metrics for share in (1.0, 0.9, 0.8)),
        "power": tuple(
            DiscriminativePower(
                metric=m, pairs=6, users=1000, total=6 * p, mean=p, mean_error=0.01, significant=0.5, median=p,
                half_mean=p, half_error=0.02, curve=curve,
            )
            for m, p in _MEAN_P.items()
        ),
        "swaps": tuple(
            SwapRate(metric=m, users=n, rate=10 / n, comparisons=2400, bins=((0.0, 0.4, 1200), (0.1, 0.0, 1200)))
            for m in metrics
            for n in (125, 250, 500)
        ),
        "reliability": tuple(
            Reliability(
                metric=m, users=1000, of_systems=0.25, of_users=0.5, of_rest=0.25, relative=0.999, absolute=0.997,
                users_needed=19,
            )
            for m in metrics
        ),
        "sentence": SENTENCE,
        "limits": ("τ of 4 systems has 6 pairs: one exchange of neighbours changes it by 0.33.",),
        "left_out": ("<i>Failing</i>: no score",),
    }  # fmt: skip
    return MetricFindings(**{**fields, **changes})


def _row(metric: str) -> MetricRow:
    name, _, depth = metric.partition("@")
    p = _MEAN_P[metric]
    return MetricRow(
        metric=metric, name=name, depth=int(depth) if depth else None, rank=NAN, dp=6 * p, mean_p=p, mean_p_error=0.01,
        significant=0.5, median_p=p, half_mean_p=p, half_error=0.02, missing_tau=_TAU[metric],
        missing_low=0.05 if _TAU[metric] >= 0.95 else NAN, popularity_tau=0.4, swap_rate=0.02, swap_users=800,
        swap_extrapolated=metric == "P@5", swap_at_most=metric == "nDCG@10", reliability=0.999, absolute_reliability=0.997,
        reliable_users=19,
    )  # fmt: skip


def _point(metric: str, share: float, tau: float) -> SweepPoint:
    return SweepPoint(
        metric=metric, share=share, samples=50, tau=tau, low=tau - 0.05 if share < 1 else 1.0, high=tau, users=900.0
    )
