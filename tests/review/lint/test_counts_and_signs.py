"""How findings of results count what else they hold for, and write negative numbers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from heldout.review.lint.evidence import Evidence, PairEvidence
from heldout.review.lint.rule import Rule
from heldout.review.lint.rules.significant_and_tiny import SignificantAndTiny
from heldout.review.lint.rules.too_few_users import TooFewUsers


def message(rule: Rule, pairs: int, *, effect: float, p: float) -> str:
    """What the rule says of that many pairs of 100 users, alike but for their setting."""
    rows = [
        PairEvidence(
            setting=f"s{k}",
            choices={},
            metric="P@5",
            aggregate="mean",
            a="A",
            b="B",
            value_a=0.4,
            value_b=0.41,
            difference=-0.01,
            effect=effect,
            p=p,
            users=100,
            answered=True,
        )
        for k in range(pairs)
    ]
    subject: Any = SimpleNamespace(
        evidence=Evidence(pairs=tuple(rows)), study=SimpleNamespace(compare=SimpleNamespace(level=0.05))
    )
    (found,) = rule.review(subject)
    return found.message


@pytest.mark.parametrize(
    ("pairs", "few", "tiny"),
    [
        (1, None, None),
        (2, "; so it is for 1 more comparison", "; so does 1 more pair"),
        (3, "; so it is for 2 more comparisons", "; so do 2 more pairs"),
    ],
)
def test_one_more_is_singular(pairs: int, few: str | None, tiny: str | None) -> None:
    for rule, told, p in ((TooFewUsers(), few, 0.3), (SignificantAndTiny(), tiny, 0.01)):
        text = message(rule, pairs, effect=-0.05, p=p)
        assert text.endswith(f"{told}.") if told else "; so" not in text


def test_a_negative_effect_has_a_minus_sign() -> None:
    assert message(SignificantAndTiny(), 1, effect=-0.05, p=0.01).endswith("with d = −0.050.")
