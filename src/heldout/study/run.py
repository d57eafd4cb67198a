"""Running a study, and reading it back: every cell once, each kept as soon as it is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from heldout import threads
from heldout.engine.engine import Engine, InProcess
from heldout.errors import SpecError
from heldout.study.advice import advise
from heldout.study.cell import cell, cell_key
from heldout.study.clock import Clock
from heldout.study.folds import Fold, Prepared, folds
from heldout.study.ledger import Ledger
from heldout.study.outcome import Outcome, Part
from heldout.study.provenance import machine, versions
from heldout.study.spec import Study, System

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is (0: not known)."""


def run_study(
    study: Study,
    *,
    out: str | Path | None = None,
    threads_used: int | None = None,
    block: int = 4096,
    progress: Progress | None = None,
    engine: Engine | None = None,
) -> Outcome:
    """Run a study; with `out`, keep its parts there and go on where an earlier run stopped.

    `block` bounds the users whose scores are in memory at once; neither it nor the threads change a byte of the results.
    """
    if block < 1:
        raise SpecError(f"a block holds at least 1 user, found {block}", where="block")
    ledger = Ledger(out) if out is not None else None
    engine = engine or InProcess()
    clock, prepared = Clock(), Prepared([], [])
    manifest: dict[str, Any] = {
        "complete": False,
        "title": study.title,
        "seed": study.seed,
        "study": plain(study),
        "inputs": _inputs(study),
        "versions": versions(),
        "machine": machine(),
        **engine.describe(),
        "parts": {},
    }
    parts: list[Part] = []
    with threads.using(threads_used):
        if progress is not None:
            progress("reading and splitting", 0, 0)
        for fold in folds(study, prepared, clock):
            keys = [cell_key(study, fold, system) for system in study.recommend]
            tasks = [
                _task(study, fold, system, key, ledger, block, clock, progress)
                for system, key in zip(study.recommend, keys, strict=True)
            ]
            manifest["parts"] |= {
                f"{fold.data} | {fold.filter} | {fold.split_text} | {fold.split.fold} | {s.name}": k[:32]
                for s, k in zip(study.recommend, keys, strict=True)
            }
            if ledger is not None:
                ledger.announce(manifest)
            parts += list(engine.run(tasks))
        manifest |= {"complete": True, "threads": threads.count(), "seconds": clock.rounded()}
    outcome = Outcome(
        tuple(parts), tuple(prepared.data), tuple(prepared.splits), (), manifest, skipped=dict(prepared.skipped)
    )
    outcome = replace(outcome, notices=tuple(advise(study, outcome)))
    if ledger is not None:
        ledger.write_manifest(manifest)
    return outcome


def _inputs(study: Study) -> dict[str, str]:
    """sha256 of all that is read."""
    found = {source.full_text: source.source_digest() for source in study.data}
    read_too: list[Any] = [*study.split, *(system.recommender for system in study.recommend)]
    return found | {one.full_text: digest for one in read_too if (digest := one.source_digest())}


def _task(
    study: Study,
    fold: Fold,
    system: System,
    key: str,
    ledger: Ledger | None,
    block: int,
    clock: Clock,
    progress: Progress | None,
) -> Callable[[], Part]:
    label = system.name if fold.split.fold == 0 else f"{system.name}, fold {fold.split.fold + 1}"
    done = 0

    def tell(users: int) -> None:
        nonlocal done
        done += users
        if progress is not None:
            progress(label, done, len(fold.users))

    def work() -> Part:
        if ledger is not None and system.recommender.reusable and ledger.has(key):
            return ledger.load(key)
        if progress is not None:
            progress(f"fitting {label}", 0, 0)
        made = cell(study, fold, system, block=block, clock=clock, progress=tell)
        if ledger is not None:
            ledger.save(key, made)
        return made

    return work


def plain(study: Study) -> dict[str, Any]:
    """The study in the words of a study file, every option written out."""
    return {
        "title": study.title,
        "task": study.task,
        "seed": study.seed,
        **{k: list(v) for k, v in study.options()},
        **({"validation": study.validation.full_text} if study.validation is not None else {}),
        **({"development": study.development} if study.development is not None else {}),
        "recommend": [
            {"name": s.name, "model": s.recommender.full_text} | ({"tuning": s.tuning.summary()} if s.tuning else {})
            for s in study.recommend
        ],
        "compare": {
            "tests": [t.full_text for t in study.compare.tests],
            "correction": str(study.compare.correction),
            "level": study.compare.level,
            "baseline": study.compare.baseline,
            "folds": study.compare.folds,
            "group": study.compare.group,
        },
    }
