"""Biases of a paper's systems, as `heldout bias` finds them: tables `values`, `pairs`, `expected` and `sweeps`.

`items` has the ratings and the liked ratings of each item; `data` has one row: users, the skew that fits, and the shape of a
test set with the same number of ratings of each item. `distributions` has shares of the ratings by shares of the items.

Systems by several metrics: table `skewed` on simulated ratings of the size of a data set, more and more skewed, and table
`removed` when test ratings are removed, a row per share, metric and system.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

import heldout as ho
from heldout.biases.sweeps import thinned_values, without_tastes
from heldout.data.simulation_fit import fitted
from heldout.data.world import popularity_law
from heldout.papers.bench import PaperBench, identity
from heldout.papers.data_sets import NeededData
from heldout.papers.paper import MeasuredTables

POINTS = 20
"""Shares of the items at which distributions are told."""


@dataclass(frozen=True, kw_only=True)
class BiasRun:
    """One study, looked at for its biases."""

    keys: Mapping[str, Any]
    """As study files have them, but for data."""
    options: Mapping[str, Any]
    """As `heldout.bias` takes them."""
    liked: float
    """The rating from which on an item is liked."""
    uniform: str
    """The split whose shape stands in `data`."""
    duplicates: Literal["latest", "sum", "max", "error"] = "error"
    """What repeated pairs become in `items` and `data`; those of the study have a filter."""
    simulated: Mapping[str, Any] = field(default_factory=dict)
    """Keys that are others on simulated data, which are small."""
    simulated_options: Mapping[str, Any] = field(default_factory=dict)

    def measure(self, bench: PaperBench, data: NeededData) -> MeasuredTables:
        """Measure, or take what was found from the folder of the bench."""
        keys = {**self.keys, **(self.simulated if bench.simulated else {})}
        study = bench.study(data, keys)
        options = {**self.options, **(self.simulated_options if bench.simulated else {})}

        def compute() -> list[ho.BiasFindings]:
            return [ho.bias(study, **options, out=bench.folder("bias"), block=bench.block, progress=bench.tell).findings]

        depends_on = [*identity(study), json.dumps(options, sort_keys=True)]
        [findings] = bench.kept("bias", depends_on, ho.BiasFindings, compute)
        ratings = bench.source(data).read().interactions(self.duplicates)
        title = "simulated data" if bench.simulated else data.title
        return bias_tables(findings, ratings, title=title, liked=self.liked, uniform=self.uniform)


def bias_tables(
    findings: ho.BiasFindings, ratings: ho.Interactions, *, title: str, liked: float, uniform: str
) -> MeasuredTables:
    """What was found, and what is said of the data, as the tables that rules see."""
    items, each = ho.make("split", uniform).shape(ratings)
    like = fitted(ratings)
    about = {"users": ratings.n_users, "skew": like.alpha, "zeta": len(items), "eta": each}
    liked_counts = np.bincount(ratings.item[ratings.value >= liked], minlength=ratings.n_items)
    skews = findings.sweeps.filter(sweep="skew")["x"].unique().sort().to_list()
    tables = {
        "values": findings.table,
        "pairs": findings.pairs,
        "expected": findings.expected,
        "sweeps": findings.sweeps,
        "items": pl.DataFrame({"ratings": ratings.item_counts, "liked": liked_counts}),
        "data": pl.DataFrame([about]),
        "distributions": _distributions(like, liked_counts, skews, title),
    }
    return MeasuredTables(tables, findings.left_out)


def _distributions(like: Any, liked: npt.NDArray[np.int64], alphas: Sequence[float], title: str) -> pl.DataFrame:
    """How ratings gather on popular items: simulated ones of the same size by skew, and the liked ones of the data."""
    counts = {
        ("simulated", f"α = {alpha:g}"): popularity_law(like.users, like.items, like.ratings, alpha, like.c1, like.c2)
        for alpha in alphas
    }
    counts["liked", title] = liked
    rows = []
    for (kind, name), of_items in counts.items():
        summed = np.cumsum(np.sort(of_items)[::-1]) / max(of_items.sum(), 1)
        for place in np.linspace(0, len(summed), POINTS + 1).round().astype(int):
            share = 0.0 if place == 0 else float(summed[place - 1])
            rows.append({"kind": kind, "name": name, "items": place / len(summed), "ratings": share})
    return pl.DataFrame(rows)


@dataclass(frozen=True, kw_only=True)
class SkewedValue:
    """A system's value at one skew."""

    alpha: float
    metric: str
    system: str
    value: float


@dataclass(frozen=True, kw_only=True)
class SkewedRun:
    """One study of one fold and one target, on simulated data as those of `heldout bias`, at each skew."""

    keys: Mapping[str, Any]
    """As study files have them, but for data."""
    alphas: tuple[float, ...]
    simulated: Mapping[str, Any] = field(default_factory=dict)
    """Keys that are others where simulated data stand in for the paper's, which are small."""

    def measure(self, bench: PaperBench, data: NeededData) -> MeasuredTables:
        """Measure, or take the values from the folder of the bench."""
        keys = {**self.keys, **(self.simulated if bench.simulated else {})}
        study = bench.study(data, keys)

        def compute() -> list[SkewedValue]:
            like = fitted(bench.source(data).read().interactions("error"), seed=study.seed)
            rows: list[SkewedValue] = []
            for number, alpha in enumerate(self.alphas):
                bench.tell(f"α = {alpha:g}", number, len(self.alphas))
                results = ho.run({**keys, "data": without_tastes(like, alpha)}, block=bench.block, progress=False)
                board = results.tables["all-leaderboards"].frame.select("metric", "system", "value")
                rows += [SkewedValue(alpha=alpha, **row) for row in board.iter_rows(named=True)]
            return rows

        rows = bench.kept("skewed", [*identity(study), *self.alphas], SkewedValue, compute)
        return MeasuredTables({"skewed": pl.DataFrame([asdict(row) for row in rows])})


@dataclass(frozen=True, kw_only=True)
class ThinnedValue:
    """A system's value with a share of the test ratings removed."""

    removed: float
    metric: str
    system: str
    value: float


@dataclass(frozen=True, kw_only=True)
class ThinnedRun:
    """The first fold of one study, of one target, with fewer and fewer test ratings."""

    keys: Mapping[str, Any]
    """As study files have them, but for data."""
    removed: tuple[float, ...]
    simulated: Mapping[str, Any] = field(default_factory=dict)
    """Keys that are others on simulated data, which are small."""

    def measure(self, bench: PaperBench, data: NeededData) -> MeasuredTables:
        """Measure, or take the values from the folder of the bench."""
        keys = {**self.keys, **(self.simulated if bench.simulated else {})}
        study = bench.study(data, keys)

        def compute() -> list[ThinnedValue]:
            values = thinned_values(study, self.removed, block=bench.block, progress=bench.tell)
            return [
                ThinnedValue(removed=removed, metric=row.metric, system=row.system, value=row.value)
                for removed, row in values
            ]

        rows = bench.kept("thinned", [*identity(study), *self.removed], ThinnedValue, compute)
        return MeasuredTables({"removed": pl.DataFrame([asdict(row) for row in rows])})
