"""Results of `multiverse`: the findings over all universes, and the table of universes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from heldout.analysis.rows import NoticeRow
from heldout.api.kinds.kind import Kind
from heldout.api.results import Results
from heldout.catalogue.notices import title_of
from heldout.errors import ResultsError
from heldout.experiment.guessed_relevance import about_kept_guess
from heldout.experiment.ledger import Ledger, parts_key
from heldout.storage.deferred import Deferred
from heldout.study.record import recorded_study
from heldout.universes.explored import ExploredUniverses, explored_universes
from heldout.universes.findings import MultiverseFindings
from heldout.universes.universes import Universes

if TYPE_CHECKING:
    from heldout.api.tables import Frames
    from heldout.reports.document import Builders, Charts, Document
    from heldout.reports.multiverse_tables import MultiverseReport

TABLE = "universes.parquet"


@dataclass(frozen=True, eq=False, kw_only=True)
class MultiverseSource:
    """The universes that findings were made from."""

    table: Deferred[pl.DataFrame]
    """One row per universe and pair of systems: choices, values, difference, effect, p and winner."""
    explored: Deferred[ExploredUniverses]
    """The universes one by one, as the page shows them."""


def stored_universes(folder: Path, manifest: Mapping[str, Any]) -> Deferred[pl.DataFrame]:
    """The table of universes of a results folder, read when it is first used."""
    return Deferred(lambda: Ledger(folder).load_table(TABLE, parts_key(manifest)))


class MultiverseKind(Kind[MultiverseFindings]):
    """A multiverse."""

    name = "multiverse"
    label = "Multiverse"
    file = "multiverse.json"
    findings = MultiverseFindings
    main = "universes"
    unfinished = "the run did not finish"

    @property
    def files(self) -> tuple[str, ...]:
        return self.file, TABLE

    def read(self, folder: str | Path) -> Results[MultiverseFindings]:
        results = super().read(folder)
        table, level = stored_universes(Path(folder), results.manifest), results.findings.level
        explored = Deferred(lambda: explored_universes(Universes.from_polars(table.value), level=level))
        return replace(results, _source=MultiverseSource(table=table, explored=explored))

    def encode(self, findings: MultiverseFindings) -> Any:
        return findings.to_dict()

    def write_tables(self, results: Results[MultiverseFindings], ledger: Ledger, key: str) -> None:
        if not ledger.has_table(TABLE):
            ledger.save_table(TABLE, _source(results).table.value, key)

    def verdict(self, results: Results[MultiverseFindings]) -> str:
        return "\n".join(self.sentences(results))

    def sentences(self, results: Results[MultiverseFindings]) -> list[str]:
        return [pair.stability.sentence for pair in results.findings.pairs]

    def notices(self, results: Results[MultiverseFindings]) -> list[str]:
        return [f"{n.code} {n.title}: {n.message}" for n in _notices(results)]

    def frames(self, results: Results[MultiverseFindings]) -> Frames:
        return {"universes": ("One row per universe and pair of systems", lambda: _source(results).table.value)}

    def document(self, results: Results[MultiverseFindings], *, reviewed: bool = True) -> Document:
        from heldout.reports import multiverse

        review = self.review(results) if reviewed else None
        return multiverse.document(replace(_report(results), facts=self.protocol(results), review=review))

    def tables(self, results: Results[MultiverseFindings]) -> Sequence[Callable[[], Builders]]:
        from heldout.reports import multiverse, multiverse_tables, protocol

        report = _report(results)
        return (
            partial(multiverse_tables.tables, report),
            partial(multiverse.universe_tables, report),
            lambda: protocol.tables(self.protocol(results)),
        )

    def charts(self, results: Results[MultiverseFindings]) -> Charts:
        from heldout.reports import multiverse

        return multiverse.charts(_report(results))


def _source(results: Results[MultiverseFindings]) -> MultiverseSource:
    """The universes; ResultsError if only the findings are in memory."""
    if results._source is None:
        raise ResultsError("these results hold no table of universes", hint="load them from the folder of a run")
    source: MultiverseSource = results._source
    return source


def _notices(results: Results[MultiverseFindings]) -> list[NoticeRow]:
    """Warnings about method that need no lint."""
    notices = about_kept_guess(recorded_study(results.manifest)) if "guessed" in results.manifest else ()
    return [NoticeRow(code=n.code, message=n.message, title=title_of(n.code)) for n in notices]


def _report(results: Results[MultiverseFindings]) -> MultiverseReport:
    """Everything that the report shows except the protocol; findings as they are stored, with seven figures.

    Tables and pages are then the same before results are saved and after they are loaded.
    """
    from heldout.reports.multiverse_tables import MultiverseReport

    return MultiverseReport(
        findings=results.findings.rounded(),
        title=results.title,
        failed=results.failed,
        left_out=tuple(results.left_out),
        notices=_notices(results),
        explore=(lambda: _source(results).explored.value) if results._source is not None else None,
    )


KIND = MultiverseKind()
