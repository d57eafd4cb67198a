"""Drawings of a multiverse's page."""

import re
from dataclasses import replace

import pytest
from tests.reports.test_multiverse import several, two  # noqa: F401

from heldout.reports.page.multiverse_svg import NARROW, curve_svg, map_svg, narrow_curve_svg, shares_bar


def test_a_bar_is_divided_by_the_shares(two):  # noqa: F811
    """6 of 8 universes are the first's, 2 the second's: 720 wide, it ends at 540, and the second begins there."""
    markup = shares_bar(two.pairs[0])
    bars = re.findall(r'<rect class="(\w+)" x="([\d.]+)" y="0" width="([\d.]+)"', markup)
    assert [(cls, float(x), float(width)) for cls, x, width in bars] == [("first", 0, 539), ("second", 540, 179)]
    assert 'aria-label="A better 75.0%, neither 0%, B better 25.0%"' in markup


def test_columns_are_coloured_by_the_winner_of_most_of_their_universes(two):  # noqa: F811
    """Eight columns of 24: the two in which B wins come first, in one path; then the six of A."""
    markup = curve_svg(two.pairs[0], two)
    paths = dict(re.findall(r'<path d="([^"]*)" class="(first|second|neither)">', markup))
    starts = {cls: [float(x) for x in re.findall(r"M([\d.]+) ", d)] for d, cls in paths.items()}
    assert starts == {"second": [0, 24], "first": [48, 72, 96, 120, 144, 168]}


def test_the_curve_of_a_narrow_window_holds_the_same_columns_and_rows(two):  # noqa: F811
    broad, narrow = curve_svg(two.pairs[0], two), narrow_curve_svg(two.pairs[0], two)
    columns = {cls: d.count("M") for d, cls in re.findall(r'<path d="([^"]*)" class="(first|second)">', narrow)}
    assert columns == {"second": 2, "first": 6} and f'viewBox="0 0 {NARROW} ' in narrow
    labels = [re.findall(r">([^<]+)</text>", markup) for markup in (broad, narrow)]
    assert sorted(labels[0]) == sorted(labels[1])
    places = [float(x) for x in re.findall(r'<text x="([\d.-]+)" y="[\d.]+" text-anchor="start"', narrow)]
    assert min(places) >= 0 and max(places) < NARROW / 2
    # The lowest number stands at the right, where no bar reaches down.
    assert re.findall(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="end"[^>]*>−', narrow) == [f"{NARROW - 2:.1f}"]


def test_a_disc_for_each_ranking_as_large_as_frequent(several):  # noqa: F811
    agreement = several.agreement
    markup = map_svg(agreement, several.universes)
    radii = [float(r) for r in re.findall(r'<circle[^>]* r="([\d.]+)"', markup)]
    assert len(radii) == len(agreement.points) and max(radii) == 16
    most = max(point.universes for point in agreement.points)
    assert radii[-1] == pytest.approx(max(2, 16 * (min(p.universes for p in agreement.points) / most) ** 0.5), abs=0.05)
    alone = replace(agreement, points=agreement.points[:1])
    assert map_svg(alone, several.universes).count("<circle") == 1


def test_no_disc_of_the_map_covers_the_number_of_another(several):  # noqa: F811
    first, second, *others = sorted(several.agreement.points, key=lambda p: -p.universes)
    stacked = replace(several.agreement, points=(first, replace(second, x=first.x, y=first.y), *others))
    markup = map_svg(stacked, several.universes)
    assert markup.rindex("<circle") < markup.index("<text")  # numbers lie on all discs
    numbers = [(float(x), float(y)) for x, y in re.findall(r'<text x="([\d.]+)" y="([\d.]+)"', markup)]
    assert len(numbers) >= 2 and 'class="outside"' in markup
    assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) > 6 for a in numbers for b in numbers if a is not b)
