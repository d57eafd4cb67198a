"""Every metric of the catalogue keeps the contract; and the contract can be broken."""

from __future__ import annotations

import numpy as np
import pytest
from tests.refusals import failing_check

from heldout.catalogue import classes, cutoff, parameters
from heldout.metrics.metric import Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64
from heldout.testing import check_metric
from heldout.testing.metrics import CLAIMS


def instances() -> list[Metric]:
    """Each metric without and with cut-offs, as far as it takes them."""
    made: list[Metric] = []
    for cls in classes("metric"):
        cut = next((f for f in parameters(cls) if f.metadata["cutoff"]), None)
        if cut is not None:
            made += [cls(**{cut.name: n}) for n in ((2, 10) if cls.key == "ILD" else (1, 3, 10))]
        if cut is None or cut.default is None:
            made.append(cls())
    return made


@pytest.mark.parametrize("metric", instances(), ids=str)
def test_contract(metric: Metric) -> None:
    check_metric(metric)


@pytest.mark.parametrize(
    "text",
    [
        "nDCG(gain=binary)",
        "nDCG(gain=exp2)@5",
        "nDCG(gain=chapelle)",
        "nDCG(gain=table([0, 0, 1, 2, 5]), discount=zipf)@5",
        "nDCG(discount=rbp(0.7))",
        "nDCG(discount=table([1, 0.5, 0.25]))",
        "DCG(snips, gain=binary)@5",
        "P(rel=3)@5",
        "AP(rel=5)",
        "infAP(pool=judged)",
        "infAP(pool_depth=100)",
        "infAP(count=to_rank, pool_depth=100)",
        "infAP(count=to_rank)",
        "bpref(count=all)",
        "Recall(snips)@5",
        "AP(ips, propensity=column(p))@5",
        "Recall(snips, propensity=column(p))",
        "P(ips, propensity=column(p))@5",
        "AUC(snips)",
        "RBP(0.95)@20",
        "ERR(gain=chapelle)@10",
        "Q(beta=10, gain=exp2)@5",
        "F(beta=2)@5",
        "RBO(0.5)@3",
        "HLU(half_life=3, utility=hit)",
        "HLU(discount=table([1, 0.5, 0.25]))",
        "StratifiedRecall(gamma=0)@5",
        "Novelty(share=ratings)@5",
        "ILD(features=genre)@5",
        "Serendipity(against=profile)@5",
        "Serendipity(against=profile, features=genre)@5",
    ],
)
def test_contract_of_variants(text: str) -> None:
    from heldout.catalogue import make

    check_metric(make("metric", text))


class _Broken(Metric):
    """A metric that no catalogue lists: it grows with ranks and looks at the neighbours."""

    claims = ("moving a relevant item up never lowers", "bounded")
    n: int = cutoff()

    def measure(self, judged: Judged) -> Float64:
        return judged.sum(judged.relevant(None) * judged.rank.astype(np.float64))


def test_a_claim_that_does_not_hold_is_found() -> None:
    claim = "moving a relevant item up never lowers"
    assert failing_check(CLAIMS[claim], _Broken(n=5), 0)[0] == "moving_up_never_lowers"


class _Grades(Metric):
    """A metric that looks at grades and never says so, or at relevance and denies it."""

    relevant: bool = False
    n: int = cutoff()

    def measure(self, judged: Judged) -> Float64:
        return judged.sum(judged.relevant(None) if self.relevant else judged.grade > 2, self.n) / self.n


def test_whether_relevance_is_asked_for_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from heldout.testing.metrics import asks_relevance_as_declared

    undeclared = failing_check(asks_relevance_as_declared, _Grades(n=5))
    monkeypatch.setattr(_Grades, "by_relevance", "never")
    asks_relevance_as_declared(_Grades(n=5))
    assert failing_check(asks_relevance_as_declared, _Grades(relevant=True, n=5)) != undeclared


def test_a_value_out_of_range_is_found() -> None:
    from heldout.testing.metrics import stays_in_range

    assert failing_check(stays_in_range, _Broken(n=5), 0)[0] == "stays_in_range"
