"""Metrics of a study and the aggregations that some of them name for themselves: `HLU aggregate=pooled`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from heldout.aggregations.aggregation import Aggregation
from heldout.catalogue import make_all
from heldout.errors import HeldoutError, SpecError, for_each
from heldout.metrics.metric import Metric
from heldout.study.stages import make_options

OwnAggregations = tuple[tuple[Metric, tuple[Aggregation, ...]], ...]
"""Metrics that are not aggregated as the study says, with how they are."""
_WITH_AGGREGATE = re.compile(r"^(?P<metric>.*[^\s,(])\s+aggregate\s*=\s*(?P<aggregate>\S.*)$", re.DOTALL)
"""A metric and its aggregation; a parameter `aggregate` inside brackets would follow a bracket or a comma."""


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
