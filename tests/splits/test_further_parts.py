"""Validation parts, user groups, audits, saved splits and parts that are too small."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from heldout.catalogue import make
from heldout.errors import InputError, SpecError
from heldout.splits.audit import audit
from heldout.splits.carve import with_groups, with_validation
from heldout.splits.store import save_split, saved_splits
from heldout.tables import Interactions, Split, Vocabulary


def data(users: int = 30, items: int = 20, *, text_ids: bool = False) -> Interactions:
    user, item = np.divmod(np.arange(users * items), items)
    names = (
        Vocabulary(np.array([f"u{k:02}" for k in range(users)], dtype=object)) if text_ids else Vocabulary.numbered(users)
    )
    n = len(user)
    time = np.random.default_rng(3).permutation(n).astype(np.int64)
    return Interactions.build(names, Vocabulary.numbered(items), user, item, np.arange(n) % 5 + 0.5, time=time)


def rows(user: list[int], item: list[int], time: list[int] | None) -> Interactions:
    made = np.array(time, dtype=np.int64) if time is not None else None
    return Interactions.build(
        Vocabulary.numbered(4), Vocabulary.numbered(4), np.array(user), np.array(item), np.ones(len(user)), time=made
    )


@pytest.mark.parametrize("text", ["ratio(train=0.9)", "leave_out(2)", "temporal(at=0.8)", "test_users(0.5)"])
def test_validation_is_carved_out_of_train_by_any_split(text: str) -> None:
    split = next(iter(make("split", "ratio(train=0.8)").split(data(), seed=1)))
    carved = with_validation(split, make("split", text), seed=1)
    assert carved.validation is not None and len(carved.validation) > 0
    assert carved.test is split.test
    dropped = sum(d.count for d in carved.dropped)
    assert len(carved.train) + len(carved.validation) + dropped == len(split.train)
    assert carved.digest == with_validation(split, make("split", text), seed=1).digest != split.digest


def test_the_same_coin_flip_again_draws_other_numbers() -> None:
    # Were they the same, no rating that was left in train would fall above 0.8 again.
    split = next(iter(make("split", "ratio(train=0.8)").split(data(), seed=1)))
    carved = with_validation(split, make("split", "ratio(train=0.8)"), seed=1)
    assert carved.validation is not None
    assert 0.1 < len(carved.validation) / len(split.train) < 0.3


def test_validation_divides_once() -> None:
    split = next(iter(make("split", "ratio(train=0.8)").split(data(), seed=1)))
    with pytest.raises(SpecError, match=r"folds\(n=3\) does not divide it once"):
        with_validation(split, make("split", "folds(3)"), seed=1)
    with pytest.raises(InputError, match="validation: leave_out"):
        with_validation(split, make("split", "leave_out(50)"), seed=1)


def test_development_and_evaluation_users() -> None:
    split = next(iter(make("split", "test_users(20)").split(data(), seed=1)))
    grouped = with_groups(split, 0.25, seed=1)
    assert grouped.development is not None
    tested = split.test.user_counts > 0
    assert grouped.development.sum() == 5 and not (grouped.development & ~tested).any()
    assert with_groups(split, 7, seed=1).development.sum() == 7  # type: ignore[union-attr]
    assert not np.array_equal(with_groups(split, 7, seed=2).development, with_groups(split, 7, seed=1).development)
    with pytest.raises(InputError, match="none for evaluation"):
        with_groups(split, 20, seed=1)
    with pytest.raises(InputError, match="21 test users are asked for, and there are 20"):
        with_groups(split, 21, seed=1)


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


def test_files_with_pairs_in_both_parts_can_be_audited(tmp_path: Path) -> None:
    (tmp_path / "train.csv").write_text("user,item,rating,timestamp\n1,1,5,10\n1,2,4,20\n")
    (tmp_path / "test.csv").write_text("user,item,rating,timestamp\n1,2,4,15\n2,1,3,30\n")
    splitter = make("split", f'given(train="{tmp_path}/train.csv", test="{tmp_path}/test.csv")')
    with pytest.raises(InputError, match=r"1 \(user, item\) pairs are also in"):
        list(splitter.split(None, seed=1))
    found = audit(next(iter(splitter.parts(None))))
    assert (found.overlap, found.older_than_any, found.cold_users) == (1, 1, 1)


@pytest.mark.parametrize("text_ids", [False, True])
def test_a_saved_split_is_read_back_bit_for_bit(tmp_path: Path, text_ids: bool) -> None:
    whole = data(text_ids=text_ids)
    made = []
    for split in make("split", "test_users(0.8, then=replay(times=2))").split(whole, seed=4):
        split = with_validation(split, make("split", "ratio(train=0.9)"), seed=4)
        made.append(with_groups(split, 0.5, seed=4))
    for place in ("a", "b"):
        save_split(tmp_path / place, made, made_by="test", seed=4)
    again = list(make("split", f'saved("{tmp_path}/a")').split(None, seed=99))
    assert [s.digest for s in again] == [s.digest for s in made]
    assert [s.dropped for s in again] == [s.dropped for s in made]
    assert all(np.array_equal(a.development, b.development) for a, b in zip(again, made, strict=True))  # type: ignore[arg-type]
    assert make("split", f'saved("{tmp_path}/a")').folds_made == 2
    files = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*") if p.is_file())
    assert all((tmp_path / "a" / f).read_bytes() == (tmp_path / "b" / f).read_bytes() for f in files)


def test_a_saved_split_that_was_changed_is_refused(tmp_path: Path) -> None:
    place = save_split(tmp_path / "s", make("split", "ratio").split(data(), seed=1), made_by="ratio", seed=1)
    frame = pl.read_parquet(place / "fold-1" / "train.parquet")
    frame.with_columns(value=pl.col("value") + 1).write_parquet(place / "fold-1" / "train.parquet")
    with pytest.raises(InputError, match="the ratings are not those that were saved"):
        list(saved_splits(place))
    (place / "fold-1" / "test.parquet").unlink()
    with pytest.raises(InputError, match=r"test\.parquet: cannot be read"):
        list(saved_splits(place))
    (place / "split.json").write_text(json.dumps({"format": "other"}))
    with pytest.raises(InputError, match="not a split that this version reads"):
        list(saved_splits(place))
    with pytest.raises(InputError, match=r"split\.json is missing"):
        list(saved_splits(tmp_path))
    with pytest.raises(InputError, match="this folder is not empty"):
        save_split(place, [], made_by="x", seed=1)


def test_the_audit_of_movielens_u1(real_data: Callable[[str], Path]) -> None:
    folder = real_data("ml-100k")
    splitter = make("split", f'given(train="{folder}/u1.base", test="{folder}/u1.test")')
    found = audit(next(iter(splitter.split(None, seed=1))))
    # u1 was drawn at random: nearly all test ratings are older than some training rating
    assert (found.overlap, found.test, found.cold_users) == (0, 20_000, 0)
    assert found.older_than_any is not None and found.older_than_any > 19_000
    assert found.cold_items == 32  # 1,682 − 1,650 items in u1.base
