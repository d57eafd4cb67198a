"""Review the method of a study or of results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from heldout.api.results import Results
from heldout.api.subject import StudyOrResults, subject_of
from heldout.review.lint.finding import Review
from heldout.review.lint.review import lint_facts, lint_study


def lint(subject: StudyOrResults, *, ignore: Sequence[str] = ()) -> Review:
    """The methodological review of a study (file, keys or Study) or of results (folder or Results): coded findings.

    Each finding has a severity, the key it stands under and what to change; `review.unchecked` says what could not be looked
    at. `ignore` leaves codes out.
    """
    reviewed = subject_of(subject)
    if isinstance(reviewed, Results):
        name = str(subject) if isinstance(subject, str | Path) else reviewed.facts.title
        return lint_facts(reviewed.facts, name).without(ignore)
    return lint_study(reviewed.study, reviewed.keys, reviewed.name, reviewed.seeds, reviewed.left_out).without(ignore)


def to_markdown(review: Review) -> str:
    """A review as Markdown: for an issue, a pull request or an appendix."""
    from heldout.reports.markdown.lint import review_markdown

    return review_markdown(review)
