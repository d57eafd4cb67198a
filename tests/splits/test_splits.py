"""Splits on data small enough to count, and what every split promises on ratings that hypothesis makes up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.refusals import refused
from tests.splits.tiny import full, table

import heldout as ho
from heldout import read, rng
from heldout.catalogue import classes, make
from heldout.errors import UNKNOWN, InputError, SpecError
from heldout.splits.parts import draws, evenly_dealt, place_in_item, place_in_user, rounded, rounded_down
from heldout.splits.splitter import Divider
from heldout.splits.store import save_split
from heldout.tables import Interactions, Split, Vocabulary
from heldout.tables.arrays import Int64

SPLITS = [
    "ratio(train=0.5)",
    "ratio(train=0.8, by=user)",
    "ratio(train=0.6, by=user, rounding=test_down)",
    "folds(2)",
    "folds(3, by=user)",
    "leave_out(1, short=train)",
    "leave_out(2, short=drop)",
    "keep(2, short=train)",
    "keep(1, short=drop)",
    "per_item(1, side=test, short=train)",
    "per_item(2, side=train, short=drop)",
    "uniform_test(share=0.1, keep=0.5, repeats=2)",
    "uniform_test(share=0.1, keep=0.5, folds=2)",
    "uniform_test(share=0.1, keep=0.5, folds=3)",
    "temporal(at=0.7)",
    "temporal(share=0.4)",
    "temporal(by=user, share=0.5)",
    "temporal(by=user, last=1, short=train)",
    "random_time",
    "hide(random)",
    "test_users(0.5)",
    "test_users(4, then=ratio(train=0.5))",
    "test_users(0.5, then=temporal(at=0.6))",
    "test_users(0.5, then=replay(times=2))",
    "replay(times=3)",
    "replay(times=2, until=end, after=0.3)",
]
TRIED = {make("split", text).key for text in SPLITS}
EVERY = [
    *SPLITS,
    *(
        cls.drawn or cls.key
        for cls in classes("split")
        if cls.__module__.startswith("heldout.") and not cls.predefined and cls.key not in TRIED
    ),
]
"""Those above, and every other split of the catalogue as it is drawn."""
CUTS_IN_TIME = ["temporal(at=0.7)", "temporal(share=0.4)", "test_users(0.5, then=temporal(at=0.6))", "replay(times=3)"]
WITHOUT_DRAWS = ("temporal(at=0.7)", "temporal(share=0.4)", "temporal(by=user, share=0.5)", "temporal(by=user, last=1")


def splits(text: str, data: Interactions | None, seed: int = 1) -> list[Split]:
    return list(make("split", text).split(data, seed=seed))


def pairs_of(data: Interactions) -> set[tuple[float, ...]]:
    return set(zip(data.user.tolist(), data.item.tolist(), data.value.tolist(), strict=True))


pairs = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 14)), min_size=60, max_size=140, unique=True)
few = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("text", EVERY)
@few
@given(rows=pairs, seed=st.integers(0, 2**40))
def test_every_split_is_disjoint_complete_and_repeatable(text: str, rows: list[tuple[int, int]], seed: int) -> None:
    data = table(rows)
    try:
        made = splits(text, data, seed)
    except InputError as error:  # too few ratings for this split, and it says what it needs
        assert error.expected or error.hint
        assume(False)
        raise
    assert len(made) == make("split", text).folds_made
    assert [s.fold for s in made] == list(range(len(made)))
    for split, again in zip(made, splits(text, data, seed), strict=True):
        train, test = pairs_of(split.train), pairs_of(split.test)
        assert not train & test
        assert train | test <= pairs_of(data)
        assert len(train) + len(test) + sum(d.count for d in split.dropped) == len(data)
        assert all(d.count > 0 and d.reason for d in split.dropped)
        assert split.digest == again.digest
        assert split.train.users is data.users and split.test.items is data.items
    if text.startswith("folds"):
        assert set().union(*(pairs_of(s.test) for s in made)) == pairs_of(data)


@pytest.mark.parametrize("text", SPLITS)
def test_another_seed_gives_another_split(text: str) -> None:
    data = full(20, 15, timed=True)
    same = splits(text, data, 1)[0].digest == splits(text, data, 2)[0].digest
    assert same == text.startswith(WITHOUT_DRAWS)


@pytest.mark.parametrize("text", CUTS_IN_TIME)
@few
@given(rows=pairs, seed=st.integers(0, 2**40))
def test_one_cut_in_time_never_trains_on_the_future(text: str, rows: list[tuple[int, int]], seed: int) -> None:
    for split in splits(text, table(rows), seed):
        assert split.train.time is not None and split.test.time is not None
        assert split.train.time.max() < split.test.time.min()


@pytest.mark.parametrize("text", ["ratio(train=0.5)", "ratio(train=0.6, by=user)", "leave_out(2)", "keep(3)", "hide"])
def test_where_a_rating_falls_does_not_depend_on_other_users(text: str) -> None:
    data = full(10, 10)
    part = data.select(data.user < 4)
    whole, alone = splits(text, data)[0], splits(text, part)[0]
    assert pairs_of(alone.test) == {p for p in pairs_of(whole.test) if p[0] < 4}


@pytest.mark.parametrize("text", [t for t in SPLITS if t.startswith(("temporal", "random_time", "replay"))])
def test_splits_in_time_need_times(text: str) -> None:
    with refused(InputError, where=str(make("split", text)), hint="name the column of times (time=…)"):
        splits(text, full(5, 5))


def test_a_coin_flip_keeps_about_its_share() -> None:
    split = splits("ratio(train=0.8)", full(200, 100))[0]
    # 20,000 flips at 0.8: standard deviation √(20000·0.8·0.2) = 57
    assert abs(len(split.train) - 16_000) < 5 * 57
    assert len(set(split.train.user_counts.tolist())) > 5


def test_a_share_of_each_user() -> None:
    # 5, 2, 1 and 3 ratings at 0.5: 2.5 → 3, 1, 0.5 → 1, 1.5 → 2 train
    rows = [(0, i) for i in range(5)] + [(1, 0), (1, 1), (2, 3)] + [(3, i) for i in range(3)]
    split = splits("ratio(train=0.5, by=user)", table(rows))[0]
    assert split.train.user_counts[:4].tolist() == [3, 1, 1, 2]
    assert split.test.user_counts[:4].tolist() == [2, 1, 0, 1]


def test_the_test_share_of_each_user_rounded_down() -> None:
    # 5, 2, 1 and 8 ratings at 0.8: 1, 0.4 → 0, 0.2 → 0 and 1.6 → 1 test, where the nearest would be 2
    rows = [(0, i) for i in range(5)] + [(1, 0), (1, 1), (2, 3)] + [(3, i) for i in range(8)]
    split = splits("ratio(train=0.8, by=user, rounding=test_down)", table(rows))[0]
    assert split.test.user_counts[:4].tolist() == [1, 0, 0, 1]
    assert splits("ratio(train=0.8, by=user)", table(rows))[0].test.user_counts[:4].tolist() == [1, 0, 0, 2]
    with refused(SpecError, where="ratio: 'rounding'", found="test_down", hint="add by=user"):
        make("split", "ratio(rounding=test_down)")


def test_rounding_the_test_share_down_gives_the_sizes_of_a_published_split(real_data: Callable[[str], Path]) -> None:
    ratings = ho.read(str(real_data("ml-1m/ratings.dat")))
    qrels = ho.read(str(real_data("../anchors/valcarce-2018/qrels-ml-1M.txt.gz")))
    published = np.bincount(ratings.users.encode(pl.Series(qrels.users.ids))[qrels.user], minlength=ratings.n_users)
    split = splits("ratio(train=0.8, by=user, rounding=test_down)", ratings)[0]
    assert (split.test.user_counts == published).sum() == ratings.n_users == 6040
    nearest = splits("ratio(train=0.8, by=user)", ratings)[0]
    assert (nearest.test.user_counts == published).sum() == 3680


def test_folds_have_equal_sizes() -> None:
    assert sorted(len(s.test) for s in splits("folds(3)", full(7, 1))) == [2, 2, 3]
    by_user = splits("folds(4, by=user)", full(5, 6))  # 30 ratings, 6 a user
    assert sorted(len(s.test) for s in by_user) == [7, 7, 8, 8]
    counts = np.array([s.test.user_counts for s in by_user])
    assert counts.min() == 1 and counts.max() == 2 and (counts.sum(axis=0) == 6).all()


@pytest.mark.parametrize(
    ("text", "train", "test"),
    [
        ("leave_out(2)", [3, 3], [2, 2]),
        ("all_but(1)", [4, 4], [1, 1]),
        ("keep(2)", [2, 2], [3, 3]),
        ("temporal(by=user, last=1)", [4, 4], [1, 1]),
        ("temporal(by=user, share=0.5)", [3, 3], [2, 2]),  # 2.5 → 3 train
    ],
)
def test_counts_of_each_user(text: str, train: list[int], test: list[int]) -> None:
    split = splits(text, full(2, 5, timed=True))[0]
    assert split.train.user_counts.tolist() == train
    assert split.test.user_counts.tolist() == test


def test_users_too_short_are_an_error_unless_said_otherwise() -> None:
    data = table([(0, i) for i in range(5)] + [(1, 0), (1, 1)])
    expected, hint = "at least 3 ratings of each user", "min_ratings(user=3)"
    with refused(InputError, where="leave_out(l=2)", found=2, expected=expected, hint=hint):
        splits("leave_out(2)", data)
    kept = splits("leave_out(2, short=train)", data)[0]
    assert kept.train.user_counts[:2].tolist() == [3, 2] and kept.test.user_counts[:2].tolist() == [2, 0]
    gone = splits("leave_out(2, short=drop)", data)[0]
    assert gone.train.user_counts[:2].tolist() == [3, 0]
    assert [(d.reason, d.count) for d in gone.dropped] == [("users with fewer than 3 ratings", 2)]
    with refused(InputError, where="leave_out(l=10, short=train)", found=2, expected="at least 11 ratings of each user"):
        splits("leave_out(10, short=train)", data)


def test_per_item() -> None:
    rows = [(u, 0) for u in range(5)] + [(u, 1) for u in range(3)]
    test = splits("per_item(2, side=test)", table(rows))[0]
    assert (test.test.item_counts[:2].tolist(), test.train.item_counts[:2].tolist()) == ([2, 2], [3, 1])
    train = splits("per_item(2, side=train)", table(rows))[0]
    assert (train.train.item_counts[:2].tolist(), train.test.item_counts[:2].tolist()) == ([2, 2], [3, 1])


def test_a_uniform_test_set_by_hand() -> None:
    # Counts 10, 8, 5, 1 of 24; with ε = 0.5 the shares k·c/2/24 are 5/24, 8/24, 7.5/24, 2/24: σ = 0.3 is met up to
    # k = 3 (0.3125), so ζ = 3 and η = 2.5 → 3.
    counts = [10, 8, 5, 1]
    data = table([(u, i) for i, c in enumerate(counts) for u in range(c)])
    splitter = make("split", "uniform_test(share=0.3, keep=0.5)")
    items, each = splitter.shape(data)
    assert (items.tolist(), each) == ([0, 1, 2], 3)
    split = splits("uniform_test(share=0.3, keep=0.5)", data)[0]
    assert split.test.item_counts[:4].tolist() == [3, 3, 3, 0]
    first, second = splits("uniform_test(share=0.3, keep=0.5, repeats=2)", data)
    assert first.digest != second.digest and len(first.test) == len(second.test) == 9
    # σ is the least share: of 3 items with 4 ratings each, σ = 0.1 is met up to k = 3 (0.5), and η = 2 of each is half
    even = splits("uniform_test(share=0.1, keep=0.5)", full(4, 3))[0]
    assert even.test.item_counts.tolist() == [2, 2, 2]
    with refused(InputError, where="uniform_test", found=0.5, expected="at most 0.333, the share of 2 items"):
        splits("uniform_test(share=0.5, keep=0.5)", data)


@pytest.mark.parametrize(("n", "keep"), [(2, 0.5), (3, 2 / 3), (5, 0.8), (3, 0.9)])
def test_uniform_folds_are_disjoint_if_enough_is_kept(n: int, keep: float) -> None:
    """One half of 2 folds, two thirds of 3, four fifths of 5; 15 ratings and more of each of 4 items."""
    data = table([(u, i) for i, c in enumerate([31, 22, 17, 15]) for u in range(c)], users=31)
    folds = splits(f"uniform_test(share=0.05, keep={keep}, folds={n})", data)
    assert len(folds) == n
    pairs = [set(zip(f.test.user.tolist(), f.test.item.tolist(), strict=True)) for f in folds]
    assert len(set.union(*pairs)) == sum(map(len, pairs))
    assert {int(c) for f in folds for c in f.test.item_counts if c} == {min(int((1 - keep) * 15 + 0.5 + 1e-9), 15 // n)}
    assert make("split", f"uniform_test(share=0.05, keep={keep}, folds={n})").least_kept_for_disjoint is None


def test_uniform_folds_overlap_if_less_is_kept() -> None:
    """10 ratings of an item in a circle, η = 5: folds begin at 0, 3 and 6, so that places 3, 4, 6, 7 and 0 test twice."""
    data = table([(u, 0) for u in range(10)])
    splitter = make("split", "uniform_test(share=0.1, keep=0.5, folds=3)")
    assert splitter.least_kept_for_disjoint == pytest.approx(2 / 3)
    folds = splits(str(splitter), data)
    times = np.bincount(np.concatenate([f.test.user for f in folds]), minlength=10)
    assert sorted(times.tolist()) == [1] * 5 + [2] * 5
    assert "in three folds with overlapping test sets" in splitter.phrase()
    with refused(SpecError, where="uniform_test", found=["folds=3", "repeats=2"], hint="set one of them"):
        make("split", "uniform_test(folds=3, repeats=2)")


def test_uniform_test_on_movielens_1m(real_data: Callable[[str], Path]) -> None:
    from heldout import read

    data = read(real_data("ml-1m/ratings.dat"))
    split = splits("uniform_test(share=0.2, keep=0.2)", data)[0]
    tested = split.test.item_counts[split.test.item_counts > 0]
    assert len(tested) == 1703 and set(tested.tolist()) == {118}


def test_temporal_by_hand() -> None:
    data = full(2, 5)
    timed = Interactions.build(data.users, data.items, data.user, data.item, data.value, time=np.arange(10) + 1)
    for text in ("temporal(at=0.8)", "temporal(share=0.2)", "temporal(at=9)", 'temporal(at="1970-01-01T00:00:09")'):
        split = splits(text, timed)[0]
        assert split.train.time is not None and split.train.time.tolist() == list(range(1, 9)), text
    with refused(InputError, where="temporal(at=999)", found="999", expected="a time after 1970-01-01 00:00:01"):
        splits("temporal(at=999)", timed)
    with refused(InputError, where="temporal(at=-5)", found="-5"):
        splits("temporal(at=-5)", timed)
    with refused(SpecError, where="temporal(by=all)", found=[], expected="either at or share"):
        make("split", "temporal")
    with refused(SpecError, where="temporal(by=user)", found=["at"], expected="either share or last"):
        make("split", "temporal(by=user, at=0.8)")
    with refused(SpecError, where="temporal: 'at'", found="soon", expected="a date such as 2003-01-31"):
        make("split", "temporal(at=soon)")


def test_ratings_of_the_second_of_the_cut_are_all_tested() -> None:
    data = full(1, 6)
    timed = Interactions.build(
        data.users, data.items, data.user, data.item, data.value, time=np.array([1, 2, 5, 5, 5, 9], dtype=np.int64)
    )
    assert len(splits("temporal(at=0.6)", timed)[0].train) == 2


def test_a_random_time_hides_what_is_later() -> None:
    data = full(300, 5, timed=True)
    split = splits("random_time", data)[0]
    assert split.train.time is not None and split.test.time is not None
    newest = np.array([split.train.time[split.train.user == u].max() for u in range(300)])
    oldest = np.array([split.test.time[split.test.user == u].min() for u in range(300)])
    assert (newest < oldest).all()
    assert 0.4 < len(split.test) / len(data) < 0.6


def test_a_random_number_of_items_is_hidden() -> None:
    split = splits("hide(random)", full(600, 4))[0]
    counts = np.bincount(split.test.user_counts, minlength=5)
    # 1, 2 or 3 of 4, a third each: 200 ± 5·√(600·⅓·⅔) = 200 ± 58
    assert counts[0] == counts[4] == 0 and (np.abs(counts[1:4] - 200) < 58).all()


def test_only_sampled_users_are_tested() -> None:
    split = splits("test_users(2, then=leave_out(1))", full(10, 5))[0]
    assert (len(split.train), len(split.test)) == (48, 2)
    assert (split.test.user_counts > 0).sum() == 2 and not split.dropped
    late = splits("test_users(0.3, then=temporal(at=0.5))", full(10, 6, timed=True))[0]
    assert (late.test.user_counts > 0).sum() <= 3
    assert late.dropped[0].reason == "from the cut on, of users who are not tested"
    assert len(late.train) + len(late.test) + late.dropped[0].count == 60
    with refused(InputError, found=11, expected="at most 10 users"):
        splits("test_users(11)", full(10, 5))
    with refused(SpecError, where="test_users: 'then'", hint="such as then=leave_out(10)"):
        make("split", 'test_users(2, then=given(test="x"))')


def test_replay_by_hand() -> None:
    data = full(2, 5)
    timed = Interactions.build(data.users, data.items, data.user, data.item, data.value, time=np.arange(10) + 1)
    splitter = make("split", "replay(times=2, after=0.5)")
    first, second = (int(m) for m in splitter.moments(timed, seed=3))
    assert 6 <= first < second <= 10
    a, b = splitter.split(timed, seed=3)
    assert (len(a.train), len(a.test)) == (first - 1, second - first)
    assert (len(b.train), len(b.test)) == (second - 1, 11 - second)
    assert sum(d.count for d in a.dropped) == 11 - second and not b.dropped
    with refused(InputError, where="replay(times=6)", found=5, expected="at least 6 distinct times"):
        splits("replay(times=6)", timed)


def test_too_few_ratings_and_no_data() -> None:
    with refused(InputError, where="folds(n=3)", found=2, expected="at least 3 ratings"):
        splits("folds(3)", full(2, 1))
    with refused(InputError, where="ratio", found=["9 training ratings", "0 test ratings"]):
        splits("ratio(train=0.8, by=user)", full(9, 1))
    with refused(InputError, where="ratio(train=0.8)", found=UNKNOWN, hint="set data"):
        splits("ratio", None)


@pytest.mark.parametrize("names", [("u1", "u2", "u3", "u4", "u5"), ("ua", "ub")])
def test_the_published_splits_of_movielens_100k(real_data: Callable[[str], Path], names: tuple[str, ...]) -> None:
    """Training files and the data less the test pairs are the same; sizes: tests/papers/bellogin2011."""
    folder = real_data("ml-100k")
    train, test = ("[" + ", ".join(f'"{folder}/{n}.{part}"' for n in names) + "]" for part in ("base", "test"))
    splitter = make("split", f"given(train={train}, test={test})")
    assert not splitter.needs_data and splitter.folds_made == len(names)
    folds = list(splitter.split(None, seed=1))
    assert {len(s.train) + len(s.test) for s in folds} == {100_000}
    assert {(s.train.n_users, s.train.n_items) for s in folds} == {(943, 1682)}
    without = make("split", f"given(test={test})").split(read(f"{folder}/u.data"), seed=1)
    assert [s.train.digest for s in folds] == [s.train.digest for s in without]


PER_USER = [t for t in SPLITS if t.startswith(("leave_out", "keep", "ratio(train=0.8, by=user)", "temporal(by=user"))]
"""Splits by which each user's number of ratings on each side is fixed by how many the user has."""
PER_ITEM = [t for t in SPLITS if t.startswith("per_item")]
BY_TIME = ["temporal(at=0.7)", "temporal(share=0.4)"]
"""Splits that draw nothing."""


