"""Reproductions as a page."""

from __future__ import annotations

from dataclasses import replace

from markupsafe import escape
from tests.reports.page.test_saving import without_saving
from tests.reports.reproduced import looked_into, reproduced, without_data

from heldout.reports.page.reproduction import html_fragment, to_html


def test_the_page_escapes_draws_and_repeats_itself() -> None:
    page = to_html(reproduced())
    assert page == to_html(reproduced()) and "<script" not in without_saving(page)
    assert page.count('class="lines"') == 4 and "Popularity &lt;&amp;&gt; Random" in page
    for experiment in reproduced().experiments:
        for claim in experiment.claims:
            assert str(escape(claim.words)) in page and claim.verdict in page
    assert "lost/*.txt" in to_html(without_data()) and "simulated data stand in" in page.lower()
    assert "Random wins" in html_fragment(reproduced())


def test_reasons_stand_in_the_list_below_the_tables() -> None:
    page = to_html(looked_into())
    assert page.count("<li>(2) Chance is ruled out by five splits.</li>") == 1
    assert ">no (1, 2)</td>" in page and ">✗ does not hold here (2)</td>" in page


def test_very_many_figures_of_a_claim_are_folded_after_the_first() -> None:
    record = reproduced()
    paper, first = record.papers[0], record.papers[0].experiments[0]
    figures = "otherwise in 40 cases: " + "; ".join(f"case {k}: 0.1 and 0.2" for k in range(40))
    long = replace(first, claims=(replace(first.claims[0], figures=figures),))
    page = to_html(replace(record, papers=(replace(paper, experiments=(long,)),)))
    # 23 letters before the cases, and 21 for each with what parts them: eight of them, 0 to 7, end before 200
    start, end = figures.split(" case 8:")
    assert f'<details class="more"><summary>{start}</summary> case 8:{end}</details>' in page
    assert figures not in page and '<details class="more">' not in to_html(record)


def test_no_line_of_figures_ends_in_a_sign() -> None:
    record = reproduced()
    paper, first = record.papers[0], record.papers[0].experiments[0]
    signs = replace(first, claims=(replace(first.claims[0], figures="✗ kNN (p < 0.001, k = 3, 2.36 ×), A > B"),))
    page = to_html(replace(record, papers=(replace(paper, experiments=(signs,)),)))
    assert ">✗\u00a0kNN (p &lt;\u00a00.001, k\u00a0=\u00a03, 2.36\u00a0×), A &gt; B<" in page


def test_no_line_of_the_command_ends_within_an_option() -> None:
    page = to_html(replace(reproduced(), command="heldout reproduce a-paper --out DIR"))
    assert '<span class="nowrap">--out</span> <span class="nowrap">DIR</span></pre>' in page
