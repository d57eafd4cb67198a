"""Running a multiverse stage by stage: read, filter and split once, fit and rank once; all else is arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from heldout import __version__, threads
from heldout.engine.engine import Engine, InProcess
from heldout.errors import HeldoutError, NotApplicableError, ResultsError, SpecError, all_of, warn_fitted_here
from heldout.experiment.clock import Clock
from heldout.experiment.failure import Failure, SystemFailedError, failure_of
from heldout.experiment.fitting import RanksAhead, one_after_another, ranking_tasks
from heldout.experiment.folds import Fold, Prepared, filtered_sources, folds_of
from heldout.experiment.guessed_relevance import FilteredSource, settle
from heldout.experiment.judging import side_digest
from heldout.experiment.ledger import Ledger, kind_words, parts_key
from heldout.experiment.preflight import all_before_first, check_fold, refused_metrics, some_metric_left
from heldout.experiment.provenance import machine, versions
from heldout.experiment.ranks import Fitted, fit_key, plan_of
from heldout.experiment.run import inputs_of, opened
from heldout.progress import Progress
from heldout.study.file import written_keys
from heldout.study.record import guess_record, study_record
from heldout.study.spec import Study
from heldout.tables.arrays import digest_of
from heldout.targets.ranker import Ranked, RankPlan
from heldout.universes.compute.exploration import MEASURING, READING, Exploration, SplitWork, reused
from heldout.universes.compute.parts import SplitUniverses, assemble, load_universes, save_universes, without_repeats
from heldout.universes.compute.split_universes import Fits, refused_places, universes_of_split
from heldout.universes.grid.grid import Multiverse
from heldout.universes.papers import with_papers
from heldout.universes.universes import Universes


@dataclass(frozen=True, eq=False, kw_only=True)
class Explored:
    """A multiverse after its run."""

    universes: Universes
    manifest: dict[str, Any]
    prepared: Prepared
    failures: tuple[Failure, ...] = ()
    left_out: tuple[str, ...] = ()
    """Options that did not apply somewhere, and so made no universe there."""


def explore(
    multiverse: Multiverse,
    *,
    out: str | Path | None = None,
    threads_used: int | None = None,
    block: int = 4096,
    progress: Progress | None = None,
    engine: Engine | str | None = None,
    address: str | None = None,
) -> Explored:
    """Run every universe; with `out`, keep ranks and universes there and go on where an earlier run stopped.

    `engine` is "here" or "ray", which fits systems side by side, on this machine or the cluster at `address`.
    """
    if block < 1:
        raise SpecError(where="block", found=block, expected="at least 1 user")
    study = multiverse.study
    ledger = Ledger(out) if out is not None else None
    with ExitStack() as open_things:
        open_things.enter_context(threads.using(threads_used))
        if ledger is not None:
            open_things.enter_context(ledger.writing())
        chosen = open_things.enter_context(opened(engine or study.engine, address))
        # BLAS is held to one thread throughout, lest a thread that is done with it let go of it for the other.
        open_things.enter_context(threads.single_blas())
        background = open_things.enter_context(threads.behind("heldout-measuring"))
        run = Exploration(
            multiverse=multiverse,
            ledger=ledger,
            engine=chosen,
            clock=Clock(),
            block=block,
            progress=progress,
            background=background,
            left_out=dict.fromkeys(multiverse.left_out),
        )
        return _explored(run)


def _explored(run: Exploration) -> Explored:
    prepared, ledger = Prepared(), run.ledger
    run.name_stage(READING)
    study, sources = settle(run.multiverse.study, filtered_sources(run.multiverse.study, prepared, run.clock))
    run.multiverse = multiverse = replace(run.multiverse, study=study)
    manifest: dict[str, Any] = {
        "complete": False,
        "kind": "multiverse",
        "title": study.title,
        "seeds": list(multiverse.seeds),
        "study": study_record(study),
        **({"given": written_keys(study.keys)} if study.keys else {}),
        **guess_record(study.guess),
        "universes": len(multiverse),
        "inputs": inputs_of(study),
        "versions": versions(),
        "machine": machine(),
        **run.engine.describe(),
        "parts": {},
    }
    earlier = ledger.earlier() if ledger is not None else None
    if ledger is not None and earlier is not None and earlier.get("kind") != "multiverse":
        words = f"the folder holds the results of {kind_words(earlier)}"
        raise ResultsError(words, where=str(ledger.folder), hint="choose another --out")
    for metric in study.descriptive:
        run.left_out[f"{metric}: it describes lists and is no contest; `objectives` declares it one"] = None
    works = _announced(run, _checked_splits(run, sources, prepared), manifest)
    run.bar.stage(READING)
    in_turn = one_after_another(works, partial(_tasks, run), run.engine, partial(_tell_ranked, run))
    by_split = [(work.name, _universes(run, work)) for work in in_turn]
    run.bar.stage(MEASURING)
    run.settle()
    run.bar.finish(MEASURING)
    chunks, repeated = without_repeats([(name, pending.result().chunk) for name, pending in by_split])
    run.left_out |= dict.fromkeys(reason for _, pending in by_split for reason in pending.result().left_out)
    if repeated:
        first = f"seed {multiverse.seeds[0]}"
        run.left_out[f"{repeated:,} of other seeds are those of {first} again: nothing is drawn in them"] = None
    if run.failures:
        manifest["failed"] = {failure.cell: f"{failure.stage}: {failure.reason}" for failure in run.failures}
    if not any(len(chunk.codes) for chunk in chunks) and not run.failures:
        raise _none_left(run)
    universes = run.clock.time("assemble", lambda: assemble(multiverse, chunks))
    if ledger is not None:
        run.clock.time("write", lambda: ledger.save_table("universes.parquet", with_papers(universes), parts_key(manifest)))
    manifest |= {"universes": len(universes), "left_out": list(run.left_out)}
    manifest |= {"complete": True, "threads": threads.count(), "seconds": run.clock.rounded()}
    manifest |= {"here": run.here} if run.here else {}
    warn_fitted_here(run.here)
    manifest["reused"] = reused(run.done, earlier, manifest)
    if ledger is not None:
        ledger.write_manifest(manifest)
    ends: dict[str, Any] = {"failures": tuple(run.failures), "left_out": tuple(run.left_out)}
    return Explored(universes=universes, manifest=manifest, prepared=prepared, **ends)


SplitStudy = tuple[Study, list[Fold]]
"""The study under a seed, without the targets that the split cannot serve, and all folds of the split."""


def _announced(run: Exploration, splits: Iterable[SplitStudy], manifest: dict[str, Any]) -> Iterator[SplitWork]:
    """The splits that have universes; each is written into the manifest before anything of it is done."""
    for number, (seeded, of_split) in enumerate(splits):
        if not has_universes(seeded, of_split):
            continue
        key = _key(run.multiverse, seeded, of_split)
        work = SplitWork(number=number, study=seeded, of_split=of_split, key=key, kept=False, ahead=RanksAhead())
        work = replace(work, kept=run.ledger is not None and work.reusable and run.ledger.has_table(work.table))
        manifest["parts"][f"{work.name} | seed {seeded.seed}"] = key[:32]
        if run.ledger is not None:
            run.ledger.announce(manifest)
        yield work


def _tasks(run: Exploration, work: SplitWork) -> list[Callable[[], None]]:
    """What other processes do of a split."""
    if work.kept:
        return []
    options: dict[str, Any] = {"store": run.ledger, "engine": run.engine, "clock": run.clock, "block": run.block}
    return ranking_tasks(work.study, work.of_split, work.ahead, **options)


def _tell_ranked(run: Exploration, work: SplitWork, fits: int) -> None:
    """Tell that other processes have made one more fit of a split, of all its folds and systems the `fits`-th."""
    if not work.kept and not isinstance(run.engine, InProcess):
        systems = work.study.recommend
        run.bar.finish(systems[(fits - 1) % len(systems)].name, stage=f"fitting on {work.place}")


def _checked_splits(run: Exploration, sources: Iterable[FilteredSource], prepared: Prepared) -> Iterator[SplitStudy]:
    """Every split of every filtered data set under every seed, once all of them are found fit to be explored.

    All problems of all splits are raised as one error, and so is a grid that no data set leaves a universe of.
    """

    def first() -> Iterator[SplitStudy]:
        problems: list[HeldoutError] = []
        any_left = False
        try:
            for seeded, of_split in _splits(run, sources, prepared, problems):
                any_left = any_left or has_universes(seeded, of_split)
                yield seeded, of_split
        except HeldoutError as error:
            problems.append(error)
        if problems:
            raise all_of(problems)
        if not any_left:
            raise _none_left(run)

    def again() -> Iterator[SplitStudy]:
        noted = Prepared()
        return _splits(run, filtered_sources(run.multiverse.study, noted, run.clock), noted, [])

    def ratings(split: SplitStudy) -> int:
        return sum(len(fold.split.train) + len(fold.split.test) for fold in split[1])

    return all_before_first(first(), again, ratings)


def _splits(
    run: Exploration, sources: Iterable[FilteredSource], prepared: Prepared, problems: list[HeldoutError]
) -> Iterator[SplitStudy]:
    """Every split of every filtered data set under every seed, checked; a data set is read once.

    A split that is unfit is added to `problems` and not tried under other seeds.
    """
    multiverse, clock = run.multiverse, run.clock
    for name, chain, filtering in sources:
        unfit: set[str] = set()
        for seed in multiverse.seeds:
            seeded = multiverse.seeded(seed)
            data = filtering(seed)
            for splitter in multiverse.study.split:
                if str(splitter) in unfit:
                    continue
                of_split_problems: list[HeldoutError] = []
                try:
                    of_split = list(folds_of(seeded, name, data, chain, splitter, prepared, clock))
                    fitting = _fitting(run, seeded, of_split)
                    if fitting.target:
                        of_split = [check_fold(fitting, fold, of_split_problems, needs_metric=False) for fold in of_split]
                        _note_refused(run, of_split)
                except HeldoutError as error:
                    of_split_problems.append(error)
                if of_split_problems:
                    unfit.add(str(splitter))
                    problems += of_split_problems
                else:
                    yield fitting, of_split


def has_universes(study: Study, of_split: Sequence[Fold]) -> bool:
    """Whether some target and some metric are left that the data of a split have a value for."""
    return bool(study.target) and some_metric_left(study, refused_places(of_split))


def _note_refused(run: Exploration, of_split: Sequence[Fold]) -> None:
    """Note the metrics that have no value on a split."""
    where = f"{of_split[0].data}, {of_split[0].split_text}: " if run.multiverse.splits() > len(run.multiverse.seeds) else ""
    for fold in of_split:
        run.left_out |= dict.fromkeys(where + reason for reason in refused_metrics(fold))


def _none_left(run: Exploration) -> NotApplicableError:
    return NotApplicableError(f"no universe is left: {'; '.join(run.left_out)}")


def _fitting(run: Exploration, study: Study, of_split: Sequence[Fold]) -> Study:
    """The study without the targets that this split cannot serve, perhaps without any; each is noted."""
    kept = []
    for target in study.target:
        try:
            if target.form.own and all(fold.split.test.user_counts.max(initial=0) <= 1 for fold in of_split):
                raise NotApplicableError("no user has two test items, so nothing is ranked")
            for fold in of_split:
                RankPlan(
                    split=fold.split,
                    users=fold.users,
                    targets=(target,),
                    fallbacks={},
                    ties=study.ties,
                    seed=study.seed,
                    relevances=study.relevance,
                )
            kept.append(target)
        except NotApplicableError as error:
            run.left_out[f"{target} under {of_split[0].split_text}: {error.problem}"] = None
    return replace(study, target=tuple(kept))


def _key(multiverse: Multiverse, study: Study, of_split: Sequence[Fold]) -> str:
    """The digest of all that the universes of a split depend on."""
    plans = [plan_of(study, fold) for fold in of_split]
    compare = study_record(study)["compare"]
    source = next((s for s in study.data if str(s) == of_split[0].data), None)
    return digest_of(
        "universes with users, intervals, p, adjusted p, share served, metrics of the whole order not of cut lists",
        __version__,
        *(fold.digest for fold in of_split),
        *(f"{s.name}: {fit_key(plan, s)}" for plan in plans for s in study.recommend),
        *(f"{stage}={options}" for stage, options in study.options() if stage not in ("data", "filters", "split")),
        *(f"{d.name}: {d.levels}" for d in multiverse.decisions),
        str(compare),
        side_digest(study.metrics, source),
        *(aggregation.source_digest() for aggregation in study.all_aggregations),
        study.seed,
    )


def _universes(run: Exploration, work: SplitWork) -> Future[SplitUniverses]:
    """All universes of a split under a seed, from the folder where it has them; else measured while others are fitted."""
    ledger, study, of_split = run.ledger, work.study, work.of_split
    if ledger is not None and work.kept:
        run.done["splits kept"] += 1
        run.skip([system.name for system in study.recommend for _ in of_split])
        return run.later(partial(run.clock.time, "load", lambda: load_universes(ledger, work.table, run.multiverse)))
    before = len(run.waiting)
    ranked, fitted = _ranks(run, work)
    run.settle(before)  # so that no more than two splits are in memory
    if before:
        run.bar.finish(MEASURING)
    run.done["splits measured"] += 1
    failed = len(ranked[0]) < len(study.recommend)

    def measured() -> SplitUniverses:
        universes = run.clock.time("measure", lambda: universes_of_split(run.multiverse, study, of_split, ranked, fitted))
        if ledger is not None and work.reusable and not failed:
            run.clock.time("write", lambda: save_universes(ledger, work.table, universes))
        return universes

    return run.later(measured)


def _ranks(run: Exploration, work: SplitWork) -> tuple[list[dict[str, Ranked]], Fits]:
    """By fold and system, the ranks; a system that fails is left out of all folds and noted."""
    study, ahead = work.study, work.ahead
    ranked: list[dict[str, Ranked]] = []
    fits: Fits = []
    failed: dict[str, None] = {}
    run.here |= ahead.unsendable
    for fold in work.of_split:
        plan = plan_of(study, fold)
        fold_ranks, models = {}, {}
        for system in study.recommend:
            if system.name in failed:
                run.bar.finish(system.name, loaded=True)
                continue
            at = (fold.split.fold, system.name)
            if at not in ahead.ranked:
                run.bar.stage(f"{system.name} on {work.place}")
            arrived = ahead.ranked.pop(at, None)
            fitted = Fitted(system=system, plan=plan, clock=run.clock, block=run.block, arrived=arrived)
            try:
                if at in ahead.failures:
                    raise ahead.failures[at]
                fold_ranks[system.name], models[system.name] = fitted.ranks(run.ledger, later=run.later), fitted
            except SystemFailedError as error:
                failed[system.name] = None
                cell = f"{fold.data} | {fold.filter} | {fold.split_text} | seed {study.seed} | {system.name}"
                run.failures.append(failure_of(cell, fold.split.fold, error))
                if run.ledger is not None:
                    run.ledger.note_failure(run.failures[-1])
            run.done["fits made" if fitted.was_fitted else "fits kept"] += 1
            if isinstance(run.engine, InProcess):
                run.bar.finish(system.name, loaded=not fitted.was_fitted)
        ranked.append(fold_ranks)
        fits.append(models)
    kept = [s.name for s in study.recommend if s.name not in failed]
    return [{name: fold_ranks[name] for name in kept} for fold_ranks in ranked], fits
