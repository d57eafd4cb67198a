"""Text forms, study files and dictionaries from strangers: refused by a sentence, or read as they are written."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz.kit import Refused, damaged, examples, outcome
from tests.refusals import refused

import heldout as ho
from heldout import read_study
from heldout.catalogue import KINDS, classes, make_all
from heldout.errors import SpecError
from heldout.study.file import FILE_KEYS, study_from
from heldout.universes.grid.file import multiverse_from

RATINGS = {
    "user": [u for u in range(12) for i in range(10) if u * i % 3 != 1],
    "item": [i for u in range(12) for i in range(10) if u * i % 3 != 1],
    "rating": [1 + u * i % 5 for u in range(12) for i in range(10) if u * i % 3 != 1],
}
STUDY: dict[str, Any] = {
    "data": RATINGS,
    "split": "ratio(train=0.6, by=user)",
    "recommend": ["Popularity", "Random"],
    "metrics": "P@5",
}
TOML = b"""
title = "A study"
seed = 3
data = "simulate(users=20, items=10, ratings=90)"
filters = [["core(2)"]]
split = "ratio(train=0.8, by=user)"
development = 0.5
users = [["with_train", "with_relevant"]]
recommend = ["Popularity", { name = "small", model = "UserKNN(k=5)" }]
relevance = ["threshold(4)"]
target = ["AllItems", "TestRatings"]
metrics = ["nDCG(gain=exp2)@[5, 10]", "P@10"]
engine = "ray"
[compare]
tests = ["t", "permutation(samples=1000)"]
level = 0.05
"""
FORMS = [
    (kind, text)
    for kind, texts in {
        "metric": ["nDCG(gain=exp2)@[5, 10]", "P(rel=4)@10", "nDCG(gain=table([0, 1, 2], first=1), discount=log2)@5"],
        "target": ["targets(relevant=one, nonrelevant=3)", "OnePlusRandom(100)"],
        "split": ["ratio(train=0.8, by=user)", 'given(train="a.csv", test="b.csv")'],
        "test": ["subsampled(permutation(samples=9), subsets=3)", "bayes(rope=0.01)"],
        "recommender": ["WRMF(factors=20, iterations=10)", 'External("run.txt")'],
        "reader": ['csv("a b.csv", user="who", separator="\\t")', "simulate(users=5, prior=[0.5, 0.5], levels=2)"],
    }.items()
    for text in texts
]
LARGE = 2**31 - 1
DEEPEST = 10_000_000


def nested(depth: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(depth):
        inner = [inner]
    return inner


def cyclic() -> list[Any]:
    inner: list[Any] = []
    inner.append(inner)
    return inner


HOSTILE: dict[str, dict[Any, Any]] = {
    "a cut-off of 2³¹": {"metrics": f"P@{LARGE + 1}"},
    "a cut-off of 400 digits": {"metrics": "P@" + "9" * 400},
    "a cut-off of 5,000 digits": {"metrics": "P@" + "9" * 5000},
    "deep calls": {"metrics": "a(" * 5000},
    "deep lists in a text": {"metrics": "P@" + "[" * 100_000},
    "many brackets": {"metrics": "P" + "(" * 100_000},
    "a number of 400 digits": {"metrics": "P(rel=" + "9" * 400 + ")@5"},
    "an infinite number": {"metrics": "P(rel=1e999)@5"},
    "development inf": {"development": math.inf},
    "development nan": {"development": math.nan},
    "development -1": {"development": -1},
    "development of 400 digits": {"development": 10**400},
    "development true": {"development": True},
    "permutation": {"compare": "permutation(samples=100000000000)"},
    "bootstrap": {"compare": "bootstrap(samples=100000000000)"},
    "bayes": {"compare": "bayes(samples=100000000000)"},
    "subsets": {"compare": "subsampled(subsets=100000000000)"},
    "subsets of samples": {"compare": "subsampled(permutation, subsets=1000000)"},
    "folds": {"split": "folds(100000000000)"},
    "more folds than ratings": {"split": "folds(9999)"},
    "moments": {"split": "replay(times=10000000)"},
    "simulated users": {"data": "simulate(users=2000000000)"},
    "simulated ratings": {"data": "simulate(ratings=2000000000)"},
    "simulated levels": {"data": "simulate(levels=2000000000)"},
    "simulated factors": {"data": "simulate(factors=2000000000)"},
    "sampled items": {"target": f"OnePlusRandom({LARGE})"},
    "classes": {"target": f"P1R({LARGE}, m={LARGE})"},
    "factors of WRMF": {"recommend": f"WRMF(factors={LARGE})"},
    "factors of BPRMF": {"recommend": f"BPRMF(factors={LARGE})"},
    "factors of SVD": {"recommend": f"SVD(factors={LARGE})"},
    "factors of PureSVD": {"recommend": f"PureSVD(factors={LARGE})"},
    "topics": {"recommend": f"LDA(topics={LARGE})"},
    "iterations": {"recommend": "WRMF(iterations=1000000000000)"},
    "a seed of 400 digits": {"seed": 10**400},
    "a seed of 5,000 digits": {"seed": 10**5000},
    "a seed of a tie rule": {"ties": "random(seed=99999999999999999999)"},
    "no engine": {"engine": "\x00"},
    "a lone surrogate": {"title": "\ud800"},
    "an escaped lone surrogate": {"data": 'csv("a.csv", user="\\ud800")'},
    "NUL": {"title": "a\x00"},
    "NUL in a path": {"data": "\x00.csv"},
    "an escaped NUL in a path": {"data": 'csv("a\\u0000.csv")'},
    "itself inside": {"metrics": cyclic()},
    "deep lists": {"metrics": nested(100_000)},
    "deep tables": {"data": {"path": nested(100_000)}},
    "no number as level": {"compare": {"level": math.nan}},
    "a number as key": {1: 2},
    "bytes": {"metrics": b"P@5"},
    "an object": {"metrics": object()},
    "a threshold of 400 digits": {"relevance": "threshold(" + "9" * 400 + ")"},
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_settings_are_refused_at_once(case: str) -> None:
    began = time.process_time()
    assert isinstance(outcome("settings", lambda: ho.run({**STUDY, **HOSTILE[case]})), Refused)
    assert time.process_time() - began < 60  # hours if they were tried; kernels may have to be compiled first


def test_what_would_fit_is_told() -> None:
    for text, number in (
        ("permutation(samples=100000000000)", "10,000,000"),
        ("subsampled(permutation, subsets=1000000)", "10,000"),
    ):
        with refused(SpecError, expected=number):
            make_all("test", text)


@pytest.mark.parametrize("metric", [cls.key for cls in classes("metric")])
def test_the_largest_cut_off_is_as_good_as_none(metric: str) -> None:
    """No metric makes room for as many places as its cut-off names."""
    one = outcome("cut-offs", lambda: ho.run({**STUDY, "metrics": [f"{metric}@{DEEPEST}", "P@5"]}))
    if not isinstance(one, Refused):
        few = ho.run({**STUDY, "metrics": [f"{metric}@10", "P@5"]})  # there are ten items
        for name in ("AP", "nDCG", "Recall", "HitRate", "RR"):
            if metric == name:
                values = [
                    r.tables["all-leaderboards"].frame.filter(
                        r.tables["all-leaderboards"].frame["metric"].str.starts_with(name)
                    )["value"]
                    for r in (one, few)
                ]
                assert values[0].to_list() == values[1].to_list()


def test_a_byte_order_mark_is_no_key(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_bytes(b"\xef\xbb\xbf" + TOML)
    assert read_study(tmp_path / "study.toml").title == "A study"


@examples(150)
@given(st.sampled_from(FORMS).flatmap(lambda form: st.tuples(st.just(form[0]), damaged(form[1].encode()))))
def test_damaged_text_forms(form: tuple[str, bytes]) -> None:
    kind, text = form[0], form[1].decode(errors="surrogateescape")
    made = outcome("text forms", lambda: make_all(kind, text))
    if not isinstance(made, Refused):
        assert [one for each in made for one in make_all(kind, str(each))] == made


@examples(60)
@given(st.sampled_from(sorted(KINDS)), st.text(st.sampled_from("aP@([]),=\"'\\ 0.5e-_nDCGé\n\x00\x1b"), max_size=30))
def test_random_text_forms(kind: str, text: str) -> None:
    outcome("text forms", lambda: make_all(kind, text))


@examples(150)
@given(damaged(TOML))
def test_damaged_study_files(text: bytes) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder) / "study.toml"
        path.write_bytes(text)
        study = outcome("study files", lambda: read_study(path))
        if not isinstance(study, Refused):
            study.title.encode()
            assert read_study(path) == study


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=3) | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4) | st.integers(), inner, max_size=3),
    max_leaves=6,
)
KEYS = [*FILE_KEYS, "unknown"]


@examples(200)
@given(st.dictionaries(st.sampled_from(KEYS), values, min_size=1, max_size=2))
def test_wrong_types_in_a_study(changes: dict[str, Any]) -> None:
    outcome("studies", lambda: study_from({**STUDY, **changes}))
    outcome("studies", lambda: multiverse_from({**STUDY, **changes}))


@examples(60)
@given(st.sampled_from(["tests", "correction", "level", "baseline", "folds", "group", "x"]), values)
def test_wrong_types_in_a_table(key: str, value: Any) -> None:
    outcome("studies", lambda: study_from({**STUDY, "compare": {key: value}}))
    outcome("studies", lambda: study_from({**STUDY, "recommend": [{"model": "Random", key: value}]}))
    outcome("studies", lambda: multiverse_from({**STUDY, "multiverse": {"seeds": value, "cutoffs": value}}))
