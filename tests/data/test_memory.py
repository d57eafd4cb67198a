"""Ratings in memory as the source of a study."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from heldout import read
from heldout.data.memory import InMemory
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


def test_merged_pairs_are_still_known_as_merged() -> None:
    """u rated 1 at times 5 and 50: an audit must know, whichever time the pair carries, in any order of rows."""
    rows = {"user": ["v", "u", "u"], "item": [2, 1, 1], "rating": [3.0, 4.0, 1.0], "timestamp": [9, 5, 50]}
    data = read(rows, duplicates="sum")
    again = InMemory(data).read().interactions()
    assert again.time is not None and again.merged_time is not None
    assert (again.time.tolist(), again.merged_time.tolist()) == ([5, 9], [50, 9])
    log = InMemory(data).read()
    backwards = replace(
        log,
        user_id=log.user_id.reverse(),
        item_id=log.item_id.reverse(),
        value=log.value[::-1],
        time=log.time[::-1],  # type: ignore[index]
        merged_time=log.merged_time[::-1],  # type: ignore[index]
    )
    for keep in ("error", "latest"):
        turned = backwards.interactions(keep)  # type: ignore[arg-type]
        assert turned.merged_time is not None and turned.merged_time.tolist() == [50, 9]
