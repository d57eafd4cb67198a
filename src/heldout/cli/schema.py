"""`heldout schema`: the JSON schema of study files, for editors."""

from __future__ import annotations

import json


def schema() -> None:
    """Print the JSON schema of study files."""
    from heldout.study.file import schema as study_schema

    print(json.dumps(study_schema(), indent=2, ensure_ascii=False))
