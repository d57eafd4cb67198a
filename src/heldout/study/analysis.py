"""What is made of scores: metrics, aggregations and significance tests (decisions C2 to D)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.coverage_rule import CoverageRule
from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.catalogue import make_all
from heldout.errors import HeldoutError, SpecError, UnknownNameError, for_each
from heldout.metrics.metric import Metric
from heldout.study.comparison import DEFAULT_TESTS, Comparison, make_comparison, refuse_inapplicable
from heldout.study.keys import Options, Table, decision, declared_keys, listed, make_options, setting
from heldout.study.protocol import SEED
from heldout.study.relative_paths import located
from heldout.targets.target import Target

DEFAULT_TITLE = "Comparison of recommenders"
PRIMARY_METRIC = "nDCG(gain=binary)@10"
"""What run, evaluate, measure and tune take where no metric is named."""
TASKS = ("predict_ratings", "some_good_items", "all_good_items", "utility", "fixed_list")
OwnAggregations = tuple[tuple[Metric, tuple[Aggregation, ...]], ...]
"""Metrics that are not aggregated as the study says, with how they are."""
_WITH_AGGREGATE = re.compile(r"^(?P<metric>.*[^\s,(])\s+aggregate\s*=\s*(?P<aggregate>\S.*)$", re.DOTALL)
"""A metric and its aggregation; a parameter `aggregate` inside brackets would follow a bracket or a comma."""


@dataclass(frozen=True)
class OwnMeasure(Table):
    """A metric with an aggregation of its own."""

    metric: str = field(metadata=setting("a metric, such as HLU"))
    aggregate: Options | None = field(
        default=None, metadata=setting("how its values are aggregated, instead of the study's way")
    )


def read_task(value: Any) -> str:
    """What the system is for, one of `TASKS`."""
    if value not in TASKS:
        raise UnknownNameError("task", str(value), TASKS)
    return str(value)


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """Decisions C2 to D. Every decision is a tuple of the options that are tried."""

    title: str = field(default=DEFAULT_TITLE, metadata=setting("title of the report", read=str))
    task: str = field(
        default="some_good_items", metadata=setting(f"what the system is for: {', '.join(TASKS)}", read=read_task)
    )
    metrics: tuple[Metric, ...] = field(
        metadata=decision(
            "metrics, such as nDCG(gain=exp2)@[5,10], or tables of a metric and its own aggregation",
            written=str | list[str | OwnMeasure],
            default=[PRIMARY_METRIC],
            question="Metrics, gains and cut-offs",
        )
    )
    aggregate: tuple[Aggregation, ...] = field(
        metadata=decision("users' values → one number", default="mean", question="Users to one number")
    )
    undefined: tuple[UndefinedRule, ...] = field(
        metadata=decision("what an undefined value counts as", default="zero", question="Undefined values")
    )
    coverage: tuple[CoverageRule, ...] = field(
        metadata=decision(
            "what a user without recommendations counts as", default="zero", question="Users without recommendations"
        )
    )
    compare: Comparison = field(
        metadata=setting("significance tests, or a table", Options | Comparison, default=list(DEFAULT_TESTS))
    )
    objectives: tuple[Metric, ...] = field(
        default=(),
        metadata=setting("descriptive metrics, such as ILD@10, by which systems are compared all the same", Options),
    )
    """Descriptive metrics that are compared all the same, because more of them is what is wanted."""
    own_aggregate: OwnAggregations = ()
    """Metrics that are not aggregated as `aggregate` says, with how they are."""
    seed: int = field(default=1, metadata=SEED)

    def analysis_options(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Every stage with the full text of its options."""
        for stage, declared in declared_keys(Analysis).items():
            if stage == "metrics":
                yield stage, tuple(text for metric in self.metrics for text in self._written(metric))
            elif declared.kind:
                options = self.compare.tests if stage == "compare" else getattr(self, stage)
                yield stage, tuple(option.full_text for option in options)

    def _written(self, metric: Metric) -> Iterator[str]:
        """A metric as a study file would have it, once for each aggregation of its own."""
        own = dict(self.own_aggregate).get(metric)
        if own is None:
            yield metric.full_text
        else:
            yield from (f"{metric.full_text} aggregate={aggregation.full_text}" for aggregation in own)

    def aggregations(self, metric: Metric) -> tuple[Aggregation, ...]:
        """How a metric is aggregated: as it says itself, else as `aggregate` says."""
        return dict(self.own_aggregate).get(metric, self.aggregate)

    @property
    def all_aggregations(self) -> tuple[Aggregation, ...]:
        """The aggregations of all metrics and those that only some metrics name."""
        own = [aggregation for _, aggregations in self.own_aggregate for aggregation in aggregations]
        return tuple(dict.fromkeys([*self.aggregate, *own]))

    @property
    def contests(self) -> tuple[Metric, ...]:
        """The metrics by which systems are compared: all but diagnostics and descriptive ones that are no objectives."""
        return tuple(m for m in self.metrics if m.direction != "none" and (not m.descriptive or m in self.objectives))

    @property
    def descriptive(self) -> tuple[Metric, ...]:
        """The metrics that describe lists and decide nothing here."""
        return tuple(m for m in self.metrics if m.descriptive and m not in self.objectives)


