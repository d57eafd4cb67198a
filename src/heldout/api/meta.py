"""Put the metrics themselves on trial: which one, at which depth, can be trusted on these data?"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from heldout.analysis.findings import Findings
from heldout.api.analysis_call import AnalysisCall, analysing
from heldout.api.arguments import EngineName, TrialTable, moved
from heldout.api.kinds.metric_quality import KIND
from heldout.api.results import Results
from heldout.api.study_or_results import judged_inputs, study_of, title_for
from heldout.errors import SpecError, UnknownNameError
from heldout.experiment.evaluate import evaluation_of
from heldout.experiment.kept_stages import KeptRanks
from heldout.experiment.ledger import Ledger
from heldout.experiment.run import inputs_of
from heldout.metric_quality.findings import MetaFindings
from heldout.metric_quality.options import MetricOptions, at_default_depths, metrics_at
from heldout.metric_quality.study_analysis import Repeats, run_findings, study_findings, tie_orders_of
from heldout.metrics.metric import Metric
from heldout.reports.render.progress import ProgressOption
from heldout.storage.codec import to_plain
from heldout.study.keys import make_options
from heldout.study.record import analysis_record, protocol_record, study_record
from heldout.study.spec import Study

TITLE = "Metrics on trial"
"""Of a trial by runs, or by a study without a title."""


_IN_TABLE = 'meta={"%s": …}, as in the table meta of a study'


@moved(**{key: _IN_TABLE % key for key in TrialTable.__annotations__})
def meta(
    study: str | Path | Mapping[str, Any] | Study | Results[Findings] | None = None,
    meta: TrialTable | None = None,
    *,
    qrels: Any = None,
    runs: Any = None,
    train: Any = None,
    relevance: Any = None,
    metrics: str | Sequence[Any] | None = None,
    depths: Sequence[int] | None = None,
    target: Any = None,
    seeds: Sequence[int] = (),
    tie_orders: int = 0,
    models: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    threads: int | None = None,
    block: int = 4096,
    progress: ProgressOption = None,
    engine: EngineName | None = None,
    address: str | None = None,
) -> Results[MetaFindings]:
    """Put metrics on trial by the systems of a study, of a results folder, or of runs: which of them can be trusted?

    `study` is a TOML file, its keys, a Study, Results or the folder of a run, whose ranks are used and not made again, or
    the folder of an evaluation, whose runs are read again. Or else `qrels` and `runs` are what `evaluate` takes, with
    `train` and `relevance`. `metrics` without a cut-off are tried at each of `depths`; by default they are those of
    Valcarce et al. (2018) and others that are often reported, at 5, 10, 20, … 100, and by runs only as deep as
    their lists. `models` are systems that are Python
    objects; a folder knows those of its run by name alone, and here they are brought back. `target` replaces the study's.

    - `meta`: how metrics are tried, the table of a study, whose keys it replaces. `rule` names the criteria that metrics are
      ranked by, `samples` the number of random samples of each of the `shares` of the test ratings, `item_shares` the shares
      of least popular items, `flips` the sign flips of the permutation test, and `level` (0.05) the p-value below which a
      pair of systems counts as different. `sampling` is "all" (a sample is a share of all test ratings, the default) or
      "user" (of each user's), `popularity` "all" (counted over training and test, the default) or "train".

    `seeds` are other seeds of the study, `tie_orders` random orders of tied items, under which systems are ordered again.
    With `out`, everything is kept there, and a trial that was stopped goes on. With `engine="ray"`, samples are computed
    side by side on this machine, or on the cluster at `address`.
    """
    chosen: dict[str, Any] = {name: value for name, value in (meta or {}).items() if value is not None}
    for name in chosen:
        if name not in TrialTable.__annotations__:
            raise UnknownNameError("key", name, list(TrialTable.__annotations__), where="meta")
    repeats = Repeats(seeds=tuple(seeds), tie_orders=tie_orders)
    tried = metrics_at(metrics, depths)
    by_default = at_default_depths(metrics) if depths is None else ()
    with analysing(KIND, out=out, threads=threads, progress=progress, engine=engine or "here", address=address) as call:
        trial = _Trial(call=call, options=chosen, repeats=repeats)
        if study is None:
            if qrels is None or runs is None:
                raise SpecError(
                    "a trial needs a study, or judgements and runs",
                    hint="heldout meta study.toml --out DIR, or --qrels test.csv --run A=a.txt --run B=b.txt",
                )
            if seeds:
                raise SpecError("runs are made elsewhere, under seeds of their own", where="seeds")
            options = {"train": train, "relevance": relevance, "target": target or "AllItems"}
            return trial.of_runs(qrels, runs, tried, options, by_default)
        if qrels is not None or runs is not None:
            raise SpecError("a study has its own test set and systems", hint="name a study, or qrels and runs")
        judged = judged_inputs(study)
        if judged is not None:
            others = {"seeds": bool(seeds), "models": bool(models), "train": train is not None}
            needless = next((name for name, named in others.items() if named), None)
            if needless is not None:
                raise SpecError("runs that were judged are not made again", where=needless, hint="leave it out")
            options = {"relevance": relevance, "target": target}
            judged |= {name: value for name, value in options.items() if value is not None}
            return trial.of_runs(judged.pop("qrels"), judged.pop("runs"), tried, judged, by_default)
        subject, lender = study_of(study, models)
        subject = replace(subject, metrics=tried, own_aggregate=(), objectives=())
        if target is not None:
            subject = replace(subject, target=make_options("target", target))
        return trial.of_study(subject, lender, block)


def _options(options: Mapping[str, Any], seed: int) -> MetricOptions:
    """Trial options by name; lists, as study files have them, become tuples."""
    values: dict[str, Any] = {
        name: value if isinstance(value, str | float | int) else tuple(value) for name, value in options.items()
    }
    return MetricOptions(**values, seed=seed)


@dataclass(frozen=True, kw_only=True)
class _Trial:
    """One call of `meta`, and how metrics are tried."""

    call: AnalysisCall[MetaFindings]
    options: dict[str, Any]
    repeats: Repeats

    def of_study(self, study: Study, lender: Ledger | None, block: int) -> Results[MetaFindings]:
        """The trial of a study's metrics by its systems."""
        try:
            _options(study.meta, study.seed)
        except SpecError as error:
            raise error.within("meta") from None
        options = _options({**study.meta, **self.options}, study.seed)
        self._announce(title_for(study, TITLE), study_record(study), inputs_of(study), options)
        return self.call.results(
            study_findings(
                study,
                options=options,
                repeats=self.repeats,
                store=KeptRanks(self.call.ledger, lender),
                stages=self.call.stages,
                ranks_kept=lender is not None,
                block=block,
                progress=self.call.progress,
            )
        )

    def of_runs(
        self,
        qrels: Any,
        runs: Any,
        metrics: Sequence[Any],
        judging: Mapping[str, Any],
        by_default: Collection[Metric],
    ) -> Results[MetaFindings]:
        """The trial of metrics by runs; those `by_default` only within their lists."""
        texts = [metric.full_text for metric in metrics]
        evaluation = evaluation_of(qrels, runs, texts, **judging, title=TITLE, for_report=False)
        options = _options(self.options, evaluation.protocol.seed)
        reordered = None
        if self.repeats.tie_orders:
            orders = [str(order) for order in tie_orders_of(self.repeats)]
            reordered = evaluation_of(qrels, runs, texts, **{**judging, "ties": orders}, for_report=False)
        record = {**protocol_record(evaluation.protocol), **analysis_record(evaluation.analysis)}
        self._announce(evaluation.analysis.title, record, {}, options)
        return self.call.results(
            run_findings(
                evaluation,
                options=options,
                stages=self.call.stages,
                at_default_depths=by_default,
                reordered=reordered,
                progress=self.call.progress,
            )
        )

    def _announce(self, title: str, record: dict[str, Any], inputs: dict[str, str], options: MetricOptions) -> None:
        self.call.announce(
            title=title,
            seed=options.seed,
            study=record,
            trial=to_plain({**asdict(options), **asdict(self.repeats)}),
            inputs=inputs,
        )
