"""`heldout recommend`: the best items of every user, as a run that other tools read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from heldout.cli.console import out, progress_bar
from heldout.cli.options import Quiet, Threads, names_of
from heldout.text.numbers import count


def recommend(
    model: Annotated[
        str,
        typer.Option(
            "--model",
            help='A recommender, such as "SLIM(l1=2)".',
            autocompletion=names_of("recommender"),
            show_default=False,
        ),
    ],
    data: Annotated[str, typer.Option("--data", help="Ratings: a file, a folder or a text form.", show_default=False)],
    to: Annotated[
        Path, typer.Option("--out", "-o", help="The run: .parquet, .csv, .tsv, or .txt for TREC.", show_default=False)
    ],
    top: Annotated[int, typer.Option("--top", "-n", help="Items for each user, at most.", min=1)] = 100,
    split: Annotated[
        str | None,
        typer.Option(
            help="Fit on the training part of this split; on all ratings if not given.", autocompletion=names_of("split")
        ),
    ] = None,
    fold: Annotated[int | None, typer.Option(help="Which fold, where the split makes several.", min=1)] = None,
    filters: Annotated[
        list[str] | None,
        typer.Option("--filter", "-f", help="A filter; several are a chain.", autocompletion=names_of("filter")),
    ] = None,
    tag: Annotated[str | None, typer.Option(help="The name in a TREC run; the model's if not given.")] = None,
    seed: Annotated[int, typer.Option(help="Fixes everything random.")] = 1,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Fit a model and write the best items of every user, those rated in training left out.

    heldout recommend --model "UserKNN(k=50)" --data ratings.csv --top 100 --out run.parquet
    """
    from heldout.api.recommend import recommend as best_items

    with progress_bar(quiet=quiet) as progress:
        lists = best_items(
            model,
            data,
            split=split,
            filters=filters or (),
            fold=fold,
            n=top,
            seed=seed,
            out=to,
            tag=tag,
            threads=threads,
            progress=progress,
        )
    if not quiet:
        users = count(lists["user_id"].n_unique())
        out.print(f"{count(len(lists))} recommendations for {users} users by {model}: {to}", soft_wrap=True)
