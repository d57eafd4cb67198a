"""The study whose results a report holds, and which of its systems failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from heldout.analysis.facts import Facts
from heldout.experiment.failed_systems import LeftOut, left_out
from heldout.experiment.guessed_relevance import kept_guess
from heldout.review.lint.restated import restated
from heldout.study.spec import Study


def failed_of(facts: Facts, study: Study) -> tuple[LeftOut, ...]:
    """The systems of the study that failed in the run."""
    return left_out(facts.manifest, [s.name for s in study.recommend])


def study_of(facts: Facts) -> Study:
    """The study whose results these are, from the manifest, or from the choices that the report lists."""
    keys = facts.manifest.get("study")
    if not isinstance(keys, Mapping) or "target" not in keys:
        keys = {choice.stage: list(choice.options) for choice in facts.choices if choice.stage != "recommend"}
        corrections = {p.correction for p in facts.comparisons if p.correction}
        compare = {"tests": keys.get("compare", ["t"]), "level": facts.level, "baseline": facts.baseline}
        compare |= {"correction": corrections.pop()} if len(corrections) == 1 else {}
        keys |= {"compare": compare, "task": facts.task, "seed": facts.seed, "title": facts.title}
    return replace(restated(keys, facts.systems), guess=kept_guess(facts.manifest))
