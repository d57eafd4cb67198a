"""A review in the terminal: gravest findings first, each with where it stands and what to change."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from heldout.catalogue.notices import SEVERITIES, Severity
from heldout.reports.render.terminal_tables import heading, small
from heldout.review.lint.finding import MEANINGS, Finding, Review
from heldout.text.numbers import counted

HEADS: dict[Severity, tuple[str, str]] = {
    "error": ("Errors", "bold red"),
    "warning": ("Warnings", "bold yellow"),
    "advice": ("Advice", "bold cyan"),
}


def render_review(review: Review, *, unchecked: bool = False) -> Group:
    """All findings; with `unchecked`, also every question that stayed open."""
    parts: list[RenderableType] = [Text(f"{review.subject}: {review.summary}", style="bold")]
    for severity in reversed(SEVERITIES):
        findings = [f for f in review.findings if f.severity == severity]
        if findings:
            head, style = HEADS[severity]
            parts.append(heading(head, MEANINGS[severity]))
            parts += [_drawn(finding, style) for finding in findings]
    parts += list(_open(review, unchecked=unchecked))
    parts.append(Padding(small("heldout describe CODE explains a finding."), (1, 0, 0, 0)))
    return Group(*parts)


def _drawn(finding: Finding, style: str) -> RenderableType:
    first = Text(finding.code, style=style)
    first.append(f" {finding.title}", style="not bold default")
    first.append(f"  {finding.stage}", style="not bold dim")
    message = Text(finding.message)
    colours = {"- ": "red", "+ ": "green"}
    change = Text("\n").join(Text(line, style=colours.get(line[:2], "")) for line in finding.change.splitlines())
    return Group(first, Padding(message, (0, 0, 0, 6)), Padding(change, (0, 0, 0, 6)))


def _open(review: Review, *, unchecked: bool) -> list[RenderableType]:
    parts: list[RenderableType] = []
    needs = {"results": "only results of heldout run tell, heldout lint RESULTS", "study file": "only the study file tells"}
    for need, words in needs.items():
        questions = [u for u in review.unchecked if u.needs == need]
        if not questions:
            continue
        parts.append(heading("Not checked", f"{words}: {counted(len(questions), 'question')}"))
        if unchecked:
            parts += [Text(f"{u.code} {u.question}") for u in questions]
        else:
            parts.append(small(" ".join(u.code for u in questions) + " (--unchecked says what they ask)"))
    return parts
