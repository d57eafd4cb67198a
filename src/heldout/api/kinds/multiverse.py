"""Results of `multiverse`: the findings over all universes, and the table of universes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from heldout.analysis.choices import recorded_data
from heldout.api.kinds.kind import REPORT, Kind
from heldout.api.results import Results
from heldout.catalogue.notices import title_of
from heldout.errors import ResultsError
from heldout.experiment.guessed_relevance import about_kept_guess
from heldout.experiment.ledger import Ledger, kind_words, parts_key, read_manifest, sealed
from heldout.reports.multiverse_views import MultiverseReport
from heldout.study.record import recorded_study
from heldout.universes.explored import ExploredUniverses, explored_universes
from heldout.universes.findings import MultiverseFindings
from heldout.universes.universes import Universes

if TYPE_CHECKING:
    from rich.console import Group

    from heldout.api.tables import Frames

TABLE = "universes.parquet"


@dataclass(eq=False, kw_only=True)
class MultiverseSource:
    """The universes that findings were made from, read when they are first used."""

    load: Callable[[], pl.DataFrame]
    level: float
    in_memory: ExploredUniverses | None = None
    """The universes that the page shows one by one; taken from the table if they are not given."""

    @cached_property
    def table(self) -> pl.DataFrame:
        """One row per universe and pair of systems: choices, values, difference, effect, p and winner."""
        return self.load()

    @cached_property
    def explored(self) -> ExploredUniverses:
        """The universes one by one, as the page shows them."""
        return self.in_memory or explored_universes(Universes.from_polars(self.table), level=self.level)


def stored_universes(folder: Path, manifest: Mapping[str, Any]) -> Callable[[], pl.DataFrame]:
    """Reads the table of universes from a results folder."""
    return lambda: Ledger(folder).load_table(TABLE, parts_key(manifest))


class MultiverseKind(Kind[MultiverseFindings]):
    """A multiverse."""

    name = "multiverse"
    file = "multiverse.json"
    findings = MultiverseFindings
    main = "universes"
    unfinished = "the run did not finish"

    def read(self, folder: str | Path) -> Results[MultiverseFindings]:
        results = super().read(folder)
        load = stored_universes(Path(folder), results.manifest)
        return replace(results, _source=MultiverseSource(load=load, level=results.findings.level))

    def read_sealed(self, folder: str | Path) -> tuple[dict[str, Any], dict[str, Any]]:
        manifest = read_manifest(folder)
        if manifest.get("kind") != self.name:
            words = f"these are the results of {kind_words(manifest)}"
            raise ResultsError(words, where=str(folder), hint="use ho.load or heldout report")
        manifest, content = super().read_sealed(folder)
        return manifest, {self.key: content}

    def decode(self, content: Any) -> MultiverseFindings:
        return MultiverseFindings.from_dict(content)

    def write(self, results: Results[MultiverseFindings], folder: str | Path) -> None:
        ledger = Ledger(folder)
        with ledger.writing():
            ledger.save_text(self.file, sealed(results.findings.to_json(), parts_key(results.manifest)))
            ledger.save_text(REPORT, self.html(results))

    def verdict(self, results: Results[MultiverseFindings]) -> str:
        return "\n".join(self.sentences(results))

    def sentences(self, results: Results[MultiverseFindings]) -> list[str]:
        return [pair.stability.sentence for pair in results.findings.pairs]

    def notices(self, results: Results[MultiverseFindings]) -> list[str]:
        manifest = results.manifest
        notices = about_kept_guess(recorded_study(manifest)) if "guessed" in manifest else ()
        return [f"{n.code} {title_of(n.code)}: {n.message}" for n in notices]

    def frames(self, results: Results[MultiverseFindings]) -> Frames:
        return {"universes": ("One row per universe and pair of systems", lambda: _source(results).table)}

    def entries(self, results: Results[MultiverseFindings]) -> Any:
        from heldout.reports.figures import MULTIVERSE, margin_curve, of_data_sets

        entries = MULTIVERSE
        if results._source is not None:
            entries = (*MULTIVERSE, margin_curve(lambda _: _source(results).explored.explored))
        return (*entries, *of_data_sets(recorded_data(results.manifest))), results.findings

    def html(self, results: Results[MultiverseFindings]) -> str:
        from heldout.reports.page.multiverse import to_html
        from heldout.review.reviewed_protocol import reviewed_protocol

        protocol = reviewed_protocol(results.manifest, results.title)
        return to_html(replace(_report(results), explored=_source(results).explored, protocol=protocol))

    def fragment(self, results: Results[MultiverseFindings]) -> str:
        from heldout.reports.page.multiverse import html_fragment

        return str(html_fragment(_report(results)))

    def terminal(self, results: Results[MultiverseFindings], width: int | None = None, *, full: bool = False) -> Group:
        from heldout.reports.terminal.multiverse import render

        return render(_report(results), width)

    def markdown(self, results: Results[MultiverseFindings]) -> str:
        from heldout.reports.markdown.multiverse import to_markdown

        return to_markdown(_report(results))


def _source(results: Results[MultiverseFindings]) -> MultiverseSource:
    """The universes; ResultsError if only the findings are in memory."""
    if results._source is None:
        raise ResultsError("these results hold no table of universes", hint="load them from the folder of a run")
    source: MultiverseSource = results._source
    return source


def _report(results: Results[MultiverseFindings]) -> MultiverseReport:
    """What every form of the report is made from."""
    return MultiverseReport(
        findings=results.findings,
        title=results.title,
        failed=results.failed,
        left_out=tuple(results.left_out),
        notices=results.notices,
    )


KIND = MultiverseKind()
