"""`heldout serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from heldout.cli.app import whole_app


def test_the_command_hands_its_options_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calls: list[tuple[Any, dict[str, Any]]] = []
    monkeypatch.setattr("heldout.web.serve.serve", lambda folder, **options: calls.append((folder, options)))
    answer = CliRunner().invoke(whole_app(), ["serve", str(tmp_path), "--host", "0.0.0.0", "--port", "0"])
    assert answer.exit_code == 0, answer.output
    [(folder, options)] = calls
    assert folder == tmp_path and (options["host"], options["port"]) == ("0.0.0.0", 0) and callable(options["notify"])


def test_it_listens_here_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calls: list[dict[str, Any]] = []
    monkeypatch.setattr("heldout.web.serve.serve", lambda folder, **options: calls.append(options))
    CliRunner().invoke(whole_app(), ["serve", str(tmp_path)])
    assert calls[0]["host"] == "127.0.0.1"
    assert CliRunner().invoke(whole_app(), ["serve", str(tmp_path), "--port", "70000"]).exit_code == 2
