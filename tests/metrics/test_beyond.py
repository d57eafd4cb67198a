"""Coverage, novelty, diversity, serendipity and popularity of lists, by hand."""

from __future__ import annotations

from dataclasses import replace
from math import log2, sqrt

import numpy as np
import polars as pl
import pytest
from tests.metrics.lists import judged_list, knowing, value

from heldout.errors import NotApplicableError
from heldout.tables import Judged, Side
from heldout.testing.lists import judged_lists, values_of

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
    return replace(judged, relevance=replace(judged.relevance, background=known, _memo={}), _memo={})


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
    lists = replace(LIST, lists=None, _memo={})
    with pytest.raises(NotApplicableError, match="needs the lists themselves"):
        values_of("ARP@3", lists)
    bare = replace(LIST, relevance=replace(LIST.relevance, background=None, _memo={}), _memo={})
    with pytest.raises(NotApplicableError, match="needs more than lists and test ratings"):
        values_of("Novelty@3", bare)
    with pytest.raises(NotApplicableError, match="needs a table of items, and the data set has none"):
        values_of("ILD(features=genres)@3", LIST)


THREE = judged_lists([[5, None], [5, None], [5]], catalogue=4)


def test_values_of_whole_systems() -> None:
    assert values_of("ItemCoverage@2", THREE).tolist() == [2 / 4] * 3
    assert values_of("ItemCoverage@1", THREE).tolist() == [1 / 4] * 3
    # recommended 3, 2, 0, 0 times: 2 (3·2 + 4·3) / (4 · 5) − 5/4
    assert values_of("Gini@2", THREE) == pytest.approx([2 * (3 * 2 + 4 * 3) / 20 - 5 / 4] * 3)
    assert values_of("Entropy@2", THREE) == pytest.approx([-(0.6 * log2(0.6) + 0.4 * log2(0.4))] * 3)
    assert values_of("Entropy@1", THREE).tolist() == [0.0] * 3
