"""Words, scales and shades that every form of a multiverse's report shares."""

from dataclasses import replace

import numpy as np
import pytest
from tests.reports.test_multiverse import two  # noqa: F401
from tests.universes.test_sentences import failing  # noqa: F401

from heldout.reports.multiverse_views import beyond, exact_papers, grid_words, listed_of, outcome, reach, shade, short_paper
from heldout.universes.findings import SpecificationCurve, SpecificationRow


def test_shades_by_hand():
    # Chosen by 3 of 8 universes: base 3/8. Columns of 2: none, 1 of 2, 2 of 2.
    row = SpecificationRow("cutoff", "1", (0, 1, 2, 0))
    assert shade(row, (2, 2, 2, 2)) == pytest.approx([0, 0.15 + 0.85 * (1 / 2 - 3 / 8) / (5 / 8), 1, 0])
    assert shade(SpecificationRow("cutoff", "1", (1, 1)), (2, 2)) == pytest.approx([0.15, 0.15])
    assert shade(SpecificationRow("cutoff", "1", (2, 2)), (2, 2)) == pytest.approx([0.15, 0.15])


def _curve(effects: tuple[float, ...]) -> SpecificationCurve:
    none = (0,) * len(effects)
    return SpecificationCurve(sizes=(1,) * len(effects), effect=effects, first=none, second=none, rows=(), papers=())


def test_the_scale_holds_zero_and_all_but_the_outermost():
    effects = (-2.0, *np.linspace(0.1, 0.2, 198).tolist(), 2.0)
    low, high = reach(_curve(effects))
    assert low < 0 < high < 0.3
    assert reach(_curve(())) == (-0.01, 0.01)


def test_words(two):  # noqa: F811
    assert grid_words(two) == "2 targets × 4 cut-offs"
    fewer = replace(two, universes=6)
    assert grid_words(fewer) == "2 targets × 4 cut-offs, without combinations that do not differ from another"
    said = {one.key: outcome(one, 0, two) for one in two.papers}
    assert said["canamares2020"] == "A better in the one"
    assert said["bellogin2011"] == "A better in all 4"
    assert said["gunawardana2009"] == "A better in 4, B better in 2 of 6"


def test_a_papers_counts_add_up(failing):  # noqa: F811
    # Popularity is significantly better than KNN in all universes of `ratio`; those of `folds` have no value of KNN.
    paper = next(one for one in failing.papers if one.universes == 8)
    assert outcome(paper, 0, failing) == "Popularity better in all 4 with a value (4 without)"
    partly = replace(paper, universes=8, missing=(), outcomes=((3, 1, 2),))
    assert (
        outcome(partly, 0, failing) == "KNN better in 3, Popularity better in 1, neither in 2 of 6 with a value (2 without)"
    )
    none = replace(paper, universes=8, missing=(), outcomes=((0, 0, 0),))
    assert outcome(none, 0, failing) == "no value in any of 8"


def test_an_option_without_a_value_is_not_shaded():
    assert shade(SpecificationRow("split", "folds", (0, 0)), (2, 2)) == [0, 0]


def test_columns_beyond_the_scale_are_counted():
    effects = (-2.0, *np.linspace(0.1, 0.2, 198).tolist(), 2.0)
    assert beyond(_curve(effects)) == 2


def test_papers_by_author_and_year(two):  # noqa: F811
    assert short_paper("Cañamares, Castells and Moffat 2020").split() == ["Cañamares,", "2020"]
    assert exact_papers(two) == {marked.paper for marked in two.papers if not marked.missing}
    assert listed_of(8, 9) == "The 8 most frequent of 9 rankings are listed." and listed_of(9, 9) == ""
