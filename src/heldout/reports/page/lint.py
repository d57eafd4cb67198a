"""The page's findings of lint: what a reviewer would ask of the protocol, each with what its code means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from heldout.catalogue.notices import concern
from heldout.reports.page.markup import coded, el, join
from heldout.review.lint.finding import MEANINGS, Finding, Review
from heldout.review.reviewed_papers import PaperFinding, PaperReview
from heldout.words import counted

NOTHING = "lint finds nothing in this protocol."


def section(review: Review) -> Markup:
    """Every finding, gravest first; where there is none, the section says so."""
    said = f"{counted(review.rules, 'rule')} applied: {review.summary}." if review.findings else NOTHING
    items = [_finding(finding) for finding in review.findings]
    return el(
        "section",
        el("h2", "Findings of lint"),
        el("p", said),
        el("ul", *items, cls="notices") if items else Markup(),
        _unchecked(review),
        id="notices",
    )


def of_papers(reviews: Sequence[PaperReview]) -> Markup:
    """The findings in the studies of each paper, and the tables and figures that these were run for."""
    if not reviews:
        return Markup()
    parts = [el("section", el("h3", review.paper.name), *_of_paper(review)) for review in reviews]
    note = el("p", _OF_PAPERS, cls="note")
    return el("section", el("h2", "Findings of lint"), note, *parts, id="notices")


_OF_PAPERS = (
    "What a reviewer would ask of the studies that were run for each table and figure, as the paper describes them. It is "
    "said of the protocol alone: results are not looked at, and some of these choices are what the paper is about."
)


def _of_paper(review: PaperReview) -> Iterator[Markup]:
    studies = counted(review.studies, "study", "studies")
    if not review.findings:
        yield el("p", f"{studies}: lint finds nothing.")
        return
    yield el("p", f"{studies}, {counted(len(review.findings), 'finding')}.")
    by_code: dict[str, list[PaperFinding]] = {}
    for entry in review.findings:
        by_code.setdefault(entry.finding.code, []).append(entry)
    yield el("ul", *(_of_one_code(alike, review.paper.key) for alike in by_code.values()), cls="notices")


def _of_one_code(alike: list[PaperFinding], paper: str) -> Markup:
    """The gravest finding, of several the one that most experiments have, and the others of its code folded away."""
    first, *others = sorted(alike, key=lambda entry: (entry.finding.order(), -len(entry.experiments)))
    more = join(*(join(*_said_where(entry, paper)) for entry in others))
    folded = el("details", el("summary", f"{counted(len(others), 'more', 'more')} of {first.finding.code}"), more)
    return _item(first.finding, *_said_where(first, paper), folded if others else Markup())


def _said_where(entry: PaperFinding, paper: str) -> list[Markup]:
    links = [el("a", key, href=f"#{paper}-{key}") for key in entry.experiments]
    return [*_said(entry.finding), el("p", "In ", Markup(", ").join(links), ".", cls="note")]


def link(review: Review) -> Markup:
    """What lint says in short, leading to its section."""
    return el("a", f"lint: {review.summary}", href="#notices")


def _finding(finding: Finding) -> Markup:
    return _item(finding, *_said(finding))


def _said(finding: Finding) -> list[Markup]:
    change = [el("p", "→ ", coded(finding.change))] if finding.change else []
    return [el("p", coded(finding.message)), *change]


def _item(finding: Finding, *said: Markup) -> Markup:
    """A finding, or several of one code, with what the code means."""
    about = f"{finding.severity}: {MEANINGS[finding.severity]}"
    return el(
        "li",
        el("code", finding.code),
        el(
            "div",
            el("strong", finding.title),
            el("p", " · ".join(filter(None, (about, finding.stage))), cls="note"),
            *said,
            _explained(finding.code),
        ),
        cls=finding.severity,
    )


def _explained(code: str) -> Markup:
    """What the code means, folded away; nothing where another package's rule does not say."""
    explanation = concern(code).explanation
    return el("details", el("summary", f"What {code} means"), _paragraphs(explanation)) if explanation else Markup()


def _unchecked(review: Review) -> Markup:
    """The questions that neither results nor the protocol answer, folded away."""
    if not review.unchecked:
        return Markup()
    items = [el("li", el("code", u.code), f" {u.question} (only the {u.needs} can tell)") for u in review.unchecked]
    head = el("summary", f"Not checked: {counted(len(items), 'question')}")
    return el("details", head, el("ul", *items, cls="minimal"))


def _paragraphs(text: str) -> Markup:
    return join(*(el("p", coded(" ".join(part.split()))) for part in text.strip().split("\n\n")))
