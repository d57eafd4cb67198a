"""The engine of this process."""

from __future__ import annotations

from heldout.engine.engine import InProcess, Sendable


def test_this_process_runs_what_could_be_sent() -> None:
    task = Sendable(here=lambda: "here", function=len, arguments={}, received=str, failed=str)
    assert list(InProcess().run([task, lambda: "plain"])) == ["here", "plain"]
    assert InProcess().describe() == {"engine": "in process"}
    InProcess().close()
