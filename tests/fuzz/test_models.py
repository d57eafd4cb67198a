"""Models of one's own that misbehave: the study completes without them, and no other system is touched."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz.kit import examples, outcome

import heldout as ho

USERS, ITEMS = 9, 8
TRAIN = [(u, i, 1 + (u * 3 + i) % 5) for u in range(USERS) for i in range(ITEMS) if (u + 2 * i) % 3 == 0]
TEST = [(u, i, 1 + (u + i * 2) % 5) for u in range(USERS) for i in range(ITEMS) if (u + 2 * i) % 3 == 1]
DEPTH = 3


def frame(rows: list[tuple[int, int, int]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["user", "item", "rating"], orient="row")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("given")
    frame(TRAIN).write_csv(folder / "train.csv")
    frame(TEST).write_csv(folder / "test.csv")
    return {
        "split": f'given(train="{folder / "train.csv"}", test="{folder / "test.csv"}")',
        "recommend": ["Popularity", "Random"],
        "relevance": "threshold(3)",
        "metrics": f"P@{DEPTH}",
    }


def board(results: Any, *systems: str) -> list[tuple[str, float]]:
    kept = results.tables["all-leaderboards"].frame.filter(pl.col("system").is_in(systems)).sort("system")
    return list(zip(kept["system"], kept["value"], strict=True))


def failed(results: Any) -> bool:
    """Whether the model of one's own failed on the one fold."""
    return [cell for cell in results.failed if cell.endswith("| mine")] != []


@pytest.fixture(scope="module")
def undisturbed(study: dict[str, Any]) -> list[tuple[str, float]]:
    return board(ho.run(study), "Popularity", "Random")


class Scores:
    """A model that gives the scores it was made with."""

    def __init__(self, scores: Any) -> None:
        self.scores = scores

    def fit(self, train: Any) -> None:
        pass

    def score(self, users: Any) -> Any:
        return self.scores[users] if isinstance(self.scores, np.ndarray) and self.scores.ndim else self.scores


class Raises(Scores):
    """A model that ends by an exception of any kind, while it is fitted or while it scores."""

    def fit(self, train: Any) -> None:
        if self.scores[0] == "fit":
            raise self.scores[1]

    def score(self, users: Any) -> Any:
        raise self.scores[1]


class Exits(Scores):
    """A model that asks the interpreter to end."""

    def fit(self, train: Any) -> None:
        sys.exit(self.scores)


class Changes(Scores):
    """A model that writes into all that it is given."""

    def fit(self, train: Any) -> None:
        for name in ("user", "item", "value"):
            try:
                array = getattr(train, name)
                array.flags.writeable = True
                array[:] = 0
            except (AttributeError, ValueError):
                continue

    def score(self, users: Any) -> Any:
        try:
            users.flags.writeable = True
            users[:] = 0
        except (AttributeError, ValueError):
            pass
        return np.tile(np.arange(ITEMS, dtype=float), (len(users), 1))


def masked() -> Any:
    scores = np.ma.masked_array(np.ones((USERS, ITEMS)), mask=np.zeros((USERS, ITEMS), bool))
    scores[:, 0] = np.ma.masked
    return scores


MISBEHAVING: dict[str, Any] = {
    "too few items": Scores(np.ones((USERS, ITEMS - 1))),
    "too many items": Scores(np.ones((USERS, ITEMS + 1))),
    "one row": Scores(np.float64(1)),
    "three axes": Scores(np.ones((USERS, ITEMS, 1))),
    "all NaN": Scores(np.full((USERS, ITEMS), np.nan)),
    "infinite": Scores(np.full((USERS, ITEMS), np.inf)),
    "texts": Scores(np.full((USERS, ITEMS), "x")),
    "objects": Scores(np.full((USERS, ITEMS), None, object)),
    "complex": Scores(np.full((USERS, ITEMS), 1j)),
    "dates": Scores(np.full((USERS, ITEMS), "2004-02-29", "datetime64[D]")),
    "nothing": Scores(None),
    "a text": Scores("scores"),
    "a table": Scores({"a": 1}),
    "masked": Scores(masked()),
    "raises in fit": Raises(("fit", ValueError("no luck"))),
    "raises in score": Raises(("score", KeyError("x"))),
    "MemoryError": Raises(("score", MemoryError())),
    "RecursionError": Raises(("fit", RecursionError())),
    "GeneratorExit": Raises(("fit", GeneratorExit())),
    "BaseException": Raises(("score", BaseException("x"))),
    "control characters": Raises(("fit", ValueError("\x1b[31m\x00\ud800"))),
    "sys.exit(0)": Exits(0),
    "sys.exit(text)": Exits("bye"),
    "changes what it is given": Changes(None),
}


@pytest.mark.parametrize("case", MISBEHAVING)
def test_no_model_harms_another(case: str, study: dict[str, Any], undisturbed: list[tuple[str, float]]) -> None:
    results = ho.run(study, models={"mine": MISBEHAVING[case]})
    outcome("models", lambda: results.verdict)
    assert board(results, "Popularity", "Random") == undisturbed
    assert failed(results) != (len(board(results, "mine")) == 1), "it has a value, or a reason for none"


def by_hand(scores: np.ndarray) -> float:
    """P@3 over users with test ratings: all items but those of training compete, equal scores by the lower item."""
    rated = {(u, i): v for u, i, v in TEST}
    train = {(u, i) for u, i, _ in TRAIN}
    values = []
    for u in sorted({u for u, _ in rated}):
        ranked = sorted((-scores[u, i], i) for i in range(ITEMS) if (u, i) not in train and not np.isnan(scores[u, i]))
        values.append(sum(rated.get((u, i), 0) >= 3 for _, i in ranked[:DEPTH]) / DEPTH)
    return float(np.mean(values))


def any_candidate(scores: np.ndarray) -> bool:
    """Whether any item that competes has a score."""
    train = {(u, i) for u, i, _ in TRAIN}
    return any((u, i) not in train and not np.isnan(scores[u, i]) for u in range(USERS) for i in range(ITEMS))


def of_type(name: str) -> st.SearchStrategy[np.ndarray]:
    whole = st.lists(st.integers(0, 9), min_size=USERS * ITEMS, max_size=USERS * ITEMS)
    return whole.map(lambda values: np.array(values).reshape(USERS, ITEMS).astype(name))


def close(values: list[int]) -> np.ndarray:
    """Scores that only float64 tells apart, some of them missing."""
    scores = 1.7e9 + np.array(values, dtype=float).reshape(USERS, ITEMS)
    scores[scores == 1.7e9] = np.nan
    return scores


scored = st.sampled_from(["int8", "int64", "uint16", "float16", "float32", "float64", ">f8", "bool"]).flatmap(of_type)
near = st.lists(st.integers(0, 9), min_size=USERS * ITEMS, max_size=USERS * ITEMS).map(close)


@examples(20)
@given(scores=scored | near)
def test_scores_of_any_type_are_ranked_as_by_hand(
    scores: np.ndarray, study: dict[str, Any], undisturbed: list[tuple[str, float]]
) -> None:
    results = ho.run(study, models={"mine": Scores(scores)})
    assert board(results, "Popularity", "Random") == undisturbed
    if failed(results):
        assert not any_candidate(scores) or scores.dtype == bool
        return
    assert board(results, "mine")[0][1] == pytest.approx(by_hand(scores.astype(float)), abs=1e-12)
