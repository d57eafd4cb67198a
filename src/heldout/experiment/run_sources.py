"""The inputs of an evaluation, as its manifest records them: the test set, the training set and the runs.

A file is recorded by its name and digest. A table in memory is written to the results folder, if there is one, so that
another analysis can read it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from heldout.data.file_patterns import digest_all
from heldout.data.read import reader_of
from heldout.data.reader import Reader
from heldout.data.runs import MatrixRun, RunFrame
from heldout.errors import HeldoutError, ResultsError, SpecError, UnknownNameError
from heldout.experiment.ledger import SOURCES, Ledger
from heldout.storage.codec import from_plain, to_plain
from heldout.tables import Interactions

_BY_NAME = "name the files: ho.meta(qrels=…, runs=…), or --qrels and --run"


@dataclass(frozen=True, kw_only=True)
class RunSource:
    """One input of an evaluation."""

    file: str = ""
    """The path, pattern, address or text form that was given; empty for a table in memory."""
    kept: str = ""
    """The table of the results folder that holds its rows; empty for a file, or without a folder."""
    description: str = ""
    """What made a run, in the user's words."""

    @property
    def name(self) -> str:
        """The file as code, without its folder; empty for a table in memory."""
        plain = "(" not in self.file and "://" not in self.file
        return f"`{Path(self.file).name if plain else self.file}`" if self.file else ""


@dataclass(frozen=True, kw_only=True)
class RunSources:
    """All inputs of an evaluation."""

    test: RunSource
    train: RunSource | None
    runs: dict[str, RunSource]
    items: RunSource | None
    """The table of items, for metrics that look at their features."""
    scores: str
    """What the scores of runs are: order, comparable or ratings."""

    @property
    def record(self) -> dict[str, Any]:
        """The entry of the manifest."""
        return {SOURCES: to_plain(self)}

    @property
    def rated(self) -> list[RunSource]:
        """The test set, and the training set if there is one."""
        return [self.test] if self.train is None else [self.test, self.train]

    @property
    def names(self) -> dict[str, str]:
        """By file, what it is and what it is called, such as "test set (`test.csv`)"."""
        return {source.file: f"{role} ({source.name})" for role, source in self.roles.items() if source.file}

    @property
    def roles(self) -> dict[str, RunSource]:
        """By what it is, every input."""
        rated = {"test set": self.test} | ({} if self.train is None else {"training set": self.train})
        return rated | {f"run {name}": run for name, run in self.runs.items()}

    def digests(self) -> dict[str, str]:
        """sha256 of every file."""
        rated = {source.file: reader_of(source.file).source_digest() for source in self.rated if source.file}
        others = [*self.runs.values(), *([] if self.items is None else [self.items])]
        return rated | {source.file: digest_all(source.file) for source in others if source.file}

    def tables(
        self, test: Interactions, train: Interactions | None, runs: Mapping[str, RunFrame | MatrixRun]
    ) -> Iterator[tuple[str, pl.DataFrame]]:
        """The name and rows of every input that was in memory."""
        for source, rows in ((self.test, test), (self.train, train)):
            if source is not None and rows is not None and source.kept:
                yield source.kept, _ratings(rows)
        for name, run in runs.items():
            if kept := self.runs[name].kept:
                run = run.frame() if isinstance(run, MatrixRun) else run
                yield kept, pl.DataFrame({"user_id": run.user_id, "item_id": run.item_id, "score": run.score})

    def paths(self, folder: Path, inputs: Mapping[str, str]) -> tuple[str, dict[str, str], str | None]:
        """Paths of the test set, the runs and the training set, to be read again from a folder's evaluation.

        ResultsError if one is not what was judged; `inputs` are the digests that the manifest keeps.
        """
        for role, source in self.roles.items():
            if not source.file and not source.kept:
                raise ResultsError(f"the {role} was in memory and is not kept", where=str(folder), hint=_BY_NAME)
            if source.file and source.file not in inputs:
                raise ResultsError(f"no digest of the {role} was kept", where=str(folder), hint=_BY_NAME)
            if source.kept:
                Ledger(folder).table_header(source.kept)
        try:
            digests = self.digests()
        except HeldoutError as error:
            hint = f"call it in the folder where the runs were judged, or {_BY_NAME}"
            raise ResultsError(f"a file that was judged cannot be read ({error})", where=str(folder), hint=hint) from None
        changed = next((file for file, digest in digests.items() if digest != inputs[file]), None)
        if changed is not None:
            raise ResultsError("was modified after it was judged (checksum mismatch)", where=changed, hint=_BY_NAME)

        def path(source: RunSource) -> str:
            return source.file or str(folder / source.kept)

        train = None if self.train is None else path(self.train)
        return path(self.test), {name: path(run) for name, run in self.runs.items()}, train


def run_sources(
    qrels: Any,
    runs: Mapping[str, Any],
    train: Any,
    *,
    items: Any,
    scores: str,
    descriptions: Mapping[str, str] | None,
    keep: bool,
) -> RunSources:
    """The record of what is given to an evaluation; `keep` names a table for each rating or run in memory."""
    texts = _descriptions(descriptions or {}, list(runs))
    return RunSources(
        test=_source(qrels, "test" if keep else ""),
        train=None if train is None else _source(train, "train" if keep else ""),
        runs={
            name: _source(run, f"run-{number}" if keep else "", texts.get(name, ""))
            for number, (name, run) in enumerate(runs.items(), 1)
        },
        items=None if items is None else _source(items, ""),
        scores=scores,
    )


def recorded_sources(manifest: Mapping[str, Any]) -> RunSources | None:
    """The inputs that a manifest records; None if it is not of an evaluation, or records none."""
    record = manifest.get(SOURCES)
    if record is None:
        return None
    try:
        return from_plain(RunSources, record)
    except (KeyError, TypeError, AttributeError) as error:
        raise ResultsError(
            f"the manifest is of another version of Heldout ({error!r})", hint="judge the runs again"
        ) from None


def _source(source: Any, table: str, description: str = "") -> RunSource:
    file = source.full_text if isinstance(source, Reader) else str(source) if isinstance(source, str | Path) else ""
    if file and Path(file).exists() and not (Path(file).is_file() or Path(file).is_dir()):
        file = ""  # a pipe can be read only once
    return RunSource(file=file, kept=f"inputs/{table}.parquet" if table and not file else "", description=description)


def _descriptions(descriptions: Mapping[str, str], names: list[str]) -> dict[str, str]:
    """By run, its description on one line."""
    if not isinstance(descriptions, Mapping):
        raise SpecError(
            where="descriptions",
            found=type(descriptions).__name__,
            expected="a text for each run",
            hint='write {"A": "what made run A"}',
        )
    for name, text in descriptions.items():
        if name not in names:
            raise UnknownNameError("run", str(name), names, where="descriptions")
        if not isinstance(text, str):
            raise SpecError(where=f"descriptions: {name}", found=type(text).__name__, expected="a text")
    return {name: " ".join(text.split()) for name, text in descriptions.items()}


def _ratings(rows: Interactions) -> pl.DataFrame:
    """The columns of ratings that runs are judged by."""
    frame = rows.to_polars()
    return frame.select(name for name in ("user_id", "item_id", "value", "utility") if name in frame.columns)