def renamed(data: Interactions, user: Int64, item: Int64) -> Interactions:
    """The same ratings, user k under the name user[k] and item k under item[k]."""
    names = Vocabulary.numbered(data.n_users), Vocabulary.numbered(data.n_items)
    return Interactions.build(*names, user[data.user], item[data.item], data.value, time=data.time)


def renumbered(part: Interactions, user: Int64 | None = None, item: Int64 | None = None) -> set[tuple[int, int]]:
    users = part.user if user is None else user[part.user]
    items = part.item if item is None else item[part.item]
    return set(zip(users.tolist(), items.tolist(), strict=True))


def made_or_reason(text: str, data: Interactions, seed: int) -> list[Split]:
    """The splits; examples with too few ratings do not count, and hypothesis complains when these are most."""
    try:
        return splits(text, data, seed)
    except InputError as error:
        assert text.partition("(")[0] in error.where and (error.expected or error.hint)
        assume(False)
        raise


def test_no_split_is_left_out() -> None:
    known = {cls.key: cls for cls in classes("split") if cls.__module__.startswith("heldout.")}
    assert {key for key, cls in known.items() if not issubclass(cls, Divider)} == {"given", "saved"}
    assert {make("split", text).key for text in EVERY} == set(known) - {"given", "saved"}


