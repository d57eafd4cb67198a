"""What a process of Ray's says of a task."""

from __future__ import annotations

import numpy as np

import heldout as ho
from heldout.engine.ray_worker import raised, versions


def test_what_users_can_mend_is_told_as_it_is() -> None:
    mended = raised(ho.SpecError("no such thing", where="here"))
    assert mended.reason == "here: no such thing"
    assert raised(ValueError("no 7")).reason == "ValueError: no 7"
    assert raised(KeyError()).reason == "KeyError"
    assert not mended.unsendable


def test_versions_that_numbers_depend_on() -> None:
    assert versions() == {"heldout": ho.__version__, "numpy": np.__version__}
