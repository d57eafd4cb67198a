"""RMSE of systems over the test ratings that all of them predict: table `errors`, a row per split and system."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
import polars as pl

from heldout.biases.measured import Bench, systems_on
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Prepared
from heldout.experiment.kept_stages import KeptRanks
from heldout.experiment.ledger import Ledger
from heldout.experiment.preflight import checked_folds
from heldout.papers.bench import PaperBench, identity
from heldout.papers.data_sets import NeededData
from heldout.papers.paper import MeasuredTables
from heldout.papers.study_runs import RepeatedStudy
from heldout.study.spec import Study
from heldout.tables.arrays import Bool


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


def _kept_errors(bench: PaperBench, study: Study, block: int | None) -> list[CommonError]:
    return bench.kept("common errors", identity(study), CommonError, lambda: common_errors(study, bench, block))


def common_errors(study: Study, bench: PaperBench, block: int | None = None) -> list[CommonError]:
    """The errors of a study's systems over the test ratings that all of them predict."""
    [fold] = checked_folds(study, Prepared([], []), Clock())
    store = None if bench.fits is None else KeptRanks(Ledger(bench.fits), None)
    place = Bench(store=store, block=min(block or bench.block, bench.block))
    errors = {}
    for system in systems_on(study, fold, place):
        [judgement] = system.judgements(study.target, study.metrics)
        judged = judgement.judged
        rated = np.full(len(judged.relevance.grade), np.nan)
        rated[judged.row] = judged.score - judged.grade  # type: ignore[operator]  # scores are kept under RMSE
        errors[system.name] = rated
    both: Bool = np.logical_and.reduce([np.isfinite(error) for error in errors.values()])
    return [
        CommonError(
            system=name,
            value=float(np.sqrt(np.mean(error[both] ** 2))) if both.any() else float("nan"),
            common=int(both.sum()),
            tested=len(both),
        )
        for name, error in errors.items()
    ]
