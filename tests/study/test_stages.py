"""Options and defaults of stages."""

from __future__ import annotations

import pytest

from heldout.catalogue import KINDS
from heldout.errors import SpecError
from heldout.study.stages import DEFAULTS, KINDS_OF_STAGE, listed, make_options


def test_one_or_a_list() -> None:
    assert listed("a") == listed(["a"]) == listed(("a",)) == ["a"]


def test_options_are_distinct_and_in_order() -> None:
    assert [str(m) for m in make_options("metric", ["P@[10, 5]", "P@5", "RR"])] == ["P@10", "P@5", "RR"]


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(SpecError) as error:
        make_options("metric", ["Pq@5", "RR", "Recal@5"])
    assert "Pq" in str(error.value) and "Recal" in str(error.value)
    with pytest.raises(SpecError, match="the list of options is empty"):
        make_options("metric", [])


def test_every_default_is_one_of_its_stage() -> None:
    assert set(KINDS_OF_STAGE.values()) <= set(KINDS)
    for stage in DEFAULTS.keys() & KINDS_OF_STAGE.keys() - {"filters", "users"}:
        assert make_options(KINDS_OF_STAGE[stage], DEFAULTS[stage])