@pytest.mark.parametrize("text", EVERY)
@few
@given(rating=pairs, seed=st.integers(0, 2**40))
def test_other_names_in_the_same_order_change_nothing(text: str, rating: list[tuple[int, int]], seed: int) -> None:
    data = table(rating)
    names = Vocabulary(np.array([f"user {k:03}" for k in range(12)], dtype=object)), Vocabulary(np.arange(15) * 7 - 30)
    other = Interactions.build(*names, data.user, data.item, data.value, time=data.time)
    for one, two in zip(made_or_reason(text, data, seed), splits(text, other, seed), strict=True):
        assert (
            renumbered(one.train) == renumbered(two.train)
            and renumbered(one.test) == renumbered(two.test)
            and one.dropped == two.dropped
        )


@pytest.mark.parametrize("text", [*PER_USER, *PER_ITEM, *BY_TIME])
@few
@given(rating=pairs, seed=st.integers(0, 2**40))
def test_any_other_names_change_nothing_that_is_not_drawn(text: str, rating: list[tuple[int, int]], seed: int) -> None:
    data, draw = table(rating), np.random.default_rng(seed)
    user, item = draw.permutation(data.n_users), draw.permutation(data.n_items)
    other = renamed(data, user, item)
    for one, two in zip(made_or_reason(text, data, seed), splits(text, other, seed), strict=True):
        assert one.dropped == two.dropped
        if text in BY_TIME:
            assert renumbered(one.test, user, item) == renumbered(two.test) and renumbered(
                one.train, user, item
            ) == renumbered(two.train)
        elif text in PER_USER:
            assert one.test.user_counts.tolist() == two.test.user_counts[user].tolist()
        else:
            assert one.test.item_counts.tolist() == two.test.item_counts[item].tolist()


