"""Tie rules by hand: the order of items "7", "12" and "100" of equal score."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from heldout.catalogue import make
from heldout.tables import Vocabulary

TEXTS, NUMBERS = Vocabulary.of(pl.Series(["7", "12", "100", "x"])), Vocabulary.of(pl.Series([7, 12, 100]))


def order(rule: str, items: Vocabulary) -> list[str]:
    return [str(items.ids[k]) for k in np.argsort(make("ties", rule).keys(items))]


@pytest.mark.parametrize("rule", ["item", "file", "expected", "random"])
def test_numbers_stand_in_catalogue_order(rule: str) -> None:
    assert order(rule, NUMBERS) == ["7", "12", "100"]


def test_trec_order_is_that_of_descending_texts() -> None:
    assert order("trec", TEXTS) == ["x", "7", "12", "100"] and order("trec", NUMBERS) == ["7", "12", "100"]


def test_random_orders_change_with_the_seed_and_the_fold() -> None:
    draws = [make("ties", f"random({seed})").draws(fold) for seed in (1, 2) for fold in (0, 1)]
    assert len(set(draws)) == 4 and all(draw % 2 for draw in draws)  # odd, so that none is 0, which draws nothing
    assert make("ties", "random") == make("ties", "random(1)")
    assert make("ties", "expected").expects and not make("ties", "random").expects
