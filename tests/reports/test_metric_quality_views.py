"""What all forms of a report on metrics draw alike."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.metric_trial import trial

from heldout.reports.metric_quality_views import (
    at_depth,
    best_of_each,
    depths,
    depths_agreement,
    drawn_on_front,
    main_depth,
    metrics_agreement,
    named_on_front,
    names,
    of_name,
    pairs_words,
    sizes_words,
    sweep_by_metric,
    undecided_from,
    user_sizes,
)


def test_rows_by_metric_and_by_depth() -> None:
    quality = trial()
    assert names(quality) == ["P", "nDCG", "<b>&", "AUC"]
    assert depths(quality) == [5, 10, None]
    assert [row.metric for row in at_depth(quality, 10)] == ["P@10", "nDCG@10", "<b>&@10"]
    assert [row.depth for row in of_name(quality, "nDCG")] == [5, 10]
    assert main_depth(quality) == 10  # as many metrics as at 5, and deeper
    assert [row.metric for row in best_of_each(quality)] == ["P@10", "nDCG@10", "<b>&@10", "AUC"]


def test_what_nothing_beats_and_each_metric_at_its_best_depth_are_named() -> None:
    drawn = drawn_on_front(trial().rows)
    assert "AUC" not in [row.metric for row in drawn]  # it has no τ
    assert [row.metric for row in named_on_front(drawn)] == ["P@10", "nDCG@10", "<b>&@10"]
    without = [row for row in drawn if row.metric != "nDCG@10"]
    assert [row.metric for row in named_on_front(without)] == ["P@10", "nDCG@5", "<b>&@10"]  # P@10 beats nDCG@5 in both


def test_a_sweep_has_the_points_with_a_tau_from_all_ratings_down() -> None:
    sweeps = sweep_by_metric(reversed(trial().missing))
    assert [point.share for point in sweeps["P@5"]] == [1.0, 0.5, 0.05]
    assert [point.share for point in sweeps["AUC"]] == [1.0]


def test_sizes() -> None:
    assert sizes_words(trial()) == "4 systems (6 pairs), 1,000 users, 7 metrics"
    assert sizes_words(trial(folds=3)) == "4 systems (6 pairs), 1,000 users, 3 folds, 7 metrics"


def test_agreement_in_words() -> None:
    """P and nDCG order the systems alike, the third exchanges two neighbours: τ = 1 − 2/6."""
    first, second = metrics_agreement(trial())
    assert first == "At 10, nDCG and P order the systems alike (mean τ ≥ 0.95)."
    assert second == "At 10, P and <b>& agree least: τ 0.67."
    assert depths_agreement(trial(between_depths=())) == []
    assert depths_agreement(trial())[0].startswith("Lowest τ between two depths: P 0.67 (5 and 10), nDCG 0.67")
    matrices = trial().between_depths
    alike = replace(matrices[0], tau=((1.0, 1.0), (1.0, 1.0)))
    assert depths_agreement(trial(between_depths=(alike, matrices[1]))) == [
        "P orders the systems alike at every depth.",
        "Lowest τ between two depths: nDCG 0.67 (5 and 10).",
    ]


def test_reliability_is_drawn_at_whole_numbers_of_users() -> None:
    """1,000 users: from 10 to 4,000, each once; a curve over other numbers than it is worked out for has kinks."""
    sizes = user_sizes(trial())
    assert sizes[0] == 10 and sizes[-1] == 4000 and len(set(sizes)) == len(sizes) > 35
    assert all(isinstance(n, int) for n in sizes)


def test_curves_of_p_begin_where_some_metric_is_not_sure() -> None:
    """Three of six p-values are below 0.001 by every metric."""
    assert undecided_from(trial()) == 3
    assert pairs_words(trial()) == "pairs of systems, by p-value; p < 0.001 in the first 3"
    quality = trial()
    unsure = replace(quality.power[0], curve=(0.2, 0.3, 0.4, 0.5, 0.6, 0.7))
    assert undecided_from(replace(quality, power=(unsure, *quality.power[1:]))) == 1
    sure = tuple(replace(power, curve=(0.0,) * 6) for power in quality.power)
    assert undecided_from(replace(quality, power=sure)) == 5  # a line needs two points
