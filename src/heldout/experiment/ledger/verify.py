"""Checking a whole results folder: every file is read, and its key and digests are computed again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from heldout.analysis.rows import PAIRS
from heldout.errors import ResultsError
from heldout.experiment.ledger.folder import Ledger
from heldout.experiment.ledger.manifest import NAME, read_manifest
from heldout.experiment.ledger.part import read_header
from heldout.storage.results_files import read_whole
from heldout.storage.sealed import parts_key, read_sealed


@dataclass(frozen=True)
class Checked:
    """A file of a results folder, and what is wrong with it."""

    file: str
    """Its path in the folder."""
    problem: str = ""
    """What is wrong and what to do; empty if the file is intact."""


def check_files(folder: Path, files_of: Callable[[dict[str, Any]], Sequence[str]]) -> Iterator[Checked]:
    """Every file that holds results, the manifest first; `files_of` gives those that hold what was found."""
    manifest: dict[str, Any] = {}

    def check_manifest() -> None:
        manifest.update(read_manifest(folder))

        if not manifest.get("complete", True):
            raise ResultsError("the run did not finish", hint="run the same study again: it goes on where it stopped")

    first = _checked(NAME, check_manifest)
    yield first
    if not manifest:
        return  # nothing else says what the folder holds
    kind = manifest.get("kind")
    for name in files_of(manifest) if not first.problem else ():
        check = _check_text if name.endswith(".json") else _check_final
        yield _checked(name, partial(check, folder / name, manifest))
    if kind is None and not first.problem and _pairs_in_table(folder):
        yield _checked(PAIRS, partial(_check_final, folder / PAIRS, manifest))
    if kind is None:
        ledger = Ledger(folder)
        for key in dict.fromkeys((manifest.get("parts") or {}).values()):
            if first.problem and not ledger.has(str(key)):
                continue  # it was not made yet
            yield _checked(f"scores/{key}.parquet", partial(_check_scores, ledger, str(key)))
    for within in ("inputs", "ranks", "universes"):
        for path in sorted((folder / within).glob("*.parquet")):
            yield _checked(f"{within}/{path.name}", partial(_check_part, path))
    for path in sorted((folder / "stages").glob("*.json")):
        yield _checked(f"stages/{path.name}", partial(read_sealed, path))


def _checked(file: str, check: Callable[[], Any]) -> Checked:
    try:
        check()
    except ResultsError as error:
        return Checked(file, f"{error.problem}; {error.hint}" if error.hint else error.problem)
    return Checked(file)


def _pairs_in_table(folder: Path) -> bool:
    """Whether facts.json, where it can be read, names a table of comparisons."""
    try:
        facts, _ = read_sealed(folder / "facts.json")
    except (FileNotFoundError, ResultsError):
        return False  # that is said of facts.json itself
    return bool(facts.get("comparisons") == PAIRS)


def _check_text(path: Path, manifest: Mapping[str, Any]) -> None:
    try:
        _, key = read_sealed(path)
    except FileNotFoundError:
        raise _missing() from None
    if key != parts_key(manifest):
        raise ResultsError("is of other parts than the manifest names", hint="run the study again")


def _check_final(path: Path, manifest: Mapping[str, Any]) -> None:
    if not path.exists():
        raise _missing()
    read_whole(path, lambda: read_header(path, parts_key(manifest)))


def _check_scores(ledger: Ledger, key: str) -> None:
    if not ledger.has(key):
        raise _missing()
    ledger.load(key)


def _check_part(path: Path) -> None:
    read_whole(path, lambda: read_header(path, path.stem))


def _missing() -> ResultsError:
    return ResultsError("is missing", hint="run the study again")
