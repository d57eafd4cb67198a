"""What does not go together, known before anything is read."""

from __future__ import annotations

import pytest

from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.study.compatibility import about_cut, asks_relevance, refuse_unfit, refuse_without_order, unfit


def why(metric: str, target: str = "AllItems", unrated: str = "zero", ties: str = "item") -> str:
    error = unfit(make("metric", metric), make("target", target), make("unrated", unrated), make("ties", ties))
    return "" if error is None else error.what


def test_what_has_a_value() -> None:
    assert why("P@5") == why("P@5", "OnePlusRandom(5)") == why("ILD@5") == why("P@5", ties="expected") == ""


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (why("nDCG@5", unrated="interval"), "nDCG@5 has no interval"),
        (why("ILD@5", "OnePlusRandom(5)"), "ILD@5 looks at whole lists"),
        (why("ILD@5", unrated="condense"), "ILD@5 looks at whole lists"),
        (why("bpref", "targets(relevant=one, nonrelevant=9, corrected=cls)"), "bpref cannot be corrected"),
    ],
)
def test_what_has_none(reason: str, words: str) -> None:
    assert reason.startswith(words)


def test_all_metrics_without_a_value_are_refused_some_are_not() -> None:
    p, ndcg = make("metric", "P@5"), make("metric", "nDCG@5")
    rules = [make("target", "AllItems")], [make("unrated", "interval")], [make("ties", "item")]
    refuse_unfit([p, ndcg], *rules)
    with pytest.raises(NotApplicableError, match="nDCG@5 has no interval"):
        refuse_unfit([ndcg], *rules)
    with pytest.raises(NotApplicableError, match="ties=expected and unrated=interval cannot be combined"):
        refuse_unfit([p], rules[0], rules[1], [make("ties", "expected")])


def test_the_order_of_a_file_needs_a_file() -> None:
    fitted = {"Popularity": make("recommender", "Popularity")}
    refuse_without_order(fitted, [make("ties", "item")])
    with pytest.raises(NotApplicableError, match="needs the order of a file, and Popularity is fitted"):
        refuse_without_order(fitted, [make("ties", "file")])


def test_metrics_that_the_same_lists_leave_without_a_value_share_a_reason() -> None:
    reasons = about_cut({"AUC": {"A": "3 of 9 of A"}, "Spearman": {"A": "3 of 9 of A"}, "NDPM": {"B": "1 of 2 of B"}})
    assert [reason.partition(":")[0] for reason in reasons] == ["AUC, Spearman", "NDPM"]


def test_which_metrics_ask_for_the_rule_of_relevance() -> None:
    asking = {text: asks_relevance(make("metric", text)) for text in ("P@5", "nDCG@5", "nDCG(gain=binary)@5", "RMSE")}
    assert asking == {"P@5": True, "nDCG@5": False, "nDCG(gain=binary)@5": True, "RMSE": False}
    assert [asks_relevance(make("metric", f"HLU(utility={u})")) for u in ("hit", "above_neutral")] == [True, False]
