"""`heldout data`: data sets by themselves."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from heldout.cli.console import errors, out, progress_bar, write_json
from heldout.cli.writable import refuse_overwriting, writable

app = typer.Typer(
    help="Look at data sets, filter, convert, simulate and fetch them.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


class BadRows(StrEnum):
    """What becomes of rows that cannot be read."""

    error = "error"
    skip = "skip"


Source = Annotated[str, typer.Argument(help='A file, a pattern, a folder, or a text form such as movielens("ml-1m").')]
Filters = Annotated[list[str] | None, typer.Option("--filter", "-f", help="A filter; several are a chain.")]
Seed = Annotated[int, typer.Option(help="Fixes everything random.")]
OnBadRows = Annotated[BadRows, typer.Option(help="What becomes of rows that cannot be read.")]


@app.callback()
def about() -> None:
    """Look at data sets, filter, convert, simulate and fetch them."""


@app.command("describe")
def describe(
    source: Source,
    filters: Filters = None,
    seed: Seed = 1,
    on_bad_rows: OnBadRows = BadRows.error,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print and draw the profile of a data set, before and after each filter."""
    from heldout.reports.terminal.profiles import render_profiles

    looked = _looked(source, filters, seed, on_bad_rows, quiet=as_json)
    if as_json:
        write_json([{"label": label, **found.to_dict()} for label, found in looked.steps])
    else:
        out.print(render_profiles(looked.steps, width=out.width))


@app.command("filter")
def filter_data(
    source: Source,
    target: Annotated[Path, typer.Argument(help="File for what is left: .parquet, .csv, .tsv, .jsonl, …")],
    filters: Filters = None,
    seed: Seed = 1,
    on_bad_rows: OnBadRows = BadRows.error,
) -> None:
    """Filter a data set, write what is left, and print the profile before and after each filter."""
    from heldout.data.write import format_of, write_ratings
    from heldout.errors import SpecError
    from heldout.reports.terminal.profiles import render_profiles

    if not filters:
        raise SpecError("no filter is given", where="--filter", hint='such as --filter "core(5)"')
    format_of(target)
    writable(target, make_folder=True)
    refuse_overwriting(target, source)
    looked = _looked(source, filters, seed, on_bad_rows, quiet=False)
    write_ratings(looked.data, target)
    out.print(render_profiles(looked.steps, drawn=False, width=out.width))
    out.print(f"\n{len(looked.data):,} ratings: {target}", soft_wrap=True)


@app.command("convert")
def convert(
    source: Source,
    target: Annotated[
        Path, typer.Argument(help="The new file: .parquet, .csv, .tsv, .jsonl, .arrow, .inter (RecBole) or .qrels (TREC).")
    ],
    duplicates: Annotated[str, typer.Option(help="Repeated pairs: error, latest, sum or max.")] = "error",
    on_bad_rows: OnBadRows = BadRows.error,
) -> None:
    """Read a data set of any format and write it in another, one row for each user and item."""
    from heldout.data.write import format_of, write_ratings

    format_of(target)
    writable(target, make_folder=True)
    refuse_overwriting(target, source)
    looked = _looked(source, [f"duplicates(keep={duplicates})"], 1, on_bad_rows, quiet=False)
    write_ratings(looked.data, target)
    found = looked.data
    merged = f", {looked.rows - len(found):,} of {looked.rows:,} rows merged" if looked.rows > len(found) else ""
    out.print(
        f"{len(found):,} ratings of {found.n_users:,} users and {found.n_items:,} items{merged}: {target}",
        soft_wrap=True,
    )


