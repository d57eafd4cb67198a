"""Findings, gravest first, and the codes that are left out."""

from __future__ import annotations

from tests.refusals import refused
from tests.review.lint.cases import reviewed

import heldout as ho
from heldout import Review
from heldout.catalogue.notices import SEVERITIES, Notice
from heldout.review.lint.finding import Finding


def test_what_a_notice_does_not_say_its_code_does() -> None:
    finding = Finding.of(Notice("HO402", "few"))
    assert (finding.severity, finding.stage, finding.title) == ("warning", "users", "Few users")
    assert finding.change.startswith("Test more users")
    graver = Finding.of(Notice("HO402", "few", "error", "take more"))
    assert (graver.severity, graver.change) == ("error", "Take more.")
    assert graver.to_dict()["title"] == "Few users"


def test_severities_are_in_order_and_codes_can_be_left_out() -> None:
    found = reviewed({"target": "TestRatings"}, run=False)
    places = [SEVERITIES.index(f.severity) for f in found.findings]
    assert places == sorted(places, reverse=True)
    assert len(found.at_least("error")) == 1
    assert isinstance(found.without(["HO202"]), Review)
    assert "HO202" not in found.without(["ho202"]).codes
    with refused(ho.UnknownNameError, found="HO999", hint="did you mean HO509 or HO419?"):
        found.without(["HO999"])


def test_a_review_prints_itself() -> None:
    findings = (
        Finding.of(Notice("HO402", "few", "error", "take more")),
        Finding.of(Notice("HO206", "ties", "advice", "")),
    )
    review = Review("study.toml", findings)
    assert repr(review).startswith("study.toml: 1 error and 1 piece of advice\nHO402 error, users: few.\n    Take more.\n")
    assert review.to_markdown() == review._repr_markdown_() and "## Errors" in review.to_markdown()
    assert repr(Review("study.toml", ())) == "study.toml: nothing to object"
