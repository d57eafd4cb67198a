"""The Python interface to the review of a study's method, and to the experimental section of a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from heldout.api import Results
from heldout.review.lint.finding import Review
from heldout.review.linted import lint_facts, lint_study
from heldout.review.methods.parts import Methods
from heldout.review.methods.section import methods_of_results, methods_of_study
from heldout.review.written import Written, explored_study, written_study
from heldout.study.spec import Study


def lint(subject: str | Path | Mapping[str, Any] | Study | Results, *, ignore: Sequence[str] = ()) -> Review:
    """The methodological review of a study (file, keys or Study) or of results (folder or Results): coded findings.

    Each finding has a severity, the key it stands under and what to change; `review.unchecked` says what could not be looked
    at. `ignore` leaves codes out.
    """
    found = subject if isinstance(subject, Results) else _found(subject)
    if isinstance(found, Results):
        made = lint_facts(found.facts, str(subject) if isinstance(subject, str | Path) else found.facts.title)
    else:
        made = lint_study(found.study, found.given, found.name, found.seeds, found.left_out)
    return made.without(ignore)


def methods(subject: str | Path | Mapping[str, Any] | Study | Results) -> Methods:
    """The experimental section of a paper: of results with their numbers, or of a study as one would write it.

    What comes back has `to_markdown()`, `to_latex()` and `to_bibtex()`, and holds the checklist and the study file.
    """
    found = subject if isinstance(subject, Results) else _found(subject)
    if isinstance(found, Results):
        return methods_of_results(found.facts)
    return methods_of_study(found)


def _found(subject: str | Path | Mapping[str, Any] | Study) -> Results | Written:
    """The results of a folder; of a folder with a multiverse, or of a study, what was asked."""
    if isinstance(subject, str | Path) and Path(subject).is_dir():
        return explored_study(subject) or Results.load(subject)
    return written_study(subject)
