"""Systems on one fold, fitted once and measured in many ways; what was measured is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from heldout.analysis.alignment import align
from heldout.analysis.settings import aggregate_settings
from heldout.experiment.cell import cell_key, measured_part
from heldout.experiment.clock import Clock
from heldout.experiment.failure import SystemFailedError
from heldout.experiment.folds import Fold, Prepared
from heldout.experiment.judging import Judgement, judgements_of
from heldout.experiment.kept_stages import Row, Stages
from heldout.experiment.ledger import Ledger
from heldout.experiment.ranks import Fitted, RankStore, fit_key, plan_of
from heldout.metrics.metric import Metric
from heldout.progress import WorkBar
from heldout.study.spec import Study
from heldout.study.systems import System
from heldout.tables import ProtocolKey
from heldout.tables.cell_scores import CellScores
from heldout.targets.ranker import Ranked
from heldout.targets.target import Target

BAR = "biases"
"""What progress calls the work."""


@dataclass(eq=False, kw_only=True)
class Bench:
    """What all measurements of one call share: where results are kept, and what failed so far."""

    ledger: Ledger | None = None
    store: RankStore | None = None
    """Ranks that a results folder keeps."""
    stages: Stages = field(default_factory=Stages)
    block: int = 4096
    clock: Clock = field(default_factory=Clock)
    bar: WorkBar = field(default_factory=lambda: WorkBar(None, {}))
    """Progress over every system on every fold."""
    failed: dict[str, str] = field(default_factory=dict)
    """System → why it failed where it was fitted, with the place."""
    prepared: Prepared = field(default_factory=Prepared)
    """What the study's data are like before and after filters."""

    def part(self, key: str, compute: Callable[[], CellScores]) -> CellScores:
        """Scores under a key, loaded where they are kept."""
        if self.ledger is None:
            return compute()
        if not self.ledger.has(key):
            self.ledger.save(key, compute())
        return self.ledger.load(key)

    def skip(self, systems: Iterable[System], of: str) -> None:
        """Leave a round of this kind out of the progress that is still ahead."""
        for system in systems:
            self.bar.finish(f"{system.name}{of}", loaded=True)


@dataclass(eq=False, kw_only=True)
class SystemOnFold:
    """One system on one fold: ranks under all targets of `study`, made on first use."""

    study: Study
    """With every target that is ranked."""
    fold: Fold
    fitted: Fitted
    bench: Bench
    ranks: Ranked | None = None
    """Where they are there already."""

    @property
    def name(self) -> str:
        """Of the system."""
        return self.fitted.system.name

    @cached_property
    def ranked(self) -> Ranked:
        """The ranks under every target."""
        return self.ranks if self.ranks is not None else self.fitted.ranks(self.bench.store)

    def part(self, targets: Sequence[Target], metrics: Sequence[Metric]) -> CellScores:
        """The scores of every user by some metrics under some targets; kept where the model can be told by its text."""
        if not self.fitted.system.recommender.reusable:
            return self.scores(targets, metrics)
        key = cell_key(self._asking(targets, metrics), self.fold, self.fitted.system)
        return self.bench.part(key, lambda: self.scores(targets, metrics))

    def scores(self, targets: Sequence[Target], metrics: Sequence[Metric]) -> CellScores:
        """The scores of every user by some metrics under some targets, not kept."""
        return measured_part(self._asking(targets, metrics), self.fold, self.fitted, self.ranked)

    def judgements(self, targets: Sequence[Target], metrics: Sequence[Metric]) -> Iterator[Judgement]:
        """The lists under some targets, judged."""
        if not targets:
            return iter(())
        sub = self._asking(targets, metrics)
        return judgements_of(sub, self.fold, self.fitted.system, self.ranked, metrics)

    def _asking(self, targets: Sequence[Target], metrics: Sequence[Metric]) -> Study:
        return replace(self.study, target=tuple(targets), metrics=tuple(metrics))

    def rows(self, stage: str, depends_on: Sequence[object], kind: type[Row], compute: Callable[[], list[Row]]) -> list[Row]:
        """Rows of a stage for this system, kept where the model can be told by its text."""
        system = self.fitted.system
        if not system.recommender.reusable:
            return compute()
        key = (fit_key(self.fitted.plan, system), *map(str, self.study.target), str(self.study.relevance[0]), *depends_on)
        return self.bench.stages.kept(stage, (*key, system.name), kind, compute)

    def on(self, folds: Sequence[Fold], study: Study) -> list[SystemOnFold]:
        """The same model on folds that differ in their test ratings alone, under the targets of a study: one pass."""
        plans = [plan_of(study, fold) for fold in folds]
        return [
            SystemOnFold(study=study, fold=fold, fitted=fitted, bench=self.bench, ranks=ranks)
            for fold, (fitted, ranks) in zip(folds, self.fitted.under(plans), strict=True)
        ]


