"""The findings about estimators held against the truth: from a study, draw by draw; draws that are done are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from heldout.biases.protocols import ProtocolOptions
from heldout.biases.truth.draw_statistics import DrawStatistics
from heldout.biases.truth.drawn_data import DrawnData, data_of_draws
from heldout.biases.truth.draws import Draw, FoldSubject, measured_draws
from heldout.biases.truth.estimators import TruthEstimator, base_metrics, declared_estimators, true_metric
from heldout.biases.truth.findings import TruthFindings
from heldout.biases.truth.sentences import truth_limits, truth_sentences
from heldout.catalogue import make
from heldout.errors import HeldoutError, NotApplicableError, SpecError
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Fold, Prepared, filtered_sources, ready, split_folds
from heldout.experiment.guessed_relevance import settle
from heldout.experiment.kept_stages import Stages, StageTask
from heldout.experiment.ranks import plan_of
from heldout.metrics.measuring import depth_of
from heldout.progress import Progress, WorkBar
from heldout.storage.deferred import Deferred
from heldout.study.spec import Study
from heldout.targets.target import Target
from heldout.text.numbers import counted
from heldout.text.phrases import listed

DRAW = "draw"
"""The stage that is kept of each draw."""
ONE_OF = ("filters", "split", "users", "fallback", "relevance", "ties", "undefined")
"""Decisions of which the first option is taken."""


BAR = "held against the truth"
"""What progress calls the work."""
PREPARING = "drawing and splitting"


@dataclass(frozen=True, kw_only=True)
class TruthOptions:
    """How estimators are held against the truth."""

    draws: int = 20
    """Redrawn worlds, or splits."""
    samples: int = 100
    """Samples of users on real data, for intervals."""
    metrics: tuple[str, ...] | None = None
    protocols: tuple[str, ...] | None = None
    """Those to be tried; None for all."""
    level: float = 0.05
    sampled: int | None = None
    """Items that compete with one relevant item; None for 99, or half a popularity class where these are smaller."""

    def __post_init__(self) -> None:
        for name, least in (("draws", 1), ("samples", 2), ("sampled", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise SpecError(where=name, found=value, expected=f"at least {least}")
        if not 0 < self.level < 1:
            raise SpecError(where="level", found=self.level, expected="a level above 0 and below 1")


def truth_findings(
    study: Study,
    *,
    options: TruthOptions,
    stages: Stages | None = None,
    block: int = 4096,
    progress: Progress | None = None,
) -> TruthFindings:
    """Hold every protocol, metric and estimator against the truth."""
    analysis = _TruthAnalysis(study=study, options=options, stages=stages or Stages(), block=block, progress=progress)
    return analysis.findings()


@dataclass(eq=False, kw_only=True)
class _TruthAnalysis:
    """One call of `truth_findings`."""

    study: Study
    options: TruthOptions
    stages: Stages
    block: int
    progress: Progress | None
    clock: Clock = field(default_factory=Clock)
    left_out: dict[str, None] = field(default_factory=dict)
    limits: list[str] = field(default_factory=list)
    kept: set[int] = field(default_factory=set)
    """Draws that the folder has."""
    prepared: Prepared = field(default_factory=Prepared)
    """What the data of the first draw are like."""

    def findings(self) -> TruthFindings:
        study = self._one_way()
        if len(study.recommend) < 2:
            raise SpecError(
                where="recommend",
                found=[system.name for system in study.recommend],
                expected="at least two systems",
                hint="the truth orders systems: name more of them",
            )
        data_of_draw = data_of_draws(study, halved=True)
        first = data_of_draw(0)
        simulated = first.world is not None
        study = self._settled(replace(study, data=(first.source,)))
        estimators = self._estimators(study, first)
        systems = [system.name for system in study.recommend]
        self.draws_done = DrawProgress(self.progress, self.options.draws, systems, _splits(estimators))
        draws: list[Draw] = []
        for rows in self.stages.run(self._draws(study, first, data_of_draw, estimators)):
            self.draws_done.finish(len(draws), loaded=len(draws) in self.kept)
            draws += rows
        self.draws_done.bar.end()
        scales = self._scales(estimators, sampled=not simulated)
        summary = DrawStatistics(
            systems=tuple(systems),
            draws=draws,
            estimators=estimators,
            scales=scales,
            simulated=simulated,
            level=self.options.level,
            seed=study.seed,
        )
        return self._written(study, summary, first, simulated=simulated)

    def _draws(
        self,
        study: Study,
        first: DrawnData,
        data_of_draw: Callable[[int], DrawnData],
        estimators: Sequence[TruthEstimator],
    ) -> Iterator[StageTask[Draw]]:
        """The draws, until a seed gives a split that was there before."""
        splits: list[str] = []
        for number in range(self.options.draws):
            drawn_data = first if number == 0 else data_of_draw(number)
            seeded = replace(study, data=(drawn_data.source,), seed=study.seed + number)
            subjects = list(self._subjects(seeded, drawn_data, estimators))
            if not subjects:
                raise NotApplicableError(f"no protocol applies to these data: {'; '.join(self.left_out)}", where="protocols")
            digest = subjects[0].fold.digest
            if digest in splits:
                self.limits.append(
                    f"Another seed gives the same split, so that there is {counted(len(splits), 'draw')}: "
                    "intervals are over users alone."
                )
                return
            splits.append(digest)
            yield self._draw(number, subjects, simulated=first.world is not None, sampling_seed=study.seed)

    def _one_way(self) -> Study:
        """The first option of every decision."""
        study = self.study
        for stage in ONE_OF:
            chosen = getattr(study, stage)
            if len(chosen) > 1:
                self.limits.append(f"The study has {len(chosen)} options under {stage}; this is of the first.")
        firsts = {stage: getattr(study, stage)[:1] for stage in ONE_OF}
        metrics = base_metrics(self.options.metrics)
        return replace(study, **firsts, metrics=metrics, own_aggregate=(), objectives=(), development=None)

    def _settled(self, study: Study) -> Study:
        """The study with its relevance rule settled by the scale of the ratings."""
        return settle(study, filtered_sources(study, Prepared(), self.clock))[0]

    def _fold(self, study: Study) -> Fold:
        """The first fold of the study's one split."""
        noted = Prepared() if self.prepared.data else self.prepared
        [(_, folds)] = list(split_folds(study, noted, self.clock))
        return next(iter(folds))

    def _estimators(self, study: Study, drawn_data: DrawnData) -> list[TruthEstimator]:
        """The estimators that these data allow; others are noted with the reason."""
        fold = self._fold(replace(study, target=(make("target", "AllItems"),), unrated=(make("unrated", "zero"),)))
        split = fold.split
        options = sizes_for(split.train.n_items, max(depth_of(metric) or 1 for metric in study.metrics))
        if self.options.sampled is not None:
            options = replace(options, sampled=self.options.sampled)
        self.sampled = options.sampled
        knows_propensities = drawn_data.chances(split) is not None
        declared, refused = declared_estimators(
            study.metrics,
            options,
            next(study.judgements()),
            knows_propensities=knows_propensities,
            only=self.options.protocols,
        )
        self.left_out |= dict.fromkeys(refused)
        if not knows_propensities and self.options.protocols is None:
            self.left_out["IPS and SNIPS with known propensities: the data set says nothing of them"] = None
        return declared

    def _subjects(self, study: Study, drawn_data: DrawnData, estimators: Sequence[TruthEstimator]) -> Iterator[FoldSubject]:
        """The study's own split, and that of every protocol that needs another."""
        for text in _splits(estimators):
            own = [e for e in estimators if _split_text(e) == text]
            try:
                yield self._subject(
                    study if not text else replace(study, split=(make("split", text),)), drawn_data, own, text
                )
            except HeldoutError as error:
                if not text:
                    raise
                self.left_out[f"{listed(list(dict.fromkeys(e.protocol for e in own)))}: {error}"] = None

    def _subject(self, study: Study, drawn_data: DrawnData, estimators: Sequence[TruthEstimator], text: str) -> FoldSubject:
        whole = replace(study, target=(make("target", "AllItems"),), unrated=(make("unrated", "zero"),))
        fold = self._fold(whole)
        allowed = []
        for target in dict.fromkeys(e.target for e in estimators):
            try:
                plan_of(replace(whole, target=(target,)), ready_for(whole, fold, (target,)))
                allowed.append(target)
            except HeldoutError as error:
                names = listed(list(dict.fromkeys(e.protocol for e in estimators if e.target == target)))
                self.left_out[f"{names}: {error}"] = None
        kept = [e for e in estimators if e.target in allowed]
        unrated = tuple(dict.fromkeys(e.unrated for e in kept))
        measured = tuple(dict.fromkeys(e.measured for e in kept if not e.propensities))
        study = replace(study, target=tuple(allowed), unrated=unrated, metrics=measured)
        return FoldSubject(
            study=study,
            fold=ready(study, fold.data, fold.filter, fold.split_text, fold.split, Prepared()),
            truth=drawn_data.truth(study, fold.split),
            chances=drawn_data.chances(fold.split),
            estimators=kept,
            split=text,
        )

    def _draw(self, number: int, subjects: Sequence[FoldSubject], *, simulated: bool, sampling_seed: int) -> StageTask[Draw]:
        """One draw of data, by which all systems are fitted and measured."""
        study = subjects[0].study
        pairs = list(combinations(range(len(study.recommend)), 2))
        samples = 0 if simulated else self.options.samples
        depends_on: list[object] = [number, samples, study.seed, sampling_seed]
        depends_on += [f"{s.recommender.full_text} {s.recommender.source_digest()}" for s in study.recommend]
        depends_on += [str(getattr(study, stage)) for stage in ("relevance", "users", "fallback", "ties", "undefined")]
        for subject in subjects:
            depends_on += subject.depends_on()

        if self.stages.holds(DRAW, depends_on):
            self.kept.add(number)
        step = self.draws_done.prepared(number, [subject.split for subject in subjects])
        arguments: dict[str, Any] = {"number": number, "subjects": subjects, "pairs": pairs, "samples": samples}
        arguments |= {"sampling_seed": sampling_seed, "block": self.block}
        return StageTask(
            name=DRAW,
            depends_on=depends_on,
            kind=Draw,
            compute=lambda: measured_draws(**arguments, clock=self.clock, step=step),
            function=measured_draws,
            arguments=arguments,
        )

    def _scales(self, estimators: Sequence[TruthEstimator], *, sampled: bool) -> dict[str, bool]:
        """Metric → whether its truth is on its own scale; metrics of which the truth cannot tell are noted."""
        scales = {}
        for name in dict.fromkeys(e.metric for e in estimators):
            metric = make("metric", name)
            way = true_metric(metric, sampled=sampled)
            if way is None:
                self.left_out[f"{name}: a random sample does not tell its true value"] = None
            else:
                scales[name] = way[1]
        return scales

    def _written(self, study: Study, summary: DrawStatistics, drawn_data: DrawnData, *, simulated: bool) -> TruthFindings:
        draws = summary.draws
        for system, reason in {name: why for draw in draws for name, why in draw.failed.items()}.items():
            self.left_out[f"{system}: {reason}"] = None
        if len(summary.kept) < 2:
            raise NotApplicableError(
                f"fewer than two systems could be fitted: {'; '.join(self.left_out)}", where="recommend"
            )
        rows, pairs = summary.rows(), summary.pair_rows()
        return TruthFindings(
            data=str(self.study.data[0]),
            simulated=simulated,
            systems=tuple(summary.names),
            draws=len(draws),
            train=draws[0].train,
            test=draws[0].test,
            users=draws[0].users,
            true_pairs=draws[0].true_pairs,
            split=str(study.split[0]),
            relevance=str(study.relevance[0]),
            level=self.options.level,
            sampled=self.sampled,
            rows=tuple(rows),
            pairs=tuple(pairs),
            values=tuple(summary.values()),
            sentences=truth_sentences(rows, pairs, len(draws), simulated=simulated),
            limits=(*self.limits, *truth_limits(summary, drawn_data, self.study.split[0])),
            left_out=tuple(self.left_out),
            profiles=Deferred(self.prepared.distinct_profiles),
        )


