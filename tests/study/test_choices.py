"""How another choice would be written in a study file."""

from __future__ import annotations

from typing import Any

from heldout.catalogue import make
from heldout.study.choices import Choices, grouped, toml
from heldout.study.file import study_from

KEYS: dict[str, Any] = {
    "data": "simulate(users=30, items=20, ratings=200)",
    "split": "ratio(train=0.8)",
    "recommend": ["Popularity", "Random"],
    "relevance": "threshold(4)",
    "metrics": ["P@[5, 10]", "RR@10", "RMSE", "Coverage@5"],
}


def choices(*, written: bool) -> Choices:
    return Choices(study_from(KEYS), KEYS if written else None)


def test_what_is_written_is_replaced_and_what_is_not_is_added() -> None:
    file = choices(written=True)
    assert file.replace("split", "folds(5)") == 'replace split = "ratio(train=0.8)" by split = "folds(5)"'
    assert file.replace("target", ["AllItems", "TestItems"]) == 'add target = ["AllItems", "TestItems"]'
    assert file.add("metrics", "P@50").endswith('by metrics = ["P@[5, 10]", "RR@10", "RMSE", "Coverage@5", "P@50"]')


def test_of_results_options_stand_in_their_text_forms() -> None:
    results = choices(written=False)
    assert results.replace("target", "TestItems") == 'replace target = "AllItems" by target = "TestItems"'
    assert results.now("metrics") == 'metrics = ["P@5", "P@10", "RR@10", "RMSE", "Coverage@5"]'
    assert results.writes("target") and not choices(written=True).writes("target")


def test_of_compare_the_tests_are_replaced() -> None:
    tests = {"compare": ["t", "sign"]}
    listed = Choices(study_from({**KEYS, **tests}), {**KEYS, **tests})
    assert listed.replace("compare", "wilcoxon") == 'replace compare = ["t", "sign"] by compare = "wilcoxon"'
    table = {"compare": {"tests": ["t"], "level": 0.01}}
    expected = 'replace tests = "t" by tests = ["t", "sign"] in compare'
    for keys in ({**KEYS, **table}, None):
        assert Choices(study_from({**KEYS, **table}), keys).add("compare", "sign") == expected
    assert choices(written=True).replace("compare", "sign") == 'add compare = "sign"'


def test_ranked_metrics_and_their_depths() -> None:
    """Neither errors nor diagnostics say which list is better."""
    assert [str(m) for m in choices(written=True).ranked] == ["P@5", "P@10", "RR@10"]
    assert choices(written=True).depths == (5, 10)


def test_metrics_are_told_with_all_their_cut_offs() -> None:
    metrics = [make("metric", text) for text in ("P@5", "P@10", "RR@10", "AUC")]
    assert grouped(metrics) == "P@[5, 10], RR@10, AUC"
    assert grouped(metrics, most=1) == "P@[5, 10] and 2 more"


def test_options_as_toml() -> None:
    assert toml(["é"]) == '"é"'
    assert toml([["core(5)"], []]) == '[["core(5)"], []]'
