"""Published beside measured as one HTML file: a section for each table and figure of a paper; no script, no request."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markupsafe import Markup

from heldout.analysis.choices import ProtocolFacts
from heldout.papers.findings import ExperimentFindings, PaperFindings, ReproductionFindings
from heldout.papers.sentences import (
    missing_words,
    paper_words,
    reason_words,
    reasons,
    reproduction_sentence,
    uncounted_sentence,
)
from heldout.reports.page import protocol
from heldout.reports.page.markup import NOTEBOOK_STYLE, cell, el, join, rows, table
from heldout.reports.page.reproduction_svg import panel_chart
from heldout.reports.page.static import static_page
from heldout.reports.reproduction_views import (
    HEADS,
    NOTES,
    SIMULATED_NOTE,
    TITLE,
    claim_head,
    experiment_head,
    figure_cells,
    figure_columns,
)
from heldout.review.reviewed_papers import PaperReview

VERDICTS = {"holds": "holds", "does not hold here": "fails", "cannot be tested": "open"}
"""The class of a verdict."""
CLASSES = ("name", "", "num", "num", "num", "num", "", "text")
"""The class of each column of numbers."""
LONG_FIGURES, FIGURES_SHOWN = 400, 200
"""Letters of figures from which on they are folded, and of what is shown of them then."""


def to_html(
    record: ReproductionFindings, published: ProtocolFacts | None = None, reviews: Sequence[PaperReview] = ()
) -> str:
    """The whole page; the same record gives the same bytes.

    `published` is what the papers chose, explained; `reviews` are what lint finds in the studies that were run for them.
    """
    return static_page(
        join(_summary(record), *(_paper(paper) for paper in record.papers), protocol.published(published, reviews)),
        title=TITLE,
        eyebrow="Heldout: papers run again",
        meta="; ".join(f"{paper.name}: {paper_words(paper)}" for paper in record.papers),
        sections=(("summary", "Summary"), *((paper.key, paper.name) for paper in record.papers), *protocol.REVIEWED),
        style="reproduction",
        beside="All numbers stand in reproduction.json and in the tables beside it.",
    )


def html_fragment(record: ReproductionFindings) -> str:
    """For notebooks: the sentence and the claims of each experiment, no style but its own."""
    claims = [_claims(experiment) for experiment in record.experiments if experiment.claims]
    return el("div", NOTEBOOK_STYLE, el("p", el("strong", reproduction_sentence(record))), *claims, cls="heldout")


def _summary(record: ReproductionFindings) -> Markup:
    return el(
        "section",
        el("h2", "What comes out again"),
        el("p", reproduction_sentence(record), cls="sentence"),
        *([el("p", uncounted_sentence(record), cls="note")] if uncounted_sentence(record) else []),
        *([el("p", SIMULATED_NOTE, cls="simulated")] if record.simulated else []),
        *(el("p", note, cls="note") for note in NOTES),
        el("pre", Markup(" ").join(el("span", word, cls="nowrap") for word in record.command.split(" "))),
        id="summary",
    )


def _paper(paper: PaperFindings) -> Markup:
    notes = el("ul", *(el("li", note) for note in paper.notes), cls="minimal") if paper.notes else Markup()
    return el("section", el("h2", paper.name), notes, *(_experiment(e) for e in paper.experiments), id=paper.key)


def _experiment(experiment: ExperimentFindings) -> Markup:
    parts = [el("h3", experiment_head(experiment)), el("p", f"{experiment.data}. {experiment.did}", cls="note")]
    if experiment.missing:
        parts.append(el("p", missing_words(experiment), cls="missing"))
    parts += [el("p", failure, cls="failure") for failure in experiment.failures]
    charts = [panel_chart(panel) for panel in experiment.panels]
    name = f"{experiment.paper}/{experiment.key}"
    parts += [el("figure", *charts, cls="panels", data_figure=name)] if charts else []
    parts += [_numbers(experiment)] if experiment.rows else []
    parts += [_claims(experiment)] if experiment.claims else []
    notes = (*reason_words(reasons(experiment)), *experiment.notes)
    parts += [el("ul", *(el("li", note) for note in notes), cls="minimal")] if notes else []
    return el("article", *parts, id=f"{experiment.paper}-{experiment.key}")


def _numbers(experiment: ExperimentFindings) -> Markup:
    why = reasons(experiment)
    cells = [figure_cells(row, why) for row in experiment.rows]
    shown = figure_columns(cells)
    lines = [[cell(row.texts[k], CLASSES[k]) for k in shown] for row in cells]
    heads = [cell(HEADS[k] or ("Number", "Column")[k], CLASSES[k] if k else "") for k in shown]
    return table(
        heads,
        rows(lines),
        caption=f"Published and measured, {experiment_head(experiment)}",
        name=f"{experiment.paper}-{experiment.key}",
    )


UNBROKEN = re.compile(r"(?<=[✓✗<]) | (?=×)| = ")
"""Blanks at which no line ends: behind a verdict and a sign, before a factor, around an equals sign."""


def _unbroken(words: str) -> str:
    """With blanks that do not break where a line would end in a sign."""
    return UNBROKEN.sub(lambda blank: blank[0].replace(" ", "\u00a0"), words)


def _folded(figures: str) -> str:
    """Figures of a claim; where there are very many, the first of them, and the others when a reader opens them."""
    if len(figures) <= LONG_FIGURES:
        return figures
    ends = (figures.rfind(mark, 0, FIGURES_SHOWN) + 1 for mark in ("; ", ", ", " "))
    end = next((end for end in ends if end), FIGURES_SHOWN)
    return el("details", el("summary", figures[:end]), figures[end:], cls="more")


def _claims(experiment: ExperimentFindings) -> Markup:
    why = reasons(experiment)
    lines = [
        [
            cell(_unbroken(f"{claim.words} ({claim.section})"), "words"),
            cell(_unbroken(claim.rule), "words"),
            cell(claim_head(claim, why), VERDICTS[claim.verdict]),
            cell(_folded(_unbroken(claim.figures)), "words"),
        ]
        for claim in experiment.claims
    ]
    heads = [cell("The paper"), cell("Holds if"), cell("Here"), cell("Figures")]
    return table(
        heads,
        rows(lines),
        caption=f"Claims, {experiment_head(experiment)}",
        name=f"{experiment.paper}-{experiment.key}-claims",
    )