def _split_text(estimator: TruthEstimator) -> str:
    """The split that an estimator needs, as text; empty for the study's own."""
    return "" if estimator.split is None else str(estimator.split)


def _splits(estimators: Sequence[TruthEstimator]) -> list[str]:
    """The splits on which systems are fitted, the study's own as an empty text."""
    return list(dict.fromkeys(map(_split_text, estimators)))


def sizes_for(items: int, depth: int) -> ProtocolOptions:
    """Sizes of protocols: 99 sampled items and 10 popularity classes, as in the literature, or fewer in small catalogues.

    A sampled list is to hold three times as many items as metrics look at, and a class twice as many as are sampled.

    Example: of 300 items at depth 10, 5 classes of 60 items, 30 of them sampled.
    """
    usual = ProtocolOptions()
    classes = int(np.clip(items // (6 * depth), 2, usual.classes))
    return replace(usual, classes=classes, sampled=int(np.clip(items // (2 * classes), 1, usual.sampled)))


def ready_for(study: Study, fold: Fold, targets: tuple[Target, ...]) -> Fold:
    """The same ratings, ready for other targets."""
    return ready(replace(study, target=targets), fold.data, fold.filter, fold.split_text, fold.split, Prepared())


class DrawProgress:
    """One bar over all draws, by what preparing and each fit took in the draws before."""

    def __init__(self, progress: Progress | None, draws: int, systems: Sequence[str], splits: Sequence[str]) -> None:
        self._systems = systems
        self._fits = [fit for split in splits for fit in self._fits_on(split)]
        self._counted: dict[int, list[str]] = {}
        self.bar = WorkBar(progress, dict.fromkeys((PREPARING, *self._fits), draws), in_rounds=draws > 1)
        self.bar.stage(BAR)

    def prepared(self, number: int, splits: Sequence[str]) -> Callable[[], None]:
        """Count a draw as prepared; what is returned is called after each of its fits that this process does."""
        self.bar.finish(PREPARING)
        fits = [fit for split in splits for fit in self._fits_on(split)]
        counted = self._counted[number] = []

        def step() -> None:
            counted.append(fits[len(counted)])
            self.bar.finish(counted[-1])

        return step

    def finish(self, number: int, *, loaded: bool) -> None:
        """Count the fits of a draw that this process did not do: all of one from the folder or another process.

        In a draw of this process these are the fits on a split that cannot be made, which take no time.
        """
        counted = self._counted[number]
        for fit in self._fits:
            if fit not in counted:
                self.bar.finish(fit, loaded=loaded, seconds=0.0 if counted else None)

    def _fits_on(self, split: str) -> list[str]:
        return [f"{system} {split}" for system in self._systems]
