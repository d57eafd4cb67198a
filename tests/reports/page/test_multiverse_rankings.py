"""How alike universes rank the systems, on the page."""

from dataclasses import replace

from tests.reports.test_multiverse import several, two  # noqa: F401

from heldout.reports.page.multiverse_rankings import rankings
from heldout.words import number


def test_every_decision_has_its_mean_and_its_least_alike_options(several):  # noqa: F811
    markup = rankings(several)
    assert any(by.least_alike for by in several.agreement.by_decision)
    for by in several.agreement.by_decision:
        text = "no two universes differ in it only"
        if by.least_alike is not None:
            first, second, tau = by.least_alike
            text = f"{first} and {second}: {number(tau, 3)}"
        assert f"<td>{text}</td>" in markup
        assert f'<td class="num">{number(by.mean, 3)}</td>' in markup


def test_the_map_and_frequent_rankings_need_three_systems(two, several):  # noqa: F811
    assert "Map of rankings" in rankings(several) and "Map of rankings" not in rankings(two)
    rare = replace(several.agreement, left_out=7)
    assert "7 universes with rarer rankings are not drawn" in rankings(replace(several, agreement=rare))
