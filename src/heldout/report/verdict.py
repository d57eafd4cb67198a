"""The sentence at the top: who wins, by how much, how sure, and whether that holds in the other settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heldout.report.facts import LeaderRow, PairRow, Setting, Verdict, VerdictRow
from heldout.report.text import p_value


def verdict(settings: Sequence[Setting], leaders: Sequence[LeaderRow], pairs: Sequence[PairRow], level: float) -> Verdict:
    """Who leads in the first setting, and who in the others."""
    rows = tuple(_rows(settings, leaders, pairs, level))
    if not rows:
        named = [r for r in leaders if r.rank == 1]
        if not named or named[0].value is None:
            return Verdict("No system could be measured.")
        first = named[0]
        alone = "there is nothing to compare it with"
        return Verdict(f"{first.system} scores {first.value:.4f} on {settings[0].label}; {alone}.")
    main, others = rows[0], rows[1:]
    return Verdict(f"{_main(main, settings[0], pairs, level)} {_elsewhere(main, others, settings)}".strip(), rows)


def _rows(
    settings: Sequence[Setting], leaders: Sequence[LeaderRow], pairs: Sequence[PairRow], level: float
) -> Iterator[VerdictRow]:
    first: str | None = None
    for setting in settings:
        top = sorted((r for r in leaders if r.setting == setting.id and r.value is not None), key=lambda r: r.rank)[:2]
        if len(top) < 2 or top[0].value is None or top[1].value is None:
            continue
        first = first or top[0].system
        if first == top[1].system and top[0].value == top[1].value:
            top.reverse()
        pair = _pair(pairs, setting.id, top[0].system, top[1].system)
        p = pair.p_adjusted if pair is not None else None
        yield VerdictRow(
            setting.id,
            top[0].system,
            top[0].value,
            top[1].system,
            top[0].value - top[1].value,
            p,
            p is not None and p < level,
            top[0].system == first,
        )


def _pair(pairs: Sequence[PairRow], setting: int, a: str, b: str) -> PairRow | None:
    return next((p for p in pairs if p.setting == setting and {p.a, p.b} == {a, b}), None)


def _main(row: VerdictRow, setting: Setting, pairs: Sequence[PairRow], level: float) -> str:
    pair = _pair(pairs, row.setting, row.leader, row.runner_up)
    sure = ""
    if pair is not None and pair.p_adjusted is not None:
        ends = ""
        if pair.low is not None and pair.high is not None:
            low, high = (pair.low, pair.high) if pair.a == row.leader else (-pair.high, -pair.low)
            ends = f"{1 - level:.0%} interval {low:+.4f} to {high:+.4f}, "
        sure = f" ({ends}{pair.test} {p_value(pair.p_adjusted)} after {pair.correction} over {pair.family} pairs)"
    numbers = f"{row.value:.4f}, {row.difference:+.4f} over {row.runner_up}{sure}"
    if row.p_adjusted is None:
        return f"{row.leader} leads on {setting.label}: {numbers}; that difference was not tested."
    if row.significant:
        return f"{row.leader} wins on {setting.label}: {numbers}."
    return f"No winner on {setting.label}: {row.leader} is ahead, {numbers}, but that can be chance."


def _elsewhere(main: VerdictRow, others: Sequence[VerdictRow], settings: Sequence[Setting]) -> str:
    if not others:
        return ""
    label = {s.id: s.label for s in settings}
    same = [r for r in others if r.agrees]
    sure = [r for r in same if r.significant]
    count = f"all {len(others)}" if len(same) == len(others) else f"{len(same)} of the {len(others)}"
    if len(others) == 1:
        count = "the" if same else "not in the"
    text = f"{main.leader} also leads in {count} other setting{'' if len(others) == 1 else 's'}"
    if not same:
        text = (
            f"{main.leader} leads in none of the {len(others)} other settings"
            if len(others) > 1
            else f"{main.leader} does not lead in the other setting"
        )
    elif len(sure) < len(same):
        text += f", significantly in {len(sure)}"
    else:
        text += ", significantly" if len(same) == 1 else ", each time significantly"
    reversed_ = [r for r in others if not r.agrees]
    if reversed_:
        named = "; ".join(
            f"{r.leader} leads under {label[r.setting]}{'' if r.significant else ' (not significantly)'}"
            for r in reversed_[:3]
        )
        more = f" and {len(reversed_) - 3} more" if len(reversed_) > 3 else ""
        return f"The conclusion does not hold everywhere: {text}; {named}{more}."
    return f"The conclusion holds: {text}."
