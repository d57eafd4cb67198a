"""The command line: one file per verb."""

from __future__ import annotations

import gc
import signal
import sys


def main() -> None:
    """The `heldout` command."""
    # Starting up makes some 300,000 objects that live to the end. Looking through them for garbage every 700 allocations,
    # and once more as the interpreter ends, takes longer than judging a small run.
    gc.set_threshold(400_000, 50, 50)
    try:
        from heldout.cli.app import run_command

        run_command()
    except KeyboardInterrupt:  # while modules are loaded, or once more while the command says that it was stopped
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        from heldout.cli.failures import stopped

        sys.exit(stopped())
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is done is done: Ctrl-C as the interpreter ends changes nothing
        gc.freeze()
