"""Write the experimental section of a paper."""

from __future__ import annotations

from heldout.api.kept_results import over_results
from heldout.api.results import Results
from heldout.api.study_or_results import StudyOrResults, subject_of
from heldout.review.methods.parts import Methods
from heldout.review.methods.section import methods_of_results, methods_of_study


@over_results
def methods(subject: StudyOrResults) -> Methods:
    """The experimental section of a paper: of results with their numbers, or of a study as one would write it.

    What comes back has `to_markdown()`, `to_latex()` and `to_bibtex()`, and holds the checklist and the study file.
    """
    described = subject_of(subject)
    if isinstance(described, Results):
        return methods_of_results(described.findings)
    return methods_of_study(described)
