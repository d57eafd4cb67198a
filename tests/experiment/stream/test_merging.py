"""Answers of ranges put together: the profile of the test set is that of all rows."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.experiment.stream.sharded import evaluated, write
from tests.heavy import ALL, heavy, sampled
from tests.refusals import refused

import heldout as ho
from heldout.aggregations.mean import Mean
from heldout.aggregations.values import UserValues
from heldout.analysis.choices import protocol_choices
from heldout.catalogue import classes
from heldout.data.profile import profile
from heldout.errors import InputError, NotApplicableError, ResultsError, SpecError
from heldout.experiment.stream.evaluate import StreamOptions, stream_runs


def test_the_profile_is_that_of_all_rows(tmp_path: Path) -> None:
    data = evaluated()
    test = write(data.test, tmp_path / "test", 2)
    runs = {"A": write(data.runs["A"], tmp_path / "A", 2)}
    options = StreamOptions(rows_at_once=2000)
    _, _, outcome = stream_runs(test, runs, ["P@5"], options=options, relevance="threshold(4)", compare="none")
    merged = outcome.data.value[0].steps[0].profile
    whole = profile(ho.read(data.test)).to_dict()
    assert merged == whole
    assert outcome.manifest["streamed"]["ranges"] == 4


def test_metrics_of_all_training_ratings_are_refused_by_name(tmp_path: Path) -> None:
    data = evaluated()
    patterns = {name: write(frame, tmp_path / name, 1) for name, frame in (("test", data.test), ("train", data.train))}
    runs = {"A": write(data.runs["A"], tmp_path / "A", 1)}
    for metric in ("ILD@5", "Serendipity(against=profile)@5"):
        with refused(NotApplicableError, where="metrics", hint="leave it out, or evaluate without streaming") as refusal:
            ho.evaluate(patterns["test"], runs, ["P@5", metric], train=patterns["train"], relevance="threshold(4)")
        assert refusal.value.what.startswith(f"{metric} ")
    with refused(NotApplicableError, where="metrics", hint="use a threshold, or evaluate without streaming"):
        ho.evaluate(patterns["test"], runs, ["StratifiedRecall@5"], train=patterns["train"], relevance="user_mean")


AGGREGATIONS_BY_TESTS = {
    ("t", "sign"): ("mean", "gmean", "pooled", "standardised"),
    ("t", "permutation(samples=4096)"): ("mean(weight=test)", "mean(weight=relevant)"),
    ("sign",): ("median", "trimmed(share=0.2)", "urisk(baseline='B')"),
    (): ("trisk(baseline='B')", "zrisk", "georisk"),
}
TESTS = (
    ("t", "sign", "wilcoxon", "wilcoxon(zeros=pratt)", "friedman", "tukey"),
    ("permutation(samples=4096)", "permutation(samples=300, method=plain)", "bootstrap(samples=300)", "bayes(samples=200)"),
    ("subsampled(subsets=20, size=30)",),
)
PIECES = ((1, 10**9), (2, 4000), (3, 800)) if ALL else ((2, 800),)
"""Numbers of files, and rows that are read at once."""
STORED: dict[str, Any] = {
    "relevance": "threshold(4)",
    "coverage": ["zero", "forgive", "intersection"],
    "undefined": ["zero", "skip"],
    "title": "t",
    "seed": 1,
}
OF_PIECES = ("leaderboard", "comparisons", "settings", "layouts", "verdict", "notices", "choices", "cards", "references")
METRICS = ["nDCG@10", "RR", "Recall@5", "PReturned@20"]


def test_every_aggregation_and_test_is_tried() -> None:
    texts = chain(*AGGREGATIONS_BY_TESTS.values(), *TESTS)
    named = {text.partition("(")[0] for text in texts}
    ours = {cls.key for kind in ("aggregation", "test") for cls in classes(kind) if cls.__module__.startswith("heldout.")}
    assert named == ours


def _stored(folder: Path, *, files: int, rows_at_once: int, metrics: list[str], **options: Any) -> dict[str, Any]:
    """The facts of an evaluation whose users are more than a block."""
    data = evaluated()
    test = write(data.test, folder / "test", files, seed=files)
    runs = {name: write(run, folder / name, files, seed=files) for name, run in data.runs.items()}
    pieces = StreamOptions(rows_at_once=rows_at_once)
    protocol, analysis, outcome = stream_runs(test, runs, metrics, options=pieces, **STORED, **options)
    assert outcome.parts == () and outcome.stored
    return outcome.findings(analysis, lambda: protocol_choices(protocol)).to_dict()


def _same_in_pieces(folder: Path, metrics: list[str], **options: Any) -> dict[str, Any]:
    """The facts of an evaluation in memory, which are those of the same users in pieces, bit for bit."""
    data = evaluated()
    whole = ho.evaluate(data.test, data.runs, metrics, **STORED, **options).findings.to_dict()
    for files, rows_at_once in PIECES:
        pieces = _stored(folder / str(files), files=files, rows_at_once=rows_at_once, metrics=metrics, **options)
        for name in OF_PIECES:
            assert json.dumps(pieces[name]) == json.dumps(whole[name]), (name, files)
        assert pieces["data"] == whole["data"]
    return whole


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 64 users, so that 300 are five blocks."""
    monkeypatch.setattr("heldout.tables.blocks.BLOCK_ROWS", 64)


