"""Pictures as plain data."""

from __future__ import annotations

import json

from heldout.analysis.picture_rows import CurveRow, GroupValues, Pictures, PopularityShares, UserDifferences
from heldout.json_codec import from_plain, to_plain


def test_pictures_survive_json() -> None:
    pictures = Pictures(
        differences=UserDifferences(
            a="A", b="B", metric="P@5", users=3, wins=1, ties=1, losses=1, gain=0.5, loss=None, curve=(0.5, 0.0, -0.25)
        ),
        groups=(
            GroupValues(
                by="user-activity",
                title="By activity",
                metric="P@5",
                means="Users.",
                groups=("1", "2–9"),
                users=(2, 1),
                systems=("A",),
                values=((0.5, None),),
            ),
        ),
        roc=(CurveRow(setting=0, system="A", x_label="x", y_label="y", x=(0.0, 1.0), y=(0.0, 1.0)),),
        popularity=PopularityShares(
            n=5, classes=("head", "tail"), names=("A", "catalogue"), shares=((1.0, 0.0), (0.2, 0.8)), systems=1
        ),
        absent={"precision-recall": "why"},
    )
    assert from_plain(Pictures, json.loads(json.dumps(to_plain(pictures)))) == pictures
    assert from_plain(Pictures, to_plain(Pictures())) == Pictures()