@app.command("simulate")
def simulate(
    target: Annotated[Path, typer.Argument(help="File for the ratings: .parquet, .csv, .tsv, …")],
    spec: Annotated[str, typer.Option(help='What is simulated, such as "simulate(users=500, alpha=1.4)".')] = "simulate",
    like: Annotated[str | None, typer.Option(help="Fit popularity, activity and rating shares to this data set.")] = None,
    truth: Annotated[
        Path | None, typer.Option(help="Parquet file for the complete truth: what every user would say of every item.")
    ] = None,
    propensities: Annotated[
        Path | None, typer.Option(help="Parquet file for how likely every user was to rate every item.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Fixes everything random.")] = None,
) -> None:
    """Simulate ratings, perhaps like those of a real data set, and keep the truth behind them."""
    from heldout.catalogue import make
    from heldout.data.fit import fitted
    from heldout.data.read import read
    from heldout.data.write import format_of, write_ratings
    from heldout.errors import SpecError

    format_of(target)
    writable(target, make_folder=True)
    for matrix in (truth, propensities):
        writable(matrix, ".parquet", what="a matrix")
    for file in (target, truth, propensities):
        refuse_overwriting(file, like, spec)
    if like is not None and spec != "simulate":
        raise SpecError("give either --like or --spec", where="--like")
    with progress_bar(quiet=False) as progress:
        if progress is not None:
            progress("simulating", 0, 0)
        made = fitted(read(like)) if like is not None else make("reader", spec)
        if not made.simulated:
            raise SpecError(f"'{spec}' simulates nothing", where="--spec", hint='such as "simulate(users=500)"')
        if seed is not None:
            made = made.replace(seed=seed)
        world = made.world()
        write_ratings(world.interactions, target)
        for file, of_users, name in ((truth, world.truth, "rating"), (propensities, world.propensity, "propensity")):
            if file is not None:
                _write_matrix(file, of_users, name, world.n_users, world.n_items)
    out.print(f"{made}\n{len(world.interactions):,} ratings: {target}", soft_wrap=True)


@app.command("fetch")
def fetch(
    name: Annotated[str | None, typer.Argument(help="The data set; without it, they are listed.")] = None,
    folder: Annotated[Path, typer.Option("--out", "-o", help="Folder in which it gets one of its own.")] = Path("data"),
    mirror: Annotated[str | None, typer.Option("--from", help="Another address that has the file.")] = None,
) -> None:
    """Download a data set whose publisher allows it, check it, and show its terms."""
    from heldout.catalogue.references import reference
    from heldout.data.fetch import fetch as download
    from heldout.data.published import PUBLISHED, published
    from heldout.reports.terminal.study import render_list

    if name is None:
        out.print(render_list([(p.name, "", f"{p.title}. {p.licence}") for p in PUBLISHED.values()], "data sets to fetch"))
        return
    what = published(name)
    errors.print(f"{what.title}\nTerms: {what.licence}\nCite: {reference(what.reference)}", soft_wrap=True)
    with progress_bar(quiet=False) as progress:
        tell = None if progress is None else (lambda done, total: progress(what.name, done >> 20, total >> 20))
        place = download(what, folder, mirror=mirror, progress=tell)
    out.print(what.reader.format(place), soft_wrap=True)


def tell_skipped(skipped: Any) -> None:
    """Rows that were left out, by the reason, on stderr."""
    for reason, count in skipped:
        errors.print(f"skipped {count:,} rows: {reason}", style="yellow")


def _looked(source: str, filters: list[str] | None, seed: int, on_bad_rows: BadRows, *, quiet: bool) -> Any:
    from heldout.experiment.folds import look

    with progress_bar(quiet=quiet) as progress:
        if progress is not None:
            progress("reading", 0, 0)
        looked = look(source, filters or [], seed=seed, on_bad_rows=on_bad_rows.value)
    tell_skipped(looked.skipped)
    return looked


def _write_matrix(file: Path, of_users: Any, name: str, n_users: int, n_items: int) -> None:
    """Users × items as rows of a Parquet file, some users at a time."""
    import numpy as np
    import polars as pl

    from heldout.writing import write_file

    items, block = np.arange(1, n_items + 1), max(1, (1 << 22) // n_items)
    frames = []
    for low in range(0, n_users, block):
        users = np.arange(low, min(low + block, n_users))
        frames.append(
            pl.DataFrame(
                {
                    "user_id": np.repeat(users + 1, n_items).astype(np.int32),
                    "item_id": np.tile(items, len(users)).astype(np.int32),
                    name: of_users(users).ravel().astype(np.float32),
                }
            )
        )
    matrix = pl.concat(frames)
    write_file(file, lambda temporary: matrix.write_parquet(temporary))
