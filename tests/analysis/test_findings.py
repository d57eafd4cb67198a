"""Findings and their rows: seen from either side, found by setting, and their way through JSON and tables."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest
from tests.refusals import refused
from tests.reports.kept import facts_of, study_scores_of
from tests.reports.sample import facts

import heldout as ho
from heldout.analysis.details import CurveRow, GroupValues, Pictures, PopularityShares, UserDifferences
from heldout.analysis.findings import Findings, distinct_contests
from heldout.analysis.rows import PAIRS, LayoutRow, PairRow, Verdict, VerdictRow, pair_frame, pair_rows, user_counts
from heldout.errors import ResultsError
from heldout.experiment.ledger.verify import check_files
from heldout.splits.sizes import SplitCounts
from heldout.storage.codec import from_plain, to_plain

STUDY = {
    "data": "simulate(users=60, items=40, ratings=900)",
    "split": "ratio",
    "recommend": ["Popularity", "Random", "ItemKNN(k=5)"],
    "metrics": ["P@5", "nDCG@5"],
    "compare": ["t", "bayes"],
}
ROW = VerdictRow(
    setting=0, leader="A", value=0.5, rival="B", difference=0.1, p_adjusted=0.01, significant=True, agrees=True, effect=0.4
)


def _files(_: object) -> tuple[str, ...]:
    """The file that holds what a study found."""
    return ("facts.json",)


def test_a_flipped_pair_mirrors_its_interval_and_counts() -> None:
    pair = replace(facts().comparisons[0], superiority=0.7, figures={"better": 0.8, "equal": 0.1, "worse": 0.1})
    turned = pair.flipped()
    assert (turned.a, turned.b, turned.difference) == (pair.b, pair.a, -pair.difference)
    assert pair.low is not None and pair.high is not None and (turned.low, turned.high) == (-pair.high, -pair.low)
    assert (turned.wins, turned.losses, turned.p_adjusted) == (pair.losses, pair.wins, pair.p_adjusted)
    assert turned.superiority == pytest.approx(0.3) and turned.figures == {"worse": 0.8, "equal": 0.1, "better": 0.1}
    assert replace(turned.flipped(), superiority=0.7) == pair


def test_a_pair_is_told_apart_below_the_level_only() -> None:
    pair = facts().comparisons[0]
    told_apart = [replace(pair, p_adjusted=p).significant(0.05) for p in (0.0499, 0.05, None)]
    assert told_apart == [True, False, False]


@pytest.mark.parametrize(("scale", "order"), [("mean rank", "ABCD"), ("mean", "DCBA")])
def test_systems_closer_than_the_critical_difference_are_one_clique(scale: str, order: str) -> None:
    """Places 1, 2, 2.5 and 4: B and C differ by less than 0.9, and so does no other pair."""
    places = {"B": 2.0, "D": 4.0, "A": 1.0, "C": 2.5}
    row = LayoutRow(
        setting=0, test="t", name="χ²(3)", statistic=9.0, p=0.01, scale=scale, places=places, critical=0.9, users=9
    )
    assert "".join(name for name, _ in row.ordered) == order
    assert [set(run) for run in row.cliques] == [{"B", "C"}]
    assert {frozenset(run) for run in replace(row, critical=1.6).cliques} == {frozenset("ABC"), frozenset("CD")}
    assert replace(row, critical=0.5).cliques == []  # a difference as large as the critical one tells apart


def test_shares_of_a_fold() -> None:
    fold = SplitCounts(data="d", filter="none", split="ratio", fold=0, train=70, validation=10, test=20, users=5)
    assert fold.test_share == 0.2 and replace(fold, train=0, validation=0, test=0).test_share is None
    audited = replace(fold, audit={"older_than_any": 5, "cold_user_ratings": None})
    assert audited.audited_share("older_than_any") == 0.25
    assert audited.audited_share("cold_user_ratings") is None and fold.audited_share("older_than_any") is None


def test_facts_come_back_from_json_as_they_were() -> None:
    sample = facts_of(study_scores_of(), metrics=["P@10", "Recall@10"], tests=["t", "friedman"])
    again = Findings.from_dict(json.loads(json.dumps(sample.to_dict())))
    for column in fields(Findings):
        if column.name not in ("manifest", "details", "splits"):  # their dictionaries hold what JSON writes as lists
            assert getattr(again, column.name) == getattr(sample, column.name), column.name
    assert again.to_dict() == sample.to_dict()


def test_a_pair_is_found_by_its_systems_in_either_order() -> None:
    findings = facts_of(study_scores_of(), metrics="P@10", tests=["t"])
    row = findings.comparisons[0]
    assert findings.pair(row.setting, row.test, row.a, row.b) == row
    assert findings.pair(row.setting, row.test, row.b, row.a) == row.flipped() != row
    assert findings.pair(row.setting, row.test, row.a, "nobody") is None
    assert findings.pair(row.setting, "sign", row.a, row.b) is None


def test_a_table_that_is_missing_is_no_empty_table() -> None:
    entries = facts().to_dict()
    del entries["leaderboard"]
    with pytest.raises(KeyError):
        Findings.from_dict(entries)


def test_pictures_survive_json() -> None:
    pictures = Pictures(
        differences=UserDifferences(
            a="A", b="B", metric="P@5", users=3, wins=1, ties=1, losses=1, gain=0.5, loss=None, curve=(0.5, 0.0, -0.25)
        ),
        groups=(
            GroupValues(
                by="user-activity",
                title="By activity",
                metric="P@5",
                means="Users.",
                groups=("1", "2–9"),
                users=(2, 1),
                systems=("A",),
                values=((0.5, None),),
            ),
        ),
        roc=(CurveRow(setting=0, system="A", x_label="x", y_label="y", x=(0.0, 1.0), y=(0.0, 1.0)),),
        popularity=PopularityShares(
            n=5, classes=("head", "tail"), names=("A", "catalogue"), shares=((1.0, 0.0), (0.2, 0.8)), systems=1
        ),
        absent={"precision-recall": "why"},
    )
    assert from_plain(Pictures, json.loads(json.dumps(to_plain(pictures)))) == pictures
    assert from_plain(Pictures, to_plain(Pictures())) == Pictures()


def test_results_with_a_table_of_comparisons_are_those_with_all_in_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ho.run(STUDY, out=tmp_path / "json")
    monkeypatch.setattr("heldout.analysis.rows.MOST_IN_JSON", 3)
    ho.run(STUDY, out=tmp_path / "table")
    assert not (tmp_path / "json" / PAIRS).exists()
    assert json.loads((tmp_path / "table" / "facts.json").read_text())["comparisons"] == PAIRS
    expected, loaded = (ho.load(tmp_path / name) for name in ("json", "table"))
    assert len(loaded.findings.comparisons) == 2 * 2 * 3
    assert loaded.findings.comparisons == expected.findings.comparisons
    assert loaded.tables["all-comparisons"].frame.equals(expected.tables["all-comparisons"].frame)
    assert PAIRS in [checked.file for checked in check_files(tmp_path / "table", _files) if not checked.problem]


def test_a_table_of_comparisons_that_was_changed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heldout.analysis.rows.MOST_IN_JSON", 3)
    ho.run(STUDY, out=tmp_path / "out")
    path = tmp_path / "out" / PAIRS
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with refused(ResultsError, where="comparisons.parquet", hint="delete this file and run the study again"):
        ho.load(tmp_path / "out")
    assert PAIRS in [checked.file for checked in check_files(tmp_path / "out", _files) if checked.problem]
    path.unlink()
    with refused(ResultsError, where="comparisons.parquet", hint="delete this file and run the study again"):
        ho.load(tmp_path / "out")


def test_numbers_that_are_none_are_null_and_figures_are_kept() -> None:
    row = PairRow(
        setting=1, test="t", a="A", b="B: x", value_a=0.1, value_b=float("nan"), difference=float("inf"), low=None,
        high=0.5, effect=None, wins=3, ties=2, losses=1, p=0.1 + 0.2, p_adjusted=None, correction="holm", family=3,
        users=6, superiority=0.25, figures={"better": 0.1}, reason="why",
    )  # fmt: skip
    (kept,) = pair_rows(pair_frame([row]))
    assert (kept.value_b, kept.difference, kept.low) == (None, None, None)
    assert (kept.p, kept.figures, kept.b, kept.reason, kept.wins) == (0.1 + 0.2, {"better": 0.1}, "B: x", "why", 3)


def test_a_row_answers_in_one_of_four_ways() -> None:
    assert ROW.answer == "same" and replace(ROW, agrees=False).answer == "other"
    assert replace(ROW, difference=0.0).answer == "tie" and replace(ROW, difference=0.0).tie
    assert replace(ROW, difference=0.0, refused="serves few").answer == "uncalled"


def test_a_pair_is_seen_from_either_side() -> None:
    assert ROW.seen_from("A") == ("B", 0.1, 0.4) and ROW.seen_from("B") == ("A", -0.1, -0.4)
    assert replace(ROW, effect=None).seen_from("B") == ("A", -0.1, None)


def test_settings_are_counted_by_what_they_say() -> None:
    other, unsure = replace(ROW, agrees=False), replace(ROW, agrees=False, significant=False, p_adjusted=0.3)
    uncalled, tie = replace(ROW, refused="serves few"), replace(ROW, difference=0.0)
    verdict = Verdict(answer="", rows=(ROW, other, unsure, uncalled, tie))
    assert [row.answer for row in verdict.rows] == ["same", "other", "other", "uncalled", "tie"]
    assert verdict.uncalled == (uncalled,)
    assert verdict.tested and not Verdict(answer="", rows=(replace(ROW, p_adjusted=None),)).tested


def test_counts_of_other_users_are_a_number_or_a_range() -> None:
    rows = [replace(ROW, other_users=n) for n in (1477, 900)]
    assert user_counts(rows[:1]) == "1,477" and user_counts(rows) == "900 to 1,477"


def test_a_sentence_is_the_answer_and_its_numbers() -> None:
    assert Verdict(answer="A wins.", numbers="P is 0.5.", note="Test: t.").sentence == "A wins. P is 0.5."
    assert Verdict(answer="A wins.").sentence == "A wins."


def test_settings_with_identical_values_are_named_together() -> None:
    """TestItems · nDCG@10 has the values of AllItems · nDCG@10."""
    sample = facts()
    first, second = sample.settings[0], sample.settings[3]
    assert (first.label, second.label) == ("AllItems · nDCG@10", "TestItems · nDCG@10")
    same = replace(sample, settings=tuple(replace(s, same_as=0 if s.id == 3 else None) for s in sample.settings))
    distinct = distinct_contests(same)
    assert len(distinct) == 7 and distinct[0].label == "AllItems = TestItems · nDCG@10"
    assert [s.id for s in distinct] == [0, 1, 2, 4, 5, 6, 7]
    assert len(distinct_contests(sample)) == 8
    plain = replace(same, settings=tuple(replace(s, label="other") if s.id == 3 else s for s in same.settings))
    assert distinct_contests(plain)[0].label == "AllItems · nDCG@10 = other"


def test_labels_are_written_as_people_read_them() -> None:
    setting = replace(facts().settings[0], metric="nDCG(gain=binary)@10")
    plain = replace(setting, label="OnePlusRandom(nonrelevant=100) · nDCG(gain=binary)@10")
    assert plain.words == "OnePlusRandom(100) · nDCG@10 (binary)"
    joined = replace(setting, label="AllItems = OnePlusRandom(nonrelevant=9) · nDCG(gain=binary)@10")
    assert joined.words == "AllItems = OnePlusRandom(9) · nDCG@10 (binary)"
