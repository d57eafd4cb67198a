"""The review: all rules over one study."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.catalogue import classes
from heldout.review.lint.finding import SEVERITIES, Finding, Review, Unchecked
from heldout.review.lint.rule import Rule
from heldout.review.lint.subject import Subject


def review(subject: Subject, name: str) -> Review:
    """Every finding, gravest first, then by code; and what could not be checked."""
    rules = all_rules()
    found = [finding for rule in rules for finding in rule.review(subject)]
    found += _without_rule(subject, {rule.key for rule in rules})
    once = list(dict.fromkeys(found))
    once.sort(key=lambda f: (-SEVERITIES.index(f.severity), f.code))
    return Review(name, tuple(once), tuple(_unchecked(rules, subject, {f.code for f in once})), len(rules))


def all_rules() -> list[Rule]:
    """One of each rule, by code."""
    return [cls() for cls in classes("rule") if issubclass(cls, Rule)]


def _unchecked(rules: list[Rule], subject: Subject, met: set[str]) -> Iterator[Unchecked]:
    for rule in rules:
        if rule.key in met:
            continue
        if rule.unanswered(subject):
            yield Unchecked(rule.key, rule.from_results, "results")
        if subject.only_results and rule.from_file:
            yield Unchecked(rule.key, rule.from_file, "study file")


def _without_rule(subject: Subject, known: set[str]) -> Iterator[Finding]:
    """What a run noticed under codes that no rule has: said all the same."""
    for notice in subject.measured.notices if subject.measured is not None else ():
        if notice.code not in known:
            yield Finding(notice.code, "warning", "", notice.message, f"see heldout describe {notice.code}")
