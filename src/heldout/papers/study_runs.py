"""Studies of a paper, run on several splits: what their reports say, as two tables.

`values` has a row per study, split, system and setting; `pairs` one per pair of systems. Both have the choices of the
setting as columns (target, fallback, aggregate, coverage, …). Diagnostics, which no study tests, stand in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

import heldout as ho
from heldout.papers.bench import PaperBench, identity
from heldout.papers.data_sets import NeededData
from heldout.papers.paper import MeasuredTables


@dataclass(frozen=True, kw_only=True)
class MeasuredValue:
    """One system in one setting."""

    system: str
    metric: str
    choices: dict[str, str]
    value: float
    averaged: int
    """Users."""
    user_coverage: float
    coverage_at_n: float


@dataclass(frozen=True, kw_only=True)
class MeasuredPair:
    """Two systems in one setting: a − b, for how many users either is the better, and p of the study's test."""

    a: str
    b: str
    metric: str
    choices: dict[str, str]
    test: str
    difference: float
    wins: int
    """Users for whom a is the better; of diagnostics, has the greater value."""
    losses: int
    p: float


@dataclass(frozen=True, kw_only=True)
class StudyFigures:
    """What one study found on one split."""

    values: tuple[MeasuredValue, ...]
    pairs: tuple[MeasuredPair, ...]
    failed: tuple[str, ...]


@dataclass(frozen=True)
class RepeatedStudy:
    """A study that is run once for every seed: other splits, and other starts of what begins at random."""

    keys: Mapping[str, Any]
    """As study files have them, but for data and seed."""
    seeds: tuple[int, ...] = (1,)
    block: int | None = None
    """Users whose scores are in memory at once, where there are so many items that it must be few."""
    simulated: Mapping[str, Any] = field(default_factory=dict)
    """Keys that are others on simulated data, which are small."""

    def study(self, bench: PaperBench, data: NeededData, seed: int) -> ho.Study:
        """The study on a data set and a split."""
        return bench.study(data, {**self.keys, **(self.simulated if bench.simulated else {})}, seed=seed)


@dataclass(frozen=True)
class StudyRuns:
    """Studies by name."""

    studies: Mapping[str, RepeatedStudy]

    def measure(self, bench: PaperBench, data: NeededData) -> MeasuredTables:
        """Run the studies, or take what they found from the folder of the bench."""
        values: list[dict[str, Any]] = []
        pairs: list[dict[str, Any]] = []
        failures: dict[str, None] = {}
        runs = [(name, study, seed) for name, study in self.studies.items() for seed in bench.splits(study.seeds)]
        for number, (name, study, seed) in enumerate(runs):
            bench.piece = (number, len(runs))
            figures = _figures(bench, study.study(bench, data, seed), study.block)
            place = {"study": name, "seed": seed}
            values += [{**place, **_flat(row)} for row in figures.values]
            pairs += [{**place, **_flat(row)} for row in figures.pairs]
            failures |= dict.fromkeys(figures.failed)
        frames = {"values": values, "pairs": pairs}
        return MeasuredTables(
            {name: pl.DataFrame(rows, infer_schema_length=None) for name, rows in frames.items()}, tuple(failures)
        )


def _flat(row: MeasuredValue | MeasuredPair) -> dict[str, Any]:
    """A row with its choices as columns."""
    return {**row.choices, **{name: value for name, value in vars(row).items() if name != "choices"}}


def _figures(bench: PaperBench, study: ho.Study, block: int | None) -> StudyFigures:
    def compute() -> list[StudyFigures]:
        results = ho.run(
            study,
            out=bench.fits,
            block=min(block or bench.block, bench.block),
            progress=bench.tell,
            engine=bench.engine,
            address=bench.address,
        )
        facts = results.findings
        failed = tuple(f"{cell.rpartition(' | ')[2]} failed in {why}" for cell, why in results.failed.items())
        values = (*_values(facts), *_diagnostics(facts))
        return [StudyFigures(values=values, pairs=(*_pairs(facts), *_tested_diagnostics(study, results)), failed=failed)]

    [figures] = bench.kept("study figures", identity(study), StudyFigures, compute)
    return figures


def _choices(setting: Any) -> dict[str, str]:
    own = {"aggregate": setting.aggregate, "undefined": setting.undefined, "coverage": setting.coverage}
    return {**setting.choices, **own}


def _values(facts: ho.Findings) -> Iterator[MeasuredValue]:
    settings = {setting.id: setting for setting in facts.settings}
    for row in facts.leaderboard:
        setting = settings[row.setting]
        yield MeasuredValue(
            system=row.system,
            metric=setting.metric,
            choices=_choices(setting),
            value=_number(row.value),
            averaged=row.users,
            user_coverage=row.user_coverage,
            coverage_at_n=_number(row.coverage),
        )


def _pairs(facts: ho.Findings) -> Iterator[MeasuredPair]:
    settings = {setting.id: setting for setting in facts.settings}
    for row in facts.comparisons:
        setting = settings[row.setting]
        yield MeasuredPair(
            a=row.a,
            b=row.b,
            metric=setting.metric,
            choices=_choices(setting),
            test=row.test,
            difference=row.difference,
            wins=row.wins,
            losses=row.losses,
            p=_number(row.p),
        )


def _diagnostics(facts: ho.Findings) -> Iterator[MeasuredValue]:
    """Diagnostics of a study whose protocols differ by their targets alone, if at all."""
    nan = float("nan")
    for row in facts.diagnostics:
        for system, value in zip(facts.systems, row.values, strict=True):
            yield MeasuredValue(
                system=system,
                metric=row.metric,
                choices={"target": row.label, "aggregate": "mean"},
                value=_number(value),
                averaged=row.users,
                user_coverage=nan,
                coverage_at_n=nan,
            )


def _tested_diagnostics(study: ho.Study, results: ho.Results[ho.Findings]) -> Iterator[MeasuredPair]:
    """Diagnostics of two systems over the users who have a value in both, by the tests of the study."""
    names = [str(metric) for metric in study.metrics if metric.direction == "none"]
    if not names or not study.compare.tests:
        return
    frame = results.per_user()
    systems = results.findings.systems
    for target in frame["target"].unique(maintain_order=True):
        for metric in names:
            wide = frame.filter(pl.col("target") == target).pivot(
                "system", index=["fold", "user_id"], values=metric, aggregate_function="first"
            )
            for a, b in combinations(systems, 2):
                columns = wide.select(a, b).drop_nulls().drop_nans().to_numpy()
                if len(columns) < 2:
                    continue
                greater = columns[:, 0] - columns[:, 1]
                for test in study.compare.tests:
                    p = test.p_values(columns, np.array([[0, 1]]), seed=study.seed)
                    yield MeasuredPair(
                        a=a,
                        b=b,
                        metric=metric,
                        choices={"target": target, "aggregate": "mean"},
                        test=str(test),
                        difference=float(greater.mean()),
                        wins=int((greater > 0).sum()),
                        losses=int((greater < 0).sum()),
                        p=float(p[0]),
                    )


def _number(value: float | None) -> float:
    return float("nan") if value is None else value
