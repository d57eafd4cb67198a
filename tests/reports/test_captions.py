"""Texts that every form of report writes the same way."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.sample import facts

from heldout.analysis.sentences import how_tested
from heldout.reports.views import tuning_text, uncalled_note, users_text


def test_the_correction_names_its_family():
    pair = facts().comparisons[0]
    assert how_tested(pair) == f"Test: {pair.test}, holm over 15 pairs."
    assert how_tested(replace(pair, correction="none")) == f"Test: {pair.test}, not corrected for 15 pairs."
    assert how_tested(replace(pair, family=1)) == f"Test: {pair.test}."
    assert how_tested(replace(pair, test="tukey", correction="tukey")) == "Test: tukey, for all 15 pairs together."
    assert how_tested(replace(pair, p=None, reason="too few users")) == f"Test: {pair.test}, too few users."
    assert how_tested(replace(pair, test="none")) == "Nothing was tested."


def test_figures_stand_in_the_order_of_their_names():
    pair = replace(facts().comparisons[0], users=100, figures={"worse": 0.04, "better": 0.81, "equal": 0.15})
    assert users_text(pair) == "100 (better 81.0%, equal 15.0%, worse 4.0%)"
    assert users_text(replace(pair, p=None)) == users_text(replace(pair, figures={})) == "100"


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
    assert tuning_text(tuning) == (
        "k=20, alpha=0.1235 by nDCG@10 = 0.4000 on validation ratings (ratio(train=0.8)); 1,200 trials, 3.1 CPU seconds; "
        "looked for k in 5 to 50"
    )


def test_a_winner_that_is_not_called_is_explained():
    """Else a reader of the table of pairs sees p < 0.001 behind the name of a leader that the verdict does not call."""
    row = facts().verdict.rows[0]
    reason = "leads among users of whom 12.0% are served by every system"
    note = uncalled_note(replace(row, refused=reason, remark="few users served"))
    assert note.startswith(f"No winner is called: the leader {reason}.")
    assert uncalled_note(row) == "" and uncalled_note(None) == ""
