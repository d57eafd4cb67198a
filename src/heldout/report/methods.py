"""The experimental section of a paper, from a study and, where there are any, from its results."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.report.facts import Facts
from heldout.report.linted import study_of
from heldout.report.methods_checklist import checklist
from heldout.report.methods_compare import comparison_section, software_section
from heldout.report.methods_data import data_section, splitting_section, users_section
from heldout.report.methods_measures import aggregation_section, candidates_section, metrics_section
from heldout.report.methods_parts import Methods
from heldout.report.methods_study import study_file
from heldout.report.methods_systems import systems_section
from heldout.study.spec import Study


def methods_of(study: Study, facts: Facts | None = None, *, seeds: Sequence[int] = (), universes: int = 0) -> Methods:
    """All sections in the order in which data flow, the checklist and the study file; `seeds` are those of a multiverse."""
    sections = (
        data_section(study, facts),
        splitting_section(study, facts),
        users_section(study, facts),
        systems_section(study, facts),
        candidates_section(study, facts),
        metrics_section(study, primary=not universes),
        aggregation_section(study, facts, primary=not universes),
        comparison_section(study, facts, universes),
        software_section(study, facts, seeds),
    )
    return Methods(study.title, facts is not None, sections, tuple(checklist(study, seeds)), study_file(study, seeds))


def methods_of_results(facts: Facts) -> Methods:
    """The section of a study whose results these are."""
    return methods_of(study_of(facts), facts)
