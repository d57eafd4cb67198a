"""The review as a whole: what it reads, what it leaves open, and rules of other packages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.review.lint.cases import STUDY, reviewed

import heldout as ho
from heldout.catalogue import component
from heldout.review.lint.finding import Finding, review_markdown
from heldout.review.lint.rule import Rule, Subject


def test_results_say_more_than_the_file_and_the_file_more_than_results() -> None:
    file, results = reviewed({}, run=False), reviewed({}, run=True)
    assert {u.needs for u in file.unchecked} == {"results"}
    assert {u.needs for u in results.unchecked} == {"study file"}
    assert "how many of the first places hold unrated items" in " ".join(u.question for u in file.unchecked)
    assert "HO508" in file.codes and "HO508" not in {u.code for u in file.unchecked}


def test_what_run_and_review_say_of_the_choices_is_the_same() -> None:
    results = ho.run({**STUDY, "target": "TestRatings"})
    said = {n.code: n.message for n in results.findings.notices}
    found = {f.code: f.message for f in ho.lint(results).findings}
    assert f"{said['HO202']}." == found["HO202"]
    assert set(said) <= set(found)


@pytest.fixture
def as_before() -> Iterator[None]:
    """Forget the rule that a test declares."""
    yield
    del component._registry["rule"]["own001"]


@pytest.mark.usefixtures("as_before")
def test_a_rule_of_another_package_takes_part() -> None:
    class NoTitle(Rule):
        """The study has no title."""

        key = "OWN001"
        stage = "title"

        def review(self, subject: Subject) -> Iterator[Finding]:
            if not subject.writes("title"):
                yield self.finding("no title is written", 'add title = "…"')

    found = reviewed({}, run=False)
    assert next(f for f in found.findings if f.code == "OWN001").title == "OWN001"
    assert "OWN001" in review_markdown(found)
    assert "OWN001" not in found.without(["OWN001"]).codes
    assert "OWN001" not in reviewed({"title": "Named"}, run=False).codes