@sampled
@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("tests", AGGREGATIONS_BY_TESTS)
def test_pieces_give_the_numbers_of_memory_by_every_aggregation(tmp_path: Path, tests: tuple[str, ...]) -> None:
    compare = {"tests": list(tests)} if tests else "none"
    facts = _same_in_pieces(tmp_path, METRICS, aggregate=list(AGGREGATIONS_BY_TESTS[tests]), compare=compare)
    assert {row["users"] for row in facts["leaderboard"]} >= {300}


@sampled
@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("tests", TESTS)
def test_pieces_give_the_numbers_of_memory_by_every_test(tmp_path: Path, tests: tuple[str, ...]) -> None:
    facts = _same_in_pieces(tmp_path, ["nDCG@10", "Recall@5"], compare={"tests": list(tests)})
    assert len(facts["comparisons"]) == 12 * len(tests)


@pytest.mark.usefixtures("small_blocks")
def test_pieces_of_equal_systems_and_of_users_without_a_list(tmp_path: Path) -> None:
    """P@5 and PReturned@5 are equal for every user with a list of 5, and B leaves out every seventh user."""
    facts = _same_in_pieces(tmp_path, ["P@5", "PReturned@5"], compare={"tests": ["t"]})
    assert any(row["user_coverage"] < 1 for row in facts["leaderboard"])


@pytest.mark.usefixtures("small_blocks")
def test_pieces_give_the_numbers_of_memory_of_whole_systems(tmp_path: Path) -> None:
    facts = _same_in_pieces(tmp_path, ["P@5", "Gini@5", "ItemCoverage@5", "Entropy@3"], compare={"tests": ["t"]})
    assert len({row["value"] for row in facts["leaderboard"] if row["users"] == 300}) > 6


@pytest.mark.usefixtures("small_blocks")
def test_pieces_of_which_some_have_no_weight(tmp_path: Path) -> None:
    """Two of 300 users have a weight, so most blocks of 64 have none."""
    weights = pl.DataFrame({"user_id": np.arange(300), "income": np.isin(np.arange(300), (7, 150)).astype(float)})
    weights.write_csv(tmp_path / "users.csv")
    aggregate = f"mean(weight=income, table='{tmp_path / 'users.csv'}')"
    facts = _same_in_pieces(tmp_path, ["P@5"], aggregate=aggregate, compare={"tests": ["t"]})
    assert {row["value"] for row in facts["leaderboard"]} <= {k / 10 for k in range(11)}


