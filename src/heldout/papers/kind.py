"""Results of `reproduce`: tables, figures and claims of papers next to what was measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from heldout import Results
from heldout.api.kinds.kind import Kind, StoredFrame
from heldout.papers.findings import ReproductionFindings
from heldout.storage.files import write_text

if TYPE_CHECKING:
    from heldout.analysis.choices import ProtocolFacts
    from heldout.reports.document import Builders, Document


class ReproductionKind(Kind[ReproductionFindings]):
    """Papers that were run again."""

    name = "reproduction"
    label = "Papers run again"
    file = "reproduction.json"
    findings = ReproductionFindings
    main = "all-figures"
    stored = (
        StoredFrame(file="table", name="all-figures", title="One row per published number", attribute="table"),
        StoredFrame(file="claims", name="all-claims", title="One row per claim", attribute="claim_table"),
    )
    unfinished = "not all experiments were run"
    report = "heldout.papers.report"

    def verdict(self, results: Results[ReproductionFindings]) -> str:
        from heldout.papers.sentences import reproduction_sentence

        return reproduction_sentence(results.findings)

    def protocol(self, results: Results[ReproductionFindings]) -> ProtocolFacts:
        """What the papers chose in their main experiments."""
        from heldout.universes.published_choices import published_protocol

        findings = results.findings
        return published_protocol([paper.reference for paper in findings.papers], results.manifest, findings.profiles)

    def document(self, results: Results[ReproductionFindings], *, reviewed: bool = True) -> Document:
        from heldout.papers.report import document
        from heldout.papers.reviewed_papers import reviewed_papers

        reviews = reviewed_papers(results.findings, results.manifest) if reviewed else ()
        return document(results.findings, self.protocol(results), reviews)

    def tables(self, results: Results[ReproductionFindings]) -> Sequence[Callable[[], Builders]]:
        from heldout.papers.report import protocol_tables, tables

        return partial(tables, results.findings), lambda: protocol_tables(self.protocol(results))

    def figure_name(self, results: Results[ReproductionFindings], name: str) -> str:
        names = [known for known in self.charts(results) if name == known.partition("/")[2]]
        return names[0] if len(names) == 1 else super().figure_name(results, name)


def write_page(results: Results[ReproductionFindings], path: str | Path) -> None:
    """Write *Published beside measured* as Markdown, with its figures as SVG in a folder next to it."""
    from heldout.papers.charts import charts
    from heldout.papers.report import document
    from heldout.reports.render import markdown

    page = Path(path)
    images = {name: f"{page.stem}/{name.replace('/', '-')}.svg" for name in charts(results.findings)}
    for name, image in images.items():
        (page.parent / image).parent.mkdir(parents=True, exist_ok=True)
        results.figures[name].save(page.parent / image)
    findings = replace(results.findings, command=f"{results.findings.command} --page {page.name}")
    write_text(page, markdown.document(document(findings), images))


KIND = ReproductionKind()
