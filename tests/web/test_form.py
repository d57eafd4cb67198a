"""The form of a study, and the study file that it says."""

from __future__ import annotations

import tomllib

import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import SpecError
from heldout.web import form


def test_every_key_of_the_schema_has_a_field():
    keys = {field.key.partition(".")[0] for group in form.groups({}) for field in group.fields}
    assert keys == set(ho.schema()["properties"])
    level = next(field for group in form.groups({}) for field in group.fields if field.key == "compare.level")
    assert level.kind == "number" and "significance" in level.about


def test_choices_are_those_of_the_catalogue():
    fields = {field.key: field for group in form.groups({}) for field in group.fields}
    [(_, splits)] = ho.list("splits")
    assert [choice.partition("(")[0] for choice in fields["split"].choices] == [name for name, _, _ in splits]
    assert fields["split"].decision == "A2"


STUDY = {
    "title": 'Quotes " and \\ and \x7f and 🙂',
    "seed": 3,
    "data": ["ratings.csv", 'csv("b.csv", user=uid)'],
    "filters": [["core(5)", "positive(4)"], []],
    "recommend": ["Popularity", {"name": "small", "model": "UserKNN(k=10)"}],
    "target": ["AllItems", "TestRatings"],
    "metrics": "nDCG@10",
    "compare": {"tests": ["t", "wilcoxon"], "level": 0.01},
    "multiverse": {"seeds": [1, 2]},
}


def test_a_study_comes_back_as_it_was():
    text = form.study_text(STUDY)
    assert tomllib.loads(text) == STUDY
    assert form.keys_of(form.read_values(text)) == STUDY


def test_empty_fields_are_left_out():
    assert form.keys_of({"title": " ", "split": "\n", "compare.level": ""}) == {}


def test_a_number_must_be_one():
    with refused(SpecError, where="seed", found="x", expected="a whole number"):
        form.keys_of({"seed": "x"})
    with refused(SpecError, where="multiverse.seeds", found="two", expected="a whole number"):
        form.keys_of({"multiverse.seeds": "1 two"})
    for text in ("inf", "nan", "-inf"):
        with refused(SpecError, where="compare.level", found=text, expected="a number"):
            form.keys_of({"compare.level": text})


def test_what_is_no_study_file_is_told():
    with refused(SpecError):
        form.read_values("= 1")


@pytest.mark.parametrize(
    ("choice", "line"),
    [
        ("ratio(train=0.8, by=rating)", "ratio"),
        ("keep(n, short=error)", "keep(n)"),
        ("P(rel=none)@n", "P@10"),
        ("mean", "mean"),
    ],
)
def test_a_choice_is_added_as_a_line(choice, line):
    assert form.with_choice("first\n\n", choice) == f"first\n{line}"


def test_fields_of_other_names_are_not_known():
    assert form.known_values([("title", "a"), ("models", "b"), ("name", "c")]) == {"title": "a"}
    with refused(SpecError, where="models"):
        form.field("models", "")
