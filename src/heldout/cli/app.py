"""The command and its verbs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib import import_module

import typer

from heldout import __version__
from heldout.cli.console import errors, let_streams_encode_all, let_warnings_be_sentences
from heldout.cli.failures import STOPPED, discard_stdout, ended_by, stopped

VERBS = {
    "run": "run",
    "multiverse": "multiverse",
    "meta": "meta",
    "bias": "bias",
    "truth": "truth",
    "reproduce": "reproduce",
    "evaluate": "evaluate",
    "compare": "compare",
    "check": "check",
    "power": "power",
    "list": "list_components",
    "describe": "describe",
    "schema": "schema",
    "report": "report",
    "lint": "lint",
    "methods": "methods",
    "verify": "verify",
    "serve": "serve",
    "demo": "demo",
    "recommend": "recommend",
    "tune": "tune",
    "split": "split",
}
"""Verb → its module here and the function in it, which is imported when the verb is used."""


def _version(wanted: bool) -> None:
    if wanted:
        print(f"heldout {__version__}")
        raise typer.Exit


def common(
    version: bool = typer.Option(False, "--version", help="Print the version.", callback=_version, is_eager=True),
) -> None:
    """Options before the verb."""


def _app_of(verbs: Iterable[str]) -> typer.Typer:
    """The command with some of its verbs."""
    command = typer.Typer(
        name="heldout",
        help="Offline evaluation of recommender systems: which one is better, and would you still say so had you measured "
        "it otherwise?",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    command.callback()(common)
    for verb in verbs:
        module = import_module(f"heldout.cli.{VERBS[verb]}")
        command.command(verb)(getattr(module, VERBS[verb]))
    return command


def whole_app() -> typer.Typer:
    """The command with all its verbs."""
    return _with_data(_app_of(VERBS))


def _with_data(command: typer.Typer) -> typer.Typer:
    from heldout.cli import data

    command.add_typer(data.app, name="data")
    return command


def _app_for(words: Sequence[str]) -> typer.Typer:
    """The command with the one verb that its words name: building all of them takes longer than a small evaluation."""
    if words[:1] == ["data"]:
        return _with_data(_app_of(()))
    return _app_of(words[:1]) if words and words[0] in VERBS else whole_app()


SPELLINGS = {"--metrics": "--metric", "--filters": "--filter"}
"""Options as study files and Python spell them → the option, which names one and may be repeated."""


def settled(words: Sequence[str]) -> list[str]:
    """The words of the command with every option in its one spelling; a hint names it."""
    spelt = []
    for word in words:
        option, equals, value = word.partition("=")
        if option in SPELLINGS:
            errors.print(f"{option} is read as {SPELLINGS[option]}, which names one and may be repeated", style="yellow")
        spelt.append(f"{SPELLINGS.get(option, option)}{equals}{value}")
    return spelt


def run_command() -> None:
    """Run the command; whatever ends it is a sentence on stderr and an exit code, never a traceback."""
    let_streams_encode_all()
    let_warnings_be_sentences()
    try:
        sys.argv[1:] = settled(sys.argv[1:])
        code = _app_for(sys.argv[1:])(prog_name="heldout", standalone_mode=False)
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
