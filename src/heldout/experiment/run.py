"""Running a study, and reading it back: every cell once, each kept as soon as it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from heldout import threads
from heldout.catalogue.notices import Notice
from heldout.engine.engine import Engine, InProcess
from heldout.engine.ray_engine import RayEngine
from heldout.errors import ResultsError, SpecError, SystemsFailedError, warn_fitted_here
from heldout.experiment.cell import CellTask, cell_key
from heldout.experiment.clock import Clock
from heldout.experiment.failure import Failure, about_failures, raised, remaining
from heldout.experiment.fitting import FoldWork
from heldout.experiment.folds import Fold, Prepared, filtered_sources
from heldout.experiment.guessed_relevance import FilteredSource, settle
from heldout.experiment.judging import source_of
from heldout.experiment.ledger import SOURCES, Ledger, kind_words
from heldout.experiment.metric_notices import about_cut_lists
from heldout.experiment.notices import BadRowsLeftOut, about_results
from heldout.experiment.pictured import DataGroups, SideGroups, side_groups
from heldout.experiment.preflight import checked_folds, refused_metrics
from heldout.experiment.provenance import cost_before, machine, reuse_sentence, versions, why_again
from heldout.experiment.study_scores import StudyScores
from heldout.progress import Progress, WorkBar
from heldout.storage.deferred import Deferred
from heldout.study.applicability import left_out, refusal_of
from heldout.study.file import written_keys
from heldout.study.notices import about_study
from heldout.study.record import guess_record, study_record
from heldout.study.spec import Study
from heldout.study.systems import refuse_engine
from heldout.tables.cell_scores import CellScores


def run_study(
    study: Study,
    *,
    out: str | Path | None = None,
    threads_used: int | None = None,
    block: int = 4096,
    progress: Progress | None = None,
    engine: Engine | str | None = None,
    address: str | None = None,
    notify: Callable[[str], None] | None = None,
) -> StudyScores:
    """Run a study; with `out`, keep its parts there and go on where an earlier run stopped.

    `block` bounds the users whose scores are in memory at once; `engine` is "here" or "ray", which fits systems side by
    side, on this machine or the cluster at `address`. None of these, nor the threads, changes a byte of the results.
    `notify` is told, before anything is fitted, which metrics do not apply somewhere and are left out.
    """
    if block < 1:
        raise SpecError(where="block", found=block, expected="at least 1 user")
    ledger = Ledger(out) if out is not None else None
    with ExitStack() as open_things:
        open_things.enter_context(threads.using(threads_used))
        if ledger is not None:
            open_things.enter_context(ledger.writing())
        chosen = open_things.enter_context(opened(engine or study.engine, address))
        run = StudyRun(study=study, ledger=ledger, engine=chosen, block=block, progress=progress, notify=notify)
        return run.study_scores()


@contextmanager
def opened(engine: Engine | str, address: str | None) -> Iterator[Engine]:
    """The engine of a name, closed at the end; or the one given, which stays open."""
    refuse_engine(engine, address)
    if not isinstance(engine, str):
        yield engine
        return
    chosen: Engine = RayEngine(address) if engine == "ray" else InProcess()
    try:
        yield chosen
    finally:
        chosen.close()


@dataclass(eq=False, kw_only=True)
class StudyRun:
    """One run of a study: its settings, and what was done, left out and named so far."""

    study: Study
    ledger: Ledger | None
    engine: Engine
    block: int
    progress: Progress | None
    clock: Clock = field(default_factory=Clock)
    prepared: Prepared = field(default_factory=Prepared)
    manifest: dict[str, Any] = field(default_factory=dict)
    systems: dict[str, str] = field(default_factory=dict)
    """By cell, its system."""
    notify: Callable[[str], None] | None = None
    """Called with each metric that does not apply somewhere, before anything is fitted."""
    left_out: dict[str, None] = field(default_factory=dict)
    """Why metrics are not measured of some system or under some protocol."""
    not_aggregated: tuple[str, ...] = ()
    named: dict[str, None] = field(default_factory=dict)
    groups: DataGroups | None = None
    """The data set that was read last, and its groups of users and items."""

    def study_scores(self) -> StudyScores:
        """Read, split, fit, rank and measure every cell, and keep what is done."""
        study, ledger = self.study, self.ledger
        earlier = ledger.earlier() if ledger is not None else None
        if ledger is not None and earlier is not None and (earlier.get("kind") or SOURCES in earlier):
            words = f"the folder holds the results of {kind_words(earlier)}"
            raise ResultsError(words, where=str(ledger.folder), hint="choose another --out")
        if self.progress is not None:
            self.progress("reading and splitting", 0, 0)
        study, sources = settle(study, filtered_sources(study, self.prepared, self.clock))
        self.study = study
        self.manifest = {
            "complete": False,
            "title": study.title,
            "seed": study.seed,
            "study": study_record(study),
            **({"given": written_keys(study.keys)} if study.keys else {}),
            **guess_record(study.guess),
            "inputs": inputs_of(study),
            "versions": versions(),
            "machine": machine(),
            **self.engine.describe(),
            "parts": {},
            "folds": {},
            "cells": {},
            "costs": {},
        }
        not_measured, not_aggregated = left_out(study)
        self.left_out, self.not_aggregated = dict.fromkeys(not_measured), tuple(not_aggregated)
        done = list(self.engine.run(self._tasks(sources, earlier)))
        self.bar.end()
        failures = tuple(result for result in done if isinstance(result, Failure))
        gone = list(dict.fromkeys(failure.system for failure in failures))
        parts = [p for p in done if isinstance(p, CellScores) and p.scores[0].system not in gone]
        if failures:
            self._note(failures)
        left = remaining(study, gone)
        if not left.recommend:
            raise _all_failed(failures)
        self.left_out |= dict.fromkeys(about_cut_lists(left, parts))
        if self.left_out:
            self.manifest["left_out"] = list(self.left_out)
        self.manifest |= {"complete": True, "threads": threads.count(), "seconds": self.clock.rounded()}
        self.manifest["reused"] = reuse_sentence(self.manifest["cells"])
        warn_fitted_here(self.manifest.get("here", {}))
        prepared = self.prepared
        study_scores = StudyScores(
            parts=tuple(parts),
            data=Deferred(prepared.profiles),
            splits=tuple(prepared.splits),
            manifest=self.manifest,
            failures=failures,
            left_out=tuple(self.left_out),
            guess=study.guess,
        )
        study_scores = replace(
            study_scores, notices=(*about_failures(study, failures), *_notices(left, study_scores, prepared))
        )
        if ledger is not None:
            ledger.write_manifest(self.manifest)
        return study_scores

    def _tasks(
        self, sources: Iterable[FilteredSource], earlier: dict[str, Any] | None
    ) -> Iterator[Callable[[], CellScores | Failure]]:
        study, manifest = self.study, self.manifest
        systems = [s for s in study.recommend if any(not refusal_of(m, s.recommender) for m in study.metrics)]
        for fold in checked_folds(study, self.prepared, self.clock, sources):
            self._name(refused_metrics(fold))
            label = f"{fold.data} | {fold.filter} | {fold.split_text} | {fold.split.fold}"
            groups = self._groups_of(fold)
            keys = {f"{label} | {s.name}": cell_key(study, fold, s, groups) for s in systems}
            manifest["folds"][label] = fold.digest[:32]
            manifest["parts"] |= {name: key[:32] for name, key in keys.items()}
            if self.ledger is not None:
                self.ledger.announce(manifest)
            elsewhere = (
                FoldWork(study=study, fold=fold, store=self.ledger, clock=self.clock, block=self.block, pictured=True)
                if not isinstance(self.engine, InProcess)
                else None
            )
            for (name, key), system in zip(keys.items(), systems, strict=True):
                self.systems[name] = system.name
                if cost := cost_before(earlier, name, system.recommender.full_text):
                    manifest["costs"][name] = cost
                why = why_again(earlier, manifest, name, label, system.name)
                task = CellTask(
                    run=self,
                    fold=fold,
                    system=system,
                    name=name,
                    key=key,
                    because=why,
                    groups=groups,
                    elsewhere=elsewhere,
                )
                yield task.task()

    def _name(self, reasons: list[str]) -> None:
        """Tell what is left out, each once and before a system is fitted."""
        self.left_out |= dict.fromkeys(reasons)
        for reason in (*self.left_out, *self.not_aggregated):
            if self.notify is not None and reason not in self.named:
                self.notify(reason)
            self.named[reason] = None

    def _groups_of(self, fold: Fold) -> SideGroups:
        """The groups of a fold's data set, whose tables are read once."""
        train = fold.split.train
        before = self.groups
        if before is None or before.data != fold.data or before.users != train.users or before.items != train.items:
            groups = side_groups(source_of(self.study, fold), train.users, train.items)
            self.groups = before = DataGroups(data=fold.data, users=train.users, items=train.items, groups=groups)
        return before.groups

    @cached_property
    def folds(self) -> int:
        """How many folds there will be, as far as that is known before they are made."""
        study = self.study
        return max(len(study.data), 1) * len(study.filters) * sum(max(split.folds_made, 1) for split in study.split)

    @cached_property
    def bar(self) -> WorkBar:
        """Progress over every system on every fold."""
        return WorkBar(self.progress, {system.name: self.folds for system in self.study.recommend})

    def _note(self, failures: tuple[Failure, ...]) -> None:
        """Say in the manifest what failed; the parts of such systems stay in the folder, and are no longer listed."""
        gone = {failure.system for failure in failures}
        self.manifest["failed"] = {failure.cell: f"{failure.stage}: {failure.reason}" for failure in failures}
        self.manifest["parts"] = {k: v for k, v in self.manifest["parts"].items() if self.systems[k] not in gone}
        if self.ledger is not None:
            self.ledger.write_manifest(self.manifest)


