"""Facts with curves."""

from __future__ import annotations

from heldout.analysis.details import CurveRow


def curve(system: str) -> CurveRow:
    labels = {"x_label": "false positive rate", "y_label": "true positive rate"}
    return CurveRow(setting=1, system=system, **labels, x=(0.0, 0.5, 1.0), y=(0.0, 0.75, 1.0))
