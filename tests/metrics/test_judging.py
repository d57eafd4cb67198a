"""From ranks and ratings to values: judged lists, unrated items, ties and partial test sets."""

from __future__ import annotations

import gc
import weakref
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from tests.metrics.lists import judged_list, value
from tests.refusals import refused

import heldout as ho
from heldout.catalogue import classes, make
from heldout.catalogue.describe import describe
from heldout.errors import HeldoutError, NotApplicableError
from heldout.metrics import measuring as valuing
from heldout.metrics.judge import entries_by_rank, judge_rankings
from heldout.metrics.measuring import measure, with_diagnostics
from heldout.metrics.metric import TIES, Metric
from heldout.metrics.partial_test_set import judge_kept, keep_ratings
from heldout.tables import Interactions, Judged, Rankings, Relevance, Vocabulary
from heldout.tables.arrays import frozen
from heldout.testing.lists import judged_lists, random_lists


def test_entries_are_put_in_order_of_rank() -> None:
    draw = np.random.default_rng(3)
    sizes = [0, 1, 5, 40, 200, 64, 65]
    indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    apart = np.concatenate([draw.permutation(1000)[:n] + 1 for n in sizes]).astype(np.int32)
    equal = np.concatenate([draw.integers(1, 9, n) for n in sizes]).astype(np.int32)
    for rank in (apart, equal):
        want = np.concatenate([low + np.argsort(rank[low:high], kind="stable") for low, high in pairwise(indptr)])
        assert entries_by_rank(indptr, rank).tolist() == want.tolist()


USERS, ITEMS = Vocabulary.numbered(9), Vocabulary.numbered(6)
TEST = Interactions.build(USERS, ITEMS, np.array([2, 2, 5, 8]), np.array([0, 3, 1, 4]), np.array([5.0, 1, 4, 5]))
RELEVANCE = make("relevance", "threshold(4)").judge(TEST, np.array([2, 5, 8]), 5.0)


def lists(**of_user: list[tuple[int, float]]) -> Rankings:
    """Lists of items with their scores, by user: u2, u7, …"""
    rows = list(of_user.values())
    return Rankings(
        np.array([int(name[1:]) for name in of_user], np.int32),
        np.array([0, *np.cumsum([len(row) for row in rows])], np.int64),
        np.array([item for row in rows for item, _ in row], np.int32),
        np.array([score for row in rows for _, score in row], np.float64),
    )


def judged(rankings: Rankings, **options: bool) -> Judged:
    return judge_rankings(rankings, RELEVANCE, n_items=6, targets=np.full(3, 6, np.int32), **options)


def test_users_meet_their_own_list_or_none() -> None:
    """User 7 is not tested, user 5 has no list, and item −1 of user 8 is known to nobody."""
    outcome = judged(lists(u2=[(3, 9), (2, 5), (0, 5)], u7=[(1, 1)], u8=[(-1, 3), (4, 2)]), keep_lists=True)
    assert outcome.length.tolist() == [3, 0, 2] and outcome.list_of.tolist() == [0, 0, 2]
    assert outcome.rank.tolist() == [1, 3, 2] and outcome.grade.tolist() == [1, 5, 5]
    assert outcome.above.tolist() == [0, 1, 1] and outcome.tied.tolist() == [0, 1, 0]  # items 2 and 0 share a score
    assert outcome.relevant_targets.tolist() == [1, 1, 1]
    assert outcome.lists is not None and outcome.lists.users.tolist() == [2, 5, 8]
    assert outcome.lists.length.tolist() == [3, 0, 2] and outcome.lists.item.tolist() == [3, 2, 0, -1, 4]


def test_without_scores_ties_are_not_counted() -> None:
    outcome = judged(lists(u2=[(3, 9), (0, 9)]), scored=False)
    assert outcome.score is None and outcome.rank.tolist() == [1, 2]
    assert outcome.above.tolist() == [0, 1] and outcome.tied.tolist() == [-1, -1]
    assert outcome.lists is None


def test_users_of_the_run_alone_judge_nothing() -> None:
    outcome = judged(lists(u0=[(3, 9)], u7=[(0, 1)]))
    assert outcome.length.tolist() == [0, 0, 0] and len(outcome.rank) == 0


