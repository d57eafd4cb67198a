"""What lint finds in the studies of papers."""

from __future__ import annotations

from functools import cache

import heldout as ho
from heldout.papers.reviewed_papers import reviewed_papers
from heldout.review.lint.review import lint_study
from heldout.study.record import recorded_study


@cache
def reproduced() -> ho.Results:
    return ho.reproduce("canamares-2020", ["table-1", "table-2", "table-3"], data="simulated", progress=False)


def test_findings_are_those_of_the_studies_and_say_where() -> None:
    results = reproduced()
    [review] = reviewed_papers(results.findings, results.manifest)
    studies = results.manifest["studies"]
    assert set(studies) == {"canamares-2020 table-2", "canamares-2020 table-3"}, "table-1 only counts ratings"
    assert review.studies == sum(map(len, studies.values()))
    for name, noted in studies.items():
        key = name.split()[1]
        here = {found.finding for found in review.findings if key in found.experiments}
        assert here == {f for e in noted for f in lint_study(recorded_study(e), None, name, tuple(e["seeds"])).findings}
    assert "HO509" not in {found.finding.code for found in review.findings}, "each is run on two splits"
    orders = [found.finding.order() for found in review.findings]
    assert orders and orders == sorted(orders)


def test_results_that_note_no_studies_are_not_reviewed() -> None:
    results = reproduced()
    assert reviewed_papers(results.findings, {"title": "written before studies were noted"}) == ()


def test_the_page_has_them_with_links_to_the_experiments_and_the_data() -> None:
    results = reproduced()
    page = results.to_html()
    [review] = reviewed_papers(results.findings, results.manifest)
    for found in review.findings:
        assert f"<code>{found.finding.code}</code>" in page
    assert 'href="#canamares-2020-table-2"' in page and 'id="canamares-2020-table-2"' in page
    assert '<details id="lint">' in page and '<details id="data">' in page
    assert "No filter: these are the ratings as read." in page