def entry_of(entry: Any) -> tuple[Any, Any]:
    """A metric as it was written, and the aggregation that it names or None."""
    if isinstance(entry, Mapping):
        if "metric" not in entry or not set(entry) <= {"metric", "aggregate"}:
            raise SpecError(found=sorted(map(str, entry)), expected="a table with 'metric' and, if you like, 'aggregate'")
        return entry["metric"], entry.get("aggregate")
    named = _WITH_AGGREGATE.match(entry) if isinstance(entry, str) else None
    return (named["metric"], named["aggregate"]) if named else (entry, None)


def make_measures(entries: Sequence[Any], aggregate: Sequence[Aggregation]) -> tuple[tuple[Metric, ...], OwnAggregations]:
    """The metrics of a study, and those that are not aggregated by `aggregate` alone with what they are aggregated by.

    A metric that is named both with an aggregation and without is aggregated in both ways.
    """
    named: dict[Metric, list[Aggregation]] = {}

    def add(entry: Any) -> None:
        metric, own = entry_of(entry)
        aggregations = aggregate if own is None else _aggregations(own)
        for component in make_all("metric", metric):
            named.setdefault(component, []).extend(a for a in aggregations if a not in named.get(component, ()))

    for_each(add, entries)
    if not named:
        raise SpecError(found=[], expected="at least one metric", hint="such as nDCG@10")
    own = {metric: tuple(by) for metric, by in named.items() if tuple(by) != tuple(aggregate)}
    return tuple(named), tuple(own.items())


def _aggregations(value: Any) -> tuple[Aggregation, ...]:
    try:
        return make_options("aggregation", value)
    except HeldoutError as error:
        raise error.within("aggregate") from None


def make_objectives(value: Any, measured: Sequence[Metric], folder: Path | None = None) -> tuple[Metric, ...]:
    """The metrics that are objectives, which must be among those that are measured and say which value is better."""
    try:
        objectives = [located(m, folder) for text in listed(value) for m in make_all("metric", text)]
        for metric in objectives:
            if metric not in measured:
                raise SpecError(
                    "an objective must be one of the metrics",
                    found=str(metric),
                    expected=f"one of {', '.join(map(str, measured))}",
                    hint="add it to metrics",
                )
            if metric.direction == "none":
                raise SpecError(found=str(metric), expected="a metric of which higher or lower values are better")
    except HeldoutError as error:
        raise error.within("objectives") from None
    return tuple(dict.fromkeys(objectives))


def refuse_diagnostics_alone(metrics: Sequence[Metric]) -> None:
    """Raise SpecError if no metric says which of two systems is better."""
    if all(metric.direction == "none" for metric in metrics):
        raise SpecError(
            "these metrics only describe lists",
            found=[str(metric) for metric in metrics],
            expected="at least one metric that ranks systems",
            hint=f"add one, such as {PRIMARY_METRIC}",
        )


def make_analysis(keys: Mapping[str, Any], *, systems: Sequence[str], targets: Sequence[Target]) -> Analysis:
    """How the scores of `systems` are analysed, from keys of a study file; what is not named has its default."""
    declared = declared_keys(Analysis)
    if unknown := keys.keys() - declared.keys():
        raise TypeError(f"these are no keys of an analysis: {', '.join(unknown)}")
    named = {stage: key.default if keys.get(stage) is None else keys[stage] for stage, key in declared.items()}
    stages: dict[str, Any] = {}
    for stage in ("aggregate", "undefined", "coverage"):
        with error_within(stage):
            stages[stage] = make_options(declared[stage].kind, named[stage])
    with error_within("metrics"):
        metrics, own_aggregate = make_measures(listed(named["metrics"]), stages["aggregate"])
        refuse_diagnostics_alone(metrics)
    objectives = make_objectives(named["objectives"] or (), metrics)
    aggregations = [*stages["aggregate"], *(a for _, own in own_aggregate for a in own)]
    with error_within("compare"):
        comparison = make_comparison(named["compare"], systems)
        if len(systems) > 1:
            refuse_inapplicable(comparison, aggregations, targets)
    return Analysis(
        **stages,
        metrics=metrics,
        own_aggregate=own_aggregate,
        objectives=objectives,
        compare=comparison,
        task=named["task"],
        title=named["title"],
        seed=named["seed"],
    )


@contextmanager
def error_within(stage: str) -> Iterator[None]:
    """Name the stage that an error is about."""
    try:
        yield
    except HeldoutError as error:
        raise error.within(stage) from None
