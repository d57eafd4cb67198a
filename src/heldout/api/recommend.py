"""The best items of every user by a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl


def recommendations(
    model: Any, data: Any, *, top: int = 100, out: str | Path | None = None, threads: int | None = None, **options: Any
) -> pl.DataFrame:
    """The best items of every user by a model: columns user_id, item_id, rank and score; with `out`, written there too.

    `model` is a text form, a recommender or a model of your own. Options: split, filters, fold, seed, progress.
    """
    from heldout.data.run_files import format_of, frame_of, write_run
    from heldout.experiment.recommend import recommend

    if out is not None:
        format_of(out)
    run = recommend(model, data, top=top, threads_used=threads, **options)
    if out is not None:
        write_run(run, out, tag=run.source)
    return frame_of(run)
