"""The journal of a search's trials, written by optuna: a killed search continues from it; a damaged one raises an error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from heldout.errors import HeldoutError, ResultsError
from heldout.recommenders.ranges import Ranges
from heldout.storage.lock import locked
from heldout.storage.results_files import could_not_write, write_whole

JOURNAL = "trials.journal"


@contextmanager
def searching(out: str | Path | None) -> Iterator[None]:
    """Be the only search that writes to a folder; ResultsError if another does."""
    if out is None:
        yield
        return
    with locked(Path(out)):
        yield


@contextmanager
def journal_errors(out: str | Path | None) -> Iterator[None]:
    """Raise ResultsError if optuna cannot write the journal, which it does at every step of a search."""
    try:
        yield
    except Exception as error:
        if _came_of_ctrl_c(error):
            raise KeyboardInterrupt from error
        if out is None or not isinstance(error, OSError):
            raise
        raise could_not_write(error, Path(out) / JOURNAL) from error


def _came_of_ctrl_c(error: BaseException | None) -> bool:
    """True if an error was raised while Ctrl-C was handled: optuna then gives its lock back, and fails where it has none."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def open_search(optuna: Any, out: str | Path | None, space: Ranges, **options: Any) -> Any:
    """The search that the options of `optuna.create_study` name, with the trials that a folder has of it."""
    if out is None:
        return optuna.create_study(**options)
    path = Path(out) / JOURNAL
    _mend(path)
    try:
        backend = optuna.storages.journal.JournalFileBackend(str(path))
        search = optuna.create_study(storage=optuna.storages.JournalStorage(backend), load_if_exists=True, **options)
        _check(optuna, search, space)
    except (OSError, HeldoutError):
        raise
    except Exception as error:  # what optuna raises over a line that it cannot read is not declared
        raise ResultsError(
            f"the journal of trials is damaged ({type(error).__name__}: {' '.join(str(error).split())})",
            where=str(path),
            hint="delete it, or choose another --out",
        ) from error
    return search


def _mend(path: Path) -> None:
    """Remove what a killed search left: half a last line, and optuna's lock, which is held by nobody."""
    for lock in path.parent.glob(f"{JOURNAL}.lock*"):
        lock.unlink()
    if path.is_file():
        content = path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:
            write_whole(path, lambda temporary: temporary.write_bytes(whole))


def _check(optuna: Any, search: Any, space: Ranges) -> None:
    """Raise ValueError if a trial that ended does not have what a trial has."""
    for trial in search.get_trials(deepcopy=False):
        whole = isinstance(trial.value, float) and set(trial.params) == set(space)
        if trial.state == optuna.trial.TrialState.COMPLETE and not whole:
            raise ValueError(f"trial {trial.number} has no value, or other parameters")
