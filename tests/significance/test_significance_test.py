"""Which tests answer for which aggregations: the table of `Test.refusal`, row by row."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.significance.significance_test import no_p

MEANS, RANKS = ("t", "permutation", "bootstrap", "tukey"), ("wilcoxon", "sign", "friedman", "bayes")


@pytest.mark.parametrize(
    ("aggregations", "weighted", "answering"),
    [
        (("mean", "gmean", "urisk(1, A)", "standardised", "pooled"), False, (*MEANS, *RANKS)),
        (("mean(weight=test)",), True, ("t", "permutation")),
        (("median", "trimmed"), False, RANKS),
        (("trisk(1, A)", "zrisk", "georisk"), False, ()),
    ],
)
def test_who_answers(aggregations: tuple[str, ...], weighted: bool, answering: tuple[str, ...]) -> None:
    for text in aggregations:
        aggregation = make("aggregation", text)
        names = {name for name in (*MEANS, *RANKS) if not make("test", name).refusal(aggregation, weighted=weighted)}
        assert names == set(answering), text


def test_a_test_that_repeats_another_answers_where_that_does() -> None:
    median, mean = make("aggregation", "median"), make("aggregation", "mean")
    by_ranks, by_means = make("test", "subsampled(test=wilcoxon)"), make("test", "subsampled(test=t)")
    assert not by_ranks.refusal(median) and by_means.refusal(median) and not by_means.refusal(mean)


@pytest.mark.parametrize(
    ("test", "aggregation", "weighted", "hint"),
    [
        ("t", "median", False, "use wilcoxon, sign"),
        ("sign", "mean(weight=test)", True, "use t, permutation"),
        ("t", "georisk", False, "use another aggregation"),
    ],
)
def test_a_refusal_says_what_to_use(test: str, aggregation: str, weighted: bool, hint: str) -> None:
    with pytest.raises(NotApplicableError, match=hint):
        make("test", test).check_applicable(make("aggregation", aggregation), weighted=weighted)
    make("test", "t").check_applicable(make("aggregation", "mean"))


def test_weights_are_refused_by_who_knows_none() -> None:
    make("test", "sign").refuse_weights(None)
    with pytest.raises(NotApplicableError, match="knows no weights"):
        make("test", "sign").refuse_weights(np.ones(3))


def test_without_p_values_every_pair_has_none() -> None:
    assert np.isnan(no_p(np.array([[0, 1], [1, 2]]))).tolist() == [True, True]