def test_diagnostics_stand_behind_the_metrics_once_per_depth() -> None:
    metrics = [make("metric", m) for m in ("P@5", "nDCG@5", "AP")]
    assert [str(m) for m in with_diagnostics(metrics)] == [
        "P@5",
        "nDCG@5",
        "AP",
        "Coverage@1",
        "Coverage@5",
        "Filled@5",
        "Unrated@5",
        "Rho@5",
        "Tied@5",
        "Rho",
        "Tied",
    ]


def test_graded_gains_of_negative_ratings_are_refused() -> None:
    judged = judged_list([5, -1])
    with refused(NotApplicableError, where="metrics", found=-1.0):
        measure(judged, [make("metric", "nDCG@5")])
    assert measure(judged, [make("metric", "nDCG(gain=binary)@5")]).values[0, 0] == 1.0


def test_what_a_list_keeps_does_not_keep_it_alive() -> None:
    """Sums kept for further cut-offs must not hold the table that keeps them: its arrays would stay until garbage day."""
    judged = judged_list([5, None, 4], (3,))
    measure(
        judged, [make("metric", m) for m in ("nDCG@5", "nDCG(gain=exp2)@2", "AP@5", "bpref", "ERR@5", "Q@5", "P@5", "RR")]
    )
    gone = weakref.ref(judged), weakref.ref(judged.relevance)
    gc.disable()
    try:
        del judged
        assert [ref() for ref in gone] == [None, None]
    finally:
        gc.enable()


def test_full_gain_of_err_is_the_top_grade() -> None:
    """ERR of an unrated item at the top of a scale to 5 stops with (2^5 − 1)/2^5."""
    judged = judged_list([None, 1])
    stop, second = 31 / 32, 1 / 32
    assert value("ERR@2", make("unrated", "interval(high)").apply(judged)) == pytest.approx(stop + (1 - stop) * second / 2)


def test_blocks_of_unrated_items_do_not_change_the_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = make("unrated", "interval(high)").apply(judged_lists(*random_lists(3)))
    whole = measure(judged, [make("metric", "DCG(gain=exp2)"), make("metric", "RR@5")]).values
    monkeypatch.setattr(valuing, "ENTRIES", 17)
    np.testing.assert_array_equal(measure(judged, [make("metric", "DCG(gain=exp2)"), make("metric", "RR@5")]).values, whole)


def test_zero_keeps_ranks_and_condense_closes_the_gaps() -> None:
    judged = judged_list([None, 2, None, 5], (4,))
    assert value("RR", make("unrated", "zero").apply(judged)) == pytest.approx(1 / 4)
    condensed = make("unrated", "condense").apply(judged)
    assert value("RR", condensed) == pytest.approx(1 / 2)  # behind the one rated item
    assert value("P@2", condensed) == pytest.approx(1 / 2)
    assert value("Unrated@2", condensed) == 0.0
    assert value("Recall", condensed) == pytest.approx(1 / 2)  # the unlisted 4 stays in R


def test_condensing_leaves_what_was_given() -> None:
    judged = judged_list([None, 5])
    make("unrated", "condense").apply(judged)
    assert judged.rank.tolist() == [2]


@pytest.mark.parametrize(
    ("metric", "low", "high"),
    [
        ("P@4", 1 / 4, 3 / 4),  # ranks 1 and 3 are unrated, 2 is a 2, 4 is a 5
        ("HitRate@1", 0, 1),
        ("RR", 1 / 4, 1),
        ("RBP(phi=0.5)@4", 0.5 * 0.5**3, 0.5 * (1 + 0.5**2 + 0.5**3)),
        ("DCG(gain=binary)@3", 0, 1 + 1 / 2),  # 1/log2(2) + 1/log2(4)
        ("P@10", 1 / 10, 3 / 10),  # places past the end of the list gain nothing
    ],
)
def test_an_interval_runs_from_no_gain_to_full_gain(metric: str, low: float, high: float) -> None:
    judged = judged_list([None, 2, None, 5], (4,))
    ends = [value(metric, end.apply(judged)) for end in make("unrated", "interval").ends()]
    assert ends == pytest.approx([low, high])


