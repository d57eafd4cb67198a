"""A recommender that fails: its cells are marked, with the reason, and the study goes on without it."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from heldout.catalogue.notices import Notice
from heldout.errors import HeldoutError, SystemsFailedError
from heldout.recommenders.foreign import Foreign
from heldout.recommenders.recommender import Model, Recommender
from heldout.study.spec import Study
from heldout.tables import Interactions
from heldout.tables.arrays import Floats, Ints
from heldout.targets.ranker import Ranked


@dataclass(frozen=True, eq=False, kw_only=True)
class Failure:
    """A cell that failed: one system on one fold."""

    cell: str
    system: str
    fold: int
    stage: str
    """What it failed in: fit or score."""
    reason: str
    details: str = ""
    """The traceback, if there is one."""
    error: BaseException | None = None


class SystemFailedError(RuntimeError):
    """A recommender raised while it was fitted or scored, or gave nothing to rank."""

    def __init__(
        self, system: str, stage: str, reason: str, *, error: BaseException | None = None, details: str = ""
    ) -> None:
        super().__init__(f"{system}: {reason}")
        self.system, self.stage, self.reason, self.error, self.details = system, stage, reason, error, details

    def raised(self) -> Exception:
        """The failure as an error that can be mended, for whoever has no other system to go on with."""
        return raised(self.system, self.stage, self.reason, self.error)


def raised(system: str, stage: str, reason: str, error: BaseException | None) -> HeldoutError:
    """What is raised where the only system failed: its own error where that can be mended, else one that gives the reason.

    What the model raised is the cause of the new error, so that a traceback shows where.
    """
    if isinstance(error, HeldoutError):
        return error.within(system)
    why = f"{stage}: {reason}"
    failure = SystemsFailedError(f"the only system failed in {why}", where=system, reasons={system: why})
    failure.__cause__ = error
    return failure


def failure_of(cell: str, fold: int, error: SystemFailedError) -> Failure:
    """What is kept of the exception."""
    return Failure(
        cell=cell,
        system=error.system,
        fold=fold,
        stage=error.stage,
        reason=error.reason,
        details=error.details,
        error=error.error,
    )


def failed(system: str, stage: str, error: BaseException) -> SystemFailedError:
    """The error of a run for a recommender that raised one of its own."""
    reason = str(error).strip()
    if not isinstance(error, HeldoutError):
        reason = ": ".join(filter(None, (type(error).__name__, reason)))
    if isinstance(error, ValueError) and "read-only" in reason:
        reason = f"it writes to its training ratings, which are read-only ({reason}); change train.value.copy()"
    if isinstance(error, MemoryError):
        reason = f"memory ran out ({reason})"
    details = "".join(traceback.format_exception(error))
    return SystemFailedError(system, stage, " ".join(reason.split()), error=error, details=details)


class Guarded(Model):
    """A model whose exceptions are known to be its own: all but Ctrl-C, `sys.exit()` too."""

    def __init__(self, system: str, model: Model, folder: Path | None) -> None:
        self._system, self.model, self._folder = system, model, folder

    def score(self, users: Ints) -> Floats:
        """Scores of all items for these users."""
        try:
            with _back_to(self._folder):
                return self.model.score(users)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise failed(self._system, "score", error) from error

    def places(self, users: Ints) -> Floats:
        """The order of these users' rows in a file, for systems that have one."""
        return self.model.places(users)


def guard(system: str, model: Model) -> Guarded:
    """A model that was fitted elsewhere, guarded here."""
    return Guarded(system, model, _current_folder())


def guarded_fit(system: str, fit: Callable[[], Model]) -> Guarded:
    """The fitted model; SystemFailedError if it raises anything but Ctrl-C, now or when it scores."""
    try:
        folder = _current_folder()
        with _back_to(folder):
            return Guarded(system, fit(), folder)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise failed(system, "fit", error) from error


def _current_folder() -> Path | None:
    try:
        return Path.cwd()
    except FileNotFoundError:  # it was removed; absolute paths go on working
        return None


@contextmanager
def _back_to(folder: Path | None) -> Iterator[None]:
    """Come back to a folder that a model leaves: relative paths, of results too, would mean others from then on."""
    try:
        yield
    finally:
        if folder is not None and _current_folder() != folder:
            os.chdir(folder)


def refuse_nothing(system: str, ranked: Ranked) -> None:
    """Raise SystemFailedError if a system scored no target of any user."""
    if not any(np.any(ranks.computed) or np.any(ranks.scored) for _, ranks in ranked):
        raise SystemFailedError(system, "score", "it scored no item of any tested user (NaN only)")


