"""The outcome of a search in a terminal."""

from __future__ import annotations

from pathlib import Path

from heldout import Tuned
from heldout.reports.render.screen import printed
from heldout.reports.render.terminal_tuned import SHOWN, render_tuned
from heldout.study.tuned import Trial


def test_the_best_trials_come_first_and_refusals_are_counted() -> None:
    trials = [Trial(number=k, parameters={"k": k, "alpha": k / 3}, value=0.1 * k, cpu_seconds=1.0) for k in range(1, 8)]
    trials.append(Trial(number=8, parameters={"k": 0}, value=None, cpu_seconds=0.0, reason="k must be positive"))
    tuned = Tuned(
        model="KNN(k=7)",
        parameters={"k": 7},
        metric="P@5",
        value=0.7,
        number=7,
        trials=tuple(trials),
        cpu_seconds=7.25,
        ranges={"k": "1 to 7"},
        protocol={"validation": "ratio"},
    )
    text = printed(render_tuned(tuned, Path("out")), 100)
    listed = [line.split()[1] for line in text.splitlines() if "alpha=" in line]
    assert listed == [f"k={k}," for k in (7, 6, 5, 4, 3)] and len(listed) == SHOWN
    assert "alpha=2.333" in text and "8 trials, 7.2 CPU seconds; 1 refused (first: k must be positive)" in text
    assert 'recommend = [{ tuned = "out" }]' in text
