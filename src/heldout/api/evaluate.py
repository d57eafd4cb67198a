"""Judge runs that any system produced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from heldout.analysis.choices import protocol_choices
from heldout.analysis.findings import Findings
from heldout.api.arguments import moved, several, streaming
from heldout.api.kinds.study import study_results, with_parts
from heldout.api.results import Results
from heldout.data.frames import named_runs
from heldout.errors import ResultsError, SpecError
from heldout.experiment.evaluate import evaluation_of
from heldout.experiment.ledger import SOURCES, Ledger, is_stopped_evaluation, kind_words
from heldout.experiment.run import opened
from heldout.experiment.run_sources import run_sources
from heldout.experiment.stream.evaluate import StreamOptions, stream_runs
from heldout.experiment.stream.sources import streams
from heldout.experiment.study_scores import write_values
from heldout.reports.render.progress import shown
from heldout.study.analysis import PRIMARY_METRIC

if TYPE_CHECKING:
    from heldout.api.arguments import Comparison, EngineName, Metrics, Specs, Streaming
    from heldout.reports.render.progress import ProgressOption


@moved(
    test='compare="wilcoxon", or compare={"tests": "wilcoxon", "level": 0.01}',
    correction='compare={"correction": …}, as in the table compare of a study',
    level='compare={"level": …}, as in the table compare of a study',
    baseline='compare={"baseline": …}, as in the table compare of a study',
    scratch='stream={"scratch": …}',
    storage='stream={"storage": …}',
)
def evaluate(
    qrels: Any,
    runs: Any,
    metrics: Metrics = PRIMARY_METRIC,
    *,
    train: Any = None,
    items: Any = None,
    scores: Literal["order", "comparable", "ratings"] = "order",
    descriptions: Mapping[str, str] | None = None,
    relevance: Specs | None = None,
    target: Specs = "AllItems",
    unrated: Specs = "zero",
    ties: Specs = "item",
    aggregate: Specs = "mean",
    undefined: Specs = "zero",
    coverage: Specs = "zero",
    compare: Comparison | None = None,
    objectives: Specs = (),
    seed: int = 1,
    title: str = "Evaluation of runs",
    out: str | Path | None = None,
    per_user: str | Path | None = None,
    stream: bool | Streaming | None = None,
    engine: EngineName | None = None,
    address: str | None = None,
    progress: ProgressOption = None,
) -> Results[Findings]:
    """Judge runs that any system produced: `evaluate(test, {"A": frame, "B": "b.parquet"}, ["P@10", "RR"])`.

    Judgements, training ratings and runs are paths, frames (polars, pandas, pyarrow, DuckDB), tuples of arrays, dicts by
    user such as `{"u": {"x": 0.9}}` or `{"u": ["x", "y"]}`, or sparse matrices; `runs` may be a single one. Where no metric
    is named it is `nDCG(gain=binary)@10`, as in `run` and `tune`; a written `nDCG@10` takes ratings as gains, as trec_eval
    does.

    The inputs:

    - `train`: training ratings; their items are not targets.
    - `items`: a table of items, for metrics that look at features.
    - `scores`: what the runs' scores are: "order" only puts items in order, "comparable" means the same for all users,
      "ratings" are predicted ratings.
    - `descriptions`: what made each run, `{"A": "BPR-MF of LensKit, 64 factors"}`, for `methods` and the report.

    The choices, which are keys of a study file:

    - `relevance`, `target`, `unrated`, `ties`: which ratings are relevant (by the scale if not given), which items compete,
      what an unrated item counts as, the order of equal scores.
    - `aggregate`, `undefined`, `coverage`: how users become one number, and what an undefined value and a user without a
      list count as.
    - `compare`: how runs are compared: significance tests, or the table of a study: `{"tests": ["t", "wilcoxon"],
      "correction": "holm", "level": 0.05, "baseline": "A"}`.
    - `objectives`: descriptive metrics, such as `ILD@10`, by which runs are compared all the same.

    Results and resources:

    - `out`: a new folder that keeps the results, with values per user: `load`, `compare`, `power`, `methods` and `meta`
      take it. Inputs are kept by file name and digest; tables in memory are kept themselves.
    - `per_user`: a file (.parquet, .csv) for the values of users, however many they are; `results.per_user()` has them too,
      unless they were too many to keep.
    - `stream`: True judges users in pieces, for Parquet files that are larger than memory. If not given, that is done when
      all sources are Parquet and one of them is a pattern of files, an address (`s3://…`) or large. `{"scratch": folder,
      "storage": {…}}` names the folder in which rows are sorted by user, and what polars needs to know of the object store.
    - `engine="ray"` judges pieces side by side, on this machine or on the cluster at `address`, whose nodes must all see
      the scratch folder.
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
        "compare": compare,
        "objectives": several(objectives),
        "seed": seed,
        "title": title,
    }
    named = named_runs(runs)
    keep = ledger is not None
    sources = run_sources(qrels, named, train, items=items, scores=scores, descriptions=descriptions, keep=keep)
    asked, pieces = streaming(stream)
    streamed = streams(qrels, named, train, asked)
    if not streamed and engine == "ray":
        hint = "leave the engine out; Parquet files larger than memory are judged in pieces (--stream)"
        raise SpecError("only a streamed evaluation has pieces for Ray", where="engine", hint=hint)
    evaluation, digests = None, dict[str, str]()
    with shown(progress) as tell, opened(engine or "here", address) as where:
        if streamed:
            how = StreamOptions(**pieces, per_user=None if per_user is None else Path(per_user))
            protocol, analysis, study_scores = stream_runs(
                qrels, named, several(metrics), options=how, engine=where, tell=tell, **options
            )
        else:
            if tell is not None:
                tell("reading and judging", 0, 0)
            evaluation = evaluation_of(qrels, named, several(metrics), **options)
            protocol, analysis, study_scores = evaluation.protocol, evaluation.analysis, evaluation.study_scores()
            digests = sources.digests()
        if per_user is not None and not study_scores.stored:
            write_values(Path(per_user), study_scores.per_user().lazy(), analysis.metrics)
        if tell is not None:
            tell("comparing", 0, 0)
        study_scores = replace(study_scores, manifest=study_scores.manifest | sources.record | {"inputs": digests})
        results = study_results(study_scores.findings(analysis, lambda: protocol_choices(protocol)), study_scores)
        if ledger is None:
            return results
        results = with_parts(results)
        with ledger.writing():
            ledger.write_manifest({**results.findings.manifest, "complete": False})
            if evaluation is not None:
                for table, frame in sources.tables(evaluation.qrels.test, evaluation.qrels.train, evaluation.runs):
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
