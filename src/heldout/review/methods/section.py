"""The experimental section of a paper, from a study and, where there are any, from its results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heldout.analysis.findings import Findings
from heldout.analysis.notices import LeftOutMetric
from heldout.experiment.failed_systems import LeftOut, everywhere, left_out
from heldout.experiment.failure import remaining
from heldout.experiment.run_sources import recorded_sources
from heldout.review.methods.checklist import checklist
from heldout.review.methods.comparison import comparison_section, software_section
from heldout.review.methods.data import data_section, splitting_section, users_section
from heldout.review.methods.measures import aggregation_section, candidates_section, metrics_section
from heldout.review.methods.parts import Methods
from heldout.review.methods.study_file import study_file
from heldout.review.methods.systems import systems_section
from heldout.review.study_under_review import StudyUnderReview
from heldout.study.record import recorded_study
from heldout.study.spec import Study


def methods_of_study(reviewed: StudyUnderReview) -> Methods:
    """The section of a study as one would write it; of a multiverse, with what its manifest knows."""
    return _methods(
        reviewed.study,
        None,
        reviewed.manifest,
        reviewed.left_out or (),
        reviewed.written,
        seeds=reviewed.seeds,
        universes=reviewed.universes,
    )


def methods_of_results(findings: Findings) -> Methods:
    """The section of a study whose results these are."""
    study = recorded_study(findings.manifest, findings.systems)
    failed = left_out(findings.manifest, [system.name for system in study.recommend])
    return _methods(study, findings, findings.manifest, failed, findings.manifest.get("given"))


def _methods(
    study: Study,
    findings: Findings | None,
    manifest: Mapping[str, Any] | None,
    failed: Sequence[LeftOut],
    keys: Sequence[str] | None,
    *,
    seeds: Sequence[int] = (),
    universes: int = 0,
) -> Methods:
    """All sections in the order in which data flow, the checklist and the study file; `seeds` are those of a multiverse."""
    compared = remaining(study, everywhere(failed))
    sources = recorded_sources(manifest or {})
    sections = (
        data_section(study, findings, sources),
        splitting_section(study, findings, sources),
        users_section(study, findings),
        systems_section(compared, findings, failed, sources),
        candidates_section(study, findings),
        metrics_section(study, _left_out(findings, manifest), primary=not universes),
        aggregation_section(study, findings, primary=not universes),
        comparison_section(compared, findings, universes, failed),
        software_section(study, manifest, seeds, sources),
    )
    decisions = tuple(checklist(study, seeds, findings=findings, keys=keys, failed=everywhere(failed), sources=sources))
    finished = findings is None and manifest is not None and manifest.get("complete", True)
    return Methods(
        title=study.title,
        measured=findings is not None,
        sections=sections,
        checklist=decisions,
        study=study_file(study, seeds, sources),
        explored=universes if finished else 0,
    )


def _left_out(findings: Findings | None, manifest: Mapping[str, Any] | None) -> list[str]:
    """Which metrics were not measured of what, and why: from results, or from the manifest of a multiverse."""
    if findings is not None:
        return [notice.message for notice in findings.notices if notice.code == LeftOutMetric.key]
    return list((manifest or {}).get("left_out", ()))
