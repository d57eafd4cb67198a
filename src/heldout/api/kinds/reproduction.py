"""Results of `reproduce`: tables, figures and claims of papers next to what was measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.api.kinds.kind import Kind, StoredFrame
from heldout.api.results import Results
from heldout.papers.findings import ReproductionFindings
from heldout.writing import write_text

if TYPE_CHECKING:
    from rich.console import Group


class ReproductionKind(Kind[ReproductionFindings]):
    """Papers that were run again."""

    name = "reproduction"
    file = "reproduction.json"
    key = "record"
    findings = ReproductionFindings
    main = "all-figures"
    stored = (
        StoredFrame(
            file="table", name="all-figures", title="One row per published number", of=lambda findings: findings.table
        ),
        StoredFrame(file="claims", name="all-claims", title="One row per claim", of=lambda findings: findings.claim_table),
    )
    other = "these are not results of heldout reproduce"
    unfinished = "not all experiments were run"

    def verdict(self, results: Results[ReproductionFindings]) -> str:
        from heldout.papers.sentences import reproduction_sentence

        return reproduction_sentence(results.findings)

    def entries(self, results: Results[ReproductionFindings]) -> Any:
        from heldout.reports.figures import of_papers

        return of_papers(results.findings), results.findings

    def figure_name(self, results: Results[ReproductionFindings], name: str) -> str:
        names = [entry.name for entry in self.entries(results)[0] if name == entry.name.partition("/")[2]]
        return names[0] if len(names) == 1 else super().figure_name(results, name)

    def html(self, results: Results[ReproductionFindings]) -> str:
        from heldout.papers.published_choices import published_protocol
        from heldout.reports.page.reproduction import to_html
        from heldout.review.reviewed_papers import reviewed_papers

        references = [paper.reference for paper in results.findings.papers]
        protocol = published_protocol(references, results.manifest)
        return to_html(results.findings, protocol, reviewed_papers(results.findings, results.manifest))

    def fragment(self, results: Results[ReproductionFindings]) -> str:
        from heldout.reports.page.reproduction import html_fragment

        return str(html_fragment(results.findings))

    def terminal(self, results: Results[ReproductionFindings], width: int | None = None, *, full: bool = False) -> Group:
        from heldout.reports.terminal.reproduction import render

        return render(results.findings, width)

    def markdown(self, results: Results[ReproductionFindings]) -> str:
        from heldout.reports.markdown.reproduction import to_markdown

        return to_markdown(results.findings)


def write_page(results: Results[ReproductionFindings], path: str | Path) -> None:
    """Write *Published beside measured* as Markdown, with its figures as SVG in a folder of its name next to it."""
    from heldout.reports.markdown.reproduction import to_markdown

    page = Path(path)
    images = {name: f"{page.stem}/{name.replace('/', '-')}.svg" for name in results.figures}
    for name, image in images.items():
        (page.parent / image).parent.mkdir(parents=True, exist_ok=True)
        results.figures[name].save(page.parent / image)
    record = replace(results.findings, command=f"{results.findings.command} --page {page.name}")
    write_text(page, to_markdown(record, images))


KIND = ReproductionKind()
