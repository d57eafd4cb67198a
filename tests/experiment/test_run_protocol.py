"""How runs are judged, and what is recorded of it."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.data.memory import InMemory
from heldout.errors import SpecError
from heldout.experiment.run_protocol import run_protocol

SOURCE = InMemory(None, "test set")


def test_a_rule_that_is_written_needs_no_ratings() -> None:
    def unread() -> tuple[np.ndarray, np.ndarray]:
        raise AssertionError("the ratings are not asked for")

    protocol = run_protocol(
        SOURCE, unread, relevance="threshold(4)", target="AllItems", unrated="zero", ties=["item", "trec"], seed=3
    )
    assert [str(rule) for rule in protocol.relevance] == ["threshold(tau=4)"]
    assert [str(rule) for rule in protocol.ties] == ["item", "trec"]
    assert protocol.seed == 3
    assert protocol.guess is None


def test_a_rule_is_guessed_from_distinct_ratings() -> None:
    grades = np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([1, 1, 5, 8, 3])
    protocol = run_protocol(SOURCE, lambda: grades, relevance=None, target="AllItems", unrated="zero", ties="item", seed=1)
    assert protocol.guess is not None
    assert str(protocol.guess.rule) == "threshold(tau=4)"


def test_a_wrong_option_names_its_stage() -> None:
    with pytest.raises(SpecError, match="ties"):
        run_protocol(
            SOURCE,
            lambda: (np.ones(1), np.ones(1, np.int64)),
            relevance=None,
            target="AllItems",
            unrated="zero",
            ties="x",
            seed=1,
        )