@pytest.mark.usefixtures("small_blocks")
def test_an_error_of_one_piece_is_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if all users together would give no error; else the message counts all users."""
    weights = pl.DataFrame({"user_id": np.arange(200), "income": 1.0})
    weights.write_csv(tmp_path / "users.csv")
    unknown: dict[str, Any] = {"aggregate": f"mean(weight=income, table='{tmp_path / 'users.csv'}')", "compare": "none"}
    with refused(InputError) as whole:
        ho.evaluate(evaluated().test, evaluated().runs, ["P@5"], **STORED, **unknown)
    with refused(InputError) as pieces:
        _stored(tmp_path / "unknown", files=2, rows_at_once=4000, metrics=["P@5"], **unknown)
    assert "100 users" in str(whole.value) and str(pieces.value) == str(whole.value)

    def refuse_blocks(self: Mean, user_values: UserValues) -> UserValues:
        if user_values.values.shape[1] < 300:
            raise NotApplicableError("fewer than 300 users")
        return user_values

    monkeypatch.setattr(Mean, "prepare", refuse_blocks)
    with refused(NotApplicableError) as of_block:
        _stored(tmp_path / "fewer", files=2, rows_at_once=4000, metrics=["P@5"], compare="none")
    assert "fewer than 300 users" in str(of_block.value)


def test_blocks_are_close_to_all_users_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {
        **STORED,
        "aggregate": ["mean", "mean(weight=test)", "gmean", "pooled", "median"],
        "compare": {"tests": ["t", "sign"]},
    }
    data = evaluated()
    once = ho.evaluate(data.test, data.runs, METRICS[:3], **options).findings.to_dict()
    monkeypatch.setattr("heldout.tables.blocks.BLOCK_ROWS", 64)
    blocks = ho.evaluate(data.test, data.runs, METRICS[:3], **options).findings.to_dict()
    for name in ("leaderboard", "comparisons"):
        for ours, theirs in zip(blocks[name], once[name], strict=True):
            for key, value in theirs.items():
                close = pytest.approx(value, rel=1e-12, abs=1e-14) if isinstance(value, float) else value
                assert key == "group" or ours[key] == close, (name, key, theirs)


@heavy
def test_pieces_of_three_blocks_of_their_real_size_give_the_numbers_of_memory(tmp_path: Path) -> None:
    """140,000 users, one run without every fifth: both ways compare sums of users by group."""
    draw, users = np.random.default_rng(3), 140_000

    def rows(n: int, name: str, values: np.ndarray) -> pl.DataFrame:
        item = (draw.integers(0, 200, (users, 1)) + draw.integers(1, 20, (users, n)).cumsum(axis=1)) % 400
        columns = {"user": np.repeat(np.arange(users), n), "item": item.ravel(), name: values}
        return pl.DataFrame(columns).unique(["user", "item"], maintain_order=True)

    test = rows(4, "rating", draw.integers(1, 6, users * 4))
    runs = {name: rows(6, "score", draw.random(users * 6)) for name in "AB"}
    runs["B"] = runs["B"].filter(pl.col("user") % 5 > 0)
    tests = ["t", "sign", "permutation(samples=2000)", "bootstrap(samples=200)"]
    keys: dict[str, Any] = {"relevance": "threshold(4)", "aggregate": ["mean", "pooled"], "coverage": ["zero", "forgive"]}
    keys |= {"compare": {"tests": tests}, "title": "t"}
    metrics = ["nDCG@5", "Recall@5"]
    whole = ho.evaluate(test, runs, metrics, **keys).findings.to_dict()
    files = write(test, tmp_path / "test", 2), {name: write(run, tmp_path / name, 2) for name, run in runs.items()}
    protocol, analysis, outcome = stream_runs(*files, metrics, options=StreamOptions(rows_at_once=300_000), **keys)
    assert outcome.stored
    pieces = outcome.findings(analysis, lambda: protocol_choices(protocol)).to_dict()
    for name in OF_PIECES:
        assert json.dumps(pieces[name]) == json.dumps(whole[name]), name


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_values_per_user_of_more_than_a_block_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    monkeypatch.setattr("heldout.tables.blocks.BLOCK_ROWS", 64)
    data, metrics = evaluated(), ["P@5", "Gini@5", "RR"]
    test, runs = write(data.test, tmp_path / "test", 1), {n: write(r, tmp_path / n, 1) for n, r in data.runs.items()}
    options = StreamOptions(rows_at_once=3000, per_user=tmp_path / f"values.{ending}")
    _, _, outcome = stream_runs(test, runs, metrics, options=options, relevance="threshold(4)", compare="none")
    with refused(ResultsError, hint="name a file for them when evaluating: per_user=…, or --per-user"):
        outcome.per_user()
    written = (pl.read_csv if ending == "csv" else pl.read_parquet)(tmp_path / f"values.{ending}")
    monkeypatch.undo()
    whole = tmp_path / "whole.parquet"
    ho.evaluate(data.test, data.runs, metrics, relevance="threshold(4)", per_user=whole, compare="none")
    assert written.sort("system", "user_id").equals(pl.read_parquet(whole).sort("system", "user_id"))


def test_a_file_of_another_kind_is_refused_before_the_work(tmp_path: Path) -> None:
    with refused(SpecError, where="values.xlsx", hint="use .parquet or .csv"):
        ho.evaluate("nowhere/*.parquet", {"A": "nowhere/*.parquet"}, per_user=tmp_path / "values.xlsx")


def test_rules_that_leave_users_without_a_relevant_item_are_refused(tmp_path: Path) -> None:
    data = evaluated()
    test, run = write(data.test, tmp_path / "test", 1), write(data.runs["A"], tmp_path / "A", 1)
    with refused(InputError, where="relevance", found=5.0, expected="threshold(tau=6)", hint="threshold(5)"):
        ho.evaluate(test, {"A": run}, ["P@5"], relevance="threshold(6)")
    # On this scale threshold(4) is taken, and two users of three have no such rating.
    low = data.test.with_columns(rating=pl.when(pl.col("user") % 3 == 0).then(5).otherwise(2))
    poor = write(low, tmp_path / "low", 2)
    with refused(InputError, where="relevance", hint='relevance = "threshold(tau=4)" (200)'):
        ho.evaluate(low, {"A": data.runs["A"]}, ["P@5"])
    with refused(InputError, where="relevance", hint='relevance = "threshold(tau=4)" or "user_mean"'):
        ho.evaluate(poor, {"A": run}, ["P@5"])
