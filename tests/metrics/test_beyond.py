"""Metrics beyond accuracy, of whole systems, and diagnostics by hand."""

from __future__ import annotations

from dataclasses import replace
from math import log2, sqrt

import numpy as np
import polars as pl
import pytest
from tests.metrics.lists import judged_list, knowing, value
from tests.refusals import refused

from heldout.catalogue import make
from heldout.errors import UNKNOWN, NotApplicableError
from heldout.metrics.beyond.tops import top_items
from heldout.metrics.list_subsets import of_lists, of_users
from heldout.metrics.measuring import Measured, measure
from heldout.metrics.metric import Metric
from heldout.metrics.system import own_metrics, refusal, system_value, with_system_values
from heldout.tables import Judged, Side
from heldout.testing.lists import judged_lists, random_lists, values_of

# training: 8 users; item 0 rated by 4 of them, item 1 by 2, item 2 by 1, item 3 by 1
RATINGS = [(0, 0, 5), (1, 0, 5), (2, 0, 5), (3, 0, 5), (4, 1, 3), (5, 1, 3), (6, 2, 4), (7, 3, 4)]
# the list holds items 0, 1, 2; items 0 and 2 are relevant. The judged user is user 0, who rated item 0 in training.
LIST = knowing(judged_list([5, None, 4]), RATINGS)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("Novelty@3", (log2(8 / 4) + log2(8 / 2) + log2(8 / 1)) / 3),
        ("Novelty@2", (1 + 2) / 2),
        ("Novelty(share=ratings)@2", (log2(8 / 4) + log2(8 / 2)) / 2),
        ("ARP@3", (4 + 2 + 1) / 3),
        ("ARP@10", (4 + 2 + 1) / 3),  # over what the list holds
        ("PopularityLift@2", ((4 + 2) / 2) / 4 - 1),
        # relevant items at ranks 1 and 3: (1 · (1 − 4/8) + ½ · (1 − 1/8)) / (1 + 1/log2(3) + ½)
        ("EPC@3", (1 / 2 + 1 / 2 * 7 / 8) / (1 + 1 / log2(3) + 1 / 2)),
        ("EPC(discount=zipf)@3", (1 / 2 + 1 / 3 * 7 / 8) / (1 + 1 / 2 + 1 / 3)),
        ("EFD@3", (log2(8 / 4) + log2(8 / 1) / 2) / (1 + 1 / log2(3) + 1 / 2)),
        # no two items were rated by one user
        ("ILD@3", 1.0),
    ],
)
def test_by_hand(metric: str, expected: float) -> None:
    assert value(metric, LIST) == pytest.approx(expected, abs=1e-12)


def test_distance_of_items_with_common_raters() -> None:
    """Items 0 and 1: rated (3, 4) and (4, 0) by two users, cosine 12 / (5 · 4); item 2 by neither."""
    judged = knowing(judged_list([5, None, 4]), [(0, 0, 3), (1, 0, 4), (0, 1, 4), (2, 2, 5)])
    assert value("ILD@2", judged) == pytest.approx(1 - 12 / 20)
    assert value("ILD@3", judged) == pytest.approx((1 - 12 / 20 + 1 + 1) / 3)


def genres(judged: Judged) -> Judged:
    table = Side(pl.Series([0, 1, 2]), pl.DataFrame({"genres": ["Comedy|Drama", "Drama", None]}))
    known = replace(judged.relevance.background, side=table)  # type: ignore[type-var]
    return replace(judged, relevance=replace(judged.relevance, background=known))


def test_distance_by_features() -> None:
    """Cosine of {Comedy, Drama} and {Drama} is 1/√2; item 2 has no genre and is unlike both."""
    assert value("ILD(features=genres)@3", genres(LIST)) == pytest.approx((1 - 1 / sqrt(2) + 1 + 1) / 3)


def test_a_list_of_one_has_no_distance() -> None:
    assert np.isnan(value("ILD@10", knowing(judged_list([5]), RATINGS)))


def test_serendipity_against_the_most_popular() -> None:
    """Items by popularity: 5, 1, 0, 2. User 0 knows item 5, so a popularity list would be 1, 0, 2; the list is 0, 1, 2."""
    judged = knowing(
        judged_list([5, None, 4]), [(0, 5, 1), (1, 5, 1), (2, 5, 1), (1, 1, 1), (2, 1, 1), (1, 0, 1), (1, 2, 1)]
    )
    assert value("Serendipity@1", judged) == pytest.approx(1 / 1)  # item 0 is not the one most popular
    assert value("Serendipity@2", judged) == 0.0  # it is among two
    assert value("Serendipity@3", judged) == 0.0


def test_serendipity_against_the_profile() -> None:
    """The profile of user 0 is item 0 alone: item 0 is like itself, item 2 unlike it."""
    assert value("Serendipity(profile)@3", LIST) == pytest.approx((0 + 1) / 3)
    assert value("Serendipity(profile, features=genres)@3", genres(LIST)) == pytest.approx((0 + 1) / 3)


