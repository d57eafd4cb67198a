"""Tables of a study: names, raw values, what stands out, what folds and what captions say."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest
from tests.reports.kept import facts_of, study_scores_of
from tests.reports.pictured import pictured
from tests.reports.sample import SYSTEMS, TESTS, facts

import heldout as ho
from heldout.analysis.findings import Findings
from heldout.analysis.rows import PairRow
from heldout.reports import study_tables
from heldout.reports.document import Table
from heldout.reports.views import BOUNDS, DESCRIPTIVE

METRICS = ["nDCG@10", "P@10", "Recall@50", "RMSE"]
"""Metrics of the sample under the target of its primary setting."""


def table(made: Table | None) -> Table:
    assert made is not None
    return made


def refused(sample: Findings, why: str = "serves few") -> Findings:
    """The sample if no winner may be called anywhere."""
    rows = tuple(replace(row, refused=why, remark="few users served", significant=False) for row in sample.verdict.rows)
    return replace(sample, verdict=replace(sample.verdict, rows=rows))


def people_see(made: Table) -> list[str]:
    shown, _ = made.folded()
    return [column.name for column in shown.columns]


# Leaderboard


def test_the_leaderboard_holds_every_metric_of_the_protocol() -> None:
    sample = facts()
    board = table(study_tables.leaderboard(sample))
    assert board.values("System") == list(SYSTEMS)
    assert [column.text(name, 0) for column, name in ((board.columns[0], name) for name in SYSTEMS)] == [
        *("EASE", "ALS", "UserKNN", "ItemKNN", "Popularity", "Random")
    ]
    assert [name for name in board.frame.columns if name in METRICS] == METRICS
    for number, metric in ((0, "nDCG@10"), (1, "P@10"), (2, "Recall@50"), (7, "RMSE")):
        rows = {row.system: row for row in sample.board(number)}
        assert board.values(metric) == [rows[system].value for system in SYSTEMS]
        assert board.frame[f"{metric} interval low"].to_list() == [rows[system].low for system in SYSTEMS]
        assert board.values(f"{metric} group") == [rows[system].group for system in SYSTEMS]
        assert board.column(metric).better == ("lower" if metric == "RMSE" else "higher")
    assert board.values("RMSE")[0] is None  # the first system predicts no ratings


def test_p_of_the_leaderboard_is_that_of_the_difference_from_the_leader() -> None:
    sample = facts()
    board = table(study_tables.leaderboard(sample))
    pairs = {row.b: row.p_adjusted for row in sample.against_others(0, TESTS[0])}
    assert board.values("p adjusted") == [None, *(pairs[system] for system in SYSTEMS[1:])]
    for part in ("holm over 15 pairs", TESTS[0], "split ratio(train=0.8, by=user)", "AllItems"):
        assert part in board.caption
    untested = table(study_tables.leaderboard(replace(sample, comparisons=())))
    assert "p adjusted" not in untested.frame.columns and "p adjusted" not in untested.caption


def test_columns_with_one_value_fold_and_stay_in_frames() -> None:
    board = table(study_tables.leaderboard(facts()))
    _, sentence = board.folded()
    assert (
        sentence.startswith("Same for all systems: ") and "users averaged 6,034" in sentence and "undefined 17" in sentence
    )
    assert "Users averaged" not in people_see(board) and "Users averaged" in board.frame.columns
    assert {"Coverage@10", "Filled@10", "Unrated@10"} <= set(people_see(board))
    for form in (board.to_latex(), board.to_markdown()):
        assert "users averaged 6,034" in form


def test_people_see_filled_places_and_ties_only_if_they_say_something_and_frames_always_have_them() -> None:
    sample = facts()
    same = tuple(replace(row, coverage_ranked=row.coverage, tied=None) for row in sample.leaderboard)
    board = table(study_tables.leaderboard(replace(sample, leaderboard=same)))
    _, sentence = board.folded()
    for name in ("Filled@10", "Tied@10"):
        assert name in board.frame.columns and name not in people_see(board) and name.lower() not in sentence.lower()


def test_a_metric_without_a_cut_off_names_none() -> None:
    sample = facts()
    whole = tuple(replace(s, metric="AUC") if s.id == 0 else s for s in sample.settings)
    assert "Unrated@n" in table(study_tables.leaderboard(replace(sample, settings=whole))).frame.columns


def test_only_a_system_better_than_every_other_is_bold() -> None:
    """EASE leads nDCG@10 and P@10 by many standard errors, ALS shares a letter with EASE in Recall@50."""
    board = table(study_tables.leaderboard(facts()))
    assert {name for row, name in board.strong if row == 0} == {"nDCG@10", "P@10"}
    assert (1, "Recall@50") not in board.strong
    letters = board.values("Recall@50 group")
    assert set(letters[0]) & set(letters[1])
    assert r"\textbf{0.4682}" in board.to_latex() and r"\textbf{0.3988}" not in board.to_latex()
    assert "Bold: significantly better than every other system." in board.caption


def test_nobody_is_bold_whom_the_verdict_does_not_call() -> None:
    board = table(study_tables.leaderboard(refused(facts())))
    assert not board.strong and "Bold" not in board.caption
    assert "No winner is called: the leader serves few." in board.caption
    assert not table(study_tables.settings(refused(facts()))).strong


def test_with_a_baseline_nobody_is_better_than_every_other() -> None:
    """Best beats the baseline Good; whether it beats Twin and Poor was not tested."""
    sample = facts_of(study_scores_of(), metrics="P@10", baseline="Good")
    board = table(study_tables.leaderboard(sample))
    assert sample.verdict.rows[0].significant and not board.strong
    assert "with the baseline Good" in board.caption and "letter" not in board.caption
    assert "P@10 group" not in board.frame.columns


def test_a_tie_has_no_bold() -> None:
    sample = facts_of(study_scores_of(), metrics="P@10", tests=["t"])
    twins = {"Good", "Twin"}
    tied = replace(
        sample,
        systems=("Good", "Twin"),
        leaderboard=tuple(row for row in sample.leaderboard if row.system in twins),
        comparisons=tuple(pair for pair in sample.comparisons if {pair.a, pair.b} == twins),
    )
    assert not table(study_tables.leaderboard(tied)).strong


def test_letters_belong_to_the_test_that_made_them() -> None:
    sample = facts()
    own, other = (table(study_tables.leaderboard(sample, 0, test)) for test in TESTS)
    assert any(own.values("nDCG@10 group")) and not any(other.values("nDCG@10 group"))
    assert "share a letter" in own.caption and "share a letter" not in other.caption
    assert TESTS[1] in other.caption


def test_of_many_metrics_people_see_the_interval_of_the_first() -> None:
    sample = facts()
    added = [replace(sample.settings[0], id=k, metric=f"P@{k}", label=f"P@{k}") for k in (20, 30)]
    rows = [replace(row, setting=k) for row in sample.board(0) for k in (20, 30)]
    many = replace(sample, settings=(*sample.settings, *added), leaderboard=(*sample.leaderboard, *rows))
    board = table(study_tables.leaderboard(many))
    assert [name for name in people_see(board) if name.endswith("interval")] == ["nDCG@10 interval"]
    assert {f"{metric} interval low" for metric in (*METRICS, "P@20", "P@30")} <= set(board.frame.columns)
    assert board.to_markdown().count("95% CI") == 1 and board.to_latex().count(r"95\% CI") == 1


def test_a_setting_without_a_value_has_no_leaderboard() -> None:
    assert study_tables.leaderboard(replace(facts(), leaderboard=())) is None


def test_lower_is_better_is_said_in_the_head() -> None:
    board = table(study_tables.leaderboard(facts(), 7))
    assert board.values("System")[0] == SYSTEMS[1] and board.values("RMSE")[0] == 0.8871
    assert "RMSE (lower is better)" in {column.group for column in board.columns}
    assert (0, "RMSE") in board.strong


# Pairs


def test_differences_are_those_of_the_leader_from_each_other_system() -> None:
    sample = facts()
    made = table(study_tables.differences(sample))
    pairs = sample.against_others(0, TESTS[0])
    assert made.title == "EASE against each other system" and made.values("Against") == list(SYSTEMS[1:])
    for name, field in (("Difference", "difference"), ("Effect d", "effect"), ("Better", "wins"), ("Worse", "losses")):
        assert made.values(name) == [getattr(pair, field) for pair in pairs]
    assert made.values("Interval") == [(pair.low, pair.high) for pair in pairs]
    assert made.values("p adjusted") == [pair.p_adjusted for pair in pairs]


def test_with_a_baseline_differences_are_from_it() -> None:
    sample = facts_of(study_scores_of(), metrics="P@10", tests=["t"], baseline="Good")
    made = table(study_tables.differences(sample))
    assert made.title == "Each system against the baseline Good" and made.values("System") == ["Best", "Twin", "Poor"]
    assert made.values("Difference") == [pair.difference for pair in sample.pairs(0, "t")]
    assert {*table(study_tables.pairs(sample)).values("Against")} == {"Good"}


def test_every_pair_has_a_row_and_is_bold_if_significant() -> None:
    sample = facts()
    made = table(study_tables.pairs(sample, 2))
    rows = sample.pairs(2, TESTS[0])
    assert list(zip(made.values("System"), made.values("Against"), strict=True)) == [(row.a, row.b) for row in rows]
    assert len(rows) == 15 and made.values("Difference") == [row.difference for row in rows]
    assert made.strong == {(k, "Difference") for k, row in enumerate(rows) if row.significant(0.05)}
    assert 0 < len(made.strong) < 15


def test_figures_of_a_test_have_columns() -> None:
    sample = facts_of(study_scores_of(), metrics="P@10", tests=["bayes(samples=200)"])
    made = table(study_tables.differences(sample))
    shares = [made.values(name) for name in ("P(better)", "P(equal)", "P(worse)")]
    assert [sum(row) for row in zip(*shares, strict=True)] == pytest.approx([1, 1, 1])
    assert "p" not in made.frame.columns and "p adjusted" not in made.frame.columns


def test_without_a_test_there_is_no_p() -> None:
    sample = facts_of(study_scores_of(), metrics="P@10", tests=[])
    for made in (table(study_tables.pairs(sample)), table(study_tables.differences(sample))):
        assert "Nothing was tested." in made.caption and "p" not in made.frame.columns
        assert made.frame["Difference"].null_count() == 0
    assert study_tables.pairs(replace(sample, comparisons=())) is None


def test_no_p_is_zero() -> None:
    """p = 0 is below the least number that is written; people see < 0.001, programs < 1e-300."""
    sample = facts()
    none = replace(sample, comparisons=tuple(replace(p, p=0.0, p_adjusted=0.0) for p in sample.comparisons))
    made = table(study_tables.pairs(none))
    assert made.frame["p"].to_list() == [0.0] * 15
    rows = list(csv.DictReader(io.StringIO(made.to_csv())))
    assert {row["p"] for row in rows} == {row["p adjusted"] for row in rows} == {"< 1e-300"}
    assert {row["p"] for row in json.loads(made.to_json())} == {"< 1e-300"}
    assert made.folded()[1] == "Same for all pairs: p < 0.001, p adjusted < 0.001, users 6,034."
    assert r"& 0 " not in made.to_latex()
    assert made.column("p").hover(0.0) == "< 1e-300"


# Settings


def test_settings_hold_leader_margin_and_every_value() -> None:
    sample = facts()
    made = table(study_tables.settings(sample))
    assert made.values("Setting")[0] == sample.settings[0].words and made.marked == {0}
    assert made.values("Setting")[-1] == "AllItems · RMSE (lower is better)"
    assert made.values("Leader") == [row.leader for row in sample.verdict.rows]
    margins = dict(zip(made.values("Setting"), made.values("Margin"), strict=True))
    assert margins["AllItems · nDCG@10"] == pytest.approx(0.4682 - 0.4553)
    assert margins["AllItems · Recall@50"] == pytest.approx(0.3962 - 0.3988)
    for system in SYSTEMS:
        assert made.values(system) == [sample.value(setting.id, system) for setting in sample.settings]
    assert {(k, name) for k, name in made.strong if k == 0} == {(0, SYSTEMS[0])}


def test_identical_settings_have_one_row() -> None:
    sample = facts()
    same = replace(sample, settings=tuple(replace(s, same_as=0 if s.id == 3 else None) for s in sample.settings))
    made = table(study_tables.settings(same))
    assert len(made.rows) == 7 and made.values("Setting")[0] == "AllItems = TestItems · nDCG@10"


def test_a_setting_without_a_winner_has_neither_leader_nor_p() -> None:
    made = table(study_tables.settings(refused(facts())))
    assert {*made.values("Leader")} == {*made.values("p adjusted")} == {None}
    assert {*made.values("Remark")} == {
        "not called: few users served"
    } and "Not called: the leader serves few." in made.caption


def test_a_setting_with_one_system_has_nothing_to_compare() -> None:
    sample = facts()
    without = replace(sample, verdict=replace(sample.verdict, rows=sample.verdict.rows[:-1]))
    assert table(study_tables.settings(without)).values("Remark")[-1] == "nothing to compare"


def test_one_setting_needs_no_table() -> None:
    sample = facts()
    assert study_tables.settings(replace(sample, settings=sample.settings[:1])) is None


def test_of_very_many_systems_the_first_and_all_leaders_have_columns() -> None:
    sample = facts()
    names = tuple(f"system {k}" for k in range(60))
    rows = tuple(
        replace(sample.leaderboard[0], setting=s.id, system=name, rank=k + 1, value=1 - k / 100)
        for s in sample.settings
        for k, name in enumerate(names if s.id != 1 else names[::-1])
    )
    many = replace(sample, systems=names, leaderboard=rows, comparisons=())
    many = replace(many, verdict=replace(sample.verdict, rows=(replace(sample.verdict.rows[1], leader=names[-1]),)))
    made = table(study_tables.settings(many))
    columns = [column.name for column in made.columns if column.name in names]
    assert len(columns) == study_tables.MOST_SYSTEMS and names[0] in columns and names[-1] in columns
    assert "30 of 60 systems" in made.caption
    assert len(table(study_tables.leaderboard(many)).rows) == 60


# Further tables


def test_each_aggregation_has_its_own_ranks() -> None:
    sample = facts_of(study_scores_of(), metrics="P@10", aggregate=["mean", "median"], tests=["t"])
    made = table(study_tables.aggregations(sample))
    for setting in sample.aggregations(sample.primary):
        rows = {row.system: row for row in sample.board(setting.id)}
        systems = made.values("System")
        assert made.values(setting.aggregate) == [rows[system].value for system in systems]
        assert made.values(f"{setting.aggregate} rank") == [rows[system].rank for system in systems]
    assert study_tables.aggregations(facts()) is None


def test_tests_of_all_systems_have_a_row_each() -> None:
    sample = facts_of(study_scores_of(), metrics="P@10", tests=["friedman", "tukey", "t"])
    made = table(study_tables.all_at_once(sample))
    assert made.values("Test") == ["friedman", "tukey"]
    assert made.values("Critical difference") == [layout.critical for layout in sample.layouts]
    assert made.values("p") == [layout.p for layout in sample.layouts]
    assert study_tables.all_at_once(facts()) is None


def test_groups_keep_their_intervals_in_frames() -> None:
    sample = pictured()
    for group in sample.pictures.groups:
        made = study_tables.group_table(sample, group)
        assert made.name == study_tables.kebab(group.title) and sorted(made.values("System")) == sorted(group.systems)
        for k, name in enumerate(group.groups):
            by_system = dict(zip(group.systems, group.values, strict=True))
            assert made.values(name) == [by_system[system][k] for system in made.values("System")]
        assert not any(name.endswith("interval") for name in people_see(made))


def test_popularity_of_what_is_recommended_ends_with_the_catalogue() -> None:
    made = table(study_tables.popularity_shares(pictured()))
    assert made.values("Share of")[-1] == "catalogue" and made.values("Share of")[0] == SYSTEMS[0]
    assert study_tables.popularity_shares(facts()) is None


@pytest.fixture(scope="module")
def described() -> Findings:
    study: dict[str, Any] = {
        "data": "simulate(users=80, items=40, ratings=1200)",
        "split": "ratio(train=0.7, by=user)",
        "recommend": ["Popularity", "Random"],
        "metrics": ["P@5", "Novelty@5", "FullPosition@1"],
        "unrated": ["zero", "interval"],
    }
    return ho.run(study).findings


def test_descriptive_metrics_and_bounds_are_shown_and_decide_nothing(described: Findings) -> None:
    made = table(study_tables.descriptive(described))
    assert DESCRIPTIVE in made.caption and BOUNDS in made.caption and not made.strong
    shown = [s for s in described.descriptive if s.id != described.primary]
    assert any(s.bound for s in shown) and any(not s.bound for s in shown)
    assert made.values("Metric") == [setting.words for setting in shown]
    for system in described.systems:
        assert made.values(system) == [described.value(setting.id, system) for setting in shown]
    assert study_tables.descriptive(facts()) is None


def test_diagnostics_have_a_row_each(described: Findings) -> None:
    made = table(study_tables.diagnostics(described))
    assert len(made.rows) == len(described.diagnostics)
    for row, diagnostic in zip(made.rows, described.diagnostics, strict=True):
        assert row == (diagnostic.metric, diagnostic.label, *diagnostic.values, diagnostic.users)


def test_costs_systems_and_splits(described: Findings) -> None:
    costs = table(study_tables.costs(described))
    assert sorted(costs.values("System")) == ["Popularity", "Random"] and min(costs.values("Fit")) >= 0
    systems = table(study_tables.systems(described))
    assert systems.values("Model, every parameter written out") == ["Popularity(positive=none)", "Random"]
    assert set(systems.values("How chosen")) == {"as given"}
    (fold,) = described.splits
    splits = table(study_tables.splits(described.splits))
    assert splits.values("Train") == [fold.train] and splits.values("Test share") == [fold.test_share]
    assert study_tables.splits(()) is None and study_tables.costs(facts()) is None


def test_dropped_ratings_have_their_reason() -> None:
    made = table(study_tables.splits(facts().splits))
    assert made.values("Dropped") == ["user without relevant test item: 6"]
    assert made.values("Data") == ["movielens-1m · core(5)"] and made.values("Users tested") == ["6,034"]


def test_a_tuned_system_says_how_its_parameters_were_chosen() -> None:
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
    made = table(study_tables.systems(replace(facts(), manifest={"study": {"recommend": entries}})))
    chosen, given = made.values("How chosen")
    assert given == "as given"
    for part in ("k=20, alpha=0.1235", "nDCG@10 = 0.4000", "1,200 trials", "3.1 CPU seconds", "k in 5 to 50"):
        assert part in chosen


def test_names_are_in_kebab_case_and_end_in_no_sign() -> None:
    assert study_tables.kebab("By activity of users") == "by-activity-of-users"
    assert study_tables.kebab("Users (cold)") == "users-cold"


HOSTILE = r"a&b_{c}%\$#~^|`*<b>"


def test_hostile_names_stay_text_in_every_form() -> None:
    sample = facts()

    def renamed(row: PairRow) -> PairRow:
        return replace(row, a=HOSTILE) if row.a == SYSTEMS[0] else row

    rows = tuple(replace(row, leader=HOSTILE) if row.leader == SYSTEMS[0] else row for row in sample.verdict.rows)
    hostile = replace(
        sample,
        systems=(HOSTILE, *SYSTEMS[1:]),
        leaderboard=tuple(replace(r, system=HOSTILE) if r.system == SYSTEMS[0] else r for r in sample.leaderboard),
        comparisons=tuple(map(renamed, sample.comparisons)),
        verdict=replace(sample.verdict, rows=rows),
    )
    for made in (table(study_tables.leaderboard(hostile)), table(study_tables.pairs(hostile))):
        latex = made.to_latex()
        assert r"a\&b\_\{c\}\%\textbackslash{}\$\#\textasciitilde{}\textasciicircum{}" in latex and HOSTILE not in latex
        bare = latex.replace(r"\{", "").replace(r"\}", "")
        assert bare.count("{") == bare.count("}")
        assert HOSTILE not in made.to_html() and "*&lt;b&gt;" in made.to_html() and r"\*\<b>" in made.to_markdown()
        assert HOSTILE in made.frame[made.columns[0].name].to_list()
