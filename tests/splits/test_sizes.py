"""Sizes of the parts of folds, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.reports.splits import split

from heldout.splits.sizes import mean_sizes, sizes_of


def test_users_items_and_density_are_those_of_the_part() -> None:
    train, test = sizes_of(split())  # 4 users rated 5 items each, of which the last 2 are hidden
    assert (train.part, train.ratings, train.users, train.items, train.density, train.share) == ("train", 12, 4, 3, 1.0, 0.6)
    assert (test.part, test.ratings, test.users, test.items, test.density, test.share) == ("test", 8, 4, 2, 1.0, 0.4)


def test_validation_stands_between_and_takes_its_share() -> None:
    fold = split()
    half = fold.train.select(fold.train.user < 2)
    parts = sizes_of(replace(fold, train=fold.train.select(fold.train.user >= 2), validation=half))
    assert [(part.part, part.ratings, part.users) for part in parts] == [
        ("train", 6, 2),
        ("validation", 6, 2),
        ("test", 8, 4),
    ]
    assert sum(part.share for part in parts) == pytest.approx(1)


def test_means_are_of_each_number_by_itself() -> None:
    first = sizes_of(split())
    second = tuple(replace(part, fold=1, users=part.users + 1, density=0.5) for part in first)
    train, test = mean_sizes([first, second])
    assert train.fold is None and (train.users, train.items, train.density) == (4.5, 3, 0.75)
    assert (test.users, test.density) == (4.5, 0.75)
