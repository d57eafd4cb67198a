"""`heldout schema`: the JSON schema of study files, for editors."""

from __future__ import annotations

from heldout.cli.console import write_json


def schema() -> None:
    """Print the JSON schema of study files."""
    from heldout.study.file import schema as study_schema

    write_json(study_schema(), indent=2)
