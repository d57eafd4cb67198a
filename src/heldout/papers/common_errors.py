"""RMSE of systems over the test ratings that all of them predict: table `errors`, a row per split and system."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
import polars as pl

import heldout as ho
from heldout.papers.bench import PaperBench, identity
from heldout.papers.data_sets import NeededData
from heldout.papers.paper import MeasuredTables
from heldout.papers.study_runs import RepeatedStudy


@dataclass(frozen=True, kw_only=True)
class CommonError:
    """A system on one split."""

    system: str
    value: float
    """RMSE over the common ratings; NaN where there are none."""
    common: int
    """Test ratings that all systems predict."""
    tested: int


@dataclass(frozen=True)
class CommonErrors:
    """A study of one fold and one target, `TestRatings`, on each of its splits."""

    study: RepeatedStudy

    def measure(self, bench: PaperBench, data: NeededData) -> MeasuredTables:
        """Compare predictions with ratings, or take the errors from the folder of the bench."""
        rows = []
        for seed in bench.splits(self.study.seeds):
            study = self.study.study(bench, data, seed)
            rows += [{"seed": seed, **asdict(row)} for row in _kept_errors(bench, study, self.study.block)]
        return MeasuredTables({"errors": pl.DataFrame(rows)})


def _kept_errors(bench: PaperBench, study: ho.Study, block: int | None) -> list[CommonError]:
    users = min(block or bench.block, bench.block)
    return bench.kept("common errors", identity(study), CommonError, lambda: common_errors(study, users))


def common_errors(study: ho.Study, block: int) -> list[CommonError]:
    """The errors of a study's systems over the test ratings that all of them predict, so many users at once."""
    [source], [filters], [splitter] = study.data, study.filters, study.split
    [fold] = ho.split(source, splitter, filters=filters, seed=study.seed)
    test = fold.test
    errors = {}
    for system in study.recommend:
        model = ho.fit(system.recommender, fold.train, seed=study.seed).model
        predicted = np.full(len(test), np.nan)
        tested = np.unique(test.user)
        for first in range(0, len(tested), block):
            users = tested[first : first + block]
            rows = np.flatnonzero(np.isin(test.user, users))
            predicted[rows] = model.score(users)[np.searchsorted(users, test.user[rows]), test.item[rows]]
        errors[system.name] = predicted - test.value
    both = np.logical_and.reduce([np.isfinite(error) for error in errors.values()])
    return [
        CommonError(
            system=name,
            value=float(np.sqrt(np.mean(error[both] ** 2))) if both.any() else float("nan"),
            common=int(both.sum()),
            tested=len(both),
        )
        for name, error in errors.items()
    ]
