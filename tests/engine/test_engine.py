"""Engines describe themselves."""

from __future__ import annotations

import os

import pytest
from tests.engine.test_processes import task

from heldout.engine.engine import InProcess
from heldout.engine.processes import Processes
from heldout.errors import SpecError


def test_engines_describe_themselves() -> None:
    assert InProcess().describe() == {"engine": "in process"}
    assert Processes(3).describe() == {"engine": "3 processes"}
    with pytest.raises(SpecError, match="workers: cannot work in 0 processes"):
        Processes(0)
    assert next(InProcess().run([task("times", number=2)]))["pid"] == os.getpid()
