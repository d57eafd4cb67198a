"""What a study would take, found out in a process of its own: data of any size are read there, for a minute at most."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from heldout.api.catalogue_study import catalogue_study
from heldout.errors import HeldoutError, SpecError

LONGEST = 60.0
"""Seconds that a trial may take."""


def tried(keys: Mapping[str, Any], folder: Path, *, longest: float = LONGEST) -> dict[str, Any]:
    """The plan of a study as plain values; SpecError where it cannot be tried, or not in time."""
    # -P: a file in the working folder that is named as a module of Python must not be run in its place.
    command = [sys.executable, "-P", "-m", "heldout.web.trial", str(folder)]
    try:
        trial = subprocess.run(command, input=json.dumps(keys).encode(), capture_output=True, timeout=longest, check=False)
    except subprocess.TimeoutExpired:
        raise SpecError(
            f"the trial took longer than {longest:g} s and was stopped",
            hint="start the study and watch it, or try a sample of the data: filters = sample(users=0.1)",
        ) from None
    if trial.returncode != 0:
        last = trial.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise SpecError(f"the trial ended with code {trial.returncode}: {last or 'nothing was said'}")
    answer = json.loads(trial.stdout)
    if "problem" in answer:
        raise SpecError(answer["problem"])
    return dict(answer["plan"])


def main() -> None:
    """Read the keys of a study from the input, and write its plan, or what is wrong with it, as JSON."""
    try:
        plan = catalogue_study(json.load(sys.stdin), Path(sys.argv[1])).plan()
        answer: dict[str, Any] = {"plan": {**asdict(plan), "seconds": plan.seconds}}
    except HeldoutError as error:
        answer = {"problem": str(error)}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
