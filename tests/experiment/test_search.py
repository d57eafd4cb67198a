"""The space of a search: which parameters are looked for, and where."""

from __future__ import annotations

import re
from typing import Any

import pytest

from heldout.catalogue import make
from heldout.errors import SpecError
from heldout.experiment.search import range_of, search_space
from heldout.recommenders.ranges import Among, Between


@pytest.mark.parametrize(
    ("written", "span"),
    [
        ("10..100", Between(10, 100)),
        (" 0.01..10:log", Between(0.01, 10, log=True)),
        ((1, 5), Between(1, 5)),
        ([1, "a"], Among((1, "a"))),
        ("cosine,jaccard", Among(("cosine", "jaccard"))),
        ("1, 2.5,true,none, two", Among((1, 2.5, True, None, "two"))),
        (Between(1, 2), Between(1, 2)),
    ],
)
def test_ranges_as_they_are_written(written: Any, span: Any) -> None:
    assert range_of("k", written) == span


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("", "no range of k: ''"),
        (3, "no range of k: 3"),
        ("1..", "'' is not a number"),
        ("a..b", "'a' is not a number"),
        ("1..2:lin", "no range of k: '1..2:lin'"),
        ("5..1", "the range of k goes from 5 to 1"),
        ("0..1:log", "the range of k goes from 0 to 1"),
    ],
)
def test_what_is_no_range(written: Any, words: str) -> None:
    with pytest.raises(SpecError, match=re.escape(words)):
        range_of("k", written)


def test_what_the_model_names_is_fixed_however_it_is_named() -> None:
    """By place, by name in any case of letters, or as a component whose value is not the default."""
    declared = set(make("recommender", "UserKNN").ranges)
    assert "k" in declared
    for model in ("UserKNN(7)", "UserKNN(K=7)", make("recommender", "UserKNN(k=7)")):
        start, space = search_space(model, {})
        assert start == make("recommender", "UserKNN(k=7)")
        assert set(space) == declared - {"k"}


@pytest.mark.parametrize("written", ["0..1", (0, 1), (0.0, 1), Between(0, 1)])
def test_a_range_has_the_type_of_its_parameter(written: Any) -> None:
    """Whole ends do not make a real parameter whole, nor real ones a whole parameter real."""
    real = search_space("WRMF", {"alpha": written})[1]["alpha"]
    assert isinstance(real, Between) and not real.whole
    for ends in ("2..5", (2.0, 5.0)):
        whole = search_space("PureSVD", {"factors": ends})[1]["factors"]
        assert isinstance(whole, Between) and whole.whole
    with pytest.raises(SpecError, match="must be a whole number"):
        search_space("PureSVD", {"factors": (2.5, 5)})
    assert search_space("Chi2", {"length_norm": (False, True)})[1] == {"length_norm": Among((False, True))}


def test_an_end_that_the_model_does_not_take_is_refused_before_the_search() -> None:
    with pytest.raises(SpecError, match="UserKNN: 'k' must be at least 1, found -3"):
        search_space("UserKNN", {"k": (-3, 5)})
    with pytest.raises(SpecError, match="'k' has a value in UserKNN\\(k=3\\) and a range"):
        search_space("UserKNN(k=3)", {"k": (1, 5)})
    with pytest.raises(SpecError, match="unknown parameter of UserKNN 'kk'; did you mean k"):
        search_space("UserKNN", {"kk": (1, 5)})
