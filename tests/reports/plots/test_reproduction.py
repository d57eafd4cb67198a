"""Figures of reproductions."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.reports.reproduced import reproduced, without_data

from heldout.errors import NotApplicableError, UnknownNameError
from heldout.reports.plots.reproduction import drawn, plot


def test_figures_are_drawn_by_their_names() -> None:
    pytest.importorskip("matplotlib")
    assert drawn(reproduced()) == ["sample-2000/table-1", "sample-2000/fig-2"]
    figure = plot(reproduced(), "fig-2")
    assert len(figure.axes) == 3  # two panels, one of them with an axis on the right
    assert figure.axes[0].get_ylabel() == "P@3" and figure.axes[1].get_xscale() == "log"
    with pytest.raises(UnknownNameError, match="unknown figure 'fig-3'"):
        plot(reproduced(), "fig-3")
    nothing = replace(without_data(), papers=())
    with pytest.raises(NotApplicableError, match="no experiment"):
        plot(nothing, "fig-2")
