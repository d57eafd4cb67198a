"""Names of other libraries and everyday words are answered with the form that is meant."""

from __future__ import annotations

import pytest

from heldout.catalogue import find, make
from heldout.catalogue.lookup import classes
from heldout.catalogue.suggest import ELSEWHERE
from heldout.errors import UnknownNameError
from heldout.study.file import MEANT, StudyFile, study_from


@pytest.mark.parametrize(
    ("kind", "text", "meant"),
    [
        ("metric", "precision_10", "P@10"),
        ("metric", "P_5", "P@5"),
        ("metric", "ndcg_cut_10", "nDCG@10"),
        ("metric", "recall_100", "Recall@100"),
        ("metric", "recip_rank", "RR"),
        ("split", "random(0.8)", "ratio(train=0.8)"),
        ("split", "random", "ratio(train=0.8)"),
        ("split", "holdout(0.7)", "ratio(train=0.7)"),
        ("split", "leave_one_out", "leave_out(1)"),
        ("test", "ttest", "t"),
    ],
)
def test_what_is_meant(kind: str, text: str, meant: str) -> None:
    with pytest.raises(UnknownNameError) as found:
        make(kind, text)
    assert found.value.hint == f"did you mean {meant}?"
    assert str(make(kind, meant))  # and that can be written


def test_misspellings_are_answered_as_before() -> None:
    with pytest.raises(UnknownNameError) as found:
        make("metric", "nDGC@10")
    assert found.value.hint == "did you mean nDCG?"


def test_no_word_hides_a_component_and_all_forms_can_be_written() -> None:
    for kind, words in ELSEWHERE.items():
        known = {name.casefold() for cls in classes(kind) for name in (cls.key, *cls.aliases)}
        assert not known & set(words)
        for meant in words.values():
            for form in meant.format("0.8").split(" or "):
                cut = kind == "metric" and find(kind, form).key != "RPrecision"
                assert make(kind, f"{form}@10" if cut else form)


@pytest.mark.parametrize(
    ("key", "meant"), [("metrics", "measure"), ("models", "recommend"), ("dataset", "data"), ("tests", "compare")]
)
def test_keys(key: str, meant: str) -> None:
    least = {"data": "simulate()", "split": "ratio(0.8)", "recommend": "Popularity"}
    with pytest.raises(UnknownNameError) as found:
        study_from({**{name: value for name, value in least.items() if name != meant}, key: "x"})
    assert found.value.hint == f"did you mean {meant}?"
    assert set(MEANT.values()) <= set(StudyFile.model_fields) and not set(MEANT) & set(StudyFile.model_fields)
