"""`heldout demo`: the main job on the embedded data set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from heldout.cli.console import out, progress_bar
from heldout.cli.options import Quiet

STUDY = {
    "title": "Six recommenders on simulated ratings",
    "task": "some_good_items",
    "seed": 1,
    "data": "simulate(users=2000, items=1500, ratings=120000)",
    "split": "ratio(train=0.8, by=user)",
    "users": [["with_train", "with_relevant"]],
    "recommend": [
        "Random",
        "Popularity",
        "AverageRating",
        "UserKNN(k=50)",
        "WRMF(factors=20, iterations=10)",
        "EASE(l2=100)",
    ],
    "fallback": "none",
    "relevance": "threshold(4)",
    "target": ["AllItems", "TestItems", "TestRatings", "OnePlusRandom(100)"],
    "metrics": ["nDCG(gain=binary)@10", "P@10"],
    "compare": {"tests": ["permutation", "t"], "correction": "holm"},
}


def demo(
    folder: Annotated[Path, typer.Option("--out", "-o", help="Folder for results and report.")] = Path("heldout-demo"),
    quiet: Quiet = False,
) -> None:
    """Compare six recommenders under a few protocols on simulated data, and write the report."""
    from heldout.api.run import run
    from heldout.reports.terminal.study import render

    with progress_bar(quiet=quiet) as progress:
        results = run(STUDY, out=folder, progress=progress)
        _keep_world(folder / "data")
    if not quiet:
        out.print(render(results.facts))
        out.print(f"\nReport: {folder / 'report.html'}", soft_wrap=True)
        out.print(f"Ratings and the complete truth behind them: {folder / 'data'}", soft_wrap=True)


def _keep_world(folder: Path) -> None:
    """Write the simulated ratings and, aside, what every user would have said of every item."""
    import numpy as np
    import polars as pl

    from heldout.api.data import simulator
    from heldout.writing import write_file

    world = simulator(str(STUDY["data"])).world()
    ratings = world.interactions.to_polars()
    write_file(folder / "ratings.parquet", lambda temporary: ratings.write_parquet(temporary), make_folder=True)
    truth = world.truth(np.arange(world.n_users)).astype(np.int8)
    users, items = np.divmod(np.arange(truth.size), world.n_items)
    complete = pl.DataFrame({"user_id": users + 1, "item_id": items + 1, "rating": truth.ravel()})
    write_file(folder / "truth.parquet", lambda temporary: complete.write_parquet(temporary))
