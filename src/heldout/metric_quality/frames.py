"""What a trial of metrics says, as tables to work with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import polars as pl

from heldout.metric_quality.quality import AgreementMatrix, MetricQuality


def agreement_table(quality: MetricQuality) -> pl.DataFrame:
    """One row per pair of metrics at one depth, and per pair of depths of one metric."""
    rows = [row for matrix in quality.between_metrics for row in _pairs("metrics", matrix)]
    rows += [row for matrix in quality.between_depths for row in _pairs("depths", matrix)]
    schema = {"between": pl.String, "of": pl.String, "first": pl.String, "second": pl.String}
    return pl.DataFrame(rows, schema=schema | dict.fromkeys(("tau", "tau_ap", "rbo"), pl.Float64))


def _pairs(between: str, matrix: AgreementMatrix) -> Iterator[dict[str, Any]]:
    for a, first in enumerate(matrix.labels):
        for b in range(a + 1, len(matrix.labels)):
            yield {
                "between": between,
                "of": matrix.title,
                "first": first,
                "second": matrix.labels[b],
                "tau": matrix.tau[a][b],
                "tau_ap": matrix.tau_ap[a][b],
                "rbo": matrix.overlap[a][b],
            }


def power_table(quality: MetricQuality) -> pl.DataFrame:
    """One row per metric: its discriminative power, with the sorted p-values as a list."""
    return pl.DataFrame([asdict(power) for power in quality.power], infer_schema_length=None)


def swap_table(quality: MetricQuality) -> pl.DataFrame:
    """One row per metric, number of users and bin by the size of the difference; `bin` is null for all sizes together."""
    rows: list[dict[str, Any]] = []
    for swap in quality.swaps:
        whole = {"metric": swap.metric, "users": swap.users, "bin": None, "least": 0.0}
        rows.append({**whole, "rate": swap.rate, "comparisons": swap.comparisons})
        for number, (least, rate, comparisons) in enumerate(swap.bins):
            rows.append({**whole, "bin": number, "least": least, "rate": rate, "comparisons": comparisons})
    schema = {"metric": pl.String, "users": pl.Int64, "bin": pl.Int64}
    return pl.DataFrame(rows, schema=schema | {"least": pl.Float64, "rate": pl.Float64, "comparisons": pl.Int64})


def reliability_table(quality: MetricQuality) -> pl.DataFrame:
    """One row per metric: variance components, Eρ² and Φ."""
    return pl.DataFrame([asdict(row) for row in quality.reliability], infer_schema_length=None)
