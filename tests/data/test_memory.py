"""Ratings in memory as the source of a study."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.data.memory import InMemory
from heldout.data.read import read
from heldout.errors import SpecError, UnknownNameError

FRAME = {"user": ["u", "v"], "item": [1, 2], "rating": [3.0, 4.0]}


def test_what_is_read_is_not_what_the_caller_may_still_change() -> None:
    ratings = np.array([3.0, 4.0])
    log = InMemory({**FRAME, "rating": ratings}).read()
    ratings[0] = 99
    assert log.value.tolist() == [3, 4]
    data = read(FRAME)
    log = InMemory(data).read()
    log.value[0] = 99
    assert data.value.tolist() == [3, 4]


def test_ratings_come_back_with_their_ids_times_and_utilities() -> None:
    data = read({**FRAME, "timestamp": [7, 8], "utility": [0.5, 0.25]})
    log = InMemory(data, "mine").read()
    assert log.user_id.to_list() == ["u", "v"] and log.item_id.to_list() == [1, 2] and log.source == "mine"
    assert log.interactions().digest == data.digest
    assert InMemory(data).source_digest() == data.digest


def test_the_digest_is_of_the_content_and_not_of_the_name() -> None:
    digests = {
        InMemory(frame, name).source_digest()
        for frame, name in (
            (FRAME, "a"),
            (FRAME, "b"),
            ({**FRAME, "rating": [3.0, 5.0]}, "a"),
            ({**FRAME, "user": ["v", "u"]}, "a"),
            ({**FRAME, "timestamp": [7, 8]}, "a"),
        )
    }
    assert len(digests) == 4


def test_columns_are_named_for_frames_alone() -> None:
    log = InMemory(
        {"who": ["u"], "what": ["i"], "stars": [4]}, columns={"user": "who", "item": "what", "value": "stars"}
    ).read()
    assert log.user_id.to_list() == ["u"] and log.value.tolist() == [4]
    with pytest.raises(UnknownNameError, match="unknown parameter of a frame 'usr'; did you mean user"):
        InMemory(FRAME, columns={"usr": "who"})
    with pytest.raises(SpecError, match="these ratings have their columns, so user cannot be chosen"):
        InMemory(read(FRAME), columns={"user": "who"})