def test_what_is_not_known_is_asked_for() -> None:
    lists = replace(LIST, lists=None)
    with refused(NotApplicableError, where="ARP@3", found=UNKNOWN):
        values_of("ARP@3", lists)
    bare = replace(LIST, relevance=replace(LIST.relevance, background=None))
    with refused(
        NotApplicableError,
    ):
        values_of("Novelty@3", bare)
    with refused(
        NotApplicableError,
    ):
        values_of("ILD(features=genres)@3", LIST)


THREE = judged_lists([[5, None], [5, None], [5]], catalogue=4)


def test_values_of_whole_systems() -> None:
    assert values_of("ItemCoverage@2", THREE).tolist() == [2 / 4] * 3
    assert values_of("ItemCoverage@1", THREE).tolist() == [1 / 4] * 3
    # recommended 3, 2, 0, 0 times: 2 (3·2 + 4·3) / (4 · 5) − 5/4
    assert values_of("Gini@2", THREE) == pytest.approx([2 * (3 * 2 + 4 * 3) / 20 - 5 / 4] * 3)
    assert values_of("Entropy@2", THREE) == pytest.approx([-(0.6 * log2(0.6) + 0.4 * log2(0.4))] * 3)
    assert values_of("Entropy@1", THREE).tolist() == [0.0] * 3


LISTS = judged_lists([[5, None, 4], [], [None, 2]], [[], [5], []], items=[[7, 2, 9], [], [2, 3]], catalogue=12)


def test_the_top_of_every_list_also_of_an_empty_one() -> None:
    tops = top_items(LISTS, 2, "x")
    assert tops.item.tolist() == [7, 2, 2, 3] and tops.sizes.tolist() == [2, 0, 2]
    assert tops.sum(np.arange(12.0)).tolist() == [9, 0, 5]
    assert np.flatnonzero(tops.counts(12)).tolist() == [2, 3, 7] and tops.counts(12)[2] == 2
    assert top_items(LISTS, 50, "x").sizes.tolist() == [3, 0, 2]


def test_items_outside_the_catalogue_are_left_out_and_hold_their_place() -> None:
    assert LISTS.lists is not None
    foreign = replace(LISTS, lists=replace(LISTS.lists, item=np.array([-1, 2, 9, 2, -1], np.int32)))
    tops = top_items(foreign, 2, "x")
    assert tops.item.tolist() == [2, 2] and tops.sizes.tolist() == [1, 0, 1]


def test_without_lists_nothing_is_recommended() -> None:
    with refused(NotApplicableError, where="Gini@5", hint=None):
        top_items(replace(LISTS, lists=None), 5, "Gini@5")
    with refused(NotApplicableError, where="Gini@5", hint="measure it under AllItems"):
        top_items(replace(LISTS, only=np.zeros(3, np.int64)), 5, "Gini@5")


LIST_SUBSETS_LISTS = judged_lists(*random_lists(5, users=30))


@pytest.mark.parametrize("metric", ["nDCG@5", "AP", "Recall", "Novelty@3", "KendallTau"])
def test_values_are_those_of_the_whole(metric: str) -> None:
    kept = np.array([3, 4, 11, 29])
    np.testing.assert_array_equal(
        values_of(metric, of_lists(LIST_SUBSETS_LISTS, kept)), values_of(metric, LIST_SUBSETS_LISTS)[kept]
    )


def test_lists_follow_their_users() -> None:
    tested = np.zeros(30, bool)
    tested[[2, 7]] = True
    some = of_users(LIST_SUBSETS_LISTS, tested)
    assert some.owner.tolist() == [2, 7] and some.relevance is LIST_SUBSETS_LISTS.relevance
    assert some.length.tolist() == LIST_SUBSETS_LISTS.length[[2, 7]].tolist()
    assert some.lists is not None and LIST_SUBSETS_LISTS.lists is not None
    assert some.lists.length.tolist() == LIST_SUBSETS_LISTS.lists.length[[2, 7]].tolist()
    first, last = LIST_SUBSETS_LISTS.lists.indptr[7:9]
    assert some.lists.item[some.lists.indptr[1] :].tolist() == LIST_SUBSETS_LISTS.lists.item[first:last].tolist()


def test_nobody_and_what_was_counted_of_all() -> None:
    nobody = of_users(LIST_SUBSETS_LISTS, np.zeros(30, bool))
    assert len(nobody) == 0 and nobody.indptr.tolist() == [0] and len(nobody.rank) == 0
    assert (
        LIST_SUBSETS_LISTS.everywhere is not None and nobody.everywhere is None
    )  # counts over all lists are not those of some


