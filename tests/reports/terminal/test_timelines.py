"""Splits drawn as lines of a few users."""

from __future__ import annotations

import numpy as np
import pytest

from heldout import read
from heldout.catalogue import classes, make
from heldout.reports.terminal.timelines import example_timeline, parts_by_row, timeline
from heldout.splits.splitter import Splitter
from heldout.tables import Interactions, Split, Vocabulary


def small() -> tuple[Interactions, Split]:
    user, item = np.divmod(np.arange(12), 4)
    time = np.array([0, 10, 20, 30] * 3, dtype=np.int64)
    data = Interactions.build(Vocabulary.numbered(3), Vocabulary.numbered(4), user, item, np.ones(12), time=time)
    return data, next(iter(make("split", "test_users(2, then=temporal(at=0.6))").split(data, seed=1)))


def test_a_timeline_by_hand() -> None:
    data, split = small()
    # the cut is at 20, the time of the 8th of 12 ratings: two tested users have the rest hidden, the third has it dropped
    lines = timeline(split, data, users=3, width=4).plain.splitlines()
    assert [row.partition("│")[2][:4] for row in lines[:3]] == ["··██", "··██", "··××"]
    assert "× dropped" in lines[-1] and lines[-2].split() == ["old", "new"]
    found, where = parts_by_row(split, data)
    assert found is data and np.bincount(where).tolist() == [6, 0, 4, 2]
    alone, where = parts_by_row(split, None)
    assert len(alone) == 10 and np.bincount(where, minlength=3).tolist() == [6, 0, 4]


def test_splits_without_times_are_drawn_by_item() -> None:
    data = read({"user": [1, 1, 1, 2, 2, 2], "item": [1, 2, 3, 1, 2, 3], "rating": [1.0] * 6})
    split = next(iter(make("split", "leave_out(1)").split(data, seed=1)))
    text = timeline(split, data, users=2, width=30).plain
    assert "first item" in text and text.count("█") == 3  # two ratings and the legend


@pytest.mark.parametrize("cls", [c for c in classes("split") if c.__module__.startswith("heldout.")], ids=lambda c: c.key)
def test_every_split_of_a_data_set_is_drawn(cls: type[Splitter]) -> None:
    if not cls.drawn:
        assert cls.predefined, f'{cls.__name__} declares no text form to draw: drawn = "{cls.key}(…)"'
        return
    assert make("split", cls.drawn).key == cls.key
    text = example_timeline(cls.drawn).plain
    assert "█" in text and "·" in text