def systems_on(study: Study, fold: Fold, bench: Bench, *, place: str = "") -> Iterator[SystemOnFold]:
    """Every system that can be fitted and did not fail, one after the other; `place` is named where one fails."""
    for system in study.recommend:
        if system.name not in bench.failed and system.recommender.fittable:
            bench.bar.stage(f"{BAR}: {system.name}{place}")
            fitted = Fitted(system=system, plan=plan_of(study, fold), clock=bench.clock, block=bench.block)
            yield SystemOnFold(study=study, fold=fold, fitted=fitted, bench=bench)


def from_kept_ranks(study: Study, fold: Fold, bench: Bench) -> Iterator[SystemOnFold]:
    """Systems that cannot be fitted again, under each target whose ranks the results folder keeps."""
    for system in study.recommend:
        if system.recommender.fittable or not system.recommender.reusable or bench.store is None:
            continue
        for target in study.target:
            asking = replace(study, target=(target,))
            plan = plan_of(asking, fold)
            ranks = bench.store.load_ranks(fit_key(plan, system), plan)
            if ranks is not None:
                fitted = Fitted(system=system, plan=plan, clock=bench.clock, block=bench.block)
                yield SystemOnFold(study=asking, fold=fold, fitted=fitted, bench=bench, ranks=ranks)


def each_system(
    study: Study, fold: Fold, bench: Bench, measure: Callable[[SystemOnFold], None], *, place: str = "", of: str = ""
) -> None:
    """Measure every system; one that fails is noted in `bench.failed` and left out from then on.

    `of` is the kind of round, which tells how long the systems of others like it will take.
    """
    for system in systems_on(study, fold, bench, place=place):
        try:
            measure(system)
        except SystemFailedError as error:
            bench.failed[system.name] = f"{error.reason}{place}"
        bench.bar.finish(f"{system.name}{of}")


@dataclass(frozen=True, kw_only=True)
class SystemValue:
    """A system's value by one metric under one target, with its interval over users."""

    target: str
    metric: str
    system: str
    value: float
    low: float
    high: float
    users: int


def values_of(study: Study, parts: Sequence[CellScores], systems: Sequence[str]) -> list[SystemValue]:
    """The aggregated values of parts that were measured under the same targets by the same metrics."""
    protocols: list[ProtocolKey] = list(dict.fromkeys(scores.protocol for part in parts for scores in part.scores))
    tables = [align(parts, protocol, systems) for protocol in protocols]
    rows = []
    for setting in aggregate_settings(study, tables):
        for system, tally in zip(setting.systems, setting.tallies, strict=True):
            rows.append(
                SystemValue(
                    target=setting.protocol.target,
                    metric=str(setting.metric),
                    system=system,
                    value=number_or_nan(tally.value),
                    low=number_or_nan(tally.low),
                    high=number_or_nan(tally.high),
                    users=tally.users,
                )
            )
    return rows


def number_or_nan(value: float | None) -> float:
    """The number; NaN for None."""
    return float("nan") if value is None else float(value)
