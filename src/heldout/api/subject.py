"""What a review or a methods section is about: results, or a study as it was asked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from heldout.analysis.findings import Findings
from heldout.api.load import load_kind
from heldout.api.results import Results, require_kind
from heldout.review.study_under_review import StudyUnderReview, multiverse_under_review, study_under_review
from heldout.study.spec import Study

StudyOrResults = str | Path | Mapping[str, Any] | Study | Results[Findings]
"""A study file, its keys, a Study, a results folder or Results."""


def subject_of(subject: StudyOrResults) -> Results[Findings] | StudyUnderReview:
    """The results of a folder; of a folder with a multiverse, or of a study, what was asked."""
    if isinstance(subject, Results):
        return require_kind(subject, Findings)
    if isinstance(subject, str | Path) and Path(subject).is_dir():
        return multiverse_under_review(subject) or load_kind(subject, Findings)
    return study_under_review(subject)
