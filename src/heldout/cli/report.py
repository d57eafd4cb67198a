"""`heldout report`: show the results of a folder again, or write one figure or table of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from heldout.api.kept_results import over_results
from heldout.cli.console import errors, out, write, write_json
from heldout.cli.options import FIGURES, writable
from heldout.errors import SpecError
from heldout.storage.files import write_text


@over_results
def report(
    folder: Annotated[Path, typer.Argument(help="A results folder.", show_default=False)],
    html: Annotated[bool, typer.Option("--html", help="Also write report.html anew.")] = False,
    listing: Annotated[bool, typer.Option("--list", help="List the figures and tables that these results have.")] = False,
    figure: Annotated[str | None, typer.Option(help="Write this figure, such as leaderboard or speccurve.")] = None,
    table: Annotated[str | None, typer.Option(help="Print or write this table, such as leaderboard or pairs.")] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="pdf, svg or png of a figure; csv, json, latex, markdown or html of a table; markdown or html of the "
            "whole report. If not given, the ending of --out decides.",
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        Path | None,
        typer.Option("--out", help="A file for it; without one a figure is NAME.FORMAT here, and a table is printed."),
    ] = None,
    width: Annotated[
        float | None, typer.Option(help="Width of a figure in inches: 3.4 is one column of a paper, 7 are two.")
    ] = None,
    setting: Annotated[int | None, typer.Option(help="The setting by number; the primary one if not given.")] = None,
    test: Annotated[str | None, typer.Option(help="Of differences or critical-difference: by this test.")] = None,
    pair: Annotated[
        tuple[str, str] | None,
        typer.Option(
            help="Of speccurve: these two systems; else those on which universes disagree most.", show_default=False
        ),
    ] = None,
    protocol: Annotated[str | None, typer.Option(help="Of a sweep of biases: under this protocol.")] = None,
    at: Annotated[
        str | None, typer.Option(help="Of a trial of metrics: at this depth, or this metric at all its depths.")
    ] = None,
    trial: Annotated[
        int | None, typer.Option(help="Of a trial of metrics: the protocol by number, 0 for the first.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Print all tables, not only the first.")] = False,
) -> None:
    """Print the report of a results folder, whatever was run there, or write one figure or table of it.

    heldout report RESULTS --list names the figures and tables. --figure speccurve --format pdf --width 3.4 writes a figure
    for a column of a paper; --table leaderboard --format latex prints a table for it (booktabs).
    """
    from heldout.api.load import load

    options = {"test": test, "pair": pair, "protocol": protocol, "trial": trial}
    options |= {"at": int(at) if at is not None and at.isdigit() else at}
    chosen = {name: value for name, value in options.items() if value is not None}
    _check(figure, table, form, target, {"width": width, **chosen})
    results = load(folder)
    if html:
        results.save(folder)
    if setting is not None:
        results = results.at(setting)
    if listing:
        _list(results, as_json=as_json)
    elif figure is not None:
        _write_figure(results, figure, form, target, {"width": width, **chosen})
    elif table is not None:
        _write_table(results, table, form, target)
    elif form is not None:
        _write_whole(results, form, target)
    else:
        out.print(results._kind.terminal(results, full=True) if full else results)


def _check(figure: str | None, table: str | None, form: str | None, target: Path | None, of_figure: dict[str, Any]) -> None:
    """SpecError where options do not go together, before anything is read."""
    if figure is not None and table is not None:
        raise SpecError("a figure or a table is written, not both", where="--figure", hint="leave one out")
    for name, value, needs in (
        ("--format", form, figure or table or (form in WHOLE or None)),
        ("--out", target, figure or table or (form in WHOLE or None)),
        *((f"--{name}", value, figure) for name, value in of_figure.items()),
    ):
        if value is not None and needs is None:
            hint = "name a --figure" if name[2:] in of_figure else "name a --figure or a --table"
            raise SpecError("there is nothing that it is about", where=name, hint=hint)


def _write_figure(results: Any, name: str, form: str | None, target: Path | None, options: dict[str, Any]) -> None:
    if form is not None and f".{form}" not in FIGURES:
        raise SpecError(f"no figure is written as '{form}'", where="--format", hint="pdf, svg or png")
    ending = form or (target.suffix.lower().removeprefix(".") if target is not None else "pdf")
    path = target or Path(f"{name.replace('/', '-')}.{ending}")
    if form is not None and path.suffix.lower() != f".{form}":
        raise SpecError(f"the file is called {path.suffix or 'nothing'}", where="--format", hint=f"end it in .{form}")
    writable(path, *FIGURES, what="a figure")
    width = options.pop("width", None)
    results.figure(name, **options).save(path, width=width)
    errors.print(f"Figure: {path}", soft_wrap=True)


WHOLE = ("markdown", "html")
"""Formats of a whole report."""


def _write_whole(results: Any, form: str, target: Path | None) -> None:
    text = results.to_markdown() if form == "markdown" else results.to_html()
    if target is None:
        write(text)
        return
    write_text(target, text)
    errors.print(f"Report: {target}", soft_wrap=True)


def _write_table(results: Any, name: str, form: str | None, target: Path | None) -> None:
    sheet = results.tables[name]
    if target is None:
        write(sheet.to(form or "csv"))
        return
    sheet.save(target, form)
    errors.print(f"Table: {target}", soft_wrap=True)


def _list(results: Any, *, as_json: bool) -> None:
    figures, tables = results.figures.titles, results.tables.titles
    if as_json:
        write_json({"figures": figures, "tables": tables})
        return
    from heldout.reports.render.terminal_catalogue import render_list

    out.print(render_list([(name, "", title) for name, title in figures.items()], "figures (--figure NAME)"))
    out.print(render_list([(name, "", title) for name, title in tables.items()], "tables (--table NAME)"))
