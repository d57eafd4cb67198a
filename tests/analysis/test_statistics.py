"""Rules, folds and weights, by hand: what many metrics at once have is what each has alone."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.analysis.alignment import AlignedScores, align_scores
from heldout.analysis.statistics import SKIP, SettingAggregation, defined_values, rule_scores, value_batches
from heldout.catalogue import make
from heldout.tables import ProtocolKey, Scores, Vocabulary

PROTOCOL = ProtocolKey(
    data="d",
    filter="none",
    split="folds(n=2)",
    users="with_test",
    fallback="none",
    relevance="threshold(tau=4)",
    target="AllItems",
    unrated="zero",
    ties="item",
)
METRICS = (make("metric", "Recall@10"), make("metric", "nDCG@10"))
ZERO, ALL, FORGIVE = make("undefined", "zero"), make("coverage", "zero"), make("coverage", "forgive")


def table(lists: tuple[int, int] = (1, 1)) -> AlignedScores:
    """Two users in two folds. A is undefined for user 0 in the second fold; B has no list for user 1 in the first."""
    nan = np.nan
    values = {
        ("A", 0): [[1.0, 0.2], [0.5, 0.4]],
        ("A", 1): [[nan, 0.6], [0.5, 0.8]],
        ("B", 0): [[0.0, 0.1], [0.0, 0.0]],
        ("B", 1): [[1.0, 0.3], [1.0, 0.5]],
    }
    length = {key: [9.0, 0.0 if key == ("B", 0) else 9.0] for key in values}
    tables = [
        Scores(
            system=system,
            protocol=PROTOCOL,
            fold=fold,
            users=np.arange(2, dtype=np.int32),
            metrics=tuple(str(m) for m in METRICS),
            values=np.array(rows),
            length=np.array(length[system, fold]),
            computed=np.array(length[system, fold]),
            lists=np.full(2, lists[fold], dtype=np.int32),
        )
        for (system, fold), rows in values.items()
    ]
    return align_scores(tables, Vocabulary.numbered(2), ["A", "B"])


def setting(scores: AlignedScores, **choices: object) -> SettingAggregation:
    options: dict[str, object] = {"aggregation": make("aggregation", "mean"), "undefined": ZERO, "metric": METRICS[0]}
    return SettingAggregation(table=scores, target=make("target", "AllItems"), baseline=None, **(options | choices))  # type: ignore[arg-type]


def test_rules_hold_in_each_fold() -> None:
    scores = table()
    cells = defined_values(scores, ["Recall@10"], ZERO)
    assert rule_scores(scores, cells, ALL).values.values[:, 0].tolist() == [[0.5, 0.5], [0.5, 0.5]]
    forgiven = rule_scores(scores, cells, FORGIVE).values.values[:, 0]
    assert forgiven.tolist() == [[0.5, 0.5], [0.5, 1.0]]  # the fold without a list is left out
    skipped = rule_scores(scores, defined_values(scores, ["Recall@10"], SKIP), ALL).values.values[:, 0]
    assert skipped[0].tolist() == [1.0, 0.5]


def test_folds_weigh_by_what_is_said() -> None:
    scores = table()
    cells = defined_values(scores, ["nDCG@10"], ZERO)
    ruled = rule_scores(scores, cells, ALL, np.array([3.0, 3.0, 1.0, 1.0]))
    assert ruled.values.values[0, 0].tolist() == pytest.approx([(3 * 0.2 + 0.6) / 4, (3 * 0.4 + 0.8) / 4])


def test_the_same_users_have_the_same_fingerprint() -> None:
    scores = table()
    cells = defined_values(scores, ["Recall@10"], ZERO)
    assert rule_scores(scores, cells, ALL).fingerprint == rule_scores(scores, cells, ALL).fingerprint
    assert rule_scores(scores, cells, ALL).fingerprint != rule_scores(scores, cells, FORGIVE).fingerprint


def test_undefined_values_are_counted_where_they_are_averaged() -> None:
    tallies = setting(table()).aggregate(ALL, 0.95).tallies
    assert [tally.undefined for tally in tallies] == [1, 0]
    assert [tally.value for tally in tallies] == [0.5, 0.5]


@pytest.mark.parametrize("aggregation", ["mean", "gmean", "median"])
def test_metrics_together_as_alone(aggregation: str) -> None:
    scores = table()
    settings = [setting(scores, metric=metric, aggregation=make("aggregation", aggregation)) for metric in METRICS]
    ruled = rule_scores(scores, defined_values(scores, [str(m) for m in METRICS], ZERO), FORGIVE)
    batches = value_batches(settings, ruled, FORGIVE)
    assert len(batches) == (2 if aggregation == "median" else 1)
    numbers = np.concatenate([one.batch.system_values() for one in batches])
    for one, row in zip(settings, numbers, strict=True):
        assert [tally.value for tally in one.aggregate(FORGIVE, 0.95).tallies] == pytest.approx(row.tolist(), rel=1e-14)
