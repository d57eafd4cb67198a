"""Labels that would cover one another move apart, as little as they need to."""

from __future__ import annotations

from heldout.reports.charts.label_places import beside_points, label_places


def test_labels_far_apart_stay() -> None:
    assert label_places([30.0, 5.0, 60.0], 10, 0, 100) == [30.0, 5.0, 60.0]


def test_labels_too_near_move_on_in_their_order() -> None:
    assert label_places([12.0, 10.0, 11.0], 10, 0, 100) == [30.0, 10.0, 20.0]


def test_labels_pushed_beyond_the_end_push_the_others_back() -> None:
    assert label_places([95.0, 99.0, 98.0], 10, 0, 100) == [80.0, 100.0, 90.0]


def test_labels_outside_come_inside() -> None:
    assert label_places([-5.0, 120.0], 10, 0, 100) == [0.0, 100.0]


WHOLE = {"wide": 200.0, "tall": 100.0}
ROOM = {"line": 10.0, "gap": 5.0, "top": 100.0, "right": 200.0}


def test_a_label_stands_on_the_right_of_its_point_unless_something_is_there() -> None:
    assert beside_points([(50.0, 50.0)], [40.0], **ROOM) == [(55.0, 50.0)]
    crowded = beside_points([(50.0, 50.0), (70.0, 50.0)], [40.0, 40.0], **ROOM)
    assert crowded == [(5.0, 50.0), (75.0, 50.0)]  # the second point is in the way of the first label


def test_a_label_moves_up_or_down_where_both_sides_are_taken_and_stays_within_the_drawing() -> None:
    spots = [(100.0, 98.0), (100.0, 97.0), (100.0, 96.0)]
    places = beside_points(spots, [40.0] * 3, **ROOM)
    assert places == [(105.0, 98.0), (55.0, 97.0), (105.0, 86.0)]  # 106 would be above the top
    assert beside_points([(190.0, 50.0)], [40.0], **ROOM) == [(145.0, 50.0)]


def test_a_label_without_any_room_stands_where_it_would_have() -> None:
    assert beside_points([(50.0, 50.0)], [400.0], **ROOM) == [(55.0, 50.0)]
