"""What every metric makes of its parameters."""

from __future__ import annotations

import pytest

from heldout.catalogue import make
from heldout.errors import SpecError
from heldout.metrics.measuring import depth_of


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("RBP(gain=linear)@10", "RBP needs gains within 0…1, which gain=linear may leave"),
        ("ERR(gain=table([0, 2]))", "ERR needs gains within 0…1"),
        ("EPC(gain=linear)@5", "EPC needs gains within 0…1"),
        ("nDCG(gain=table([-1, 2]))", "gains must be at least 0"),
        ("nDCG(discount=table([]))", "a discount needs weights"),
        ("nDCG(discount=table([0.5, 1]))", "cannot grow with the rank"),
        ("HLU(half_life=1)", "'half_life' must be above 1"),
        ("HLU(half_life=3, discount=zipf)", "exclude each other"),
        ("P(ips)@10", "needs absolute propensities, and none are named"),
        ("P(ips, propensity=popularity)@10", "is only proportional to them"),
        ("DCG(ips, propensity=column(p, scale=proportional))@10", "is only proportional to them"),
        ("Recall(propensity=popularity)@10", "propensities are for ips and snips"),
        ("RR(ips)", "'rel' must be a number or none"),
        ("ILD@1", "one item has no distance"),
        ("ILD(table=x)@5", "the column named by 'features'"),
        ("RBO(phi=1)", "'phi' must be below 1"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(text: str, told: str) -> None:
    with pytest.raises(SpecError, match=told):
        make("metric", text)


def test_depth() -> None:
    assert depth_of(make("metric", "P@7")) == 7
    assert depth_of(make("metric", "AP")) is None
