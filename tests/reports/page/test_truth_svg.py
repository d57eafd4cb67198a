"""The drawings of a page on the truth."""

from __future__ import annotations

import re

from tests.reports.truth_rows import NAN, ROWS, estimator

from heldout.reports.page.truth_svg import bias_chart, right_chart


def dots(chart: str, room: str) -> list[tuple[str, float, float]]:
    """Title and place of each dot, in the drawing for wide or narrow screens."""
    drawing = next(part for part in chart.split("</svg>") if f'class="lines {room}"' in part)
    found = re.findall(r"<circle cx=.([\d.]+). cy=.([\d.]+).[^>]*><title>(.*?)</title>", drawing)
    return [(title, float(x), float(y)) for x, y, title in found]


def test_a_dot_for_each_protocol_that_was_judged_the_better_the_further_right() -> None:
    for room in ("broad", "narrow"):
        places = dots(str(right_chart(ROWS[:2] + ROWS[3:])), room)
        assert [title.partition(",")[0] for title, _, _ in places] == ["AI-AR", "1R", "P1R"]  # UAR was not
        across, down = [x for _, x, _ in places], [y for _, _, y in places]
        assert across == sorted(across, reverse=True) and down == sorted(down)


def test_everything_stays_within_its_drawing() -> None:
    for chart in (right_chart(ROWS), bias_chart([row for row in ROWS if row.same_scale])):
        for drawing in str(chart).split("</svg>")[:2]:
            width, height = map(float, re.findall(r"viewBox=.0 0 (\d+) (\d+)", drawing)[0])
            for x, y in re.findall(r"c?x=.([\d.]+). c?y=.([\d.]+).", drawing):
                assert 0 <= float(x) <= width and 0 <= float(y) <= height


def test_less_bias_stands_further_left_and_names_are_for_wide_screens() -> None:
    chart = str(bias_chart([row for row in ROWS if row.same_scale]))
    biased, unbiased = dots(chart, "broad")
    assert "bias −0.2000" in biased[0] and unbiased[1] < biased[1]
    broad, narrow, _ = chart.split("</svg>")
    assert ">AI-AR</text>" in broad and ">AI-AR</text>" not in narrow


def test_one_estimator_alone_and_no_interval_are_drawn_too() -> None:
    alone = estimator("AI-AR", 0.9, right_low=NAN, right_high=NAN, bias=0.0, error=0.0, rmse=0.0, truth=0.4)
    assert "whisker" not in str(right_chart([alone])) and str(bias_chart([alone])).count("<circle") == 2