@pytest.mark.parametrize("text", EVERY)
def test_saved_and_given_are_the_split_they_were_made_of(tmp_path: Path, text: str) -> None:
    data = full(20, 15, timed=True)
    made = splits(text, data, 5)
    save_split(tmp_path / "kept", made, made_by=text, seed=5)
    for seed in (1, 2):
        again = list(make("split", f'saved("{tmp_path}/kept")').split(None, seed=seed))
        assert [(s.digest, s.dropped) for s in again] == [(s.digest, s.dropped) for s in made]
    for split in made:
        split.train.to_polars().write_csv(tmp_path / f"{split.fold}.base")
        split.test.to_polars().write_csv(tmp_path / f"{split.fold}.test")
    named = {part: ", ".join(f'"{tmp_path}/{s.fold}.{part}"' for s in made) for part in ("base", "test")}
    files = list(make("split", f"given(train=[{named['base']}], test=[{named['test']}])").split(None, seed=1))
    rest = list(make("split", f"given(test=[{named['test']}])").split(data, seed=1))
    for one, two, three in zip(made, files, rest, strict=True):
        assert one.train.to_polars().equals(two.train.to_polars()) and one.test.to_polars().equals(two.test.to_polars())
        assert one.test.to_polars().equals(three.test.to_polars())
        assert renumbered(three.train) == renumbered(data) - renumbered(one.test)


