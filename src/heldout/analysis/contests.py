"""Who leads each setting, against whom, and whether that may be called a win."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from heldout.analysis.rows import LeaderRow, PairRow, Setting, VerdictRow
from heldout.analysis.selection_bias import Selected
from heldout.analysis.statistics import Served
from heldout.catalogue import make
from heldout.text.names import short_names
from heldout.text.numbers import percent


@dataclass(frozen=True, kw_only=True)
class VerdictEvidence:
    """The boards and comparisons of all contests, and what may keep their leaders from being called winners."""

    settings: Sequence[Setting]
    """The contests, the primary one first."""
    leaders: Sequence[LeaderRow]
    pairs: Sequence[PairRow]
    level: float
    systems: tuple[str, ...]
    baseline: str | None
    selected: Mapping[int, Mapping[str, Selected]]
    served: Mapping[int, Served]
    same_users: Callable[[int, int], bool] = lambda a, b: True
    """True if two settings, given by their ids, average the same users."""

    @cached_property
    def short(self) -> dict[str, str]:
        """By system, its name within a sentence."""
        return short_names(list(dict.fromkeys((*self.systems, *(row.system for row in self.leaders)))))

    @cached_property
    def boards(self) -> dict[int, list[LeaderRow]]:
        """By setting, the systems that have a value, best first."""
        boards: dict[int, list[LeaderRow]] = {}
        for row in self.leaders:
            if row.value is not None:
                boards.setdefault(row.setting, []).append(row)
        return {key: sorted(rows, key=lambda r: r.rank) for key, rows in boards.items()}

    @cached_property
    def _pairs(self) -> dict[tuple[int, frozenset[str]], list[PairRow]]:
        index: dict[tuple[int, frozenset[str]], list[PairRow]] = {}
        for pair in self.pairs:
            index.setdefault((pair.setting, frozenset((pair.a, pair.b))), []).append(pair)
        return index

    def pair(self, setting: int, a: str, b: str) -> PairRow | None:
        """The pair under the first test that has a p for it, or under the first test."""
        rows = self._pairs.get((setting, frozenset((a, b))), [])
        return next((p for p in rows if p.p_adjusted is not None), rows[0] if rows else None)


def contest_rows(evidence: VerdictEvidence) -> Iterator[VerdictRow]:
    """Each setting's leader held against one rival; everything that says whether the answer holds shows this pair."""
    first: str | None = None
    primary: int | None = None
    for setting in evidence.settings:
        board = evidence.boards.get(setting.id, [])
        if len(board) < 2:
            continue
        leader, rival = board[:2]
        first = first or leader.system
        primary = setting.id if primary is None else primary
        if first == rival.system and leader.value == rival.value:
            leader, rival = rival, leader
        held = evidence.baseline if evidence.baseline not in (None, leader.system) else first
        if held != leader.system:
            rival = next((r for r in board if r.system == held), rival)
        if leader.value is None or rival.value is None:
            continue
        selected = evidence.selected.get(setting.id, {}).get(leader.system)
        served = evidence.served.get(setting.id)
        why, remark = why_uncalled(served, leader.system, setting, evidence.systems)
        if selected is not None:
            why, remark = selected.why, "chosen on what it is tested on"
        pair = evidence.pair(setting.id, leader.system, rival.system)
        p = pair.p_adjusted if pair is not None else None
        significant = p is not None and p < evidence.level and pair is not None and favours(pair, leader.system, setting)
        yield VerdictRow(
            setting=setting.id,
            leader=leader.system,
            value=leader.value,
            rival=rival.system,
            difference=leader.value - rival.value,
            p_adjusted=p,
            significant=significant and not why,
            agrees=leader.system == first,
            refused=why,
            remark=remark,
            effect=None if pair is None else leader_effect(pair, leader.system, setting),
            users=leader.users if served is None else served.users,
            served=leader.users if served is None else served.served,
            other_users=0 if evidence.same_users(primary, setting.id) else leader.users,
        )


def why_uncalled(served: Served | None, leader: str, setting: Setting, systems: Sequence[str]) -> tuple[str, str]:
    """Why a leader is not called the winner, completing "the leader …", and a short remark; both empty if it may be."""
    if served is None or served.served == served.users:
        return "", ""
    if served.few:
        return f"leads among users of whom {percent(served.share)} are served by every system", "few users served"
    if leader in systems and served.depends(systems.index(leader), higher=setting.higher_is_better):
        return "depends on what users count as whom some system does not serve", "depends on the users not served"
    return "", ""


def leader_effect(pair: PairRow, system: str, setting: Setting) -> float | None:
    """Cohen d of a pair, above 0 if the system is better."""
    if pair.effect is None:
        return None
    return pair.effect if (pair.a == system) == setting.higher_is_better else -pair.effect


def favours(pair: PairRow, system: str, setting: Setting) -> bool:
    """True if what the test compared speaks for the system: its mean over the users of the pair, or its wins.

    The averages of a leaderboard may be over other users than the pair's, and a test of ranks asks how many users gain, not
    by how much: a small p can stand for the runner-up.
    """
    if make("test", pair.test).compares == "ranks":
        ahead = float(pair.wins - pair.losses)
    else:
        ahead = pair.difference if setting.higher_is_better else -pair.difference
    return (ahead if pair.a == system else -ahead) > 0
