"""Curves of metrics, by hand: one fold as it is, several averaged where all of them have points."""

from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np
import pytest
from tests.analysis.tiny import part
from tests.reports.kept import PROTOCOL

from heldout.analysis.curves import curve_rows
from heldout.analysis.facts import Setting
from heldout.analysis.part import Part, Points
from heldout.tables import ProtocolKey


def setting(number: int, metric: str = "AUC", aggregate: str = "mean", protocol: ProtocolKey = PROTOCOL) -> Setting:
    return Setting(
        id=number,
        choices=asdict(protocol),
        metric=metric,
        aggregate=aggregate,
        undefined="zero",
        coverage="zero",
        label=metric,
        higher_is_better=True,
    )


def fold(number: int, x: tuple[float, ...], y: tuple[float, ...], system: str = "A") -> Part:
    points = Points(system=system, protocol=PROTOCOL, fold=number, metric="AUC", x_label="fpr", y_label="tpr", x=x, y=y)
    return part(system, {"AUC": [0.5]}, fold=number, curves=(points,))


def test_the_curve_of_one_fold_is_as_it_was_measured() -> None:
    (row,) = curve_rows([fold(0, (0.0, 0.3, 1.0), (0.0, 0.9, 1.0))], [setting(0)], ["A"])
    assert (row.setting, row.system, row.x_label, row.y_label) == (0, "A", "fpr", "tpr")
    assert (row.x, row.y) == ((0.0, 0.3, 1.0), (0.0, 0.9, 1.0))


def test_folds_are_averaged_at_the_same_x_where_all_have_points() -> None:
    """The diagonal, and a curve from (0.2, 0.6) to (0.8, 0.6): at 0.5 they are 0.5 and 0.6 high."""
    folds = [fold(0, (0.0, 1.0), (0.0, 1.0)), fold(1, (0.2, 0.4, 0.8), (0.6, 0.6, 0.6))]
    (row,) = curve_rows(folds, [setting(0)], ["A"])
    assert (row.x[0], row.x[-1], len(row.x)) == (pytest.approx(0.2), pytest.approx(0.8), 61)
    assert np.interp([0.2, 0.5, 0.8], row.x, row.y) == pytest.approx([0.4, 0.55, 0.7])


def test_a_fold_without_points_does_not_count() -> None:
    (row,) = curve_rows([fold(0, (), ()), fold(1, (0.0, 1.0), (0.0, 1.0))], [setting(0)], ["A"])
    assert (row.x, row.y) == ((0.0, 1.0), (0.0, 1.0))
    assert list(curve_rows([fold(0, (), ())], [setting(0)], ["A"])) == []


def test_one_curve_for_each_system_protocol_and_metric() -> None:
    parts = [fold(0, (0.0, 1.0), (0.0, 1.0), system) for system in ("A", "B")]
    settings = [
        setting(0),
        setting(1, aggregate="median"),  # the same curve
        setting(2, metric="P@10"),  # has none
        setting(3, protocol=replace(PROTOCOL, target="TestItems")),  # nor has another protocol
    ]
    assert [(row.setting, row.system) for row in curve_rows(parts, settings, ["B", "A"])] == [(0, "B"), (0, "A")]