def test_draws_are_those_of_the_house() -> None:
    data = table([(0, 1), (3, 2), (11, 14)])
    assert np.array_equal(draws(data, 5, "x", 2), rng.uniform(rng.key(5, "x", 2), data.user, data.item))


def test_halves_round_up_although_floats_fall_short() -> None:
    assert 0.29 * 50 < 14.5
    assert rounded(0.29, np.array([50, 10, 1])).tolist() == [15, 3, 0]


def test_places() -> None:
    data = table([(0, 1), (0, 2), (0, 3), (4, 1)])
    assert place_in_user(data, np.array([0.5, 0.1, 0.9, 0.3])).tolist() == [1, 0, 2, 0]
    assert place_in_user(data, np.array([7, 7, 1, 0]), np.array([0.9, 0.1, 0.5, 0.5])).tolist() == [2, 1, 0, 0]
    assert place_in_item(data, np.array([0.5, 0.1, 0.9, 0.3])).tolist() == [1, 0, 0, 0]


def test_places_do_not_depend_on_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    data = full(60, 50)
    keys, ties = np.random.default_rng(1).random((2, len(data)))
    whole = draws(data, 1, "x"), place_in_user(data, keys), place_in_user(data, np.floor(keys * 5), ties)
    monkeypatch.setattr("heldout.splits.parts._PIECE", 170)
    pieces = draws(data, 1, "x"), place_in_user(data, keys), place_in_user(data, np.floor(keys * 5), ties)
    assert all(np.array_equal(a, b) for a, b in zip(whole, pieces, strict=True))
    order = np.lexsort((ties, np.floor(keys * 5), data.user))
    assert np.array_equal(whole[2][order], np.tile(np.arange(50), 60))


def test_folds_are_dealt_evenly() -> None:
    # ⌊3 × key⌋ is 0, 0, 0, 0, 2: of four in fold 0 the two highest, 0.3 and 0.2, fill fold 1, which has none
    assert evenly_dealt(np.array([0.0, 0.1, 0.2, 0.3, 0.9]), 3).tolist() == [0, 0, 1, 1, 2]
    found = evenly_dealt(np.random.default_rng(2).random(10_003), 7)
    assert sorted(np.bincount(found).tolist()) == [1429] * 7


def test_shares_round_down_where_that_is_said() -> None:
    assert (1 - 0.8) * 5 < 1
    assert rounded_down(1 - 0.8, np.array([5, 4, 0, 10])).tolist() == [1, 0, 0, 2]