# ranks           1     2  3     4  5        of 57 targets; relevant: 5, 4 and the unlisted 4
DIAGNOSTIC_LIST = judged_list([5, None, 2, None, 4], (4, 1))


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("Coverage@10", 5 / 10),
        ("Coverage@3", 1.0),
        ("Unrated@2", 1 / 2),
        ("Unrated@10", 2 / 5),  # of the five items there are
        ("Rho@10", 10 / 10 * 3 / 57),
        ("Rho@100", 57 / 100 * 3 / 57),
        ("Rho", 3 / 57),
        ("Judged@2", 1 / 2),
        ("Judged@10", 3 / 5),
    ],
)
def test_diagnostic_by_hand(metric: str, expected: float) -> None:
    assert value(metric, DIAGNOSTIC_LIST) == pytest.approx(expected, abs=1e-12)


def test_what_a_fallback_adds_is_filled_and_not_covered() -> None:
    """Of four items the system scored three: a fallback filled one of ten places more."""
    judged = judged_list([5, None, 2, 4])
    with_fallback = replace(judged, computed=np.array([3], np.int32))
    assert value("Coverage@10", with_fallback) == 3 / 10
    assert value("Filled@10", with_fallback) == 4 / 10
    assert value("Filled@2", with_fallback) == 1.0


def test_ratings_that_the_system_scored() -> None:
    """Three of five test ratings are listed; the score of one of them is missing."""
    assert value("Predicted", DIAGNOSTIC_LIST) == 3 / 5
    assert value("Predicted", replace(DIAGNOSTIC_LIST, score=np.array([5.0, np.nan, 4]))) == 2 / 5


def test_ties_among_the_rated_items_met() -> None:
    """Ranks 1, 3 and 5; the item at rank 3 shares its score with one other target."""
    tied = replace(DIAGNOSTIC_LIST, tied=np.array([0, 1, 0], np.int32))
    assert value("Tied", tied) == 1 / 3
    assert value("Tied@2", tied) == 0.0
    assert np.isnan(value("Tied", replace(DIAGNOSTIC_LIST, tied=np.array([0, -1, 0], np.int32))))  # not counted


def test_the_rank_of_the_dth_rated_item() -> None:
    """Rated items at ranks 1, 3 and 5; of four places that the system filled the fifth is the fallback's."""
    assert [value(f"FullPosition@{d}", DIAGNOSTIC_LIST) for d in (1, 2, 3)] == [1, 3, 5]
    assert np.isnan(value("FullPosition@4", DIAGNOSTIC_LIST))
    assert np.isnan(value("FullPosition@3", replace(DIAGNOSTIC_LIST, computed=np.array([4], np.int32))))


SYSTEM_LISTS = judged_lists([[5, None], [5, None], [None, 5]], items=[[0, 1], [0, 2], [3, 0]], catalogue=4)
"""The first two users are given item 0 first, the third item 3; item 0 is what all of them like."""
EVERYONE = np.ones(3, bool)


def values(metrics: list[Metric], tested: np.ndarray = EVERYONE, judged: Judged = SYSTEM_LISTS) -> Measured:
    return with_system_values(measure(judged, own_metrics(metrics)), judged, metrics, tested, None)


def test_columns_stand_in_the_order_of_the_metrics() -> None:
    metrics = [make("metric", text) for text in ("ItemCoverage@1", "RR", "Gini@1")]
    system_values = values(metrics)
    assert system_values.values[:, 0].tolist() == [2 / 4] * 3 and system_values.values[:, 1].tolist() == [1, 1, 0.5]
    assert system_values.values[:, 2] == pytest.approx([2 * (3 * 1 + 4 * 2) / (4 * 3) - 5 / 4] * 3)


def test_only_the_tested_make_the_value_of_a_system() -> None:
    coverage = make("metric", "ItemCoverage@1")
    first_two = values([coverage], np.array([True, True, False]))
    assert first_two.values.tolist() == [[1 / 4]] * 3
    assert np.isnan(values([make("metric", "Gini@1")], np.zeros(3, bool)).values).all()
    assert np.isnan(system_value(make("metric", "Gini@1"), judged_lists([[]], [[5]])))


def test_curves_are_drawn_also_of_metrics_of_users() -> None:
    metrics = [make("metric", "UROC"), make("metric", "RR")]
    system_values = values(metrics)
    assert list(system_values.curves) == ["UROC"] and system_values.values.shape == (3, 2)
    only_users = measure(SYSTEM_LISTS, [metrics[1]])
    assert with_system_values(only_users, SYSTEM_LISTS, [metrics[1]], EVERYONE, None) is only_users


def test_why_a_metric_has_no_value() -> None:
    assert refusal([make("metric", "RR"), make("metric", "Gini@1")], SYSTEM_LISTS, EVERYONE, None) is None
    negative = judged_lists([[-2, 5]])
    error = refusal([make("metric", "nDCG(gain=exp2)@2")], negative, np.ones(1, bool), None)
    assert error is not None and (error.where, error.found) == ("metrics", -2.0)
