"""`python -m heldout`: the command."""

import sys
from contextlib import suppress
from pathlib import Path

# Python puts the current folder first. Entry points and modules that happen to lie there must not be loaded, as the
# `heldout` command does not load them. A folder that holds Heldout itself stays.
with suppress(FileNotFoundError):  # the current folder was removed
    if not sys.flags.safe_path and Path(sys.path[0]) == Path.cwd() != Path(__file__).resolve().parents[1]:
        del sys.path[0]

from heldout.cli import main

main()
