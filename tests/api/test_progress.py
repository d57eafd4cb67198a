"""Progress that is told."""

from __future__ import annotations

from tests.api.test_results import STUDY

import heldout as ho
from heldout.experiment.run import STEPS


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    ho.run({**STUDY, "recommend": "Popularity"}, progress=lambda *step: told.append(step))
    steps = [(done, total) for stage, done, total in told if stage == "Popularity"]
    assert steps[-1] == (STEPS, STEPS) and len(steps) > 1  # the only system
    assert steps == sorted(steps)
