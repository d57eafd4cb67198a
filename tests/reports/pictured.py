"""Findings with every picture, of three systems."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.sample import SYSTEMS, facts, with_details

from heldout.analysis.details import CurveRow, GroupValues, Pictures, PopularityShares, UserDifferences
from heldout.analysis.findings import Findings

DRAWN = SYSTEMS[:3]


def curve(system: str, gain: float) -> CurveRow:
    labels = {"x_label": "recall", "y_label": "precision"}
    return CurveRow(setting=0, system=system, **labels, x=(0.1, 0.5, 1.0), y=(gain, gain / 2, 0.0))


def pictured() -> Findings:
    """The sample study with pictures."""
    pictures = Pictures(
        differences=UserDifferences(
            a=DRAWN[0],
            b=DRAWN[1],
            metric="nDCG@10",
            users=1000,
            wins=600,
            ties=150,
            losses=250,
            gain=0.2,
            loss=-0.1,
            curve=(0.5, 0.25, 0.0, 0.0, -0.25),
        ),
        groups=(
            GroupValues(
                by="user-activity",
                title="By activity of users",
                metric="nDCG@10",
                means="Users by their number of training ratings.",
                groups=("1–9", "10–99"),
                users=(400, 600),
                systems=DRAWN,
                values=((0.4, 0.5), (0.3, 0.45), (0.2, None)),
                low=((0.35, 0.45), (0.25, 0.4), (0.15, None)),
                high=((0.45, 0.55), (0.35, 0.5), (0.25, None)),
            ),
        ),
        precision_recall=tuple(curve(system, 0.4 - 0.1 * k) for k, system in enumerate(DRAWN)),
        roc=(replace(curve(DRAWN[0], 1.0), x_label="false positives", y_label="true positives"),),
        popularity=PopularityShares(
            n=10,
            classes=("head", "middle", "tail"),
            names=(DRAWN[1], DRAWN[0], "catalogue"),
            shares=((0.9, 0.1, 0.0), (0.6, 0.3, 0.1), (0.05, 0.15, 0.8)),
            systems=2,
        ),
        absent={"warm-users": "no tested user is without training ratings"},
    )
    return with_details(facts(), pictures=pictures)
