"""Reports and figures inside a notebook: in a frame that shares nothing with it."""

from __future__ import annotations

import html
import re

import pytest
from tests.reports.every_kind import KINDS, results_of

import heldout as ho

HOSTILE = "<script>alert(1)</script>"


@pytest.mark.parametrize("kind", KINDS)
def test_results_of_every_kind_have_a_fragment_and_a_frame(kind: str) -> None:
    results = results_of(kind)
    fragment = results._repr_html_()
    assert type(fragment) is str  # a subclass of it is not shown by marimo
    assert "<table" in fragment and "<script" not in fragment and "<iframe" not in fragment and len(fragment) < 60_000
    rules = re.findall(r"(?:^|[}>])([^{}<>]+)\{", fragment.partition("</style>")[0])
    assert rules and all(part.strip().startswith("div.heldout ") for rule in rules for part in rule.split(","))
    shown = results.explore(height=300)._repr_html_()
    framed = re.fullmatch(
        r'<iframe title="Heldout report" sandbox="([^"]*)" style="[^"]*" srcdoc="([^"]*)"></iframe>', shown
    )
    assert framed is not None and framed.group(1) == "allow-scripts allow-downloads"
    assert html.unescape(framed.group(2)) == results.to_html()


def test_a_figure_shows_itself() -> None:
    figure = results_of("study").figures["critical_difference"]
    shown = figure._repr_mimebundle_()
    assert shown["application/vnd.vegalite.v6+json"]["description"] == figure.caption
    assert shown["text/plain"] == f"{figure.title}. {figure.caption}"
    pattern = r'<iframe title="[^"]*" sandbox="allow-scripts[^"]*" style="[^"]*" srcdoc="([^"]*)"></iframe>'
    framed = re.fullmatch(pattern, shown["text/html"])
    assert framed is not None and "<script" in html.unescape(framed.group(1))


def test_data_profiles_and_splits_are_tables() -> None:
    ratings = {"user": [HOSTILE, "b", "b", "c"], "item": ["x", "x", "y", "y"], "rating": [5, 4, 3, 2]}
    profile = ho.profile(ratings, ["core(1)"])._repr_html_()
    assert profile.count("<tr") >= 3 and "Gini of ratings over items" in profile and "core" in profile
    split = ho.split(ratings, "ratio(train=0.5, by=user)", seed=1)
    for shown in (profile, split._repr_html_(), split.train._repr_html_(), split.test._repr_html_()):
        assert type(shown) is str and "<table" in shown and "<script" not in shown and "&quot;" not in shown
    assert type(ho.list_data_sets()._repr_html_()) is type(results_of("study").tables["leaderboard"]._repr_html_()) is str
    assert "test users" in split._repr_html_()
