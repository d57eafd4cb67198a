"""Every rule of the review objects to one study and lets another pass."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.review.lint.cases import CASES, STUDY, Case, reviewed

import heldout as ho
from heldout import Tuned
from heldout.catalogue import classes
from heldout.catalogue.notices import SEVERITIES, Concern
from heldout.catalogue.references import bibliography
from heldout.study.analysis import PRIMARY_METRIC
from heldout.study.spec import KINDS_OF_STAGE
from heldout.study.tuned import Trial, write_tuned

RULES = [cls for cls in classes("rule") if issubclass(cls, Concern) and cls.__module__.startswith("heldout.")]
TUNED = ("HO415", "HO416", "HO419")
"""Rules about searches, whose studies need a folder: tested by name below."""


def test_there_are_at_least_twenty_five_rules_and_each_has_both_studies() -> None:
    assert len(RULES) >= 25
    without = {cls.key for cls in RULES} ^ {*CASES, *TUNED}
    assert not without, f"cases.py has no case of these rules, or these rules are not there: {sorted(without)}"


@pytest.mark.parametrize("cls", RULES, ids=lambda cls: cls.key)
def test_every_rule_is_explained_and_stands_under_a_key(cls: type[Concern]) -> None:
    assert re.fullmatch(r"HO\d{3}", cls.key)
    assert cls.title and cls.explanation.strip()
    assert cls.severity in SEVERITIES
    assert cls.stage in {*KINDS_OF_STAGE, "task", "validation"}
    assert set(cls.references) <= set(bibliography())


@pytest.mark.parametrize("cls", [cls for cls in RULES if cls.key in CASES], ids=lambda cls: cls.key)
def test_every_rule_objects_to_one_study_and_not_to_another(cls: type[Concern], tmp_path: Path) -> None:
    case = CASES[cls.key]
    bad, good = (
        (reviewed(case.bad, run=case.run), reviewed(case.good, run=case.run))
        if isinstance(case, Case)
        else (ho.lint(case.bad(tmp_path)), ho.lint(case.good(tmp_path)))
    )
    found = [f for f in bad.findings if f.code == cls.key]
    assert found, f"not found among {bad.codes}"
    assert cls.key not in good.codes
    for finding in found:
        assert finding.message
        assert finding.change
        assert finding.stage == cls.stage
        assert len(finding.message) < 400
    if isinstance(case, Case) and case.severity:
        assert found[0].severity == case.severity


def tuned(folder: Path, seed: str) -> str:
    """A folder as a search leaves it."""
    protocol = {
        "data": ho.make("reader", STUDY["data"]).full_text,
        "filter": "none",
        "split": ho.make("split", STUDY["split"]).full_text,
        "seed": seed,
    }
    found = Tuned(
        model="UserKNN(k=7)",
        parameters={"k": 7},
        metric="P@5",
        value=0.1,
        number=0,
        trials=(Trial(number=0, parameters={"k": 7}, value=0.1, cpu_seconds=0.0),),
        cpu_seconds=0.0,
        ranges={"k": "5…9"},
        protocol=protocol,
    )
    write_tuned(found, folder)
    return str(folder)


def test_tuned_beside_untuned_is_unequal(tmp_path: Path) -> None:
    at = tuned(tmp_path, "1")
    assert "HO415" in reviewed({"recommend": ["EASE", {"tuned": at}]}, run=False).codes
    assert "HO415" not in reviewed({"recommend": ["Popularity", {"tuned": at}]}, run=False).codes


def test_tuned_under_another_seed_is_tuned_on_test_ratings(tmp_path: Path) -> None:
    at = tuned(tmp_path, "2")
    found = reviewed({"recommend": ["Popularity", {"tuned": at}]}, run=False)
    assert [f.severity for f in found.findings if f.code == "HO416"] == ["error"]
    assert "another seed" in next(f.message for f in found.findings if f.code == "HO416")
    assert "HO416" not in reviewed({"recommend": ["Popularity", {"tuned": at}], "seed": 2}, run=False).codes


def test_tuned_for_another_metric_than_is_reported(tmp_path: Path) -> None:
    at = tuned(tmp_path, "1")  # for P@5
    other = reviewed({"recommend": ["Popularity", {"tuned": at}], "metrics": ["nDCG@5", "P@10"]}, run=False)
    message = next(f.message for f in other.findings if f.code == "HO419")
    assert message.startswith("UserKNN(k=7): parameters were chosen for P@5, which is not measured")
    assert "HO419" in reviewed({"recommend": ["Popularity", {"tuned": at}], "metrics": ["nDCG@5", "P@10"]}, run=True).codes
    assert "HO419" not in reviewed({"recommend": ["Popularity", {"tuned": at}]}, run=False).codes


def test_a_careful_study_is_let_pass() -> None:
    careful = {
        "data": ["simulate(users=90, items=40, ratings=1500)", "simulate(users=100, items=50, ratings=2000)"],
        "split": "temporal(share=0.2)",
        "users": [["with_train", "with_relevant"]],
        "metrics": ["P@[10, 100]", "RBP(phi=0.8, gain=binary)@100"],
        "unrated": ["zero", "interval"],
        "aggregate": ["mean"],
        "multiverse": {"seeds": [1, 2]},
    }
    found = reviewed({**careful, "aggregate": ["mean", "gmean"]}, run=False)
    assert found.findings == ()
    assert found.unchecked, "without results not everything can be known"
    assert all(u.needs == "results" for u in found.unchecked)


def test_the_task_decides_how_grave_an_unfit_metric_is() -> None:
    def severity(measure: list[str]) -> str:
        found = reviewed({"task": "all_good_items", "metrics": measure}, run=False)
        return next((f.severity for f in found.findings if f.code == "HO306"), "none")

    assert severity(["P@5"]) == "error"
    assert severity(["P@5", "Recall@5"]) == "warning"
    assert severity(["Recall@5", "P@5"]) == "none"
    assert severity(["Recall@5"]) == "none"


def test_changes_are_written_as_the_study_file_writes_them() -> None:
    found = reviewed({"target": "TestRatings"}, run=False)
    change = next(f.change for f in found.findings if f.code == "HO202")
    assert change == '- target = "TestRatings"\n+ target = ["AllItems", "TestRatings"]'
    added = next(f.change for f in reviewed({}, run=False).findings if f.code == "HO203")
    assert added.startswith('+ target = ["AllItems", "targets(head=0.1)"]\n')


def test_the_smallest_study_is_asked_about_what_it_chose_and_not_about_our_defaults() -> None:
    """Random split, its popular items, one draw and one data set are choices; the default metric is none."""
    smallest = dict.fromkeys(("task", "relevance", "metrics", "compare"))
    found = reviewed(smallest, run=False)
    assert sorted(found.codes) == ["HO203", "HO508", "HO509", "HO511"]
    about_metrics = {"HO308", "HO313", "HO314"}
    assert not about_metrics & set(reviewed(smallest, run=True).codes)
    for run in (False, True):  # who writes the same metric has chosen it
        assert about_metrics & set(reviewed({**smallest, "metrics": PRIMARY_METRIC}, run=run).codes) == {"HO308", "HO313"}
    assert [f.code for f in found.at_least("warning")] == ["HO203", "HO508"]


def test_a_cut_off_among_sampled_items_is_told_in_the_catalogue() -> None:
    """Rank 5 of 21 stands for rank 5 · 40 / 21 ≈ 10 of 40."""
    found = reviewed({"target": ["AllItems", "OnePlusRandom(20)"]}, run=True)
    message = next(f.message for f in found.findings if f.code == "HO204")
    assert message.endswith("is the top 24% of the catalogue, about rank 10 of 40.")


def test_a_rule_that_a_target_states_is_changed_in_the_target() -> None:
    """The study's own rule fits the binary ratings: to propose it again would change nothing."""
    stated = "OnePlusRandom(20, relevance=threshold(5))"
    keys = {"filters": [["binarise(4)"]], "relevance": "threshold(1)", "target": ["AllItems", stated]}
    (change,) = [f.change for f in reviewed(keys, run=False).findings if f.code == "HO208"]
    assert change.startswith("Leave out relevance in OnePlusRandom(nonrelevant=20")
    assert "HO208" not in reviewed({**keys, "target": ["AllItems", "OnePlusRandom(20)"]}, run=False).codes


