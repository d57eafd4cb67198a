"""The command and its verbs; how errors are told."""

from __future__ import annotations

import os
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
)
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

STOPPED = 130


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
app.command("demo")(demo.demo)
app.command("recommend")(recommend.recommend)
app.command("tune")(tune.tune)
app.command("split")(split.split)
app.add_typer(data.app, name="data")


def run_command() -> None:
    """Run the command; an error that the user can mend is one message on stderr and exit code 2."""
    try:
        code = app(prog_name="heldout", standalone_mode=False)
    except HeldoutError as error:
        _tell(str(error))
        sys.exit(error.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except (KeyboardInterrupt, typer.Abort):
        code = STOPPED
    except Exception as error:
        sys.exit(_told_usage(error))
    if code == STOPPED:  # newer versions of typer give Ctrl-C this code themselves
        going_on = (
            "; run the same command again to go on where it stopped"
            if sys.argv[1:2] in (["run"], ["demo"], ["tune"])
            else ""
        )
        errors.print(f"stopped{going_on}", highlight=False, soft_wrap=True)
    sys.exit(code or 0)


def _tell(message: str) -> None:
    errors.print(f"error: {message}", style="red", markup=False, highlight=False, soft_wrap=True)


def _told_usage(error: Exception) -> int:
    """Tell of an option or argument that typer refused, and give its exit code; any other exception is a bug."""
    context = getattr(error, "ctx", None)
    if not hasattr(error, "format_message"):
        raise error
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()  # type: ignore[attr-defined]
    else:
        _tell(error.format_message().rstrip(".") + (f"; see {context.command_path} --help" if context else ""))
    return int(getattr(error, "exit_code", 2))
