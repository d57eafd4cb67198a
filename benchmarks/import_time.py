"""The time of `import heldout` in a new process, best of seven, and that numba stays out of it.

Names are loaded when first used, so the time until `heldout.evaluate` is at hand is measured too.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from benchmarks.harness import Found, Limit

SCRIPT = """
import json, sys, time
begin = time.perf_counter()
import heldout
seconds = time.perf_counter() - begin
heldout.evaluate
used = time.perf_counter() - begin
heavy = [m for m in ("numba", "jinja2", "vl_convert", "scipy.stats", "pandas") if m in sys.modules]
print(json.dumps({"seconds": seconds, "used": used, "heavy": heavy}))
"""


def run() -> Found:
    answers = [_once() for _ in range(7)]
    seconds = [a["seconds"] for a in answers]
    used = [a["used"] for a in answers]
    heavy = answers[0]["heavy"]
    loaded = f"loaded although they should not be: {', '.join(heavy)}" if heavy else "numba is not loaded"
    limits = [
        Limit("best import", min(seconds), 0.4, "s"),
        Limit("heavy modules loaded", len(heavy), 0, "modules"),
    ]
    times = {"import heldout": seconds, "import heldout; heldout.evaluate": used}
    return Found(times, limits=limits, notes=[loaded], more={"heavy": heavy})


def _once() -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)
