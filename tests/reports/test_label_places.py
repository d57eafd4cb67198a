"""Labels that would cover one another move apart, as little as they need to."""

from __future__ import annotations

from heldout.reports.label_places import label_places


def test_labels_far_apart_stay() -> None:
    assert label_places([30.0, 5.0, 60.0], 10, 0, 100) == [30.0, 5.0, 60.0]


def test_labels_too_near_move_on_in_their_order() -> None:
    assert label_places([12.0, 10.0, 11.0], 10, 0, 100) == [30.0, 10.0, 20.0]


def test_labels_pushed_beyond_the_end_push_the_others_back() -> None:
    assert label_places([95.0, 99.0, 98.0], 10, 0, 100) == [80.0, 100.0, 90.0]


def test_labels_outside_come_inside() -> None:
    assert label_places([-5.0, 120.0], 10, 0, 100) == [0.0, 100.0]
