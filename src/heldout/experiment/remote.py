"""Fitting and ranking in another process: the plain values that are sent there, and the function that takes them."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

from heldout.catalogue import make
from heldout.errors import HeldoutError
from heldout.experiment.clock import Clock
from heldout.experiment.failure import SystemFailedError
from heldout.experiment.fold_copy import copied_fold
from heldout.experiment.ledger.files import write_whole
from heldout.experiment.ledger.ranks_part import write_ranks
from heldout.experiment.ranks import Fitted, about_fit, plan_of_choices
from heldout.study.protocol import System
from heldout.study.spec import Study

FUNCTION = "heldout.experiment.remote:rank_there"


def sendable(study: Study, system: System) -> bool:
    """Whether text forms tell another process all that it takes to fit and rank: a Python object cannot be sent."""
    try:
        again = make("recommender", system.recommender.full_text)
    except HeldoutError:
        return False
    return again == system.recommender and "__main__" not in _modules(study, system)


def arguments(study: Study, system: System, *, fold: int, copy: Path, file: Path, plan: Any, block: int) -> dict[str, Any]:
    """What is sent."""
    return {
        "modules": {module: folder_of(module) for module in _modules(study, system)},
        "copy": str(copy.absolute()),
        "fold": fold,
        "file": str(file.absolute()),
        "system": system.name,
        "model": system.recommender.full_text,
        "choices": {
            kind: [component.full_text for component in getattr(study, stage)]
            for kind, stage in (("target", "target"), ("fallback", "fallback"), ("ties", "ties"), ("relevance", "relevance"))
        },
        "seed": study.seed,
        "depth": plan.depth,
        "count_ties": plan.count_ties,
        "block": block,
    }


def rank_there(
    modules: dict[str, str],
    copy: str,
    fold: int,
    file: str,
    system: str,
    model: str,
    choices: dict[str, list[str]],
    seed: int,
    depth: int,
    count_ties: bool,
    block: int,
) -> dict[str, Any]:
    """Fit and rank, keep the ranks in `file`, and tell how long it took, or how the system failed."""
    for module, folder in modules.items():  # so that components of other packages are registered
        if folder and folder not in sys.path:
            sys.path.append(folder)
        importlib.import_module(module)
    split, users = copied_fold(Path(copy), fold)
    components = {kind: tuple(make(kind, text) for text in texts) for kind, texts in choices.items()}
    plan = plan_of_choices(split, users, components, seed=seed, depth=depth, count_ties=count_ties)
    named = System(system, make("recommender", model))
    clock = Clock()
    try:
        ranked = Fitted(system=named, plan=plan, clock=clock, block=block).ranks(None)
    except SystemFailedError as error:
        return {"failed": {"stage": error.stage, "reason": error.reason, "details": error.details}}
    about = about_fit(plan, named)
    write_whole(Path(file), lambda temporary: write_ranks(ranked, temporary, Path(file).stem, about))
    return {"seconds": clock.seconds}


def folder_of(module: str) -> str:
    """The folder from which a module, or the package it belongs to, is imported; empty where it is no file's."""
    top = sys.modules[module.partition(".")[0]]
    places = [*getattr(top, "__path__", [])] or [getattr(top, "__file__", None) or ""]
    return str(Path(places[0]).absolute().parent) if places[0] else ""


def _modules(study: Study, system: System) -> list[str]:
    components = (system.recommender, *study.target, *study.fallback, *study.ties, *study.relevance)
    return sorted({type(component).__module__ for component in components})
