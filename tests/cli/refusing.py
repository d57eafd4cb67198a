"""Files to be refused, and how a refusal reads."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Said


def refused(said: Said, *words: str) -> None:
    """One message of one line that holds all the words, and nothing else."""
    assert said.code == 2, said
    assert said.out == ""
    assert "Traceback" not in said.err
    assert said.err.startswith("error: ")
    assert said.err.count("\n") == 1, said.err
    for word in words:
        assert word in said.err, said.err


def write(folder: Path, name: str, content: str | bytes) -> None:
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def entries(folder: Path) -> set[str]:
    return {str(p.relative_to(folder)) for p in folder.rglob("*")}
