"""Stubs: what a constructor takes, with defaults and meanings."""

from __future__ import annotations

import ast

from heldout.metrics import NDCG
from heldout.metrics.gains.table import GainTable
from heldout.testing.stubs import group_stub, top_stub


def test_a_component_shows_its_parameters() -> None:
    stub = group_stub("heldout.metrics", [NDCG], ["heldout.metrics.gains"])
    assert "from heldout.metrics import gains as gains" in stub
    assert "class NDCG(_NDCG):" in stub
    assert "gain: _Gain | str = 'linear', discount: _Discount | str = 'log2'" in stub
    assert "    n: depth at which the list is cut" in stub


def test_lists_are_taken_where_tuples_are_held() -> None:
    stub = group_stub("heldout.metrics.gains", [GainTable], [])
    assert "def __init__(self, gains: tuple[float, ...] | list[float], first: float = 1.0" in stub
    ast.parse(stub)


def test_the_top_names_verbs_and_groups_outside_others() -> None:
    stub = top_stub({"heldout.api.run": ("run",)}, ["heldout.data.readers", "heldout.metrics", "heldout.metrics.gains"])
    imports = [line for line in stub.splitlines() if line.startswith("from")]
    assert imports == [
        "from heldout.data import readers as readers",
        "from heldout import metrics as metrics",
        "from heldout.api.run import run as run",
    ]
