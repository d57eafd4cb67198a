"""What is said of metrics."""

from __future__ import annotations

from tests.review.methods.sections import FILTERED, text_of

import heldout as ho


def test_metrics_of_distance_say_what_it_is_over() -> None:
    said = text_of(ho.methods({**FILTERED, "metrics": ["P@5", "ILD(features=genres)@10"]}), "Metrics")
    assert "items being compared by the cosine of their features (`genres`)" in said
    said = text_of(ho.methods({**FILTERED, "metrics": ["P@5", "ILD@10"]}), "Metrics")
    assert "items being compared by the cosine of their training ratings" in said
    said = text_of(ho.methods({**FILTERED, "metrics": ["P@5", "Serendipity@10"]}), "Metrics")
    assert "being compared" not in said


def test_every_parameter_of_a_metric_that_is_not_the_default_is_told() -> None:
    said = text_of(ho.methods({**FILTERED, "metrics": ["bpref(negative=nonrelevant)", "P@5"]}), "Metrics")
    assert "(negative = nonrelevant)" in said
