"""The review: every rule over one study, and the warnings that its run gave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

import heldout.analysis.notices
import heldout.experiment.notices  # noqa: F401
from heldout.analysis.findings import Findings
from heldout.catalogue import classes
from heldout.catalogue.notices import Concern, Notice, concern
from heldout.experiment.failure import LeftOut, left_out
from heldout.review.lint.evidence import evidence_of
from heldout.review.lint.finding import Finding, Review, Unchecked
from heldout.review.lint.rule import Rule, Subject
from heldout.study.notices import ChoiceConcern, about_choices
from heldout.study.record import recorded_study
from heldout.study.spec import Study

if TYPE_CHECKING:  # a review without a trial of metrics does not load that room
    from heldout.metric_quality.findings import MetricFindings


def lint_facts(findings: Findings, name: str, trials: tuple[MetricFindings, ...] = ()) -> Review:
    """The review of results; `trials` are of metrics on the same data."""
    study = recorded_study(findings.manifest, findings.systems)
    failed = left_out(findings.manifest, [system.name for system in study.recommend])
    written = findings.manifest.get("given")
    subject = Subject(
        study,
        evidence=evidence_of(findings),
        left_out=failed,
        trials=trials,
        written=None if written is None else tuple(written),
    )
    return review(subject, name)


def lint_study(
    study: Study,
    keys: Mapping[str, Any] | None,
    name: str,
    seeds: tuple[int, ...] = (),
    failed: tuple[LeftOut, ...] | None = None,
    trials: tuple[MetricFindings, ...] = (),
) -> Review:
    """The review of a study whose results are not at hand.

    `keys` are those of its file as they were written, `seeds` and `failed` those of a multiverse, `trials` are of metrics
    on the same data.
    """
    return review(Subject(study, keys, seeds=seeds, left_out=failed, trials=trials), name)


def review(subject: Subject, name: str) -> Review:
    """Every finding, gravest first, then by code; and what could not be checked."""
    concerns = [cast(type[Concern], cls) for cls in classes("rule")]
    rules = [cls() for cls in concerns if issubclass(cls, Rule)]
    findings = [finding for rule in rules for finding in rule.review(subject)]
    findings += [Finding.of(notice) for notice in _notices(subject)]
    findings = list(dict.fromkeys(findings))
    findings.sort(key=Finding.order)
    unchecked = _unchecked(concerns, subject, {f.code for f in findings})
    return Review(name, tuple(findings), tuple(unchecked), len(concerns))


def _notices(subject: Subject) -> Iterator[Notice]:
    """The warnings about the choices, and those of the run that no rule takes up in words of its own."""
    yield from about_choices(subject)
    for notice in subject.evidence.notices if subject.evidence is not None else ():
        if not issubclass(concern(notice.code), Rule | ChoiceConcern):
            yield notice


def _unchecked(concerns: list[type[Concern]], subject: Subject, codes: set[str]) -> Iterator[Unchecked]:
    """The questions that neither the findings nor what is at hand answers."""
    for cls in concerns:
        if cls.key in codes:
            continue
        if cls().unanswered(subject) if issubclass(cls, Rule) else cls.from_results and subject.evidence is None:
            yield Unchecked(cls.key, cls.from_results, "results")
        if subject.keys is None and cls.from_file:
            yield Unchecked(cls.key, cls.from_file, "study file")
