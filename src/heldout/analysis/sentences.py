"""Findings in words: who wins, by how much, how surely, and whether that holds in the other settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from heldout.analysis.rows import LeaderRow, PairRow, Setting, Verdict, VerdictRow, user_counts
from heldout.analysis.selection_bias import Selected
from heldout.analysis.statistics import Served
from heldout.analysis.verdict import VerdictEvidence, contest_rows, favours
from heldout.catalogue import make
from heldout.significance.power import MANY_USERS
from heldout.significance.significance_test import NON_ZERO
from heldout.words import counted, listed, number, p_value, percent, signed

NEGLIGIBLE = 0.1
"""Cohen d below which an effect is hardly one; 0.2 is called small."""
MOST_REASON = 100
"""Characters of the reason of a failure that the sentence repeats."""
INSTEAD = (
    "Leave out the systems that serve few; or, in a study that fits them, name a fallback for what they cannot score or "
    'test only users with training ratings (users = [["with_train", "with_test"]]).'
)
"""Of runs made elsewhere only the first can be done."""
NAMED = 3
"""Contradictions that are named; the rest are counted."""
_KINDS = ("", " (not significantly)", " (not tested)")
"""How much a contradiction weighs, the heaviest first: significant, chance, untested."""


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
    rows = tuple(contest_rows(evidence))
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


def _brief(why: str) -> str:
    """A reason short enough for a sentence; the notice of the failure has it whole."""
    cut = why if len(why) <= MOST_REASON else f"{why[:MOST_REASON].rstrip()}…"
    return cut.rstrip(".")


def _refusal(row: VerdictRow, setting: Setting, selected: Selected) -> str:
    """That the leader is ahead and why that makes it no winner."""
    ahead = f"{row.leader}, which is ahead ({number(row.value, 4)}, {signed(row.difference, 4)} over {row.rival}),"
    return f"No winner is called on {setting.label}: {ahead} {selected.why}. {selected.instead}"


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


def uncalled(setting: Setting, served: Served, systems: Sequence[str]) -> str:
    """The whole verdict where no winner is called for lack of service: who leads whichever way the unserved count."""
    higher = setting.higher_is_better
    as_zero, common = (_lead(served, values, systems, higher=higher) for values in (served.as_zero, served.common))
    reached = f"{'only ' if served.few else ''}{served.served:,} of the {served.users:,} users ({percent(served.share)})"
    start = f"No winner is called on {setting.label}: {reached} are served by every system"
    if not common:
        lead = f"; with the others counted as recommended nothing, {as_zero}" if as_zero else ""
        return f"{start}{lead}. {INSTEAD}"
    counted = "" if higher else ", each system over the users it serves"
    over_all = "with the others counted as recommended nothing" if higher else f"over all of them{counted}"
    return f"{start}. {over_all[0].upper()}{over_all[1:]}, {as_zero}; with the others left out, {common}. {INSTEAD}"


def rests_on(row: VerdictRow, setting: Setting, averaged: int) -> str:
    """Whom a winner rests on, if only some users are `averaged` or served by every system."""
    coverage = make("coverage", setting.coverage)
    text = ""
    if coverage.as_zero and averaged < row.users:  # other rules leave out users who have a value
        text = f" For {row.users - averaged:,} of the {row.users:,} users {setting.metric} has no value; they are left out."
    if row.served >= row.users:
        return text
    fate = coverage.fate(higher_is_better=setting.higher_is_better)
    reached = f"{row.served:,} of the {row.users:,} users ({percent(row.served / row.users)})"
    return f"{text} {reached} are served by every system; the others {fate}."


def _lead(served: Served, values: Sequence[float | None], systems: Sequence[str], *, higher: bool) -> str:
    """Who has the best of these values, and by how much: "A leads (0.5000, +0.1000 over B)"."""
    order = sorted(
        ((v, k) for k, v in enumerate(values) if v is not None), key=lambda vk: (-vk[0] if higher else vk[0], vk[1])
    )
    if not order:
        return ""
    value, first = order[0]
    over = f", {signed(value - order[1][0], 4)} over {systems[order[1][1]]}" if len(order) > 1 else ""
    if len(order) > 1 and value == order[1][0]:
        return f"{systems[first]} and {systems[order[1][1]]} tie at {number(value, 4)}"
    return f"{systems[first]} leads ({number(value, 4)}{over})"


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


def setting_sentence(row: VerdictRow | None, setting: Setting, evidence: VerdictEvidence) -> str:
    """Who wins or leads a setting; `row` is None if fewer than two systems have a value."""
    if row is None:
        board = evidence.boards.get(setting.id, [])
        if not board:
            return f"No system has a value on {setting.label}."
        if setting.descriptive:
            return f"No winner is called: {setting.label} describes lists and is no contest."
        if len(board) > 1:
            return f"No winner is called on {setting.label}."
        return (
            f"{board[0].system} scores {number(board[0].value, 4)} on {setting.label}; there is nothing to compare it with."
        )
    if row.refused:
        ahead = f"{row.leader} is ahead ({number(row.value, 4)}, {signed(row.difference, 4)} over {row.rival})"
        return f"No winner is called on {setting.label}: {ahead}, but {row.refused}."
    return f"{main_sentence(row, setting, evidence)}{rests_on(row, setting, evidence.boards[row.setting][0].users)}"


def brief(row: VerdictRow, digits: int) -> str:
    """A verdict in a few words: "EASE wins by 0.0123 over ALS, p = 0.003"."""
    by = f"by {signed(abs(row.difference), digits).lstrip('+')} over {row.rival}"
    if row.refused:
        return f"no winner is called: {row.leader} is ahead, but {row.remark}"
    if row.tie:
        return f"{row.leader} and {row.rival} tie"
    if row.p_adjusted is None:
        return f"{row.leader} leads {by}, not tested"
    if row.significant:
        return f"{row.leader} wins {by}, {p_value(row.p_adjusted)}"
    return f"no winner: {row.leader} is ahead {by}, {p_value(row.p_adjusted)}"
