"""`heldout lint`: the methodological review of a study or of results."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from heldout.api.kept_results import over_results
from heldout.cli.console import out, write, write_json


class ReviewFormat(StrEnum):
    """How the review is printed."""

    terminal = "terminal"
    json = "json"
    markdown = "markdown"


class FailOn(StrEnum):
    """From which findings on the exit code is 1."""

    error = "error"
    warning = "warning"
    advice = "advice"
    never = "never"


@over_results
def lint(
    subject: Annotated[Path, typer.Argument(help="A study file (TOML) or a results folder.", show_default=False)],
    format: Annotated[ReviewFormat, typer.Option(help="How the review is printed.")] = ReviewFormat.terminal,
    fail_on: Annotated[FailOn, typer.Option(help="Exit with 1 from findings of this severity on.")] = FailOn.error,
    ignore: Annotated[
        list[str] | None, typer.Option(help="Codes to leave out, such as HO203,HO308; may be repeated.", show_default=False)
    ] = None,
    meta: Annotated[
        Path | None, typer.Option(help="A trial of metrics on the same data to cite, if not beside.", show_default=False)
    ] = None,
    unchecked: Annotated[bool, typer.Option("--unchecked", help="List every question that stayed open.")] = False,
) -> None:
    """Review the method of a study before it is run, or of its results: coded findings and what to change.

    heldout lint study.toml --fail-on warning
    """
    from heldout.api.lint import lint as review_of
    from heldout.reports.render.terminal_lint import render_review

    codes = [code.strip() for listed in ignore or () for code in listed.split(",")]
    review = review_of(subject, ignore=[code for code in codes if code], meta=meta)
    if format is ReviewFormat.json:
        write_json(review.to_dict())
    elif format is ReviewFormat.markdown:
        write(review.to_markdown())
    else:
        out.print(render_review(review, unchecked=unchecked))
    if fail_on is not FailOn.never and review.at_least(cast("Any", fail_on.value)):
        raise typer.Exit(1)