def ratings_for(recommender: Recommender, train: Interactions) -> Interactions:
    """The training ratings for a fit: a copy for code from elsewhere, which may unlock arrays and write to them."""
    ours = type(recommender).__module__.startswith("heldout.") and not isinstance(recommender, Foreign)
    return train if ours else train.copy()


def refuse_changed(system: str, train: Interactions, copied: Interactions) -> None:
    """Raise SystemFailedError if a model wrote to the copy of the training ratings that it was given."""
    if copied is not train and copied.fresh_digest() != train.digest:
        raise SystemFailedError(system, "fit", "it changed the training ratings that it was given (a copy of its own)")


def remaining(study: Study, gone: Sequence[str]) -> Study:
    """The study without the systems that failed; where the baseline did, all pairs of the others are compared."""
    if not gone:
        return study
    compare = replace(study.compare, baseline=None) if study.compare.baseline in gone else study.compare
    return replace(study, recommend=tuple(s for s in study.recommend if s.name not in gone), compare=compare)


def about_failures(study: Study, failures: Sequence[Failure]) -> Iterator[Notice]:
    """HO107 for each system that failed."""
    for system in dict.fromkeys(failure.system for failure in failures):
        own = [failure for failure in failures if failure.system == system]
        where = f" on {len(own)} folds" if len(own) > 1 else ""
        base = "; it was the baseline, so all pairs of the others are compared" if study.compare.baseline == system else ""
        yield Notice("HO107", f"{system} failed{where} and is left out ({own[0].stage}: {own[0].reason}){base}")


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A system that failed, the reason, and the cells that it has no results in."""

    system: str
    reason: str
    """The stage and what was raised, of the first failure: `fit: ZeroDivisionError: division by zero`."""
    failed: int
    """Folds of a run, or splits of a multiverse, on which it failed."""
    of: int
    """How many splits a multiverse has; 0 in a run."""
    unit: str
    """What is counted: folds, splits, or splits under a seed each."""
    everywhere: bool
    """True if no result holds it: a run leaves a system out that fails on any fold, a multiverse only where it failed."""

    def sentence(self) -> str:
        """Who failed where and why, as part of a sentence: `A failed on 2 of 6 splits and is left out there (fit: …)`."""
        where = f" on {self.failed} {self.unit}" if self.failed > 1 else ""
        if self.of:
            where = " on every split" if self.everywhere else f" on {self.failed} of {self.of} {self.unit}"
        return f"{self.system} failed{where} and is left out{'' if self.everywhere else ' there'} ({self.reason})"


def system_of(cell: str, systems: Sequence[str]) -> str:
    """The system of a failed cell (`data | filter | split | … | system`): the longest name that the cell ends with.

    A name may hold the sign between the parts of a cell. Where no name is known, the last part is taken.
    """
    return max((s for s in systems if cell == s or cell.endswith(f" | {s}")), key=len, default=cell.rpartition(" | ")[2])


def left_out(manifest: Mapping[str, Any], systems: Sequence[str]) -> tuple[LeftOut, ...]:
    """The systems of a manifest that failed, in the order of `systems`, which are all systems of the study."""
    cells: dict[str, list[str]] = {}
    for cell, reason in dict(manifest.get("failed") or {}).items():
        cells.setdefault(system_of(cell, systems), []).append(str(reason))
    grid = manifest.get("kind") == "multiverse"
    splits = len(manifest.get("parts") or {}) if grid else 0
    unit = "folds" if not grid else "splits under a seed" if len(manifest.get("seeds") or ()) > 1 else "splits"
    failed = [
        LeftOut(
            system=system,
            reason=reasons[0],
            failed=len(reasons),
            of=splits,
            unit=unit,
            everywhere=not grid or len(reasons) >= splits,
        )
        for system, reasons in cells.items()
    ]
    order = {name: place for place, name in enumerate(systems)}
    return tuple(sorted(failed, key=lambda system: order.get(system.system, len(order))))


def everywhere(failed: Sequence[LeftOut] | None) -> list[str]:
    """The systems of which there is no result at all."""
    return [system.system for system in failed or () if system.everywhere]


def why_failed(manifest: Mapping[str, Any]) -> dict[str, str]:
    """System → why it failed, on the first fold that it failed on."""
    systems = [str(system.get("name")) for system in manifest.get("study", {}).get("recommend", [])]
    reasons: dict[str, str] = {}
    for cell, reason in manifest.get("failed", {}).items():
        reasons.setdefault(system_of(cell, systems), reason)
    return reasons
