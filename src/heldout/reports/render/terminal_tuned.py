"""The outcome of a search for hyper-parameters, in a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import RenderableType

from heldout.reports.render.terminal_catalogue import render_card
from heldout.study.tuned import Tuned
from heldout.text.numbers import count, counted, exact, number

SHOWN = 5
"""Trials that are listed."""


def render_tuned(tuned: Tuned, folder: Path) -> RenderableType:
    """The model, its value, where was searched, the best trials, the cost, and how to use it."""
    finished = [(trial, trial.value) for trial in tuned.trials if trial.value is not None]
    best = sorted(finished, key=lambda pair: abs(pair[1] - tuned.value))[:SHOWN]
    failed = [trial for trial in tuned.trials if trial.value is None]
    cost = f"{counted(len(tuned.trials), 'trial')}, {tuned.cpu_seconds:.1f} CPU seconds"
    sections = [
        ("Looked in", "\n".join(f"{name}: {text}" for name, text in tuned.ranges.items())),
        ("Best trials", "\n".join(f"{number(value)}  {_parameters(trial.parameters)}" for trial, value in best)),
        ("Cost", cost + (f"; {count(len(failed))} refused (first: {failed[0].reason})" if failed else "")),
        ("Use it", f'recommend = [{{ tuned = "{folder}" }}]\nor --model "{tuned.model}"'),
    ]
    reached = f"{tuned.metric} {number(tuned.value)} on validation ratings ({tuned.protocol['validation']})"
    return render_card(f"{tuned.model}\n{reached}", sections)


def _parameters(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={exact(value) if isinstance(value, float) else value}" for name, value in values.items())
