"""The best items of every user by a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from heldout.api.arguments import several
from heldout.reports.render.progress import shown

if TYPE_CHECKING:
    from heldout.api.arguments import Spec, Specs
    from heldout.reports.render.progress import ProgressOption


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
    from heldout.api.input_files import refuse_overwriting
    from heldout.data.runs import format_of, frame_of, write_run
    from heldout.experiment.recommend import recommend as run_of_data
    from heldout.storage.files import check_writable

    if out is not None:
        format_of(out)
        check_writable(out)
        refuse_overwriting(out, data, split, model)
    options: dict[str, Any] = {
        "split": split,
        "fold": fold,
        "filters": several(filters),
        "seed": seed,
        "threads_used": threads,
    }
    with shown(progress) as tell:
        run = run_of_data(model, data, top=n, progress=tell, **options)
    if out is not None:
        write_run(run, out, tag=tag or run.source)
    return frame_of(run)
