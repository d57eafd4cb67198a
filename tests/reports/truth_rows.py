"""Findings about the truth by hand, for whoever draws them."""

from __future__ import annotations

from heldout.biases.truth.findings import EstimatorRow, TruthFindings

NAN = float("nan")


def estimator(protocol: str, right: float, **more: object) -> EstimatorRow:
    figures: dict[str, object] = {"metric": "P@5", "right_low": right - 0.1, "right_high": right + 0.1} | more
    metric = str(figures["metric"])
    return EstimatorRow(
        name=f"{protocol} by {metric}",
        protocol=protocol,
        measured=metric,
        estimand="the metric",
        same_scale="bias" in more,
        users=40,
        significant=12,
        right=right,
        tau=0.5,
        decided=0.5,
        type_s=0.0,
        **figures,  # type: ignore[arg-type]
    )


ROWS = (
    estimator("AI-AR", 0.9, bias=-0.2, error=0.02, rmse=0.2, truth=0.4),
    estimator("1R", 0.8),
    estimator("AI-AR", 0.7, metric="Recall@5", bias=0.0, error=0.01, rmse=0.01, truth=0.1),
    estimator("P1R", 0.3),
    estimator("UAR", NAN, right_low=NAN, right_high=NAN),
)


def findings(rows: tuple[EstimatorRow, ...] = ROWS) -> TruthFindings:
    return TruthFindings(
        data="simulate", simulated=True, systems=("A", "B", "C"), draws=20, train=100, test=20, users=50, true_pairs=900,
        split="ratio(train=0.8)", relevance="threshold(4)", level=0.05, sampled=30, rows=rows, pairs=(), values=(),
        sentences=("The answer.",), limits=(), left_out=(),
    )  # fmt: skip
