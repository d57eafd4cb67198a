"""The best items of every user by a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from heldout.api.progress import shown

if TYPE_CHECKING:
    from heldout.api.arguments import Spec, Specs
    from heldout.api.progress import ProgressOption
    from heldout.data.runs import RunFrame


def recommend(
    model: Any,
    data: Any,
    *,
    n: int = 100,
    split: Spec | None = None,
    fold: int | None = None,
    filters: Specs = (),
    seed: int = 1,
    out: str | Path | None = None,
    tag: str | None = None,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> pl.DataFrame:
    """The best items of every user by a model: columns user_id, item_id, rank and score; with `out`, written there too.

    - `model`: a text form, a recommender or a model of your own.
    - `data`: ratings: a path, a text form, a frame or a table.
    - `n`: items for each user, at most.
    - `split`, `fold`: fit on the training part of a split, and of which fold; on all ratings if not given.
    - `filters`: filters applied to the ratings, in order.
    - `tag`: the name in a TREC run; the model's if not given.
    """
    from heldout.data.run_files import frame_of

    run = run_of_model(
        model,
        data,
        n=n,
        split=split,
        fold=fold,
        filters=filters,
        seed=seed,
        out=out,
        tag=tag,
        threads=threads,
        progress=progress,
    )
    return frame_of(run)


def run_of_model(
    model: Any,
    data: Any,
    *,
    n: int,
    split: Spec | None,
    fold: int | None,
    filters: Specs,
    seed: int,
    out: str | Path | None,
    tag: str | None,
    threads: int | None,
    progress: ProgressOption,
) -> RunFrame:
    """As `recommend`, with the model's name beside the rows."""
    from heldout.data.run_files import write_run
    from heldout.experiment.recommend import recommend as run_of_data

    if out is not None:
        run_format(out)
    chain = list(filters) if isinstance(filters, Sequence) and not isinstance(filters, str) else [filters]
    options: dict[str, Any] = {"split": split, "fold": fold, "filters": chain, "seed": seed, "threads_used": threads}
    with shown(progress) as tell:
        run = run_of_data(model, data, top=n, progress=tell, **options)
    if out is not None:
        write_run(run, out, tag=tag or run.source)
    return run


def run_format(path: str | Path) -> str:
    """The format that a run's file name asks for; SpecError when it asks for none."""
    from heldout.data.run_files import format_of

    return format_of(path)
