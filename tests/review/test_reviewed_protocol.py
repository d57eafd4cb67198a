"""The protocol that a manifest keeps, explained and reviewed."""

from __future__ import annotations

from tests.reports.every_kind import kept_manifest, results_of

import heldout as ho
from heldout.review.study_under_review import reviewed_protocol
from heldout.storage.codec import to_plain


def test_lint_says_what_it_says_of_the_study() -> None:
    """The rules that need no results find the same as in the study's keys."""
    manifest = kept_manifest("meta", "Metrics")
    reviewed = reviewed_protocol(manifest, "Metrics")
    assert reviewed is not None and reviewed.review.subject == "Metrics"
    of_results = set(ho.lint(results_of("study")).codes)
    assert set(reviewed.review.codes) and set(reviewed.review.codes) <= of_results
    assert {choice.stage for choice in reviewed.facts.choices} >= {"split", "target", "metrics", "compare", "level"}


def test_the_data_are_those_of_the_manifest() -> None:
    reviewed = reviewed_protocol(kept_manifest("meta", "Metrics"), "Metrics")
    assert reviewed is not None and to_plain(reviewed.facts.data) == to_plain(results_of("study").findings.data)
    assert set(reviewed.facts.manifest) == {"seed", "inputs", "versions", "machine"}


def test_without_a_study_there_is_nothing_to_review() -> None:
    assert reviewed_protocol({"title": "Metrics"}, "Metrics") is None
