"""The sentence at the top: who wins, by how much, how sure, and whether that holds in the other settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from heldout.analysis.facts import LeaderRow, PairRow, Setting
from heldout.analysis.notices import MANY_USERS
from heldout.analysis.selection_bias import Selected
from heldout.analysis.served_users import Served
from heldout.analysis.verdict_rows import Verdict, VerdictRow
from heldout.analysis.verdict_served import rests_on, uncalled, why_uncalled
from heldout.analysis.verdict_settings import elsewhere
from heldout.catalogue import make
from heldout.significance.significance_test import NON_ZERO
from heldout.words import counted, listed, number, p_value, signed

NEGLIGIBLE = 0.1
"""Cohen d below which an effect is hardly one; 0.2 is called small."""
MOST_REASON = 100
"""Characters of the reason of a failure that the sentence repeats."""


def verdict(
    settings: Sequence[Setting],
    leaders: Sequence[LeaderRow],
    pairs: Sequence[PairRow],
    level: float,
    *,
    systems: Sequence[str] = (),
    refused: str = "",
    baseline: str | None = None,
    selected: Mapping[int, Mapping[str, Selected]] | None = None,
    served: Mapping[int, Served] | None = None,
    failed: Mapping[str, str] | None = None,
    same_users: Callable[[int, int], bool] = lambda a, b: True,
) -> Verdict:
    """Who leads in the first setting, and who in the others; with a baseline the leader is held against it.

    `refused` says why no winner may be called at all, `selected` which systems of a setting may not be called that, `served`
    whom the `systems` of a setting serve, `failed` which systems are missing and why, `same_users` whether two settings rest
    on the same users. Settings of descriptive metrics and bounds are no contests and left aside.
    """
    evidence = VerdictEvidence(
        settings=[s for s in settings if not s.descriptive],
        leaders=leaders,
        pairs=pairs,
        level=level,
        systems=tuple(systems),
        baseline=baseline,
        selected=selected or {},
        served=served or {},
        same_users=same_users,
    )
    judged = _judged(evidence, settings, refused)
    gone = [f"{system} failed and is left out: {_brief(why)}." for system, why in (failed or {}).items()]
    return Verdict(" ".join([judged.sentence, *gone]), judged.rows)


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
    """Whether two settings, by their ids, rest on the same users."""

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


def _brief(why: str) -> str:
    """A reason short enough for a sentence; the notice of the failure has it whole."""
    cut = why if len(why) <= MOST_REASON else f"{why[:MOST_REASON].rstrip()}…"
    return cut.rstrip(".")


def _judged(evidence: VerdictEvidence, settings: Sequence[Setting], refused: str) -> Verdict:
    if refused:
        return Verdict(f"No winner is called: {refused}. Compare on the evaluation users.")
    if settings and not evidence.settings:
        if any(s.bound for s in settings):
            why = "the ends of an interval bound values and are no contest"
            return Verdict(f'No winner is called: {why}. To compare systems, measure unrated = ["zero", "interval"].')
        names = list(dict.fromkeys(s.metric for s in settings))
        does = "describes lists and is" if len(names) == 1 else "describe lists and are"
        hint = f'To compare systems by one, declare it: objectives = ["{names[0]}"].'
        return Verdict(f"No winner is called: {listed(names)} {does} no contest. {hint}")
    rows = tuple(_rows(evidence))
    if not rows:
        first = next((r for r in evidence.leaders if r.rank == 1), None)
        if first is None or first.value is None:
            return Verdict("No system could be measured.")
        alone = "there is nothing to compare it with"
        return Verdict(f"{first.system} scores {number(first.value, 4)} on {evidence.settings[0].label}; {alone}.")
    main, others = rows[0], rows[1:]
    setting = next(s for s in evidence.settings if s.id == main.setting)
    if main.refused:
        selected = evidence.selected.get(main.setting, {}).get(main.leader)
        if selected is not None:
            return Verdict(_refusal(main, setting, selected), rows)
        return Verdict(uncalled(setting, evidence.served[main.setting], evidence.systems), rows)
    sentences = [
        f"{main_sentence(main, setting, evidence)}{rests_on(main, setting, evidence.boards[main.setting][0].users)}",
        elsewhere(main, others, evidence.settings, users=evidence.boards[main.setting][0].users),
    ]
    return Verdict(" ".join(filter(None, sentences)), rows)


def _refusal(row: VerdictRow, setting: Setting, selected: Selected) -> str:
    """That the leader is ahead and why that makes it no winner."""
    ahead = f"{row.leader}, which is ahead ({number(row.value, 4)}, {signed(row.difference, 4)} over {row.rival}),"
    return f"No winner is called on {setting.label}: {ahead} {selected.why}. {selected.instead}"


def _rows(evidence: VerdictEvidence) -> Iterator[VerdictRow]:
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


def leader_effect(pair: PairRow, system: str, setting: Setting) -> float | None:
    """Cohen d of a pair, above 0 where the system is better."""
    if pair.effect is None:
        return None
    return pair.effect if (pair.a == system) == setting.higher_is_better else -pair.effect


def favours(pair: PairRow, system: str, setting: Setting) -> bool:
    """Whether what the test compared speaks for the system: its mean over the users of the pair, or its wins.

    The averages of a leaderboard may be over other users than the pair's, and a test of ranks asks how many users gain, not
    by how much: a small p can stand for the runner-up.
    """
    if make("test", pair.test).compares == "ranks":
        ahead = float(pair.wins - pair.losses)
    else:
        ahead = pair.difference if setting.higher_is_better else -pair.difference
    return (ahead if pair.a == system else -ahead) > 0


def main_sentence(row: VerdictRow, setting: Setting, evidence: VerdictEvidence) -> str:
    """Who wins or leads in a setting, by how much over the rival, and how surely."""
    level, baseline = evidence.level, evidence.baseline
    pair = evidence.pair(row.setting, row.leader, row.rival)
    sure = f" ({counted(row.users, 'user')})" if row.users else ""
    if pair is not None and pair.p_adjusted is not None:
        ends = ""
        if pair.low is not None and pair.high is not None:
            low, high = (pair.low, pair.high) if pair.a == row.leader else (-pair.high, -pair.low)
            ends = f"unadjusted {1 - level:.0%} interval {signed(low, 4)} to {signed(high, 4)}, "
        family = f" after {pair.correction} over {pair.family:,} pairs"
        if pair.family == 1:
            family = ""
        elif pair.correction in ("", "none"):
            family = f" not corrected for {pair.family:,} pairs"
        elif pair.test.startswith(pair.correction):
            family = f" for all {pair.family:,} pairs together"
        differing = f", {pair.figures[NON_ZERO]:,.0f} with a difference" if NON_ZERO in pair.figures else ""
        sure = f" ({ends}{pair.test} {p_value(pair.p_adjusted)}{family}, on {counted(pair.users, 'user')}{differing})"
    numbers = f"{number(row.value, 4)}, {signed(row.difference, 4)} over {row.rival}{sure}"
    if row.p_adjusted is None and row.difference == 0:
        return _tie(row, setting)
    if row.p_adjusted is None:
        tested = pair is not None and bool(pair.figures)
        why = f"{pair.test} gives no p-value" if tested and pair is not None else "that difference was not tested"
        return f"{row.leader} leads on {setting.label}: {numbers}; {why}."
    if pair is not None and row.p_adjusted < level and not favours(pair, row.leader, setting):
        return (
            f"No winner on {setting.label}: {row.leader} has the better average, {numbers}, but on the {pair.users:,} users "
            f"compared the test favours {row.rival}."
        )
    if row.difference == 0:
        return _tie(row, setting)
    if row.significant and baseline == row.leader:
        return f"No system beats the baseline on {setting.label}: {row.leader} has {numbers}."
    if row.significant and baseline == row.rival:
        return f"{row.leader} leads on {setting.label} and beats the baseline: {numbers}.{_small_effect(pair)}"
    if row.significant:
        return f"{row.leader} wins on {setting.label}: {numbers}.{_small_effect(pair)}"
    return f"No winner on {setting.label}: {row.leader} is ahead, {numbers}, but that can be chance."


def _tie(row: VerdictRow, setting: Setting) -> str:
    return f"No winner on {setting.label}: {row.leader} and {row.rival} tie at {number(row.value, 4)}."


def _small_effect(pair: PairRow | None) -> str:
    """A caution where many users make a tiny difference significant."""
    if pair is None or pair.effect is None or pair.users < MANY_USERS or abs(pair.effect) >= NEGLIGIBLE:
        return ""
    return (
        f" But the effect is very small (d = {abs(pair.effect):.2f}): over {pair.users:,} users even such a difference is "
        "significant."
    )