def test_metrics_with_an_ideal_have_no_interval() -> None:
    judged = make("unrated", "interval(high)").apply(judged_list([None, 5]))
    for metric in ("Recall@2", "nDCG@2", "AP", "bpref"):
        with refused(NotApplicableError, where="unrated", hint="P, HitRate, RR, DCG, RBP and ERR have one"):
            value(metric, judged)


PARTIAL_TEST_SET_ITEMS = 12
METRICS = [make("metric", text) for text in ("P@3", "nDCG@5", "AP", "bpref", "AUC", "RPrecision")]


def relevance_of(rated: list[list[int]], grades: list[list[int]]) -> Relevance:
    grade = np.concatenate([np.array(row, np.float64) for row in grades])
    return Relevance(
        users=frozen(np.arange(len(rated)), np.int32),
        indptr=frozen(np.cumsum([0, *map(len, rated)]), np.int64),
        item=frozen(np.concatenate(rated), np.int32),
        grade=frozen(grade, np.float64),
        relevant=frozen(grade >= 4, np.bool_),
        top_grade=5.0,
    )


def partial_test_set_judged_lists(relevance: Relevance, lists: np.ndarray) -> Judged:
    users, length = lists.shape
    rankings = Rankings(
        frozen(np.arange(users), np.int32),
        frozen(np.arange(users + 1) * length, np.int64),
        frozen(lists.ravel(), np.int32),
        frozen(np.tile(-np.arange(length, dtype=np.float64), users), np.float64),
    )
    return judge_rankings(
        rankings,
        relevance,
        n_items=PARTIAL_TEST_SET_ITEMS,
        targets=np.full(users, PARTIAL_TEST_SET_ITEMS, np.int32),
        keep_lists=False,
    )


def test_what_is_left_out_is_unrated_and_nothing_moves() -> None:
    relevance = relevance_of([[0, 2, 5]], [[5, 1, 4]])
    judged = partial_test_set_judged_lists(relevance, np.array([[0, 1, 5, 2]]))  # the ratings are at ranks 1, 3 and 4
    kept = np.array([False, True, True])
    smaller = keep_ratings(relevance, kept)
    assert smaller.item.tolist() == [2, 5]
    again = judge_kept(judged, kept, smaller)
    assert again.rank.tolist() == [3, 4]
    assert again.row.tolist() == [1, 0]  # item 5, then item 2
    assert measure(again, [make("metric", "RR")], target=make("target", "AllItems")).values[0, 0] == pytest.approx(1 / 3)


def test_lists_of_rated_items_alone_close_up() -> None:
    relevance = relevance_of([[0, 2, 5]], [[5, 1, 4]])
    judged = partial_test_set_judged_lists(relevance, np.array([[0, 5, 2]]))
    kept = np.array([False, True, True])
    again = judge_kept(judged, kept, keep_ratings(relevance, kept), rated_alone=True)
    assert again.rank.tolist() == [1, 2]


@pytest.mark.parametrize("seed", range(5))
def test_the_same_as_judging_the_smaller_test_set(seed: int) -> None:
    draw = np.random.default_rng(seed)
    rated = [np.sort(draw.choice(PARTIAL_TEST_SET_ITEMS, 5, replace=False)).tolist() for _ in range(6)]
    grades = [draw.integers(1, 6, 5).tolist() for _ in range(6)]
    lists = np.stack([draw.permutation(PARTIAL_TEST_SET_ITEMS)[:8] for _ in range(6)])
    relevance = relevance_of(rated, grades)
    kept = draw.random(30) < 0.6
    smaller = relevance_of(
        [[i for i, k in zip(row, kept[5 * u :], strict=False) if k] for u, row in enumerate(rated)],
        [[g for g, k in zip(row, kept[5 * u :], strict=False) if k] for u, row in enumerate(grades)],
    )
    again = judge_kept(partial_test_set_judged_lists(relevance, lists), kept, keep_ratings(relevance, kept))
    target = make("target", "AllItems")
    np.testing.assert_array_equal(
        measure(again, METRICS, target=target).values,
        measure(partial_test_set_judged_lists(smaller, lists), METRICS, target=target).values,
    )


