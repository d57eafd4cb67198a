"""The figures of a metric in words."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.metric_trial import NAN, trial

from heldout.metric_quality.findings import CRITERIA, MetricRow
from heldout.reports.metric_quality_figures import CRITERIA_WORDS, figures, rule_words


def words(row: MetricRow, key: str) -> str:
    (figure,) = [figure for figure in figures(trial()) if figure.key == key]
    return figure.text(row)


def test_every_figure_is_said_with_its_uncertainty() -> None:
    rows = {row.metric: row for row in trial().rows}
    best = rows["nDCG@10"]
    assert words(best, "mean_p") == "0.020 ± 0.010"
    assert words(replace(best, mean_p_error=NAN), "mean_p") == "0.020"
    assert words(best, "half_mean_p") == "0.020 ± 0.020"
    assert words(replace(best, mean_p=0.0002, mean_p_error=0.0001), "mean_p") == "< 0.001"  # never 0.000 ± 0.000
    assert words(replace(best, mean_p=0.0002, mean_p_error=0.004), "mean_p") == "< 0.001 ± 0.004"
    assert words(best, "dp") == "0.12"  # 6 pairs of a mean p of 0.02
    assert words(replace(best, dp=0.0021), "dp") == "0.002"
    assert words(replace(best, dp=0.00006), "dp") == "< 0.001"  # never 0.00
    assert words(replace(best, dp=NAN), "dp") == "–"
    assert words(best, "swap_users") == "≤ 800"
    assert words(rows["P@5"], "swap_users") == "≈ 800"
    assert words(replace(best, swap_users=None), "swap_users") == "–"
    assert words(best, "missing_low") == "5%"
    assert words(rows["P@5"], "missing_low") == "none"
    assert words(rows["AUC"], "missing_low") == "–"  # it has no τ: nothing is known of it
    assert words(rows["AUC"], "missing_tau") == "–"


def test_figures_that_no_metric_has_are_left_out() -> None:
    keys = {figure.key for figure in figures(trial())}
    assert not keys & {"stability_tau", "tie_tau", "validity_tau"}
    rows = trial().rows
    valid = trial(rows=(replace(rows[0], validity_tau=0.8), *rows[1:]))
    (figure,) = [figure for figure in figures(valid) if figure.key == "validity_tau"]
    assert [figure.text(row) for row in valid.rows[:2]] == ["0.800", "–"]


def test_the_rule_has_words_for_every_criterion() -> None:
    assert CRITERIA_WORDS.keys() == CRITERIA.keys()
    assert rule_words(("mean_p", "missing_tau")) == "mean p and τ with ratings missing"


def test_better_agrees_with_what_metrics_are_ranked_by() -> None:
    for figure in figures(trial()):
        if figure.key in CRITERIA:
            assert figure.better == ("higher" if CRITERIA[figure.key] else "lower")
