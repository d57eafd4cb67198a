"""Pictures of the primary setting as figures."""

from __future__ import annotations

import pytest
from tests.reports.kept import facts_of, outcome_of
from tests.reports.pictured import DRAWN, pictured

from heldout.errors import HeldoutError
from heldout.reports.plots import pictures as plots
from heldout.words import p_number, signed

pytest.importorskip("matplotlib", reason="matplotlib is not installed")


def test_the_matrix_has_differences_effects_and_p() -> None:
    sample = facts_of(outcome_of(), metrics="P@10", tests=["t"])
    (axes,) = plots.pairwise_matrix_plot(sample).axes
    words = {(round(t.get_position()[1]), round(t.get_position()[0])): t.get_text() for t in axes.texts}
    view = sample
    order = [row.system for row in view.board(0)]
    for pair in view.pairs(0, "t"):
        i, j = order.index(pair.a), order.index(pair.b)
        star = "*" if pair.significant(sample.level) else ""
        effect = "" if pair.effect is None else f"\nd {signed(pair.effect, 2)}"
        assert words[i, j] == f"{signed(pair.difference, view.digits(0))}{star}{effect}"
        assert words[j, i] == p_number(pair.p_adjusted)


def test_curves_and_groups_pass_through_their_points() -> None:
    sample = pictured()
    (axes,) = plots.precision_recall_plot(sample).axes
    assert [list(line.get_ydata()) for line in axes.lines] == [list(row.y) for row in sample.pictures.precision_recall]
    assert len({line.get_linestyle() for line in axes.lines}) == 3
    (axes,) = plots.groups_plot(sample, "user-activity").axes
    marked = [line for line in axes.lines if line.get_marker() in plots.MARKS]
    assert [list(line.get_ydata()) for line in marked] == [[0.4, 0.5], [0.3, 0.45], [0.2]]
    (axes,) = plots.user_differences_plot(sample).axes
    assert any("600 better with EASE" in text.get_text() for text in axes.texts)
    (axes,) = plots.recommended_popularity_plot(sample).axes
    assert axes.get_yticklabels()[0].get_text() == DRAWN[0] and len(axes.patches) == 9
    assert plots.roc_plot(sample).axes


@pytest.mark.parametrize(
    "draw", [plots.user_differences_plot, plots.roc_plot, plots.recommended_popularity_plot, plots.accuracy_beyond_plot]
)
def test_what_is_lacking_is_said(draw) -> None:
    from tests.reports.sample import facts

    with pytest.raises(HeldoutError, match=r"these results have no|no metric beyond accuracy"):
        draw(facts())
