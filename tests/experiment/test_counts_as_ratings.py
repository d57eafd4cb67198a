"""HO513: systems that take counts for ratings are named, by a run and by the review."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import heldout as ho

SYSTEMS = ["Popularity", "EASE", "WRMF(factors=3, iterations=2)", "ItemKNN", "PureSVD(factors=3)"]


def told(data: str, **more: Any) -> list[str]:
    study = {"data": data, "split": "ratio(train=0.7)", "recommend": SYSTEMS, "metrics": "P@5", "relevance": "threshold(1)"}
    results = ho.run({**study, **more})
    messages = [n.message for n in results.facts.notices if n.code == "HO513"]
    assert [f.message for f in ho.lint(results).findings if f.code == "HO513"] == messages
    return messages


@pytest.fixture
def plays(tmp_path: Path) -> str:
    rows = [f"u{u},i{i},{700 if u == i else 1 + u * i % 4}" for u in range(15) for i in range(15) if (u + 2 * i) % 5]
    path = tmp_path / "plays.csv"
    path.write_text("\n".join(["user,item,rating", *rows]) + "\n", encoding="utf-8")
    return str(path)


def test_systems_that_take_counts_for_ratings_are_named(plays: str) -> None:
    (message,) = told(plays)
    assert message == (
        f'csv(path="{plays}"): values up to 700 are counts, and they are taken for ratings by ItemKNN, PureSVD(factors=3): '
        "add binarise(1) or playcounts_to_ratings to the filters, or values=binary in PureSVD(factors=3)"
    )


@pytest.mark.parametrize("filtering", ["binarise(1)", "playcounts_to_ratings"])
def test_what_the_notice_advises_ends_it(plays: str, filtering: str) -> None:
    assert told(plays, filters=[[filtering]]) == []


def test_systems_that_ask_only_whether_there_is_a_value_are_not_named(plays: str) -> None:
    assert told(plays, recommend=["Popularity", "EASE", "PureSVD(factors=3, values=binary)"]) == []


def test_ratings_are_no_counts() -> None:
    assert told("simulate(users=60, items=40, ratings=900)") == []


def test_play_counts_of_last_fm(real_data: Callable[[str], Path]) -> None:
    (message,) = told(str(real_data("lastfm-hetrec-2k")), recommend=["Popularity", "ItemKNN"])
    assert "counts, and they are taken for ratings by ItemKNN" in message
