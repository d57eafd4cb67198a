"""The sentence at the top: who wins, by how much, how sure, and whether that holds in the other settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from heldout.catalogue import make
from heldout.report.facts import LeaderRow, PairRow, Setting, Verdict, VerdictRow
from heldout.report.text import counted, number, p_value, signed
from heldout.report.verdict_elsewhere import elsewhere
from heldout.study.selected import Selected

MANY_USERS = 2000
"""Users from which tiny differences are significant, so that the size of an effect must be read first."""
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
    refused: str = "",
    baseline: str | None = None,
    selected: Mapping[int, Mapping[str, Selected]] | None = None,
    failed: Mapping[str, str] | None = None,
) -> Verdict:
    """Who leads in the first setting, and who in the others; with a baseline the leader is held against it.

    `refused` says why no winner may be called at all, `selected` which systems of a setting may not be called that, `failed`
    which systems are missing and why.
    """
    made = _judged(settings, leaders, pairs, level, refused, baseline, selected)
    gone = [f"{system} failed and is left out: {_brief(why)}." for system, why in (failed or {}).items()]
    return Verdict(" ".join([made.sentence, *gone]), made.rows)


def _brief(why: str) -> str:
    """A reason short enough for a sentence; the notice of the failure has it whole."""
    cut = why if len(why) <= MOST_REASON else f"{why[:MOST_REASON].rstrip()}…"
    return cut.rstrip(".")


def _judged(
    settings: Sequence[Setting],
    leaders: Sequence[LeaderRow],
    pairs: Sequence[PairRow],
    level: float,
    refused: str,
    baseline: str | None,
    selected: Mapping[int, Mapping[str, Selected]] | None,
) -> Verdict:
    if refused:
        return Verdict(f"No winner is called: {refused}. Compare on the evaluation users.")
    rows = tuple(_rows(settings, leaders, pairs, level, baseline, selected or {}))
    if not rows:
        named = [r for r in leaders if r.rank == 1]
        if not named or named[0].value is None:
            return Verdict("No system could be measured.")
        first = named[0]
        alone = "there is nothing to compare it with"
        return Verdict(f"{first.system} scores {number(first.value, 4)} on {settings[0].label}; {alone}.")
    main, others = rows[0], rows[1:]
    if main.refused:
        return Verdict(_refusal(main, settings[0], (selected or {})[main.setting][main.leader]), rows)
    return Verdict(f"{_main(main, settings[0], pairs, level, baseline)} {elsewhere(main, others, settings)}".strip(), rows)


def _refusal(row: VerdictRow, setting: Setting, selected: Selected) -> str:
    """That the leader is ahead and why that makes it no winner."""
    ahead = f"{row.leader}, which is ahead ({number(row.value, 4)}, {signed(row.difference, 4)} over {row.runner_up}),"
    return f"No winner is called on {setting.label}: {ahead} {selected.why}. {selected.instead}"


def _rows(
    settings: Sequence[Setting],
    leaders: Sequence[LeaderRow],
    pairs: Sequence[PairRow],
    level: float,
    baseline: str | None,
    selected: Mapping[int, Mapping[str, Selected]],
) -> Iterator[VerdictRow]:
    first: str | None = None
    for setting in settings:
        board = sorted((r for r in leaders if r.setting == setting.id and r.value is not None), key=lambda r: r.rank)
        if len(board) < 2:
            continue
        top = board[:2]
        first = first or top[0].system
        if first == top[1].system and top[0].value == top[1].value:
            top.reverse()
        if baseline is not None and top[0].system != baseline:
            top[1] = next((r for r in board if r.system == baseline), top[1])
        if top[0].value is None or top[1].value is None:
            continue
        why = selected.get(setting.id, {}).get(top[0].system)
        pair = _pair(pairs, setting.id, top[0].system, top[1].system)
        p = pair.p_adjusted if pair is not None else None
        yield VerdictRow(
            setting.id,
            top[0].system,
            top[0].value,
            top[1].system,
            top[0].value - top[1].value,
            p,
            why is None and p is not None and p < level and pair is not None and _favours(pair, top[0].system, setting),
            top[0].system == first,
            "" if why is None else why.why,
        )


def _favours(pair: PairRow, system: str, setting: Setting) -> bool:
    """Whether what the test compared speaks for the system: its mean over the users of the pair, or its wins.

    The averages of a leaderboard may be over other users than the pair's, and a test of ranks asks how many users gain, not
    by how much: a small p can stand for the runner-up.
    """
    if make("test", pair.test).compares == "ranks":
        ahead = float(pair.wins - pair.losses)
    else:
        ahead = pair.difference if setting.higher_is_better else -pair.difference
    return (ahead if pair.a == system else -ahead) > 0


def _pair(pairs: Sequence[PairRow], setting: int, a: str, b: str) -> PairRow | None:
    """The pair under the first test that has a p for it, or under the first test."""
    found = [p for p in pairs if p.setting == setting and {p.a, p.b} == {a, b}]
    return next((p for p in found if p.p_adjusted is not None), found[0] if found else None)


def _main(row: VerdictRow, setting: Setting, pairs: Sequence[PairRow], level: float, baseline: str | None) -> str:
    pair = _pair(pairs, row.setting, row.leader, row.runner_up)
    sure = ""
    if pair is not None and pair.p_adjusted is not None:
        ends = ""
        if pair.low is not None and pair.high is not None:
            low, high = (pair.low, pair.high) if pair.a == row.leader else (-pair.high, -pair.low)
            ends = f"unadjusted {1 - level:.0%} interval {signed(low, 4)} to {signed(high, 4)}, "
        family = f"after {pair.correction} over {counted(pair.family, 'pair')}"
        if pair.correction in ("", "none"):
            family = f"not corrected for {counted(pair.family, 'pair')}"
        if pair.test.startswith(pair.correction):
            family = f"for all {counted(pair.family, 'pair')} together"
        sure = f" ({ends}{pair.test} {p_value(pair.p_adjusted)} {family})"
    numbers = f"{number(row.value, 4)}, {signed(row.difference, 4)} over {row.runner_up}{sure}"
    if row.p_adjusted is None:
        return f"{row.leader} leads on {setting.label}: {numbers}; that difference was not tested."
    if pair is not None and row.p_adjusted < level and not _favours(pair, row.leader, setting):
        return (
            f"No winner on {setting.label}: {row.leader} has the better average, {numbers}, but on the {pair.users:,} users "
            f"compared the test favours {row.runner_up}."
        )
    if row.difference == 0:
        return f"No winner on {setting.label}: {row.leader} and {row.runner_up} tie at {number(row.value, 4)}."
    if row.significant and baseline == row.leader:
        return f"No system beats the baseline on {setting.label}: {row.leader} has {numbers}."
    if row.significant and baseline == row.runner_up:
        return f"{row.leader} leads on {setting.label} and beats the baseline: {numbers}.{_small_effect(pair)}"
    if row.significant:
        return f"{row.leader} wins on {setting.label}: {numbers}.{_small_effect(pair)}"
    return f"No winner on {setting.label}: {row.leader} is ahead, {numbers}, but that can be chance."


def _small_effect(pair: PairRow | None) -> str:
    """A caution where many users make a tiny difference significant."""
    if pair is None or pair.effect is None or pair.users < MANY_USERS or abs(pair.effect) >= NEGLIGIBLE:
        return ""
    return (
        f" But the effect is very small (d = {abs(pair.effect):.2f}): over {pair.users:,} users even such a difference is "
        "significant."
    )
