"""Results under review: the rows that rules read, from the facts of a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from heldout.analysis.facts import Facts
from heldout.catalogue.notices import Notice
from heldout.experiment.failed_systems import LeftOut, left_out
from heldout.experiment.guessed_relevance import kept_guess
from heldout.review.lint.finding import Review
from heldout.review.lint.measured import DataCounts, FoldCounts, Line, Measured, Pair
from heldout.review.lint.restated import restated
from heldout.review.lint.review import review
from heldout.review.lint.subject import Subject
from heldout.study.spec import Study


def lint_facts(facts: Facts, name: str) -> Review:
    """The review of results."""
    study = study_of(facts)
    return review(Subject(study, None, measured_of(facts), left_out=failed_of(facts, study)), name)


def lint_study(
    study: Study,
    given: Mapping[str, Any] | None,
    name: str,
    seeds: tuple[int, ...] = (),
    failed: tuple[LeftOut, ...] | None = None,
) -> Review:
    """The review of a study whose results are not at hand.

    `given` are its keys as they were written, `seeds` and `failed` those of a multiverse.
    """
    return review(Subject(study, given, seeds=seeds, left_out=failed), name)


def failed_of(facts: Facts, study: Study) -> tuple[LeftOut, ...]:
    """The systems of the study that failed in the run."""
    return left_out(facts.manifest, [s.name for s in study.recommend])


def study_of(facts: Facts) -> Study:
    """The study whose results these are, from the manifest, or from the choices that the report lists."""
    kept = facts.manifest.get("study")
    if not isinstance(kept, Mapping) or "target" not in kept:
        kept = {choice.stage: list(choice.options) for choice in facts.choices if choice.stage != "recommend"}
        corrections = {p.correction for p in facts.comparisons if p.correction}
        compare = {"tests": kept.get("compare", ["t"]), "level": facts.level, "baseline": facts.baseline}
        compare |= {"correction": corrections.pop()} if len(corrections) == 1 else {}
        kept |= {"compare": compare, "task": facts.task, "seed": facts.seed, "title": facts.title}
    return replace(restated(kept, facts.systems), guess=kept_guess(facts.manifest))


def measured_of(facts: Facts) -> Measured:
    """What rules look at in results."""
    settings = {s.id: s for s in facts.settings}
    lines = []
    for row in facts.leaderboard:
        of = settings[row.setting]
        lines.append(
            Line(
                of.label,
                of.choices,
                of.metric,
                of.coverage,
                row.system,
                row.value,
                row.users,
                row.undefined,
                row.user_coverage,
                row.coverage,
                row.unrated,
                row.tied,
                of.aggregate,
            )
        )
    pairs = []
    for pair in facts.comparisons:
        of = settings[pair.setting]
        p = pair.p_adjusted if pair.p_adjusted is not None else pair.p
        told = p is not None or bool(pair.figures)
        pairs.append(
            Pair(
                of.label,
                of.metric,
                of.aggregate,
                pair.test,
                pair.a,
                pair.b,
                pair.value_a,
                pair.value_b,
                pair.difference,
                pair.effect,
                p,
                pair.users,
                told,
                of.choices,
            )
        )
    folds = [FoldCounts(s.split, s.fold, s.test, s.users, s.audit) for s in facts.splits]
    data = [DataCounts(d.name, d.filter, d.steps[0].profile, d.steps[-1].profile) for d in facts.data if d.steps]
    notices = tuple(Notice(n.code, n.message) for n in facts.notices)
    return Measured(tuple(lines), tuple(pairs), tuple(folds), tuple(data), notices)
