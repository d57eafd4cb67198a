"""Findings of lint on the page."""

from __future__ import annotations

import html
import re

from tests.reports.every_kind import results_of

import heldout as ho
from heldout import Review
from heldout.catalogue.notices import concern
from heldout.reports.page.lint import NOTHING, section
from heldout.reports.page.markup import coded


def read(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", markup)).split())


def drawn_section(page: str) -> str:
    return re.search(r'<section id="notices">.*?</section>|<section[^>]*id="notices".*?</section>', page, re.S).group()


def test_every_finding_stands_with_its_explanation() -> None:
    results = results_of("study")
    findings = ho.lint(results).findings
    shown = drawn_section(results.to_html())
    assert findings and shown.count('<li class="') == len(findings)
    for finding in findings:
        said = " ".join(finding.message.replace("`", "").split())
        assert finding.code in shown and said in read(shown), finding
        assert " ".join(concern(finding.code).explanation.replace("`", "").split()) in read(shown)
    assert {notice.code for notice in results.findings.notices} <= {finding.code for finding in findings}


def test_evaluations_comparisons_and_multiverses_have_it_too() -> None:
    test = {"user": ["u", "u", "v", "w"], "item": ["x", "y", "x", "z"], "rating": [5, 2, 4, 5]}
    run = {"user": ["u", "u", "v", "w"], "item": ["y", "x", "x", "x"], "score": [3, 2, 1, 1]}
    other = {**run, "item": ["x", "y", "z", "z"]}
    evaluated = ho.evaluate(test, {"A": run, "B": other}, ["P@2"], relevance="threshold(4)")
    for results in (evaluated, ho.compare(evaluated, "sign"), results_of("multiverse")):
        page = results.to_html()
        shown, codes = drawn_section(page), ho.lint(results).codes if hasattr(results, "facts") else ("HO",)
        assert all(code in shown for code in codes) and "What HO" in shown and '<a href="#notices">Lint</a>' in page


def test_where_lint_finds_nothing_the_page_says_so() -> None:
    assert NOTHING in section(Review("study.toml", (), (), 60))


def test_code_is_marked_and_names_stay_text() -> None:
    assert coded("write `level = 0.05`, <b>") == "write <code>level = 0.05</code>, &lt;b&gt;"
