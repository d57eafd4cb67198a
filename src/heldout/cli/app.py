"""The command and its verbs; how errors are told."""

from __future__ import annotations

import os
import sys

import typer

from heldout import __version__
from heldout.cli import data, demo, describe, evaluate, list_components, report, run, schema
from heldout.cli.console import errors
from heldout.errors import HeldoutError

app = typer.Typer(
    name="heldout",
    help="Offline evaluation of recommender systems: which one is better, and would you still say so had you measured "
    "it otherwise?",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"heldout {__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: bool = typer.Option(False, "--version", help="Print the version.", callback=_version, is_eager=True),
) -> None:
    """Options before the verb."""


app.command("run")(run.run)
app.command("evaluate")(evaluate.evaluate)
app.command("list")(list_components.list_components)
app.command("describe")(describe.describe)
app.command("schema")(schema.schema)
app.command("report")(report.report)
app.command("demo")(demo.demo)
app.add_typer(data.app, name="data")


def run_command() -> None:
    """Run the command; an error that the user can mend is one message on stderr and exit code 2."""
    try:
        app()
    except HeldoutError as error:
        errors.print(f"error: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        errors.print("stopped; run the same command again to go on where it stopped", highlight=False)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
