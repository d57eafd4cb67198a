"""What splits leak, by hand and on published files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from tests.splits.tiny import data, rows

from heldout import audit
from heldout.catalogue import make
from heldout.errors import InputError
from heldout.splits.audit import audit_sentence
from heldout.tables import Interactions, Split, Vocabulary


def test_an_audit_by_hand() -> None:
    # User 0 trains at 1 and 9 and is tested at 5 (older than 9: its own) and 10. User 1 trains at 2 and is tested at 3,
    # which is older than user 0's 9 but not than its own. User 2 is new; item 3 is new.
    train = rows([0, 0, 1], [0, 1, 0], [1, 9, 2])
    test = rows([0, 0, 1, 2], [2, 3, 2, 1], [5, 10, 3, 11])
    found = audit(Split(train=train, test=test))
    assert (found.overlap, found.older_than_any, found.older_than_own, found.users_older_than_own) == (0, 2, 1, 1)
    assert (found.test_users, found.cold_users, found.cold_user_ratings) == (3, 1, 1)
    assert (found.test_items, found.cold_items, found.cold_item_ratings) == (3, 2, 3)  # items 2 (twice) and 3
    assert found.consistent_in_time is False
    # Of 12 pairs of a training time (1, 9, 2) and a test time (5, 10, 3, 11) two are in this order: 9 after 5 and after 3.
    assert found.train_later == 2 / 12
    both = audit(Split(train=train, test=rows([0, 1], [1, 0], None)))
    assert both.overlap == 2 and both.older_than_any is None and both.consistent_in_time is None


def test_audits_tell_splits_apart() -> None:
    whole = data()
    cut = audit(next(iter(make("split", "temporal(at=0.8)").split(whole, seed=1))))
    flips = audit(next(iter(make("split", "ratio(train=0.8)").split(whole, seed=1))))
    own = audit(next(iter(make("split", "random_time").split(whole, seed=1))))
    assert cut.consistent_in_time is True and cut.older_than_own == 0
    assert (flips.older_than_any or 0) > 0.9 * flips.test and (flips.older_than_own or 0) > 0.5 * flips.test
    assert own.older_than_own == 0 and (own.older_than_any or 0) > 0.9 * own.test


@pytest.mark.parametrize("times", [30, 10**9])
def test_a_training_rating_is_later_as_often_as_not_in_a_random_split(times: int) -> None:
    """Also if many ratings have the same time; one moment gives 0, and files the other way round give 1."""
    draw = np.random.default_rng(3)
    user, item = np.divmod(np.arange(4800), 60)
    vocabularies = Vocabulary.numbered(80), Vocabulary.numbered(60)
    whole = Interactions.build(*vocabularies, user, item, np.ones(4800), time=draw.integers(0, times, 4800))
    flips = [audit(next(iter(make("split", "ratio(train=0.8)").split(whole, seed=s)))).train_later for s in range(40)]
    assert abs(np.mean(flips) - 0.5) < 4.5 * np.std(flips, ddof=1) / np.sqrt(40)
    cut = next(iter(make("split", "temporal(at=0.8)").split(whole, seed=1)))
    assert audit(cut).train_later == 0 and audit(Split(train=cut.test, test=cut.train)).train_later == 1
    own = next(iter(make("split", "temporal(by=user, share=0.2)").split(whole, seed=1)))
    order = np.sign(np.subtract.outer(own.train.time, own.test.time))
    assert audit(own).train_later == pytest.approx(float((order + 1).mean() / 2), abs=1e-12)


def test_files_with_pairs_in_both_parts_can_be_audited(tmp_path: Path) -> None:
    (tmp_path / "train.csv").write_text("user,item,rating,timestamp\n1,1,5,10\n1,2,4,20\n")
    (tmp_path / "test.csv").write_text("user,item,rating,timestamp\n1,2,4,15\n2,1,3,30\n")
    splitter = make("split", f'given(train="{tmp_path}/train.csv", test="{tmp_path}/test.csv")')
    with pytest.raises(InputError, match=r"1 \(user, item\) pairs are also in"):
        list(splitter.split(None, seed=1))
    found = audit(next(iter(splitter.parts(None))))
    assert (found.overlap, found.older_than_any, found.cold_users) == (1, 1, 1)


def test_the_audit_of_movielens_u1(real_data: Callable[[str], Path]) -> None:
    folder = real_data("ml-100k")
    splitter = make("split", f'given(train="{folder}/u1.base", test="{folder}/u1.test")')
    split = next(iter(splitter.split(None, seed=1)))
    found = audit(split)
    # u1 does not follow time: nearly all test ratings are older than some training rating
    assert (found.overlap, found.test, found.cold_users) == (0, 20_000, 0)
    assert found.older_than_any is not None and found.older_than_any > 19_000
    statistic = stats.mannwhitneyu(split.train.time, split.test.time, method="asymptotic").statistic
    assert found.train_later == pytest.approx(statistic / (len(split.train) * len(split.test)), abs=1e-12)
    assert found.cold_items == 32  # 1,682 − 1,650 items in u1.base


def test_the_gravest_leak_is_told() -> None:
    train = rows([0, 1], [0, 1], [1, 5])
    overlap = audit(Split(train=train, test=rows([0], [0], [9])))
    untimed = audit(Split(train=rows([0], [0], None), test=rows([0], [1], None)))
    older = audit(Split(train=train, test=rows([0], [2], [3])))
    right = audit(Split(train=train, test=rows([0], [2], [5])))  # as new as the newest training rating
    sentences = [audit_sentence(audits) for audits in ([right, older, untimed, overlap], [right, untimed], [right, older])]
    assert [told.partition(":")[0] for told in sentences] == [
        "Training and test ratings overlap",
        "Disjoint; without times nothing can be said of order.",
        "Disjoint, but not consistent in time",
    ]
    assert audit_sentence([right]).startswith("Disjoint and consistent in time")
    merged = replace(right, straddling_train=2, straddling_test=1)
    assert merged.straddling == 3 and "3 pairs are merged" in audit_sentence([right, merged])
    assert "no times" in untimed.headline() and "later than a test rating with probability 0.50" in older.headline()
