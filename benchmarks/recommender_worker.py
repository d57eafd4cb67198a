"""One recommender in a process of its own: CPU seconds and peak memory of fitting and of listing the best 100 of all users.

`python -m benchmarks.recommender_worker MODEL DATA` prints them as JSON. What is needed to hold the data and to have the
kernels compiled is not counted in `over`, the peak over what was resident before fitting.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

STATUS, RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
SMALL = "simulate(users=300, items=200, ratings=6000)"


def work(model: str, source: str) -> dict[str, Any]:
    """Fit a model on data and list the best of all users."""
    from heldout.catalogue import make
    from heldout.data.read import read
    from heldout.errors import HeldoutError
    from heldout.experiment.recommend import run_of_model

    recommender = make("recommender", model)
    try:
        small = read(SMALL)
        run_of_model(recommender.fit(small, seed=1), small, top=100)  # compiles what it needs
        data = read(source)
        before = _resident("VmRSS")
        RESET.write_text("5")  # the peak is measured anew from here
        began, on_clock = time.process_time(), time.perf_counter()
        fitted = recommender.fit(data, seed=1)
        fit = time.process_time() - began
        found = run_of_model(fitted, data, top=100)
    except HeldoutError as error:
        return {"model": model, "refused": str(error)}
    return {
        "model": model,
        "cpu": time.process_time() - began,
        "fit": fit,
        "wall": time.perf_counter() - on_clock,
        "over": _resident("VmHWM") - before,
        "peak": _resident("VmHWM"),
        "rows": len(found.score),
    }


def elsewhere(model: str, source: str) -> dict[str, Any]:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.recommender_worker", model, source]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).resolve().parents[1])
    if done.returncode:
        return {"model": model, "refused": (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _resident(what: str) -> float:
    """MB of memory that the process has (VmRSS), or had at most (VmHWM)."""
    line = next(line for line in STATUS.read_text(encoding="utf-8").splitlines() if line.startswith(what))
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    print(json.dumps(work(*sys.argv[1:])))
