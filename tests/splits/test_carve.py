"""Validation parts and groups of users, carved out of any split."""

from __future__ import annotations

import numpy as np
import pytest
from tests.refusals import refused
from tests.splits.tiny import data

from heldout.catalogue import make
from heldout.errors import InputError, SpecError
from heldout.splits.carve import with_groups, with_validation


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
    with refused(InputError, found=21, expected="at most 20 test users"):
        with_groups(split, 21, seed=1)
