"""Judge runs that any system produced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from heldout.api.results import Results
from heldout.errors import UnknownNameError
from heldout.experiment.evaluate import OPTIONS, evaluate_runs
from heldout.experiment.gather import gather, protocol_choices
from heldout.study.stages import PRIMARY_METRIC

if TYPE_CHECKING:
    from heldout.experiment.run import Progress


def evaluate(
    qrels: Any,
    runs: Any,
    metrics: str | Sequence[Any] = (PRIMARY_METRIC,),
    *,
    progress: Progress | None = None,
    **options: Any,
) -> Results:
    """Judge runs that any system produced: `evaluate(test, {"A": frame, "B": "b.parquet"}, ["P@10", "RR"])`.

    Judgements and runs are paths, frames (polars, pandas, pyarrow, DuckDB), tuples of arrays, dicts by user such as
    `{"u": {"x": 0.9}}` or `{"u": ["x", "y"]}`, or sparse matrices; `runs` may be a single one. Options: train, relevance,
    unrated, ties, aggregate, undefined, coverage, compare, objectives, seed, title; `scores` says what the runs' scores are
    ("order", "comparable" across users, or "ratings"), and `items` is a table of items for metrics that look at features.
    Where no metric is named it is `nDCG(gain=binary)@10`, as in `run` and `tune`; a written `nDCG@10` takes ratings as
    gains, as trec_eval does.
    """
    if progress is not None:
        progress("reading and judging", 0, 0)
    unknown = set(options) - set(OPTIONS)
    if unknown:
        raise UnknownNameError("option of evaluate", min(unknown), OPTIONS)
    listed = [metrics] if isinstance(metrics, str) else list(metrics)
    protocol, analysis, outcome = evaluate_runs(qrels, runs, listed, **options)
    if progress is not None:
        progress("comparing", 0, 0)
    return Results(gather(analysis, outcome, protocol_choices(protocol)), outcome)
