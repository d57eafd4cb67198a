"""Systems × metrics under the primary protocol."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.kept import facts_of, study_scores_of
from tests.reports.sample import SYSTEMS, facts

from heldout.analysis.overview import overview


def test_every_metric_of_the_primary_protocol_has_a_column() -> None:
    table = overview(facts())
    assert table.systems == SYSTEMS
    names = [(column.part, column.name) for column in table.columns]
    assert names == [
        *(("Accuracy", metric) for metric in ("nDCG@10", "P@10", "Recall@50", "RMSE")),
        *(("Coverage", share) for share in ("Users covered", "Coverage@n", "Unrated@n")),
    ]


def test_the_best_is_the_highest_or_the_lowest_as_the_metric_says() -> None:
    columns = {column.name: column for column in overview(facts()).columns}
    # By hand from the sample: EASE has the best nDCG, ALS the best recall and the least RMSE, which EASE has not.
    assert columns["nDCG@10"].best.index(True) == 0 and columns["Recall@50"].best.index(True) == 1
    assert columns["RMSE"].best.index(True) == 1 and columns["RMSE"].values[0] is None
    assert columns["RMSE"].means == "lower is better"
    assert not any(columns["Users covered"].best)


def test_letters_are_those_of_the_leaderboard() -> None:
    study_facts = facts_of(study_scores_of(), metrics=["P@10", "Recall@10"], tests=["t"])
    groups = {(row.setting, row.system): row.group for row in study_facts.leaderboard}
    table = overview(study_facts)
    for key, column in enumerate(table.columns[:2]):
        assert column.letters == tuple(groups[key, system] for system in table.systems)
    bare = replace(study_facts, leaderboard=tuple(replace(row, group="") for row in study_facts.leaderboard))
    assert overview(bare).columns[0].letters == ()


def test_descriptive_metrics_stand_apart_without_a_best() -> None:
    sample = facts()
    described = tuple(replace(s, descriptive=s.metric == "P@10") for s in sample.settings)
    columns = overview(replace(sample, settings=described)).columns
    novel = next(column for column in columns if column.name == "P@10")
    assert novel.part == "Beyond accuracy" and not any(novel.best)
    assert [column.part for column in columns] == sorted(
        (c.part for c in columns), key=["Accuracy", "Beyond accuracy", "Coverage"].index
    )
