"""`python -m heldout`: the command."""

from heldout.cli import main

main()
