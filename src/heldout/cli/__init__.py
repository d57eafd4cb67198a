"""The command line: one file per verb."""

from __future__ import annotations

import gc


def main() -> None:
    """The `heldout` command."""
    # Starting up makes a million objects that live to the end. Looking through them for garbage every 700 allocations, and
    # once more as the interpreter ends, takes longer than judging a small run.
    gc.set_threshold(100_000, 50, 50)
    from heldout.cli.app import run_command

    try:
        run_command()
    finally:
        gc.freeze()
