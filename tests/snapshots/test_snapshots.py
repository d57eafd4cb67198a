"""Messages, documents and pages as people see them. `make snapshots` rewrites them; read the difference."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import pytest
from tests.snapshots.transcripts import FOLDER, TRANSCRIPTS, replay


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_transcript(name: str, tmp_path: Path) -> None:
    expected = (FOLDER / name).read_text(encoding="utf-8")
    actual = replay(expected, tmp_path)
    lines = unified_diff(expected.splitlines(), actual.splitlines(), f"tests/snapshots/{name}", "now", lineterm="", n=1)
    assert actual == expected, "\n".join(lines)
