"""The end of the verdict: how the leader fares in the other settings, and which choice turns the answer round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heldout.analysis.facts import Setting
from heldout.analysis.verdict_rows import VerdictRow, user_counts
from heldout.words import counted

NAMED = 3
"""Contradictions that are named; the rest are counted."""
_KINDS = ("", " (not significantly)", " (not tested)")
"""How much a contradiction weighs, the heaviest first: significant, chance, untested."""


@dataclass(frozen=True)
class _Contradiction:
    """Settings in which the same other system leads, as surely in each."""

    text: str
    rows: tuple[VerdictRow, ...]
    grouped: bool


def elsewhere(main: VerdictRow, others: Sequence[VerdictRow], settings: Sequence[Setting], *, users: int) -> str:
    """How the leader fares in the other settings; a tie is neither a lead nor a contradiction.

    Settings are counted by what they answer, as in the table of settings. `users` are those of the primary setting.
    """
    if not others:
        return ""
    same, against, tied, uncalled = ([r for r in others if r.answer == a] for a in ("same", "other", "tie", "uncalled"))
    if len(uncalled) == len(others):
        where = "the other setting" if len(others) == 1 else f"any of the {len(others)} other settings"
        text = f"no winner is called in {where}"
    else:
        text = _leads(main.leader, same, len(others), also=not main.tie)
    if tied:
        text += f", and the first two tie in {len(tied) if len(others) > 1 else 'it'}"
    if uncalled:
        text += f", and no winner is called in {len(uncalled)}" if len(uncalled) < len(others) else ""
        reasons = (row.remark if row.agrees else f"{row.leader} is ahead, {row.remark}" for row in uncalled)
        text += f" ({'; '.join(dict.fromkeys(reasons))})"
    if against:
        text += _sentences(_contradictions(main, others, against, settings))
    about_users = _about_users([row for row in others if row.other_users], len(others), users)
    if not main.significant:
        return f"{text}.{about_users}"
    if against:
        return f"The conclusion does not hold everywhere: {text}.{about_users}"
    return f"The conclusion {'holds' if same else 'is not contradicted'}: {text}.{about_users}"


def _about_users(rows: Sequence[VerdictRow], others: int, users: int) -> str:
    """How many of the other settings rest on other users than the primary one, and how many users those are."""
    if not rows:
        return ""
    if others == 1:
        which = "The other setting rests"
    elif len(rows) < others:
        which = f"{len(rows)} of the {others} other settings {'rests' if len(rows) == 1 else 'rest'}"
    else:
        which = f"{'Both' if others == 2 else f'All {others}'} other settings rest"
    counts = user_counts(rows)
    instead = "" if counts == f"{users:,}" else f" ({counts} instead of {users:,})"
    return f" {which} on other users than the primary one{instead}."


def _sentences(contradictions: Sequence[_Contradiction]) -> str:
    """The weightiest contradictions by name, as sentences of their own where choices are named; the others counted."""
    shown = contradictions[:NAMED]
    own = any(c.grouped for c in shown)
    texts = [c.text[0].upper() + c.text[1:] if own and c.grouped else c.text for c in shown]
    text = (". " if own else "; ") + (". " if own else "; ").join(texts)
    hidden = [row for c in contradictions[NAMED:] for row in c.rows]
    if not hidden:
        return text
    sure = sum(_kind(row) == 0 for row in hidden)
    remarks = {_KINDS[_kind(row)] for row in hidden}
    how = f", {sure} of them significantly" if sure else remarks.pop() if len(remarks) == 1 else ", none significantly"
    if own:
        return f"{text}. Others lead in {counted(len(hidden), 'more setting')}{how}"
    return f"{text} and {len(hidden)} more{how}"


def _kind(row: VerdictRow) -> int:
    """The place of a contradiction among the kinds."""
    return 0 if row.significant else 2 if row.p_adjusted is None else 1


def _does(row: VerdictRow, main: VerdictRow) -> str:
    """What the leader of another setting does there: it leads, and perhaps is significantly better than its rival."""
    if _kind(row):
        return "leads"
    return f"beats {row.rival} significantly" if row.rival == main.leader else f"leads and beats {row.rival} significantly"


def _contradictions(
    main: VerdictRow, others: Sequence[VerdictRow], against: Sequence[VerdictRow], settings: Sequence[Setting]
) -> list[_Contradiction]:
    """Significant reversals first; those that one option of a decision covers share a sentence."""
    by_id = {s.id: s for s in settings}
    levels = {row.setting: _levels(by_id[row.setting]) for row in (main, *others)}
    alike: dict[tuple[int, str], list[VerdictRow]] = {}
    for row in against:
        alike.setdefault((_kind(row), f"{row.leader} {_does(row, main)}"), []).append(row)
    contradictions = []
    # Sorting by kind alone keeps the order of the settings within a kind.
    for (kind, does), rows in sorted(alike.items(), key=lambda item: item[0][0]):
        remark = _KINDS[kind]
        cause = _cause(levels[main.setting], [levels[r.setting] for r in rows], [levels[r.setting] for r in others])
        if len(rows) > 1 and cause is not None:
            decision, option, size = cause
            where = f"{len(rows)} of {size}" if size != len(rows) else "both" if size == 2 else f"all {size}"
            text = f"under {decision} {option}: {does} in {where} settings{remark}"
            contradictions.append(_Contradiction(text, tuple(rows), grouped=True))
            continue
        for row in rows:
            text = f"{does} under {by_id[row.setting].label}{remark}"
            contradictions.append(_Contradiction(text, (row,), grouped=False))
    return contradictions


def _levels(setting: Setting) -> dict[str, str]:
    """Decision → option, the target and the metric first as in labels."""
    own = {"target": setting.choices.get("target", ""), "metric": setting.metric}
    beside = {"aggregate": setting.aggregate, "undefined": setting.undefined, "coverage": setting.coverage}
    return {**own, **{k: v for k, v in setting.choices.items() if k != "target"}, **beside}


def _cause(
    main: dict[str, str], rows: Sequence[dict[str, str]], others: Sequence[dict[str, str]]
) -> tuple[str, str, int] | None:
    """The option that all rows share and the primary setting has not, in the fewest settings; and in how many."""
    first = rows[0]
    shared = [key for key in first if first[key] != main.get(key) and all(row.get(key) == first[key] for row in rows)]
    options = [(key, first[key], sum(other.get(key) == first[key] for other in others)) for key in shared]
    return min(options, key=lambda option: option[2], default=None)


def _leads(leader: str, same: Sequence[VerdictRow], others: int, *, also: bool) -> str:
    """In how many of the other settings the leader leads, and how often significantly."""
    leads = f"{leader}{' also' if also else ''} leads in"
    if not same:
        none = "neither of the two" if others == 2 else f"none of the {others}"
        return f"{leader} leads in {none} other settings" if others > 1 else f"{leader} does not lead in the other setting"
    where = f"{len(same)} of the {others}" if len(same) < others else "both" if others == 2 else f"all {others}"
    text = f"{leads} {where} other settings" if others > 1 else f"{leads} the other setting"
    sure = sum(r.significant for r in same)
    untested = sum(r.p_adjusted is None for r in same)
    if untested == len(same):
        return f"{text} (not tested)"
    if sure < len(same):
        beside = f", not tested in {untested}" if untested else ""
        return f"{text}, significantly in {sure or 'none'}{beside}" if len(same) > 1 else f"{text}, not significantly"
    return f"{text}, significantly" if len(same) == 1 else f"{text}, each time significantly"