def test_on_movielens_the_review_says_what_a_reviewer_would(real_data: Callable[[str], Path]) -> None:
    """A random split of MovieLens 100K: nearly all test ratings have later ones in train, and users enough are tested."""
    asked = {
        "data": str(real_data("ml-100k")),
        "split": "ratio(train=0.8, by=user)",
        "recommend": ["Popularity", "UserKNN(k=50)", "Random"],
        "metrics": ["P@10", "nDCG(gain=binary)@100"],
        "compare": {"tests": ["t"], "correction": "none"},
    }
    results = ho.run(asked)
    found = {f.code: f for f in ho.lint(results).findings}
    assert found["HO410"].message.startswith("3 pairs are tested at 0.05 each: a false discovery has a chance of up to 14%")
    assert "later than a test rating with probability 0.50 (0 if one moment" in found["HO508"].message
    assert "of the best P@10" in found["HO203"].message
    assert "HO402" not in found
    text = ho.methods(results).to_markdown()
    assert "100,000 ratings of 1,682 items by 943 users (density 6.3%), with values from 1 to 5" in text
    assert "made between 1997-09-20 and 1998-04-22" in text


def test_random_splits_beside_one_that_cuts_the_time_for_all_are_advice() -> None:
    beside = [
        f for f in reviewed({"split": ["ratio(train=0.8)", "temporal(share=0.2)"]}, run=False).findings if f.code == "HO508"
    ]
    own = [
        f
        for f in reviewed({"split": ["ratio(train=0.8)", "temporal(last=1, by=user)"]}, run=False).findings
        if f.code == "HO508"
    ]
    assert [(f.severity, f.change.partition(",")[0]) for f in beside] == [("advice", "Conclude from temporal(share=0.2)")]
    assert [f.severity for f in own] == ["warning"]
