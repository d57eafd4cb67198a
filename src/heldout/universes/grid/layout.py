"""The universes of one way of judging, as places in arrays: which metric, aggregation, rules and test each has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heldout.metrics.metric import Metric
from heldout.tables.arrays import Int32, Int64
from heldout.targets.target import Target
from heldout.universes.grid.grid import Multiverse, parts_of


@dataclass(frozen=True, eq=False, kw_only=True)
class UniverseLayout:
    """One entry per universe. A choice that does not apply is −1."""

    metric: Int64
    """Place among the metrics measured."""
    aggregate: Int64
    undefined: Int64
    coverage: Int64
    test: Int64
    codes: Int32
    """Universes × (metric, cutoff, gain, aggregate, undefined, coverage, test): levels of the grid's decisions."""

    def __len__(self) -> int:
        return len(self.metric)


def layout(
    multiverse: Multiverse, metrics: tuple[Metric, ...], measured: tuple[Metric, ...], target: Target, *, again: bool
) -> UniverseLayout:
    """The universes of the metrics asked for under a target, metric by metric; `measured` are the rows there are.

    With `again`, only the universes that another relevance rule changes (`Multiverse.again`).
    """
    key = (metrics, measured, target.by_rating, target.single, again)
    if key not in multiverse.memo:
        multiverse.memo[key] = _layout(multiverse, metrics, measured, target, again=again)
    universes: UniverseLayout = multiverse.memo[key]
    return universes


def _layout(
    multiverse: Multiverse, metrics: Sequence[Metric], measured: Sequence[Metric], target: Target, *, again: bool
) -> UniverseLayout:
    study = multiverse.study
    options = {
        "aggregate": [str(a) for a in study.all_aggregations],
        "undefined": [str(u) for u in study.undefined],
        "coverage": [str(c) for c in study.coverage],
        "test": [str(t) for t in study.compare.tests],
    }
    levels = {d.name: d.levels for d in multiverse.decisions}
    at = {name: {text: k for k, text in enumerate(texts)} for name, texts in options.items()}
    level_at = {name: {text: k for k, text in enumerate(texts)} for name, texts in levels.items()}
    place = {metric: k for k, metric in enumerate(measured)}
    rows, codes = [], []
    for metric in metrics:
        parts = [level_at[name].get(text, -1) if text is not None else -1 for name, text in parts_of(metric).items()]
        for setting in multiverse.settings(metric, target, again=again):
            texts = setting.texts()
            rows.append([place[metric], *(-1 if t is None else at[name][t] for name, t in texts.items())])
            codes.append([*parts, *(-1 if t is None else level_at[name][t] for name, t in texts.items())])
    table = np.array(rows, dtype=np.int64).reshape(-1, 5)
    places = zip(("metric", *options), table.T, strict=True)
    return UniverseLayout(
        **{name: np.ascontiguousarray(column) for name, column in places},
        codes=np.array(codes, dtype=np.int32).reshape(-1, 7),
    )
