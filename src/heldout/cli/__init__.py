"""The command line: one file per verb."""

from __future__ import annotations

import gc
import signal
import sys

WORK = {
    "run": "Running the study",
    "multiverse": "Running the multiverse",
    "meta": "Measuring the quality of metrics",
    "bias": "Measuring popularity bias",
    "truth": "Comparing protocols with the truth",
    "reproduce": "Reproducing the experiments",
    "evaluate": "Evaluating the runs",
    "demo": "Running the demo",
    "recommend": "Fitting the model",
    "tune": "Tuning the model",
    "split": "Splitting the ratings",
    "data": "Reading the data",
    "report": "Reading the results",
    "compare": "Reading the results",
    "verify": "Reading the results",
    "lint": "Reviewing the method",
}
"""Verb → what to say before its modules are loaded, which takes longer than people wait without a sign."""
QUIET = {"-q", "--quiet", "-h", "--help"}


def main() -> None:
    """The `heldout` command."""
    # Starting up makes some 300,000 objects that live to the end. Looking through them for garbage every 700 allocations,
    # and once more as the interpreter ends, takes longer than judging a small run.
    gc.set_threshold(400_000, 50, 50)
    words = sys.argv[1:]
    try:
        if words and words[0] in WORK and QUIET.isdisjoint(words) and sys.stderr is not None and sys.stderr.isatty():
            from heldout.cli.console import errors, let_streams_encode_all

            let_streams_encode_all()
            errors.print(f"{WORK[words[0]]} ...")
        from heldout.cli.app import run_command

        run_command()
    except KeyboardInterrupt:  # while modules are loaded, or once more while the command says that it was stopped
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        from heldout.cli.failures import stopped

        sys.exit(stopped())
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is done is done: Ctrl-C as the interpreter ends changes nothing
        gc.freeze()
