"""`heldout schema`: the JSON schema of study files, for editors."""

from __future__ import annotations

from heldout.cli.console import write_json


def schema() -> None:
    """Print the JSON schema of study files."""
    import heldout

    write_json(heldout.schema(), indent=2)
