"""What a finished trial leaves in its folder: the one JSON file that its results are made of, tables and a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

from heldout.api.page_view import PageView
from heldout.api.tables import Tables
from heldout.errors import ResultsError
from heldout.experiment.ledger import Ledger, other_version, parts_key, read_manifest, read_sealed, sealed
from heldout.json_codec import from_plain, to_plain

Findings = TypeVar("Findings")
REPORT = "report.html"


def read_finished(
    folder: str | Path, *, kind: str, name: str, read: Callable[[dict[str, Any]], Findings], other: str, unfinished: str
) -> tuple[dict[str, Any], Findings]:
    """The manifest of a folder and what `read` makes of its file `name`.

    ResultsError says `other` where the folder holds results of another kind, and `unfinished` where the work was stopped.
    """
    manifest = read_manifest(folder)
    if manifest.get("kind") != kind:
        raise ResultsError(other, where=str(folder), hint="heldout report shows them")
    path = Path(folder) / name
    stopped = ResultsError(unfinished, where=str(folder), hint="run the same command again: it goes on where it stopped")
    try:
        content, key = read_sealed(path)
    except FileNotFoundError:
        raise stopped from None
    if not manifest.get("complete") or key != parts_key(manifest):
        raise stopped
    try:
        return manifest, read(content)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise other_version(path, error) from None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FinishedResults(Generic[Findings]):
    """What a finished trial found: one object of findings, kept in a folder as JSON with its tables and a page."""

    kind: ClassVar[str]
    """What the manifest calls such results; the JSON file is named after it."""
    kept: ClassVar[Mapping[str, str]]
    """The properties that are kept as tables, with what a row of theirs is."""
    findings_class: ClassVar[type[Any]]
    other: ClassVar[str]
    """What is said of a folder with results of another kind."""
    unfinished: ClassVar[str]
    """What is said of a folder whose work was stopped."""

    findings: Findings
    manifest: dict[str, Any]
    folder: Path | None = None
    """Where they are kept."""

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """What was left in a folder."""
        manifest, findings = read_finished(
            folder,
            kind=cls.kind,
            name=f"{cls.kind}.json",
            read=lambda content: from_plain(cls.findings_class, content["findings"]),
            other=cls.other,
            unfinished=cls.unfinished,
        )
        return cls(findings=findings, manifest=manifest, folder=Path(folder))

    @property
    def title(self) -> str:
        """Of the study."""
        return str(self.manifest["title"])

    def to_html(self) -> str:
        """The report as one self-contained page."""
        raise NotImplementedError

    @property
    def tables(self) -> Tables:
        """Every table of the page, and the frames behind them: `tables["all-pairs"].to_csv()`."""
        names = {"table": "all-rows"} | {name: f"all-{name}" for name in self.kept if name != "table"}
        return Tables(self.to_html(), {names[k]: (title, partial(getattr, self, k)) for k, title in self.kept.items()})

    def explore(self, *, height: int = 720) -> PageView:
        """The whole report inside a notebook, in a frame of its own."""
        return PageView(self.to_html(), height)

    def save(self, folder: str | Path) -> None:
        """Write the findings as JSON, the tables and report.html into the folder."""
        ledger, key = Ledger(folder), parts_key(self.manifest)
        with ledger.writing():
            for table in self.kept:
                ledger.save_table(f"{table}.parquet", getattr(self, table), key)
            content = json.dumps({"findings": to_plain(self.findings)}, ensure_ascii=False)
            ledger.save_text(f"{self.kind}.json", sealed(content, key))
            ledger.save_text(REPORT, self.to_html())
