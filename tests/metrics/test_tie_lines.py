"""What cards say of ties holds: each metric is measured on lists full of ties, under every tie rule."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import heldout as ho
from heldout.catalogue import classes, make
from heldout.catalogue.describe import describe
from heldout.errors import HeldoutError
from heldout.metrics.metric import TIES, Metric

RNG = np.random.default_rng(1)
USERS, ITEMS = 25, 30


def frame(rows: list[tuple[str, str, float]], value: str) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["user", "item", value], orient="row")


def drawn(many: int) -> list[tuple[str, str, float]]:
    chosen = [(u, i) for u in range(USERS) for i in RNG.choice(ITEMS, many, replace=False)]
    return [(f"u{u:02}", f"i{i:02}", float(RNG.integers(1, 6))) for u, i in chosen]


TEST = drawn(8)
TRAIN = [row for row in drawn(6) if row[:2] not in {tested[:2] for tested in TEST}]
RUN = [(f"u{u:02}", f"i{i:02}", float(RNG.integers(0, 4))) for u in range(USERS) for i in RNG.permutation(ITEMS)]
GENRES = pl.DataFrame({"item_id": [f"i{i:02}" for i in range(ITEMS)], "genres": [f"g{i % 4}" for i in range(ITEMS)]})
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


METRICS = [cls for cls in classes("metric") if cls.__module__.startswith("heldout.metrics.")]


@pytest.fixture(scope="module")
def values() -> dict[str, list[np.ndarray]]:
    """By metric, the values of users under each tie rule."""
    asked = list(dict.fromkeys(["P@5", *(text for cls in METRICS for text in forms(cls))]))
    found = {text: [] for text in asked}
    for rule in RULES:
        results = ho.evaluate(
            frame(TEST, "rating"),
            {"A": frame(RUN, "score")},
            asked,
            train=frame(TRAIN, "rating"),
            items=pl.DataFrame(
                {"item_id": [f"i{i:02}" for i in range(ITEMS)], "genre": [f"g{i % 4}" for i in range(ITEMS)]}
            ),
            ties=rule,
            relevance="threshold(4)",
            scores="ratings",
        )
        assert results.outcome is not None
        scores = results.outcome.parts[0].scores[0]
        for text in asked:
            found[text].append(scores.column(text))
    return found


@pytest.mark.parametrize("cls", METRICS, ids=lambda cls: cls.key)
def test_the_line_on_ties_is_true(cls: type[Metric], values: dict[str, list[np.ndarray]]) -> None:
    told = dict(describe(cls).facts)["Ties"]
    same = [all(np.allclose(values[t][0], v, rtol=1e-12, equal_nan=True) for v in values[t][1:]) for t in forms(cls)]
    assert same
    if cls.ties == "ordered":
        assert not all(same) and told.startswith(TIES["ordered"])
    else:
        assert all(same) and told == TIES[cls.ties]


def test_each_rule_gives_an_order_of_its_own(values: dict[str, list[np.ndarray]]) -> None:
    found = [tuple(column.tolist()) for column in values["AP"]]
    assert len(set(found)) == len(RULES)
