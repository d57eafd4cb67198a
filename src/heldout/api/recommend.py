"""The best items of every user by a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

if TYPE_CHECKING:
    from heldout.data.runs import RunFrame


def recommendations(
    model: Any, data: Any, *, top: int = 100, out: str | Path | None = None, threads: int | None = None, **options: Any
) -> pl.DataFrame:
    """The best items of every user by a model: columns user_id, item_id, rank and score; with `out`, written there too.

    `model` is a text form, a recommender or a model of your own. Options: split, filters, fold, seed, progress, and `tag`,
    the name in a TREC run.
    """
    from heldout.data.run_files import frame_of

    return frame_of(run_of_model(model, data, top=top, out=out, threads=threads, **options))


def run_of_model(
    model: Any,
    data: Any,
    *,
    top: int = 100,
    out: str | Path | None = None,
    tag: str | None = None,
    threads: int | None = None,
    **options: Any,
) -> RunFrame:
    """As `recommendations`, with the model's name beside the rows."""
    from heldout.data.run_files import write_run
    from heldout.experiment.recommend import recommend

    if out is not None:
        run_format(out)
    run = recommend(model, data, top=top, threads_used=threads, **options)
    if out is not None:
        write_run(run, out, tag=tag or run.source)
    return run


def run_format(path: str | Path) -> str:
    """The format that a run's file name asks for; SpecError when it asks for none."""
    from heldout.data.run_files import format_of

    return format_of(path)
