"""Universes computed all at once equal those that a plain study computes one by one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import heldout as ho
from heldout.catalogue import make, make_all
from heldout.catalogue.text import parse
from heldout.universes.compute.explore import Explored, explore
from heldout.universes.grid.decisions import NOT_APPLICABLE
from heldout.universes.grid.file import multiverse_from

GRID: dict[str, Any] = {
    "data": "simulate(users=80, items=50, ratings=1400)",
    "split": ["ratio(train=0.5)", "ratio(train=0.8)"],
    "users": ["with_test", "with_relevant"],
    "recommend": ["UserKNN(k=2)", "WRMF(factors=4, iterations=2)", "Popularity"],
    "fallback": ["none", "popularity"],
    "target": ["AllItems", "TestRatings", "OnePlusRandom(10, average=rating)", "OnePlusRandom(10)"],
    "metrics": ["P@5", "Recall@5", "nDCG(gain=exp2)@[3, 20]", "RR"],
    "aggregate": ["mean", "mean(weight=test)", "gmean", "median", "pooled"],
    "undefined": ["zero", "skip"],
    "coverage": ["zero", "forgive", "intersection"],
    "compare": ["t", "sign", "wilcoxon", "permutation(samples=64)"],
}
_CHOICES = ("split", "users", "fallback", "target", "relevance", "unrated", "ties")


def explored(keys: dict[str, Any], **options: Any) -> Explored:
    return explore(multiverse_from(keys), **options)


def agree(keys: dict[str, Any]) -> int:
    """Compare every universe with the facts of a plain run of the same choices; how many there were."""
    made = explored(keys)
    plain = {k: v for k, v in keys.items() if k != "multiverse"}
    tested: dict[tuple[Any, ...], Any] = {}
    lead: dict[tuple[Any, ...], Any] = {}
    for aggregate in keys["aggregate"]:
        answers = [t for t in keys["compare"] if _answers(t, aggregate, plain)]
        # one aggregation at a time, with the tests that answer for it
        facts = ho.run({**plain, "aggregate": aggregate, "compare": answers or ["t"]} | _pooled(aggregate, plain)).findings
        settings = {s.id: s for s in facts.settings}
        for row in facts.leaderboard:
            s = settings[row.setting]
            key = (*(s.choices[c] for c in _CHOICES), s.metric, s.aggregate, s.undefined, s.coverage)
            lead[*key, row.system] = row.value
        for pair in facts.comparisons:
            s = settings[pair.setting]
            key = (*(s.choices[c] for c in _CHOICES), s.metric, s.aggregate, s.undefined, s.coverage)
            tested[*key, pair.test, pair.a, pair.b] = (pair, s.higher_is_better)
    count = 0
    for row in made.universes.to_polars().iter_rows(named=True):
        metric = _metric(row)
        rules = [row["undefined"]] if row["undefined"] != NOT_APPLICABLE else keys["undefined"]
        for rule in rules:
            key = (*(row[c] for c in _CHOICES), metric, row["aggregate"], rule, row["coverage"])
            pair, higher = tested[*key, row["test"], row["a"], row["b"]]
            sign = 1 if higher else -1
            assert row["value_a"] == pytest.approx(lead[*key, row["a"]], rel=1e-12, abs=1e-15)
            assert row["difference"] == pytest.approx(sign * pair.difference, rel=1e-9, abs=1e-14)
            assert row["p"] == pytest.approx(pair.p, rel=1e-8, abs=1e-300), key
            assert row["p_adjusted"] == pytest.approx(pair.p_adjusted, rel=1e-8, abs=1e-300), key
            assert (
                np.isnan(row["d"])
                if pair.effect is None
                else row["d"] == pytest.approx(sign * pair.effect, rel=1e-9, abs=1e-13)
            )
            assert row["effect"] == pytest.approx(_relative(sign * pair.difference, pair.value_a, pair.value_b), abs=1e-12)
            favoured = pair.wins - pair.losses if make("test", row["test"]).compares == "ranks" else sign * pair.difference
            sure = pair.p_adjusted < 0.05 and np.sign(favoured) == np.sign(row["difference"])
            assert row["winner"] == (int(np.sign(row["difference"])) if sure else 0)
        count += 1
    return count


def _answers(test: str, aggregate: str, plain: dict[str, Any]) -> bool:
    target = [make("target", t) for t in plain["target"]]
    option = make("aggregation", aggregate)
    return any(not make("test", test).refusal(option, weighted=option.weighs_users(by_rating=t.by_rating)) for t in target)


def _pooled(aggregate: str, plain: dict[str, Any]) -> dict[str, Any]:
    """A plain run refuses what a multiverse leaves out: metrics that do not pool, weights on lists averaged by rating."""
    if aggregate == "pooled":
        return {"metrics": [m for m in plain["metrics"] if make_all("metric", m)[0].pooling], "target": ["AllItems"]}
    if "weight" in aggregate:
        return {"target": [t for t in plain["target"] if not make("target", t).by_rating]}
    return {}


def _metric(row: dict[str, Any]) -> str:
    call = parse(row["metric"])
    if row["gain"] != NOT_APPLICABLE:
        call = replace(call, kwargs={**call.kwargs, "gain": row["gain"]})
    return str(make("metric", call if row["cutoff"] == NOT_APPLICABLE else replace(call, at=(int(row["cutoff"]),))))


def _relative(difference: float, a: float, b: float) -> float:
    return 2 * difference / (abs(a) + abs(b)) if abs(a) + abs(b) > 0 else 0.0


def test_every_universe_is_what_a_plain_study_says() -> None:
    keys = {**GRID, "target": ["AllItems", "TestRatings"], "split": ["ratio(train=0.5)"], "aggregate": GRID["aggregate"][:4]}
    assert agree(keys) > 1000


def test_over_folds_rules_hold_in_each_fold_as_in_a_plain_study() -> None:
    keys = {
        **GRID,
        "split": ["folds(3)"],
        "target": ["AllItems"],
        "fallback": ["none"],
        "aggregate": ["mean", "gmean", "median"],
    }
    assert agree({**keys, "compare": ["t", "sign"]}) > 300


def test_lists_averaged_by_rating_weigh_users() -> None:
    one_list_each = {"target": ["OnePlusRandom(10, average=rating)", "OnePlusRandom(10)"], "split": ["folds(2)"]}
    keys = {
        **GRID,
        **one_list_each,
        "fallback": ["none"],
        "users": ["with_test"],
        "compare": ["t", "permutation(samples=64)"],
    }
    assert agree({**keys, "aggregate": ["mean", "gmean"]}) > 100


def test_ratios_of_sums_are_universes_of_metrics_that_pool() -> None:
    keys = {**GRID, "aggregate": ["pooled"], "target": ["AllItems"], "split": ["ratio(train=0.5)"], "users": ["with_test"]}
    assert agree({**keys, "fallback": ["none"], "compare": ["t"]}) > 20


def test_only_distinct_universes_are_counted() -> None:
    grid = multiverse_from(
        {
            **GRID,
            "split": ["ratio"],
            "users": ["with_test"],
            "recommend": ["AverageRating", "PearsonUserKNN(k=5)"],
            "fallback": ["none"],
            "target": ["AllItems", "OnePlusRandom(10, average=rating)"],
            "relevance": ["threshold(3)", "threshold(4)"],
            "metrics": ["P", "nDCG", "RMSE"],
            "aggregate": ["mean", "mean(weight=test)"],
            "coverage": ["zero"],
            "compare": ["t", "sign"],
            "multiverse": {"cutoffs": [5, 10], "gains": ["binary", "exp2"], "seeds": [1, 2]},
        }
    )
    # Under AllItems, mean has 2 tests and mean(weight=test) has t alone: 3 ways to the verdict.
    # P: 2 rules of relevance × 2 depths × no gain, never undefined × 3 = 12
    # nDCG: binary asks for relevance: 2 × 2 depths × 2 undefined × 3 = 24; exp2 does not: 2 × 2 × 3 = 12
    # RMSE: no rule of relevance, depth, gain or undefined: 3
    # OnePlusRandom has a list for each relevant item, so all depend on the rule, and averages by rating: t of the mean only.
    # P: 2 rules × 2 depths = 4; nDCG: 2 rules × 2 depths × 2 gains × 2 undefined = 16; RMSE: 2 rules
    assert grid.per_split() == (12 + 24 + 12 + 3) + (4 + 16 + 2)
    assert len(grid) == 2 * grid.per_split()
    made = explore(grid).universes
    assert len(made) == len(grid)
    assert len(np.unique(made.codes, axis=0)) == len(made)


def test_threads_and_seeds(tmp_path: Path) -> None:
    keys = {**GRID, "users": ["with_test"], "compare": ["t"], "aggregate": ["mean", "gmean"], "undefined": ["zero"]}
    keys["multiverse"] = {"seeds": [3, 4]}
    frames = [explored(keys, threads_used=n).universes.to_polars() for n in (1, 2)]
    assert frames[0].equals(frames[1])
    by_seed = [frames[0].filter(pl.col("seed") == s).drop("universe", "seed") for s in ("3", "4")]
    assert len(by_seed[0]) == len(by_seed[1])
    assert not by_seed[0].equals(by_seed[1])
    alone = explored({**keys, "multiverse": {"seeds": [4]}}).universes.to_polars()
    assert alone.drop("universe", "seed").equals(by_seed[1])
