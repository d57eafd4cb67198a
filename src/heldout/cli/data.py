"""`heldout data`: data sets by themselves."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from heldout.cli.console import errors, out, progress_bar, write_json
from heldout.cli.options import names_of
from heldout.text.numbers import count

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
Filters = Annotated[
    list[str] | None,
    typer.Option("--filter", "-f", help="A filter; several are a chain.", autocompletion=names_of("filter")),
]
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
    folder: Annotated[
        Path | None, typer.Option("--out", "-o", help="A folder that keeps the profile, with a page and figures to report.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Also print the histograms.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print the profile of a data set, before and after each filter.

    Repeated pairs of user and item are counted, and need no decision. With --out, heldout report FOLDER shows the profile
    again and writes its figures and tables, and the folder has a page.
    """
    from heldout.api.data import profile as profile_of

    with progress_bar(quiet=as_json) as progress:
        progress("reading", 0, 0)
        looked = profile_of(source, filters or [], seed=seed, on_bad_rows=on_bad_rows.value, out=folder)
    tell_skipped(looked.findings.skipped)
    if as_json:
        write_json([{"label": label, **profile.to_dict()} for label, profile in looked.findings.steps])
    else:
        out.print(looked._kind.terminal(looked, full=True) if full else looked)
    if folder is not None:
        errors.print(f"Report: {folder / 'report.html'}", soft_wrap=True)


@app.command("filter")
def filter_data(
    source: Source,
    target: Annotated[Path, typer.Argument(help="File for what is left: .parquet, .csv, .tsv, .jsonl, …")],
    filters: Filters = None,
    seed: Seed = 1,
    on_bad_rows: OnBadRows = BadRows.error,
) -> None:
    """Filter a data set, write what is left, and print the profile before and after each filter."""
    from heldout.api.data import convert as read_and_write
    from heldout.errors import SpecError

    if not filters:
        raise SpecError("no filter is given", where="--filter", hint='such as --filter "core(5)"')
    with progress_bar(quiet=False) as progress:
        progress("reading", 0, 0)
        converted = read_and_write(source, target, filters=filters, seed=seed, on_bad_rows=on_bad_rows.value)
    tell_skipped(converted.findings.skipped)
    out.print(converted)
    out.print(f"\n{count(converted.findings.last.ratings)} ratings: {target}", soft_wrap=True)


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
    from heldout.api.data import convert as read_and_write

    with progress_bar(quiet=False) as progress:
        progress("reading", 0, 0)
        converted = read_and_write(source, target, duplicates=cast(Any, duplicates), on_bad_rows=on_bad_rows.value)
    tell_skipped(converted.findings.skipped)
    last, rows = converted.findings.last, converted.findings.rows
    merged = f", {count(rows - last.ratings)} of {count(rows)} rows merged" if rows > last.ratings else ""
    of_whom = f"{count(last.users)} users and {count(last.items)} items"
    out.print(f"{count(last.ratings)} ratings of {of_whom}{merged}: {target}", soft_wrap=True)


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
    from heldout.api.data import simulate as simulate_world

    with progress_bar(quiet=False) as progress:
        progress("simulating", 0, 0)
        world = simulate_world(spec, like=like, seed=seed, out=target, truth=truth, propensities=propensities)
    out.print(f"{world.made_by}\n{count(len(world.interactions))} ratings: {target}", soft_wrap=True)


@app.command("fetch")
def fetch(
    name: Annotated[str | None, typer.Argument(help="The data set; without it, they are listed.")] = None,
    folder: Annotated[Path, typer.Option("--out", "-o", help="Folder in which it gets one of its own.")] = Path("data"),
    mirror: Annotated[str | None, typer.Option("--from", help="Another address that has the file.")] = None,
) -> None:
    """Download a data set whose publisher allows it, check it, and show its terms."""
    from heldout.api.data import fetch as download
    from heldout.api.data import list_data_sets
    from heldout.reports.render.terminal_catalogue import render_list

    if name is None:
        data_sets = list_data_sets()
        out.print(render_list(data_sets.rows(), data_sets.title))
        return
    (data_set,) = list_data_sets(name)
    errors.print(f"{data_set.title}\nTerms: {data_set.licence}\nCite: {data_set.citation}", soft_wrap=True)
    with progress_bar(quiet=False) as progress:
        text_form = download(name, folder, mirror=mirror, progress=progress)
    out.print(text_form, soft_wrap=True)


def tell_skipped(skipped: Any) -> None:
    """Rows that were left out, by the reason, on stderr."""
    for reason, rows in skipped:
        errors.print(f"skipped {count(rows)} rows: {reason}", style="yellow")
