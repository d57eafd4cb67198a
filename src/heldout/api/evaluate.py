"""Judge runs that any system produced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from heldout.analysis.choices import protocol_choices
from heldout.api.arguments import several
from heldout.api.progress import shown
from heldout.api.results import Results, with_parts
from heldout.data.frames import named_runs
from heldout.errors import ResultsError, SpecError, warn_spelling
from heldout.experiment.evaluate import evaluation_of
from heldout.experiment.ledger import SOURCES, Ledger, is_stopped_evaluation, kind_words
from heldout.experiment.outcome import write_values
from heldout.experiment.run import opened
from heldout.experiment.run_sources import run_sources
from heldout.experiment.stream.evaluate import StreamOptions, stream_runs
from heldout.experiment.stream.sources import streams
from heldout.study.stages import PRIMARY_METRIC

if TYPE_CHECKING:
    from heldout.api.arguments import Comparison, EngineName, Metrics, Spec, Specs
    from heldout.api.progress import ProgressOption


def evaluate(
    qrels: Any,
    runs: Any,
    metrics: Metrics = PRIMARY_METRIC,
    *,
    train: Any = None,
    relevance: Specs | None = None,
    target: Specs = "AllItems",
    unrated: Specs = "zero",
    ties: Specs = "item",
    scores: Literal["order", "comparable", "ratings"] = "order",
    items: Any = None,
    aggregate: Specs = "mean",
    undefined: Specs = "zero",
    coverage: Specs = "zero",
    test: Specs | None = None,
    correction: Spec | None = None,
    level: float | None = None,
    baseline: str | None = None,
    compare: Comparison | None = None,
    objectives: Specs = (),
    seed: int = 1,
    title: str = "Evaluation of runs",
    out: str | Path | None = None,
    stream: bool | None = None,
    scratch: str | Path | None = None,
    storage: Mapping[str, str] | None = None,
    per_user: str | Path | None = None,
    descriptions: Mapping[str, str] | None = None,
    engine: EngineName | None = None,
    address: str | None = None,
    progress: ProgressOption = None,
) -> Results:
    """Judge runs that any system produced: `evaluate(test, {"A": frame, "B": "b.parquet"}, ["P@10", "RR"])`.

    Judgements, training ratings and runs are paths, frames (polars, pandas, pyarrow, DuckDB), tuples of arrays, dicts by
    user such as `{"u": {"x": 0.9}}` or `{"u": ["x", "y"]}`, or sparse matrices; `runs` may be a single one. Where no metric
    is named it is `nDCG(gain=binary)@10`, as in `run` and `tune`; a written `nDCG@10` takes ratings as gains, as trec_eval
    does.

    - `train`: training ratings; their items are no targets.
    - `relevance`, `target`, `unrated`, `ties`: which ratings are relevant (by the scale if not given), which items compete,
      what an unrated item counts as, the order of equal scores.
    - `scores`: what the runs' scores are: "order" puts items in order, "comparable" means the same for all users, "ratings"
      are predicted ratings.
    - `items`: a table of items, for metrics that look at features.
    - `aggregate`, `undefined`, `coverage`: how users become one number, and what an undefined value and a user without a
      list count as.
    - `test`, `correction`, `level`, `baseline`: how runs are compared, as in `compare`: significance tests (t and
      permutation if not given, "none" for none), the correction for many comparisons (holm), the level of significance
      (0.05), and the one run that others are compared with. `compare` takes them as a table, the key of a study.
    - `objectives`: descriptive metrics, such as `ILD@10`, by which runs are compared all the same.
    - `stream`: judge users in pieces, for Parquet files that are larger than memory; without it that is done where all
      sources are Parquet and one of them is a pattern of files, an address (`s3://…`) or large. `scratch` is the folder in
      which rows are sorted by user, `storage` what polars is to know of the object store. `engine="ray"` judges pieces
      side by side, on this machine or on the cluster at `address`, whose nodes must all see `scratch`.
    - `out`: a new folder that keeps the results, with values per user: `report`, `compare`, `power`, `methods` and `meta`
      take it. Inputs are kept by file name and digest; tables in memory are kept themselves.
    - `descriptions`: what made each run, `{"A": "BPR-MF of LensKit, 64 factors"}`, for `methods` and the report.
    - `per_user`: a file (.parquet, .csv) for the values of users, however many they are; `results.per_user()` has them too,
      unless they were too many to keep.
    """
    if per_user is not None and Path(per_user).suffix.lower() not in (".parquet", ".csv"):
        kind = Path(per_user).suffix
        raise SpecError(f"cannot write values per user as '{kind}'", where=str(per_user), hint="use .parquet or .csv")
    ledger = _new_folder(out)
    options: dict[str, Any] = {
        "train": train,
        "relevance": relevance,
        "target": target,
        "unrated": unrated,
        "ties": ties,
        "scores": scores,
        "items": items,
        "aggregate": aggregate,
        "undefined": undefined,
        "coverage": coverage,
        "compare": _comparison(compare, {"tests": test, "correction": correction, "level": level, "baseline": baseline}),
        "objectives": several(objectives),
        "seed": seed,
        "title": title,
    }
    named = named_runs(runs)
    keep = ledger is not None
    sources = run_sources(qrels, named, train, items=items, scores=scores, descriptions=descriptions, keep=keep)
    streamed = streams(qrels, named, train, stream)
    if not streamed and engine == "ray":
        hint = "leave the engine out; Parquet files larger than memory are judged in pieces (--stream)"
        raise SpecError("only a streamed evaluation has pieces for Ray", where="engine", hint=hint)
    inputs, digests = None, dict[str, str]()
    with shown(progress) as tell, opened(engine or "here", address) as where:
        if streamed:
            how = StreamOptions(scratch=scratch, storage=storage, per_user=None if per_user is None else Path(per_user))
            protocol, analysis, outcome = stream_runs(
                qrels, named, several(metrics), options=how, engine=where, tell=tell, **options
            )
        else:
            if tell is not None:
                tell("reading and judging", 0, 0)
            evaluation = evaluation_of(qrels, named, several(metrics), **options)
            protocol, analysis, outcome = evaluation.protocol, evaluation.analysis, evaluation.outcome()
            inputs, digests = evaluation.inputs, sources.digests()
        if per_user is not None and outcome.merged is None:
            write_values(Path(per_user), outcome.per_user().lazy(), analysis.metrics)
        if tell is not None:
            tell("comparing", 0, 0)
        outcome = replace(outcome, manifest=outcome.manifest | sources.record | {"inputs": digests})
        results = Results(outcome.findings(analysis, protocol_choices(protocol)), outcome)
        if ledger is None:
            return results
        results = with_parts(results)
        with ledger.writing():
            ledger.write_manifest({**results.findings.manifest, "complete": False})
            if inputs is not None:
                for table, frame in sources.tables(inputs.test, inputs.train, inputs.runs):
                    ledger.save_table(table, frame)
            results.save(ledger.folder)
        return replace(results, folder=ledger.folder)


def _new_folder(out: str | Path | None) -> Ledger | None:
    """The folder for the results; ResultsError if it holds some already, other than an evaluation that was stopped."""
    if out is None:
        return None
    ledger = Ledger(out)
    earlier = ledger.earlier()
    if earlier is not None and not is_stopped_evaluation(earlier):
        held = "a finished evaluation" if SOURCES in earlier else f"the results of {kind_words(earlier)}"
        hint = f"choose another --out, delete the folder, or show what it holds by `heldout report {ledger.folder}`"
        raise ResultsError(f"the folder already holds {held}", where=str(ledger.folder), hint=hint)
    return ledger


def _comparison(table: Comparison | None, named: dict[str, Any]) -> Comparison | None:
    """How runs are compared: the options that are named, or the table of a study; None for what is usual."""
    options = {key: value for key, value in named.items() if value is not None}
    if table is None:
        return options or None
    if options:
        beside = next(iter(options)).replace("tests", "test")
        raise SpecError(f"`{beside}` and a table say how runs are compared", where="compare", hint="write one of them")
    if not isinstance(table, Mapping):
        warn_spelling("significance tests are named by test=…, as in ho.compare")
    return table
