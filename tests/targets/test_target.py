"""Target protocols in their general form."""

from __future__ import annotations

import pytest

from heldout.catalogue import make
from heldout.errors import HeldoutError


def test_forms_that_make_no_sense_are_refused() -> None:
    for text, told in (
        ("targets(percentiles=10)", "percentiles need relevant=one"),
        ("targets(average=rating)", "average is about lists of one relevant item"),
        ("targets(relevant=one, corrected=cls)", "corrected needs relevant=one and a number of nonrelevant"),
        ("targets(nonrelevant=0)", "must be at least 1"),
        ("targets(nonrelevant=some)", "must be a whole number or one of all"),
    ):
        with pytest.raises(HeldoutError, match=told):
            make("target", text)


def test_short_names_are_the_general_form() -> None:
    for short, long in (
        ("AllItems", "targets()"),
        ("TestItems", "targets(candidates=test)"),
        ("TrainingItems", "targets(candidates=training)"),
        ("OnePlusRandom(99)", "targets(candidates=test, relevant=one, nonrelevant=99, pool=unrated)"),
        (
            "OnePlusRandom(99, relevance=threshold(5))",
            "targets(candidates=test, relevant=one, nonrelevant=99, pool=unrated, relevance=threshold(5))",
        ),
        ("P1R(99)", "targets(candidates=test, relevant=one, nonrelevant=99, percentiles=10)"),
    ):
        one, other = make("target", short), make("target", long)
        assert one.form == other.form
        assert one.own_relevance == other.own_relevance
        assert make("target", str(other)) == other
