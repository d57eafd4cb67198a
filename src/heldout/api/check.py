"""Check whether a candidate may replace the system in production."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from heldout.aggregations.mean import Mean
from heldout.analysis.alignment import align, users_of_group
from heldout.analysis.check import CheckFindings, Guard, GuardCheck, MetricCheck, parse_guards
from heldout.analysis.findings import Findings
from heldout.analysis.settings import AggregatedSetting, aggregate_settings
from heldout.api.arguments import several
from heldout.api.evaluate import evaluate
from heldout.api.kept_results import over_results
from heldout.api.kinds.study import study_scores_of
from heldout.api.load import load_kind
from heldout.api.results import Results
from heldout.catalogue import make_all
from heldout.data.runs import MatrixRun, read_run
from heldout.errors import NotApplicableError, SpecError, UnknownNameError
from heldout.experiment.ledger import SOURCES
from heldout.experiment.run_judging import as_run
from heldout.experiment.study_scores import kept_analysis
from heldout.significance.noninferiority import Margin, noninferiority
from heldout.study.analysis import PRIMARY_METRIC
from heldout.study.comparison import NO_TEST

if TYPE_CHECKING:
    from heldout.api.arguments import Metrics, Spec
    from heldout.reports.document import Document

MARGIN = "2%"
BASELINE, CANDIDATE = "baseline", "candidate"


@dataclass(frozen=True, eq=False, repr=False)
class Check:
    """The outcome of a release check: `assert ho.check(…).passed, …` in a test of a model."""

    findings: CheckFindings

    @property
    def passed(self) -> bool:
        """True if the candidate may be released."""
        return self.findings.passed

    @property
    def exit_code(self) -> int:
        """0 passed, 1 worse, 4 inconclusive, 5 suspicious: the code with which `heldout check` ends."""
        return self.findings.exit_code

    @property
    def outcome(self) -> str:
        """Passed, worse, inconclusive or suspicious."""
        return self.findings.outcome

    @property
    def document(self) -> Document:
        """Everything that is shown, as plain data."""
        from heldout.reports import check

        return check.document(self.findings)

    def to_dict(self) -> dict[str, Any]:
        """The outcome and all numbers as JSON types."""
        return {"outcome": self.outcome, "exit_code": self.exit_code, "passed": self.passed, **asdict(self.findings)}

    def to_markdown(self) -> str:
        """The check for a pull request."""
        from heldout.reports.render import markdown

        return markdown.document(self.document)

    def to_junit(self) -> str:
        """JUnit XML, one test case for each metric and guard."""
        from heldout.reports import check

        return check.junit(self.findings)

    def __repr__(self) -> str:
        from heldout.reports.check import sentences

        return "\n".join([self.document.answer, *sentences(self.findings)])


@over_results
def check(
    results: str | Path | Results[Findings] | None = None,
    *,
    baseline: Any,
    candidate: Any,
    qrels: Any = None,
    metrics: Metrics | None = None,
    margin: str | float = MARGIN,
    guards: str | Sequence[str] = (),
    suspicious: str | float | None = None,
    inconclusive: Literal["fail", "pass"] = "fail",
    settings: int | Sequence[int] | None = None,
    train: Any = None,
    items: Any = None,
    scores: Literal["order", "comparable", "ratings"] = "order",
    relevance: Spec | None = None,
    target: Spec = "AllItems",
) -> Check:
    """Whether a candidate may replace a baseline: `check(qrels=test, baseline="prod.parquet", candidate="new.parquet")`.

    The candidate passes if its loss is below the margin with 95 % confidence, by every metric, on the same users. `check`
    takes two runs with a test set, or two systems of results: `check("results", baseline="A", candidate="B")`.

    - `margin`: the largest loss that is acceptable: `"2%"` of the baseline's mean, or an amount such as `0.02`.
    - `guards`: limits on metrics of whole systems, `"ItemCoverage@10 >= -5%"`: two numbers compared, without interval.
    - `suspicious`: a gain from which on the candidate is suspected of leakage, such as `"50%"`.
    - `inconclusive`: what a check counts as if neither a smaller nor a larger loss than the margin is certain.
    - `settings`: of results, the numbers of the settings to check; the primary one if not given.
    - `metrics`, `train`, `items`, `scores`, `relevance`, `target`: how runs are judged, as in `evaluate`.

    One check has an error of 5 %. It does not cover repeated tries on one test set, nor differences between training seeds.
    """
    allowed, limits = Margin.parse(margin, "margin"), parse_guards(guards)
    gain = None if suspicious is None else Margin.parse(suspicious, "suspicious")
    if inconclusive not in ("fail", "pass"):
        raise UnknownNameError("outcome", str(inconclusive), ["fail", "pass"], where="inconclusive", listed=True)
    if (results is None) == (qrels is None):
        hint = "give one of them: a results folder, or qrels= with two runs"
        raise SpecError("a check needs a results folder or a test set", where="results", hint=hint)
    of_runs = {"metrics": metrics, "train": train, "items": items, "relevance": relevance}
    of_runs |= {"scores": None if scores == "order" else scores, "target": None if target == "AllItems" else target}
    options = {"settings": settings} if results is None else of_runs
    unused = next((name for name, given in options.items() if given is not None), None)
    if unused:
        subject = "runs" if results is None else "results, which were judged already"
        hint = "choose a metric with metrics" if results is None else "choose a setting by its number with settings"
        raise SpecError(f"this option is not for a check of {subject}", where=unused, hint=hint)
    if results is None:
        asked = [PRIMARY_METRIC] if metrics is None else several(metrics)
        wanted = [metric for spec in asked for metric in make_all("metric", spec)]
        single = next((metric for metric in wanted if not metric.per_user), None)
        if single is not None:
            hint = f'name it as a guard: "{single} >= -5%"'
            raise SpecError("it has no values per user to test", where="metrics", found=str(single), hint=hint)
        runs = [read_run(source) if isinstance(source, str | Path) else source for source in (baseline, candidate)]
        judged = evaluate(
            qrels,
            dict(zip((BASELINE, CANDIDATE), runs, strict=True)),
            [*wanted, *(guard.metric for guard in limits)],
            train=train,
            items=items,
            scores=scores,
            relevance=relevance,
            target=target,
            compare=NO_TEST,
            stream=False,
        )
        names = (BASELINE, CANDIDATE)
        label_of = {BASELINE: _label(baseline, BASELINE), CANDIDATE: _label(candidate, CANDIDATE)}
        texts = [str(metric) for metric in wanted]
        numbers = [setting.id for setting in judged.findings.settings if setting.metric in texts]
        measured_metrics = {judged.findings.setting(number).metric for number in numbers}
        unmeasured = next((text for text in texts if text not in measured_metrics), None)
        if unmeasured is not None:  # the others must not pass without it
            reasons = [reason for reason in judged.left_out if reason.startswith((f"{unmeasured} ", f"{unmeasured}:"))]
            raise NotApplicableError("; ".join(reasons) or f"{unmeasured} has no value of these runs", where="metrics")
    else:
        judged = load_kind(results, Findings)
        names, label_of, runs = (str(baseline), str(candidate)), {}, []
        for name in names:
            if name not in judged.findings.systems:
                raise UnknownNameError("system", name, judged.findings.systems, where="baseline or candidate", listed=True)
        given = [settings] if isinstance(settings, int) else settings
        numbers = [judged.findings.primary] if given is None else [judged.findings.setting(number).id for number in given]
    if names[0] == names[1]:
        raise SpecError("baseline and candidate are the same system", where="candidate", found=names[1])
    measured = _settings(judged)
    protocols: list[dict[str, str]] = []
    for number in numbers:
        choices = judged.findings.setting(number).choices
        protocols += [] if choices in protocols else [choices]

    def identical() -> bool:
        return _same_runs(*runs) if runs else _same_files(names, judged)

    findings = CheckFindings(
        baseline=label_of.get(names[0], names[0]),
        candidate=label_of.get(names[1], names[1]),
        margin=str(allowed),
        suspicious="" if gain is None else str(gain),
        metrics=tuple(_checked(measured[number], names, allowed, gain, identical=identical) for number in numbers),
        guards=tuple(_guarded(guard, judged.findings, choices, names) for choices in protocols for guard in limits),
        accept_inconclusive=inconclusive == "pass",
    )
    return Check(findings)


def _settings(results: Results[Findings]) -> list[AggregatedSetting]:
    """The settings of results, by number, with the values of users."""
    scores = study_scores_of(results)
    analysis = kept_analysis(scores, {})
    systems, pooled = scores.systems(), analysis.compare.folds == "pooled"
    tables = [
        users_of_group(align(scores.parts, protocol, systems, pooled=pooled), analysis.compare.group)[0]
        for protocol in scores.protocols()
    ]
    if any(len(np.unique(table.user)) < len(table) for table in tables):
        found, hint = 'folds = "pooled"', 'average the folds of a user: compare = {folds = "average"}'
        raise NotApplicableError("each fold of a user would count as another user", where="compare", found=found, hint=hint)
    return aggregate_settings(analysis, tables)


def _checked(
    setting: AggregatedSetting,
    names: tuple[str, str],
    margin: Margin,
    suspicious: Margin | None,
    *,
    identical: Callable[[], bool],
) -> MetricCheck:
    """What one setting says of the two systems."""
    if not setting.metric.per_user or setting.choice.descriptive:
        words = "it has no values per user" if not setting.metric.per_user else "it describes lists and ranks no systems"
        raise NotApplicableError(
            words, where="settings", found=str(setting.metric), hint="choose a setting of another metric"
        )
    if setting.values.by != Mean() or setting.values.weights is not None:
        found, hint = str(setting.choice.aggregation), "choose a setting whose users are averaged by mean"
        raise NotApplicableError("a check is about the plain mean of users", where="settings", found=found, hint=hint)
    missing = next((name for name in names if name not in setting.systems), None)
    if missing is not None:
        raise NotApplicableError("the system has no value of this metric", where=str(setting.metric), found=missing)
    baseline, candidate = setting.paired(*names)
    users = [setting.tallies[setting.systems.index(name)].users for name in names]
    if max(users) > len(baseline):
        hint = "judge runs of the same users, or choose a setting that counts users without a list"
        found = f"{users[0]:,} of the baseline, {users[1]:,} of the candidate, {len(baseline):,} of both"
        raise NotApplicableError(
            "the systems have values of different users", where=str(setting.metric), found=found, hint=hint
        )
    low, high = setting.metric.limits
    test = noninferiority(
        baseline,
        candidate,
        margin,
        higher_is_better=setting.values.higher_is_better,
        widest=high - low,
        suspicious=suspicious,
    )
    return MetricCheck(metric=str(setting.metric), identical=test.differing == 0 and identical(), test=test)


def _guarded(guard: Guard, findings: Findings, protocol: dict[str, str], names: tuple[str, str]) -> GuardCheck:
    """The guard applied to the values of the two systems under a protocol."""
    metric = str(guard.metric)
    same = [setting.id for setting in findings.settings if setting.metric == metric and setting.choices == protocol]
    if not same:
        measured = sorted({setting.metric for setting in findings.settings if setting.choices == protocol})
        hint = f"measured: {', '.join(measured)}"
        raise SpecError("this metric was not measured", where="guard", found=metric, hint=hint)
    baseline, candidate = (findings.value(same[0], name) for name in names)
    if baseline is None or candidate is None:
        raise NotApplicableError("it has no value of these systems", where="guard", found=metric)
    return GuardCheck.of(guard, baseline, candidate)


def _same_runs(baseline: Any, candidate: Any) -> bool:
    """True if both runs have the same scores for the same users and items."""
    if baseline is candidate:
        return True
    runs = (as_run(source, "run") for source in (baseline, candidate))
    first, second = (run.frame() if isinstance(run, MatrixRun) else run for run in runs)
    if first.users != second.users or first.items != second.items:
        return False
    order, other = (np.lexsort((run.item, run.user)) for run in (first, second))
    return (
        np.array_equal(first.user[order], second.user[other])
        and np.array_equal(first.item[order], second.item[other])
        and np.array_equal(first.score[order], second.score[other])
    )


def _same_files(names: tuple[str, str], results: Results[Findings]) -> bool:
    """True if the runs of both systems have the same bytes, as far as the results know."""
    sources, digests = results.manifest.get(SOURCES, {}).get("runs", {}), results.manifest.get("inputs", {})
    found = [digests.get(sources.get(name, {}).get("file", "")) for name in names]
    return found[0] is not None and found[0] == found[1]


def _label(source: Any, name: str) -> str:
    """The file's name of a run, or what it is in the check."""
    return Path(source).name if isinstance(source, str | Path) else name
