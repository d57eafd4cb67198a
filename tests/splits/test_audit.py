"""What splits leak and how large their parts are: audits, warnings, merged pairs, validation and development parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from tests.refusals import refused
from tests.reports.splits import split
from tests.splits.tiny import data, rows

import heldout as ho
from heldout import audit
from heldout.catalogue import make
from heldout.errors import InputError, SpecError
from heldout.experiment.divide import look
from heldout.splits.audit import audit_sentence
from heldout.splits.carve import with_groups
from heldout.splits.concerns import SmallValidation, concerns
from heldout.splits.sizes import mean_sizes, sizes_of
from heldout.splits.store import save_split, saved_splits
from heldout.tables import Dropped, Interactions, Split, Vocabulary


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
    with refused(InputError, file="test.csv", found=["user 1, item 2"], expected="disjoint"):
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
    assert "no times" in repr(untimed) and "later than a test rating with probability 0.50" in repr(older)


def test_small_parts_are_told() -> None:
    big = data(100, 100)
    assert not list(concerns(next(iter(make("split", "ratio(train=0.8)").split(big, seed=1)))))
    small = next(iter(make("split", "leave_out(1)").split(data(), seed=1)))
    assert [notice.code for notice in concerns(small)] == ["HO501", "HO503"]
    lopsided = next(iter(make("split", "keep(2)").split(big, seed=1)))
    assert "HO504" in [notice.code for notice in concerns(lopsided)]
    empty = Split(train=small.train, test=small.test, dropped=(Dropped("why", 10_000),))
    assert "HO505" in [notice.code for notice in concerns(empty)]
    groups = with_groups(small, 3, seed=1)
    assert SmallValidation.notice("Only 3 users are for development and 27 users are for evaluation") in list(
        concerns(groups)
    )


USERS, ITEMS = 12, 8


def purchases(folder: Path) -> Path:
    """Each user takes items 0 to 5 at times 0 to 5, item 0 again at time 10, when items 6 and 7 are new."""
    lines = ["user,item,rating,timestamp"]
    for user in range(USERS):
        lines += [f"u{user},i{item},{1 + item % 3},{item}" for item in range(6)]
        lines += [f"u{user},i0,4,10", f"u{user},i6,1,10", f"u{user},i7,2,11"]
    path = folder / "log.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def divided(path: Path, *filters: str, by: str = "temporal(at='1970-01-01T00:00:08')") -> Split:
    return next(iter(make("split", by).split(look(str(path), filters, seed=1).data, seed=1)))


@pytest.mark.parametrize(
    ("filtering", "value", "time", "other"),
    [
        ("duplicates(keep=sum)", 5.0, 0, 10),
        ("duplicates(keep=max)", 4.0, 0, 10),
        ("duplicates(keep=latest)", 4.0, 10, 0),
        ("duplicates(keep=sum, time=latest)", 5.0, 10, 0),
        ("duplicates(keep=latest, time=first)", 4.0, 0, 10),
    ],
)
def test_merged_pairs_carry_the_time_of_their_first_or_latest_row(
    tmp_path: Path, filtering: str, value: float, time: int, other: int
) -> None:
    data = look(str(purchases(tmp_path)), [filtering], seed=1).data
    assert data is not None and data.time is not None and data.merged_time is not None
    assert (data.value[0], data.time[0], data.merged_time[0]) == (value, time, other)
    assert (data.time[1:8] == data.merged_time[1:8]).all()  # pairs of one row begin and end with it


def test_rows_without_repeats_have_no_merged_times(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("user,item,rating,timestamp\na,x,1,5\na,y,2,3\n", encoding="utf-8")
    data = look(str(path), ["duplicates(keep=sum)"], seed=1).data
    assert data is not None and data.merged_time is None and data.time is not None and data.time.tolist() == [5, 3]


@pytest.mark.parametrize("by", ["temporal(at='1970-01-01T00:00:08')", "temporal(by=user, last=2)"])
def test_the_first_time_tests_nobody_on_what_they_had_met(tmp_path: Path, by: str) -> None:
    split = divided(purchases(tmp_path), "duplicates(keep=sum)", by=by)
    assert set(split.test.item.tolist()) == {6, 7}
    found = audit(split)
    assert (found.straddling_train, found.straddling_test) == (USERS, 0)
    (told,) = [notice.message for notice in concerns(split) if notice.code == "HO512"]
    assert told.startswith(f"12 of {6 * USERS} training pairs (16.7%) are merged from rows before and after the cut")


def test_the_latest_time_moves_old_pairs_into_test_and_is_told(tmp_path: Path) -> None:
    split = divided(purchases(tmp_path), "duplicates(keep=latest)")
    assert set(split.test.item.tolist()) == {0, 6, 7}
    assert (audit(split).straddling_train, audit(split).straddling_test) == (0, USERS)
    (told,) = [notice.message for notice in concerns(split) if notice.code == "HO512"]
    assert told.startswith("12 of 36 test pairs (33.3%)")


def test_equal_values_hold_nothing_of_later_rows(tmp_path: Path) -> None:
    split = divided(purchases(tmp_path), "duplicates(keep=sum)", "binarise(1)")
    assert audit(split).straddling == USERS
    assert "HO512" not in [notice.code for notice in concerns(split)]


def test_a_split_that_does_not_follow_time_has_no_cut(tmp_path: Path) -> None:
    split = divided(purchases(tmp_path), "duplicates(keep=sum)", by="ratio(train=0.5)")
    assert audit(split).straddling_test is None
    assert "HO512" not in [notice.code for notice in concerns(split)]


def test_a_saved_split_still_knows(tmp_path: Path) -> None:
    split = divided(purchases(tmp_path), "duplicates(keep=latest)")
    save_split(tmp_path / "kept", [split], made_by="temporal", seed=1, data="log.csv")
    (again,) = saved_splits(tmp_path / "kept")
    assert audit(again) == audit(split)
    assert again.digest == split.digest


def test_methods_and_review_do_not_vouch_for_merged_times(tmp_path: Path) -> None:
    study = {
        "data": str(purchases(tmp_path)),
        "filters": [["duplicates(keep=latest)"]],
        "split": "temporal(at='1970-01-01T00:00:08')",
        "recommend": ["Popularity", "Random"],
        "metrics": "P@2",
        "relevance": "threshold(1)",
    }
    results = ho.run(study)
    (told,) = [n.message for n in results.findings.notices if n.code == "HO512"]
    assert "12 of 36 test pairs (33.3%)" in told
    assert "HO512" in ho.lint(results).codes
    methods = str(ho.methods(results))
    assert "y the times that merged pairs carry, no test rating is older than any training rating; 12 test pairs" in methods


@pytest.mark.parametrize("text", ["ratio(train=0.9)", "leave_out(2)", "temporal(at=0.8)", "test_users(0.5)"])
def test_validation_is_carved_out_of_train_by_any_split(text: str) -> None:
    plain, carved, again = (ho.split(data(), "ratio(train=0.8)", validation=by)[0] for by in (None, text, text))
    assert carved.validation is not None and len(carved.validation) > 0
    assert carved.test.digest == plain.test.digest
    dropped = sum(d.count for d in carved.dropped)
    assert len(carved.train) + len(carved.validation) + dropped == len(plain.train)
    assert carved.digest == again.digest != plain.digest


def test_the_same_coin_flip_again_draws_other_numbers() -> None:
    # Were they the same, no rating that was left in train would fall above 0.8 again.
    carved = ho.split(data(), "ratio(train=0.8)", validation="ratio(train=0.8)")[0]
    assert carved.validation is not None
    assert 0.1 < len(carved.validation) / (len(carved.train) + len(carved.validation)) < 0.3


def test_validation_divides_once() -> None:
    with refused(SpecError, where="validation", found="folds(n=3)", hint="such as ratio(train=0.9, by=user)"):
        ho.split(data(), "ratio(train=0.8)", validation="folds(3)")
    with refused(InputError, where="validation: leave_out(l=50)", expected="at least 51 ratings of each user"):
        ho.split(data(), "ratio(train=0.8)", validation="leave_out(50)")


def test_development_and_evaluation_users() -> None:
    split = ho.split(data(), "test_users(20)", development=0.25)[0]
    assert split.development is not None
    tested = split.test.user_counts > 0
    assert tested.sum() == 20 and split.development.sum() == 5 and not (split.development & ~tested).any()
    one, other = (ho.split(data(), "temporal(at=0.8)", development=7, seed=seed)[0].development for seed in (1, 2))
    assert one is not None and other is not None
    assert one.sum() == other.sum() == 7 and not np.array_equal(one, other)
    with refused(InputError, where="development", found=20, expected="fewer than 20 test users"):
        ho.split(data(), "test_users(20)", development=20)
    with refused(InputError, found=21, expected="at most 20 test users"):
        ho.split(data(), "test_users(20)", development=21)


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
