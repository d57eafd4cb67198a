"""What is made of scores: metrics, aggregations and significance tests (decisions C2 to D)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.coverage_rule import CoverageRule
from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.catalogue import make_all
from heldout.errors import HeldoutError, SpecError
from heldout.metrics.metric import Metric
from heldout.study.comparison import Comparison, make_comparison, refuse_inapplicable
from heldout.study.measures import OwnAggregations, make_measures
from heldout.study.relative_paths import located
from heldout.study.stages import DEFAULTS, KINDS_OF_STAGE, PRIMARY_METRIC, listed, make_options
from heldout.targets.target import Target

DEFAULT_TITLE = "Comparison of recommenders"


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """Decisions C2 to D. Every decision is a tuple of the options that are tried."""

    metrics: tuple[Metric, ...]
    aggregate: tuple[Aggregation, ...]
    undefined: tuple[UndefinedRule, ...]
    coverage: tuple[CoverageRule, ...]
    compare: Comparison
    objectives: tuple[Metric, ...] = ()
    """Descriptive metrics that are compared all the same, because more of them is what is wanted."""
    own_aggregate: OwnAggregations = ()
    """Metrics that are not aggregated as `aggregate` says, with how they are."""
    task: str = "some_good_items"
    title: str = DEFAULT_TITLE
    seed: int = 1

    def analysis_options(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Every stage with the full text of its options."""
        yield "metrics", tuple(text for metric in self.metrics for text in self._written(metric))
        for stage in ("aggregate", "undefined", "coverage"):
            yield stage, tuple(option.full_text for option in getattr(self, stage))
        yield "compare", tuple(test.full_text for test in self.compare.tests)

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
    named = {**DEFAULTS, **{key: value for key, value in keys.items() if value is not None}}
    stages: dict[str, Any] = {}
    for stage in ("aggregate", "undefined", "coverage"):
        with error_within(stage):
            stages[stage] = make_options(KINDS_OF_STAGE[stage], named[stage])
    with error_within("metrics"):
        metrics, own_aggregate = make_measures(listed(named["metrics"]), stages["aggregate"])
        refuse_diagnostics_alone(metrics)
    objectives = make_objectives(named.get("objectives", ()), metrics)
    aggregations = [*stages["aggregate"], *(a for _, own in own_aggregate for a in own)]
    with error_within("compare"):
        comparison = make_comparison(named["compare"], systems)
        if len(systems) > 1:
            refuse_inapplicable(comparison, aggregations, targets)
    others = {key: named[key] for key in ("task", "title", "seed") if key in named}
    return Analysis(
        **stages, **others, metrics=metrics, own_aggregate=own_aggregate, objectives=objectives, compare=comparison
    )


@contextmanager
def error_within(stage: str) -> Iterator[None]:
    """Name the stage that an error is about."""
    try:
        yield
    except HeldoutError as error:
        raise error.within(stage) from None
