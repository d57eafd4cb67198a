"""`python -m benchmarks [name …]`: run the benchmarks named, or all."""

from __future__ import annotations

import sys
from importlib import import_module

from rich.console import Console

from benchmarks.harness import show, write

NAMES = (
    "import_time",
    "cold_evaluate",
    "first_run",
    "inputs",
    "judge_arrays",
    "judge_frames",
    "judge_large",
    "stream_evaluate",
    "measure_many",
    "rank_counting",
    "permutation",
    "recommenders",
    "recommender_peers",
    "recommenders_large",
    "dense_arithmetic",
    "multiverse",
    "report_page",
    "ray_overhead",
    "metric_quality",
    "data_files",
    "data_splits",
    "serve_page",
)


def main(asked: list[str]) -> int:
    console = Console()
    unknown = [name for name in asked if name not in NAMES]
    if unknown:
        console.print(f"no benchmark is named {', '.join(unknown)}; there are {', '.join(NAMES)}")
        return 2
    for name in asked or NAMES:
        module = import_module(f"benchmarks.{name}")
        description = str(module.__doc__).splitlines()[0]
        found = module.run()
        show(name, description, found, console)
        write(name, description, found)
    return 0


sys.exit(main(sys.argv[1:]))
