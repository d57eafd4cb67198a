"""The command and its verbs."""

from __future__ import annotations

import sys

import typer

from heldout import __version__
from heldout.cli import (
    compare,
    data,
    demo,
    describe,
    evaluate,
    lint,
    list_components,
    methods,
    multiverse,
    power,
    recommend,
    report,
    run,
    schema,
    split,
    tune,
    verify,
)
from heldout.cli.console import let_streams_encode_all
from heldout.cli.failures import STOPPED, discard_stdout, ended_by, stopped

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
app.command("multiverse")(multiverse.multiverse)
app.command("evaluate")(evaluate.evaluate)
app.command("compare")(compare.compare)
app.command("power")(power.power)
app.command("list")(list_components.list_components)
app.command("describe")(describe.describe)
app.command("schema")(schema.schema)
app.command("report")(report.report)
app.command("lint")(lint.lint)
app.command("methods")(methods.methods)
app.command("verify")(verify.verify)
app.command("demo")(demo.demo)
app.command("recommend")(recommend.recommend)
app.command("tune")(tune.tune)
app.command("split")(split.split)
app.add_typer(data.app, name="data")


def run_command() -> None:
    """Run the command; whatever ends it is a sentence on stderr and an exit code, never a traceback."""
    let_streams_encode_all()
    try:
        code = app(prog_name="heldout", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()  # a full disk or a closed pipe is found here, not as the interpreter ends
    except SystemExit:
        raise
    except BaseException as error:
        code = ended_by(error)
        _flush_or_discard()
    else:
        if code == STOPPED:  # newer versions of typer give Ctrl-C this code themselves
            stopped()
    sys.exit(code or 0)


def _flush_or_discard() -> None:
    """Print what was printed before the failure, unless stdout is what failed."""
    if sys.stdout is not None:
        try:
            sys.stdout.flush()
        except OSError:
            discard_stdout()
