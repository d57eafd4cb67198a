"""How many inputs were tried, and what became of them."""

from __future__ import annotations

import pytest
from tests.fuzz.kit import TRIED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for what in sorted({what for what, _ in TRIED}):
        refused, read = TRIED[what, "refused"], TRIED[what, "read"]
        terminalreporter.write_line(
            f"fuzz: {what}: {refused + read:,} tried, {refused:,} refused by a sentence, {read:,} read"
        )