RNG = np.random.default_rng(1)
TIE_LINES_USERS, TIE_LINES_ITEMS = 25, 30


def frame(rows: list[tuple[str, str, float]], value: str) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["user", "item", value], orient="row")


def drawn(many: int) -> list[tuple[str, str, float]]:
    chosen = [(u, i) for u in range(TIE_LINES_USERS) for i in RNG.choice(TIE_LINES_ITEMS, many, replace=False)]
    return [(f"u{u:02}", f"i{i:02}", float(RNG.integers(1, 6))) for u, i in chosen]


TIE_LINES_TEST = drawn(8)
TRAIN = [row for row in drawn(6) if row[:2] not in {tested[:2] for tested in TIE_LINES_TEST}]
RUN = [
    (f"u{u:02}", f"i{i:02}", float(RNG.integers(0, 4)))
    for u in range(TIE_LINES_USERS)
    for i in RNG.permutation(TIE_LINES_ITEMS)
]
GENRES = pl.DataFrame(
    {"item_id": [f"i{i:02}" for i in range(TIE_LINES_ITEMS)], "genres": [f"g{i % 4}" for i in range(TIE_LINES_ITEMS)]}
)
RULES = ("item", "trec", "file", "random(seed=3)")


def forms(cls: type[Metric]) -> list[str]:
    """The metric with its defaults, and cut at 5, where it can be written so."""
    made = []
    for text in (cls.key, f"{cls.key}@5"):
        text = f"{text[:7]}(utility=hit){text[7:]}" if cls.key == "Utility" else text
        try:
            made.append(str(make("metric", text)))
        except HeldoutError:
            continue
    return made


TIE_LINES_METRICS = [cls for cls in classes("metric") if cls.__module__.startswith("heldout.metrics.")]


def evaluated(metrics: list[str], *, ties: str) -> ho.Results:
    """One run of tied scores by these metrics under a tie rule."""
    items = [f"i{i:02}" for i in range(TIE_LINES_ITEMS)]
    return ho.evaluate(
        frame(TIE_LINES_TEST, "rating"),
        {"A": frame(RUN, "score")},
        metrics,
        train=frame(TRAIN, "rating"),
        items=pl.DataFrame({"item_id": items, "genre": [f"g{i % 4}" for i in range(TIE_LINES_ITEMS)]}),
        ties=ties,
        relevance="threshold(4)",
        scores="ratings",
    )


@pytest.fixture(scope="module")
def values() -> dict[str, list[np.ndarray]]:
    """By metric, the values of users under each tie rule."""
    asked = list(dict.fromkeys(["P@5", *(text for cls in TIE_LINES_METRICS for text in forms(cls))]))
    found = {text: [] for text in asked}
    for rule in RULES:
        results = evaluated(asked, ties=rule)
        assert results._source is not None
        scores = results._source.parts[0].scores[0]
        for text in asked:
            found[text].append(scores.column(text))
    return found


@pytest.mark.parametrize("cls", TIE_LINES_METRICS, ids=lambda cls: cls.key)
def test_the_line_on_ties_is_true(cls: type[Metric], values: dict[str, list[np.ndarray]]) -> None:
    told = dict(describe(cls).facts)["Ties"]
    same = [all(np.allclose(values[t][0], v, rtol=1e-12, equal_nan=True) for v in values[t][1:]) for t in forms(cls)]
    assert same
    if cls.ties == "ordered":
        assert not all(same) and told.startswith(TIES["ordered"])
    else:
        assert all(same) and told == TIES[cls.ties]


def test_the_line_on_ties_names_the_exact_mean_where_there_is_one() -> None:
    ordered = {forms(cls)[0]: cls for cls in TIE_LINES_METRICS if cls.ties == "ordered" and cls.direction != "none"}
    measured = evaluated(list(ordered), ties="expected").per_user().columns
    for text, cls in ordered.items():
        told = dict(describe(cls).facts)["Ties"]
        assert told.endswith("under ties=expected the exact mean over all orders") == (text in measured), text


def test_each_rule_gives_an_order_of_its_own(values: dict[str, list[np.ndarray]]) -> None:
    found = [tuple(column.tolist()) for column in values["AP"]]
    assert len(set(found)) == len(RULES)
