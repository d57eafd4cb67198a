"""The command line: one file per verb."""

from __future__ import annotations


def main() -> None:
    """The `heldout` command."""
    from heldout.cli.app import run_command

    run_command()