def _all_failed(failures: tuple[Failure, ...]) -> Exception:
    """One error that tells of all systems; of a single one, its own where that can be mended."""
    reasons = {failure.system: failure for failure in reversed(failures)}
    if len(reasons) == 1:
        return raised(failures[0].system, failures[0].stage, failures[0].reason, failures[0].error)
    why = {name: f"{failure.stage}: {failure.reason}" for name, failure in sorted(reasons.items())}
    each = "; ".join(f"{name} in {reason}" for name, reason in why.items())
    words = f"every system failed, so there is nothing to compare ({each})"
    return SystemsFailedError(words, where="recommend", reasons=why)


def inputs_of(study: Study) -> dict[str, str]:
    """sha256 of all that is read."""
    digests = {source.full_text: source.source_digest() for source in study.data}
    read_too: list[Any] = [*study.split, *(system.recommender for system in study.recommend), *study.all_aggregations]
    return digests | {component.full_text: digest for component in read_too if (digest := component.source_digest())}


def _notices(study: Study, study_scores: StudyScores, prepared: Prepared) -> Iterator[Notice]:
    """Notices that the choices and the results of a run call for."""
    yield from about_study(study)
    yield from about_results(study, study, study_scores, equal_ratings=prepared.equal_ratings)
    for place, notice in prepared.fold_notices:
        yield replace(notice, message=f"{place}: {notice.message}")
    for source, reasons in prepared.skipped.items():
        rows = "; ".join(f"{count:,} × {reason}" for reason, count in reasons)
        yield BadRowsLeftOut.notice(f"{sum(count for _, count in reasons):,} rows of {source} were left out: {rows}")
