"""Texts that every form of report writes the same way."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.sample import facts

from heldout.reports.captions import (
    correction_note,
    figures_text,
    filled,
    note_on_test,
    protocol,
    tunings,
    uncalled_note,
)


def test_coverage_after_fallback_stands_beside_when_it_differs():
    row = facts().board(0)[0]
    assert filled(replace(row, coverage=0.8, coverage_ranked=1.0)) == "80.0% → 100%"
    assert filled(replace(row, coverage=0.8, coverage_ranked=0.8)) == "80.0%"
    assert filled(replace(row, coverage=None, coverage_ranked=None)) == "–"


def test_the_correction_names_its_family():
    pair = facts().comparisons[0]
    assert correction_note(pair) == "p adjusted by holm over 15 comparisons"
    assert correction_note(replace(pair, correction="none")) == "p not adjusted for the number of comparisons"
    assert correction_note(replace(pair, family=1)) == "one comparison, so p needs no adjustment"
    assert correction_note(replace(pair, test="tukey", correction="tukey")) == "p holds for all 15 pairs together"
    assert correction_note(replace(pair, p=None, reason="too few users")) == "too few users"
    assert note_on_test(replace(pair, test="none")) == "Nothing was tested"


def test_figures_stand_in_the_order_of_their_names():
    pair = replace(facts().comparisons[0], figures={"worse": 0.04, "better": 0.81, "equal": 0.15})
    assert figures_text(pair) == "better 81.0%, equal 15.0%, worse 4.0%"


def test_a_protocol_names_every_stage_that_has_a_choice():
    setting = facts().settings[0]
    stages = dict(protocol(replace(setting, choices={**setting.choices, "filter": ""})))
    assert "filter" not in stages and stages["metric"] == setting.metric and stages["target"] == "AllItems"


def test_a_tuned_system_says_how_its_parameters_were_chosen():
    tuning = {
        "parameters": {"k": 20, "alpha": 0.123456},
        "ranges": {"k": "5 to 50"},
        "trials": 1200,
        "cpu_seconds": 3.14159,
        "metric": "nDCG@10",
        "value": 0.4,
        "validation": "ratio(train=0.8)",
    }
    entries = [{"name": "KNN", "model": "KNN(k=20)", "tuning": tuning}, {"name": "Popularity", "model": "Popularity"}]
    sample = replace(facts(), manifest={"study": {"recommend": entries}})
    assert tunings(sample) == [
        (
            "KNN",
            "k=20, alpha=0.1235 by nDCG@10 = 0.4000 on validation ratings (ratio(train=0.8)); 1,200 trials, "
            "3.1 CPU seconds; looked for k in 5 to 50",
        )
    ]
    assert tunings(facts()) == []


def test_a_winner_that_is_not_called_is_explained():
    """Else a reader of the table of pairs sees p < 0.001 behind the name of a leader that the verdict does not call."""
    row = facts().verdict.rows[0]
    reason = "leads among users of whom 12.0% are served by every system"
    note = uncalled_note(replace(row, refused=reason, remark="few users served"))
    assert note.startswith(f"No winner is called: the leader {reason}.")
    assert uncalled_note(row) == "" and uncalled_note(None) == ""
