"""What must hold of any evaluation of runs."""

from __future__ import annotations

import inspect

import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho

QRELS = pl.DataFrame({"user": [1, 2, 3], "item": [1, 2, 3], "rating": [1, 1, 1]})
A = pl.DataFrame({"user": [1, 2, 3], "item": [1, 9, 8], "score": [1.0, 1.0, 1.0]})


def value(results: ho.Results, column: str, system: str = "A") -> float:
    return results.tables["all-leaderboards"].frame.filter(pl.col("system") == system)[column][0]


def test_a_condensed_list_covers_whom_it_ranks_a_rated_item_for() -> None:
    """Of three users the run ranks a rated item for one alone."""
    whole, condensed = (ho.evaluate(QRELS, {"A": A}, "P@1", unrated=rule) for rule in ("zero", "condense"))
    assert value(whole, "user_coverage") == 1.0
    assert value(condensed, "user_coverage") == pytest.approx(1 / 3, abs=1e-15)
    assert "HO103" not in [n.code for n in whole.findings.notices]
    assert "HO103" in [n.code for n in condensed.findings.notices]


def test_another_run_changes_nothing_of_a_run() -> None:
    """Neither its value, nor what a random ranking would score, nor the order of its ties."""
    tied = pl.DataFrame({"user": [1, 1], "item": [10, 9], "score": [1.0, 1.0]})
    qrels = pl.DataFrame({"user": [1], "item": [9], "rating": [1]})
    other = pl.DataFrame({"user": ["1"] * 50, "item": [f"x{k}" for k in range(50)], "score": [float(k) for k in range(50)]})
    alone = ho.evaluate(qrels, {"A": tied}, "P@1")
    beside = ho.evaluate(qrels, {"A": tied, "B": other}, "P@1")
    assert value(alone, "value") == value(beside, "value") == 1.0  # 9 comes before 10 in the catalogue
    assert value(alone, "rho_at_n") == value(beside, "rho_at_n")


def test_a_pair_in_both_parts_is_refused() -> None:
    with refused(ho.InputError, file="test set", found=["user 1, item 1"], hint="overlap=train"):
        ho.evaluate(QRELS, {"A": A}, "P@1", train=pl.DataFrame({"user": [1], "item": [1], "rating": [1]}))


def test_users_of_the_training_set_alone_are_not_tested() -> None:
    train = pl.DataFrame({"user": [7], "item": [1], "rating": [1]})
    run = pl.DataFrame({"user": [7], "item": [2], "score": [1.0]})
    with refused(ho.InputError, where="A", found="7", expected="users of the test set"):
        ho.evaluate(QRELS, {"A": run}, "P@1", train=train)


def test_no_relevant_test_rating_is_an_error() -> None:
    with refused(ho.InputError, where="relevance", found=1.0, expected="threshold(tau=4)", hint="threshold(1)"):
        ho.evaluate(QRELS, {"A": A}, "P@1", relevance="threshold(4)")


def test_a_guess_of_relevance_is_told() -> None:
    assert "HO106" in [n.code for n in ho.evaluate(QRELS, {"A": A}, "P@1").findings.notices]
    assert "HO106" not in [n.code for n in ho.evaluate(QRELS, {"A": A}, "P@1", relevance="threshold(1)").findings.notices]


PARAMETERS_OF_A_READER = {"read", "read_log"}
"""Functions whose further options are the parameters of the format's reader."""
VERBS = {name for name in ho.__all__ if inspect.isfunction(getattr(ho, name))}


@pytest.mark.parametrize("name", sorted(VERBS - PARAMETERS_OF_A_READER))
def test_verbs_name_their_options(name: str) -> None:
    kinds = [parameter.kind for parameter in inspect.signature(getattr(ho, name)).parameters.values()]
    assert inspect.Parameter.VAR_KEYWORD not in kinds


def test_misspelt_options_are_refused() -> None:
    with pytest.raises(TypeError, match="relevence"):
        ho.evaluate(QRELS, {"A": A}, "P@1", relevence="threshold(1)")
