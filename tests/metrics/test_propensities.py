"""How likely a rating was to be seen: by popularity, and from a column."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from tests.metrics.lists import judged_list, knowing, value
from tests.metrics.propensities import with_propensities

from heldout.errors import InputError, NotApplicableError
from heldout.tables import Background, Judged, Side, Vocabulary

P = "propensity=column(p)"


# relevant items 0 and 2 at ranks 1 and 3 with propensities 1 and 1/2; two more, unlisted, with 1
LIST = with_propensities(judged_list([5, None, 4], (4, 5)), [1, 1, 0.5])


def test_propensities_by_popularity() -> None:
    """γ = 1: p is proportional to the number of ratings: 4 for item 0, 1 for the others; a factor cancels."""
    judged = knowing(judged_list([5, None, 4], (4,)), [(0, 0, 5)], ratings=np.where(np.arange(57) == 0, 4, 1))
    assert value("Recall(snips, propensity=popularity(1))@1", judged) == pytest.approx((1 / 4) / (1 / 4 + 1 + 1))
    many = knowing(judged_list([5, None, 4], (4,)), [(0, 0, 5)], ratings=np.where(np.arange(57) == 0, 400, 100))
    for metric in ("Recall(snips)@1", "DCG(snips)", "AUC(snips)"):
        assert value(metric, many) == pytest.approx(value(metric, judged))


def test_impossible_propensities_are_refused() -> None:
    with pytest.raises(InputError, match=r"the propensity of item 2 is 1\.5, expected above 0 and at most 1"):
        value(f"P(ips, {P})@5", with_propensities(LIST, [1, 1, 1.5]))
    with pytest.raises(InputError, match="the propensity of item 0 is 0, expected above 0"):
        value("Recall(snips, propensity=column(p, scale=proportional))@5", with_propensities(LIST, [0]))
    assert value("Recall(snips, propensity=column(p, scale=proportional))@5", with_propensities(LIST, [1, 1, 1.5])) > 0


def of_pairs(rows: list[tuple[int, int, float]]) -> Judged:
    """LIST, whose user is 0, with propensities of pairs of a user and an item."""
    users, items, p = zip(*rows, strict=True)
    side = Side.of(pl.DataFrame({"user_id": users, "item_id": items, "p": p}), "item_id", user_name="user_id")
    known = replace(LIST.relevance.background, side=side, users=Vocabulary.numbered(2))  # type: ignore[type-var]
    return replace(LIST, relevance=replace(LIST.relevance, background=known, _memo={}), _memo={})


def test_propensities_may_differ_between_users() -> None:
    """Hits 0 and 2 have 1/4 and 1/2 for user 0; what user 1 would have does not matter."""
    rated = LIST.relevance.item.tolist()
    assert rated[:2] == [0, 2] and len(rated) == 4
    rows = [(0, 0, 0.25), (0, 2, 0.5), (1, 0, 1.0), (1, 2, 0.1), *((0, i, 1.0) for i in rated[2:])]
    assert value(f"P(ips, {P})@5", of_pairs(rows)) == pytest.approx((4 + 2) / 5)
    assert value(f"Recall(snips, {P})@1", of_pairs(rows)) == pytest.approx(4 / (4 + 2 + 1 + 1))
    with pytest.raises(InputError, match="the propensity of item 2 for user 0 is nan, expected above 0 and at most 1"):
        value(f"P(ips, {P})@5", of_pairs([row for row in rows if row[:2] != (0, 2)]))
    with pytest.raises(InputError, match=r"2 rows are of pairs that occur more than once \(first: 0, 0\)"):
        of_pairs([*rows, (0, 0, 0.3)])
    with pytest.raises(InputError, match="one row for each user and item, expected one for each item"):
        side = of_pairs(rows).relevance.background.side  # type: ignore[union-attr]
        side.features("p", Vocabulary.numbered(57))  # type: ignore[union-attr]


def test_popularity_needs_training_ratings() -> None:
    bare = replace(
        LIST, relevance=replace(LIST.relevance, background=Background(items=Vocabulary.numbered(57)), _memo={}), _memo={}
    )
    with pytest.raises(NotApplicableError, match="needs the training ratings to tell how popular items are"):
        value("Recall(snips)@5", bare)
