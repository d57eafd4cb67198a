"""Numbers from sums: held against the general way, setting by setting."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from heldout.aggregations.merged_moments import merge_tree
from heldout.analysis.alignment import AlignedScores, align_scores
from heldout.analysis.merged_settings import MergedProtocol, MergedScores
from heldout.analysis.piece_columns import piece_columns, unmergeable
from heldout.analysis.settings import aggregate_settings
from heldout.catalogue import make
from heldout.study.analysis import Analysis, make_analysis
from heldout.tables import ProtocolKey, Scores, Vocabulary
from heldout.tables.id_hash import GROUPS

KEY = ProtocolKey(
    data="d", filter="none", split="s", users="all", fallback="none", relevance="threshold(4)", target="AllItems",
    unrated="zero", ties="item",
)  # fmt: skip
USERS = 400


def _analysis(**keys: Any) -> Analysis:
    return make_analysis({"metrics": ["P@5"], **keys}, systems=["A", "B"], targets=(make("target", "AllItems"),))


def _table() -> AlignedScores:
    draw = np.random.default_rng(1)
    tables = []
    for system in "AB":
        values = draw.integers(0, 6, (USERS, 2)) / 5
        values[draw.random(USERS) < 0.1, 0] = np.nan
        length = np.where(draw.random(USERS) < 0.1, 0.0, 5.0)
        counts = {name: draw.integers(1, 9, USERS).astype(float) for name in ("test", "relevant", "train", "development")}
        tables.append(
            Scores(
                system=system, protocol=KEY, fold=0, users=np.arange(USERS, dtype=np.int32), metrics=("P@5", "Coverage@5"),
                values=values, length=length, computed=length, lists=np.ones(USERS, dtype=np.int32), counts=counts,
            )
        )  # fmt: skip
    return align_scores(tables, Vocabulary.numbered(USERS), ["A", "B"])


def _merged(analysis: Analysis, table: AlignedScores) -> MergedScores:
    piece = piece_columns(analysis, table, range(GROUPS))
    moments = {name: merge_tree(column[:, None, None]).column(0) for name, column in piece.moments.items()}
    protocol = MergedProtocol(
        protocol=KEY, systems=("A", "B"), moments=moments, sums=piece.sums, longest=piece.longest, refused=piece.refused,
        whole={},
    )  # fmt: skip
    return MergedScores(systems=("A", "B"), protocols=(protocol,))


@pytest.mark.parametrize("aggregate", ["mean", "gmean", "mean(weight=test)"])
@pytest.mark.parametrize("undefined", ["zero", "skip"])
@pytest.mark.parametrize("coverage", ["zero", "forgive", "intersection"])
def test_tallies_are_those_of_all_values(aggregate: str, undefined: str, coverage: str) -> None:
    analysis, table = _analysis(aggregate=aggregate, undefined=undefined, coverage=coverage, compare="none"), _table()
    (ours,) = _merged(analysis, table).settings(analysis, {})
    (theirs,) = aggregate_settings(analysis, [table])
    for own, other in zip(ours.tallies, theirs.tallies, strict=True):
        assert (own.users, own.undefined) == (other.users, other.undefined)
        numbers = ("value", "low", "high", "user_coverage", "user_coverage_ranked")
        assert [getattr(own, name) for name in numbers] == pytest.approx(
            [getattr(other, name) for name in numbers], rel=1e-12
        )
    assert ours.share("Coverage@5", 1) == pytest.approx(theirs.share("Coverage@5", 1), rel=1e-13)
    assert ours.share("Rho@5", 0) is None
    assert ours.covered(0) == theirs.covered(0)
    assert ours.served().as_zero == pytest.approx(theirs.served().as_zero, rel=1e-12)
    assert ours.served().common == pytest.approx(theirs.served().common, rel=1e-12)
    spread = theirs.weight_spread()
    assert ours.weight_spread() == (None if spread is None else pytest.approx(spread, rel=1e-12))


def test_settings_on_the_same_users_are_those_of_all_values() -> None:
    """A setting rests on the same users as another if each of its systems does: all pairs of six settings."""
    asked = {"undefined": ["zero", "skip"], "coverage": ["zero", "forgive", "intersection"], "compare": "none"}
    analysis, table = _analysis(**asked), _table()
    ours, theirs = _merged(analysis, table).settings(analysis, {}), aggregate_settings(analysis, [table])
    same = [[a.same_users(b) for b in ours] for a in ours]
    assert same == [[a.same_users(b) for b in theirs] for a in theirs] == np.eye(6, dtype=bool).tolist()


def test_what_needs_all_values_is_told() -> None:
    assert unmergeable(_analysis(compare={"tests": ["t", "permutation", "bootstrap", "sign"]}), 2) == ""
    assert "median of P@5" in unmergeable(_analysis(aggregate="median", compare="none"), 2)
    assert "wilcoxon" in unmergeable(_analysis(compare=["wilcoxon"]), 2)
    assert unmergeable(_analysis(compare=["wilcoxon"]), 1) == ""


def test_an_aggregation_that_does_not_apply_is_left_out() -> None:
    analysis, table = _analysis(aggregate="gmean", compare="none"), _table()
    table.values[0, 0, 3] = -1.0
    left_out: dict[str, None] = {}
    assert _merged(analysis, table).settings(analysis, left_out) == []
    assert "takes the logarithm" in next(iter(left_out))


def test_three_users_by_hand() -> None:
    # A has 1, 0 and no list, B 0.5, 0.5 and 0.5; all three have 2 test ratings, the second none that is relevant.
    tables = []
    for system, values, length in (("A", [1.0, 0.0, 0.0], [5.0, 5.0, 0.0]), ("B", [0.5, 0.5, 0.5], [7.0, 5.0, 5.0])):
        tables.append(
            Scores(
                system=system, protocol=KEY, fold=0, users=np.arange(3, dtype=np.int32), metrics=("P@5",),
                values=np.array([values]).T, length=np.array(length), computed=np.array(length),
                lists=np.ones(3, dtype=np.int32),
                counts={"test": np.full(3, 2.0), "relevant": np.array([1.0, 0.0, 2.0])},
            )
        )  # fmt: skip
    table = align_scores(tables, Vocabulary.numbered(3), ["A", "B"])
    analysis = make_analysis({"metrics": ["P@5"]}, systems=["A", "B"], targets=(make("target", "AllItems"),))
    piece = piece_columns(analysis, table, range(GROUPS))
    users = {name: int(column[0]) for name, column in piece.moments.items()}
    assert users["users"] == users["tested"] == 3
    assert (users["served"], users["empty 0"], users["empty 1"], users["listed differently"]) == (2, 1, 0, 1)
    assert (users["without relevant"], users["not relevant"]) == (1, 2)
    assert (users["greater 0 0"], users["less 0 0"]) == (1, 2)
    assert piece.moments["system 0 0"][3] == pytest.approx(1 / 3)
    assert piece.moments["pair 0 0"][[0, 3]].tolist() == pytest.approx([3, -1 / 6])  # (0.5 − 0.5 − 0.5) / 3
    assert piece.sums["system 0 0"].sum() == 1.0
    assert piece.sums["#system 0 0"].sum() == 3
    assert piece.longest == (5.0, 7.0)
