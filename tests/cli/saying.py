"""What a command said, and that all was well."""

from __future__ import annotations

from tests.cli.conftest import Said


def fine(said: Said) -> str:
    assert said.code == 0, said.err
    assert "Traceback" not in said.err
    return said.out
