"""What lint finds in the studies that were run for papers, and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heldout.papers.findings import PaperFindings, ReproductionFindings
from heldout.review.lint.finding import Finding
from heldout.review.lint.review import lint_study
from heldout.study.record import recorded_study


@dataclass(frozen=True, kw_only=True)
class PaperFinding:
    """One finding, and the experiments of a paper whose studies have it."""

    finding: Finding
    experiments: tuple[str, ...]
    """Their keys."""


@dataclass(frozen=True, kw_only=True)
class PaperReview:
    """What lint finds in the studies of one paper, gravest first."""

    paper: PaperFindings
    studies: int
    findings: tuple[PaperFinding, ...]


def reviewed_papers(record: ReproductionFindings, manifest: Mapping[str, Any]) -> tuple[PaperReview, ...]:
    """The review of each paper of which a study was run; experiments that only count or read have none."""
    by_experiment = manifest.get("studies", {})
    reviews = []
    for paper in record.papers:
        studies = {e.key: by_experiment.get(f"{paper.key} {e.key}", ()) for e in paper.experiments}
        if any(studies.values()):
            reviews.append(_review(paper, studies))
    return tuple(reviews)


def _review(paper: PaperFindings, studies: Mapping[str, list[dict[str, Any]]]) -> PaperReview:
    places: dict[Finding, dict[str, None]] = {}
    for key, records in studies.items():
        for entry in records:
            seeds = tuple(entry["seeds"]) if len(entry["seeds"]) > 1 else ()
            for finding in lint_study(recorded_study(entry), None, f"{paper.key} {key}", seeds).findings:
                places.setdefault(finding, {})[key] = None
    ordered = sorted(places, key=Finding.order)
    return PaperReview(
        paper=paper,
        studies=sum(map(len, studies.values())),
        findings=tuple(PaperFinding(finding=finding, experiments=tuple(places[finding])) for finding in ordered),
    )
