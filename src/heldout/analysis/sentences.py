"""Findings in words: who wins, by how much, how surely, and whether that holds in the other settings."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from heldout.analysis.contests import VerdictEvidence, contest_rows, favours
from heldout.analysis.rows import LeaderRow, PairRow, Setting, Verdict, VerdictRow, user_counts
from heldout.analysis.selection_bias import Selected
from heldout.analysis.statistics import Served
from heldout.catalogue import make
from heldout.significance.power import MANY_USERS
from heldout.significance.significance_test import NON_ZERO
from heldout.study.comparison import NO_TEST
from heldout.text.names import metric_words, option_words
from heldout.text.numbers import counted, interval_text, number, p_value, percent, signed
from heldout.text.phrases import listed

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
UNCALLED = "No winner is called."
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
    concluded, rows = _judged(evidence, settings, refused)
    gone = [f"{system} failed and is left out: {_brief(why)}." for system, why in (failed or {}).items()]
    numbers = " ".join(filter(None, (concluded.numbers, *gone)))
    return Verdict(answer=concluded.answer, numbers=numbers, note=concluded.note, exception=concluded.exception, rows=rows)


@dataclass(frozen=True)
class Conclusion:
    """The answer in a few words, the numbers behind it, and how they were tested."""

    answer: str
    numbers: str = ""
    note: str = ""
    exception: str = ""

    @property
    def sentence(self) -> str:
        """The answer and its numbers."""
        return f"{self.answer} {self.numbers}".rstrip()


def _judged(
    evidence: VerdictEvidence, settings: Sequence[Setting], refused: str
) -> tuple[Conclusion, tuple[VerdictRow, ...]]:
    if refused:
        return Conclusion(UNCALLED, f"{_sentence(refused)} Compare on the evaluation users."), ()
    if settings and not evidence.settings:
        if any(s.bound for s in settings):
            why = "The ends of an interval bound values; they do not compare systems."
            return Conclusion(UNCALLED, f'{why} To compare systems, measure unrated = ["zero", "interval"].'), ()
        names = list(dict.fromkeys(s.metric for s in settings))
        why = f"{listed(names)} {'describes' if len(names) == 1 else 'describe'} lists and cannot decide a winner."
        return Conclusion(UNCALLED, f'{why} To compare systems by one, declare it: objectives = ["{names[0]}"].'), ()
    rows = tuple(contest_rows(evidence))
    if not rows:
        first = next((r for r in evidence.leaders if r.rank == 1), None)
        if first is None or first.value is None:
            return Conclusion("No system could be measured."), ()
        value = f"{metric_name(evidence.settings[0])} is {number(first.value, 4)}."
        return Conclusion(f"{evidence.short[first.system]} is the only system.", value), ()
    main = rows[0]
    setting = next(s for s in evidence.settings if s.id == main.setting)
    if main.refused:
        selected = evidence.selected.get(main.setting, {}).get(main.leader)
        if selected is not None:
            return Conclusion(UNCALLED, f"{_refusal(main, setting, selected.why)} {selected.instead}"), rows
        return Conclusion(UNCALLED, uncalled(setting, evidence.served[main.setting], evidence.systems)), rows
    own = conclusion(main, setting, evidence)
    distinct = {s.id for s in evidence.settings if s.same_as is None}
    others = [row for row in rows[1:] if row.setting in distinct]
    users = evidence.boards[main.setting][0].users
    leader = evidence.short[main.leader]
    subject = "It" if own.answer.startswith(f"{leader} ") and not main.tie else leader
    elsewhere_too = elsewhere(main, others, evidence.settings, users=users, short=evidence.short, subject=subject)
    numbers = " ".join(filter(None, (own.numbers, elsewhere_too)))
    exception = _exception(main, others, evidence)
    baseline_leads = evidence.baseline == main.leader
    answer = _answer(own.answer, main, others, exception, baseline_leads=baseline_leads)
    return Conclusion(answer, numbers, own.note, exception), rows


def _exception(main: VerdictRow, others: Sequence[VerdictRow], evidence: VerdictEvidence) -> str:
    """The option that covers all settings in which another system leads, and no others."""
    against = [row for row in others if row.answer == "other"]
    if not main.significant or not against:
        return ""
    levels = {s.id: _levels(s) for s in evidence.settings}
    cause = _cause(levels[main.setting], [levels[r.setting] for r in against], [levels[r.setting] for r in others])
    return _option(cause[0], cause[1]) if cause is not None and cause[2] == len(against) else ""


def _answer(
    alone: str, main: VerdictRow, others: Sequence[VerdictRow], exception: str, *, baseline_leads: bool = False
) -> str:
    """The answer of the primary setting, with how far it holds in the others."""
    if not main.significant or not others:
        return alone
    wins, every = alone.removesuffix("."), "both" if len(others) == 1 else f"all {len(others) + 1}"
    if any(row.answer == "other" for row in others):
        where = "but others lead elsewhere" if baseline_leads else "but not in every setting"
        return f"{wins}, except under {exception}." if exception else f"{wins}, {where}."
    if baseline_leads and all(row.answer == "same" for row in others):
        return f"{wins} in any setting."
    if all(row.answer == "same" for row in others):
        return (
            f"{wins} in {every} settings."
            if all(row.significant for row in others)
            else f"{wins} and leads in {every} settings."
        )
    return f"{wins}; no setting contradicts it."


def _sentence(text: str) -> str:
    """A clause as a sentence."""
    return f"{text[:1].upper()}{text[1:]}."


def _brief(why: str) -> str:
    """A reason short enough for a sentence; the notice of the failure has it whole."""
    cut = why if len(why) <= MOST_REASON else f"{why[:MOST_REASON].rstrip()}…"
    return cut.rstrip(".")


def _refusal(row: VerdictRow, setting: Setting, why: str) -> str:
    """That the leader is ahead and why that makes it no winner."""
    ahead = f"{row.leader} is ahead ({number(row.value, 4)}, {signed(row.difference, 4)} over {row.rival})"
    return f"By {metric_name(setting)}, {ahead}, but {why}."


def conclusion(row: VerdictRow, setting: Setting, evidence: VerdictEvidence) -> Conclusion:
    """Who wins or leads in a setting, by how much over the rival, and how surely."""
    pair = evidence.pair(row.setting, row.leader, row.rival)
    leader, rival = evidence.short[row.leader], evidence.short[row.rival]
    digits = sentence_digits(row.difference)
    if row.difference == 0 and (row.p_adjusted is None or not row.significant):
        value = f"Both have {metric_name(setting)} {number(row.value)}."
        return Conclusion(f"{leader} and {rival} tie.", f"{value}{rests_on(row, setting, _averaged(row, evidence))}")
    by = signed(abs(row.difference), digits).removeprefix("+")
    size = f"a difference of {by}{_certainty(row, pair, evidence.level, digits)}"
    values = {other.system: other.value for other in evidence.boards[row.setting]}
    against = f"against {number(values[row.rival], digits)} for {rival}"
    numbers = f"{metric_name(setting)} is {number(row.value, digits)}, {against}: {size}."
    numbers += rests_on(row, setting, _averaged(row, evidence))
    if pair is None or row.p_adjusted is None:
        tested = pair is not None and bool(pair.figures)
        why = f"{pair.test} gives no p-value" if tested and pair is not None else "the difference was not tested"
        return Conclusion(f"{leader} leads; {why}.", numbers)
    note = f"{how_tested(pair)}{'' if pair.family == 1 or pair.low is None else ' Intervals are not adjusted.'}"
    if row.p_adjusted < evidence.level and not favours(pair, row.leader, setting):
        favoured = f"{leader} has the better average; on the {pair.users:,} users compared, the test favours {rival}."
        return Conclusion("No winner: the average and the test disagree.", f"{numbers} {favoured}", note)
    if row.significant and evidence.baseline == row.leader:
        return Conclusion(f"No system beats the baseline {leader}.", numbers, note)
    if row.significant:
        wins = f"{leader} beats the baseline {rival}." if evidence.baseline == row.rival else f"{leader} wins."
        return Conclusion(wins, f"{numbers}{_small_effect(pair)}", note)
    return Conclusion(f"No winner: the lead of {leader} can be chance.", numbers, note)


def _averaged(row: VerdictRow, evidence: VerdictEvidence) -> int:
    return evidence.boards[row.setting][0].users


def _certainty(row: VerdictRow, pair: PairRow | None, level: float, digits: int) -> str:
    """The interval, p and users of a difference: " (95% CI 0.029–0.041, p < 0.001, 1,946 users)"."""
    if pair is None or pair.p_adjusted is None:
        return f" ({counted(row.users, 'user')})" if row.users else ""
    ends = []
    if pair.low is not None and pair.high is not None:
        ahead = (pair.a == row.leader) == (row.difference >= 0)
        low, high = (pair.low, pair.high) if ahead else (-pair.high, -pair.low)
        ends = [f"{1 - level:.0%} CI {interval_text((low, high), digits)}"]
    users = f"{counted(pair.users, 'user')}"
    if NON_ZERO in pair.figures:
        users += f", {pair.figures[NON_ZERO]:,.0f} with a difference"
    return f" ({', '.join((*ends, p_value(pair.p_adjusted), users))})"


def how_tested(pair: PairRow) -> str:
    """The test and its correction: "Test: permutation, holm over 15 pairs."."""
    how = f", {pair.correction} over {pair.family:,} pairs"
    if pair.test == NO_TEST:
        return "Nothing was tested."
    if pair.p is None:
        how = f", {pair.reason or 'which gives no p-value'}"
    elif pair.family == 1:
        how = ""
    elif pair.correction in ("", "none"):
        how = f", not corrected for {pair.family:,} pairs"
    elif pair.test.startswith(pair.correction):
        how = f", for all {pair.family:,} pairs together"
    return f"Test: {pair.test}{how}."


def sentence_digits(difference: float) -> int:
    """Decimals that show two significant figures of a difference, at least three.

    sentence_digits(0.0354) = 3; sentence_digits(0.0028) = 4.
    """
    size = abs(difference)
    return 3 if size >= 0.01 or size == 0 else min(8, 1 - math.floor(math.log10(size)))


def metric_name(setting: Setting) -> str:
    """The metric of a setting within a sentence: "nDCG@10 (binary)"."""
    return metric_words(setting.metric) + ("" if setting.higher_is_better else " (lower is better)")


def _small_effect(pair: PairRow | None) -> str:
    """A caution where many users make a tiny difference significant."""
    if pair is None or pair.effect is None or pair.users < MANY_USERS or abs(pair.effect) >= NEGLIGIBLE:
        return ""
    return f" The effect is very small (d = {abs(pair.effect):.2f}), but significant over {pair.users:,} users."


def uncalled(setting: Setting, served: Served, systems: Sequence[str]) -> str:
    """The whole verdict where no winner is called for lack of service: who leads whichever way the unserved count."""
    higher = setting.higher_is_better
    as_zero, common = (_lead(served, values, systems, higher=higher) for values in (served.as_zero, served.common))
    reached = f"{'Only ' if served.few else ''}{served.served:,} of the {served.users:,} users ({percent(served.share)})"
    start = f"{reached} are served by every system"
    by = f"By {metric_name(setting)}, "
    if not common:
        lead = f" {by}with the others counted as recommended nothing, {as_zero}." if as_zero else ""
        return f"{start}.{lead} {INSTEAD}"
    each = "over all of them, each system over the users it serves"
    over_all = "with the others counted as recommended nothing" if higher else each
    return f"{start}. {by}{over_all}, {as_zero}; with the others left out, {common}. {INSTEAD}"


def rests_on(row: VerdictRow, setting: Setting, averaged: int) -> str:
    """Whom a winner rests on, if only some users are `averaged` or served by every system."""
    coverage = make("coverage", setting.coverage)
    text = ""
    if coverage.as_zero and averaged < row.users:  # other rules leave out users who have a value
        metric = metric_words(setting.metric)
        text = f" For {row.users - averaged:,} of the {row.users:,} users {metric} has no value; they are left out."
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


def elsewhere(
    main: VerdictRow,
    others: Sequence[VerdictRow],
    settings: Sequence[Setting],
    *,
    users: int,
    short: Mapping[str, str],
    subject: str,
) -> str:
    """In how many settings the primary leader leads, and who leads in the others; `users` are those of the primary setting.

    `subject` stands for that leader. Settings are counted by what they answer, as in the table of settings, those with
    identical values once. A tie is neither a lead nor a contradiction.
    """
    if not others:
        return ""
    rows = (main, *others)
    same, against, tied, refused = ([r for r in rows if r.answer == a] for a in ("same", "other", "tie", "uncalled"))
    kind = "distinct settings" if any(s.same_as is not None for s in settings) else "settings"
    text = _leads(subject, same, len(rows), kind)
    if tied:
        text += f"; the first two tie in {len(tied)}"
    if refused:
        reasons = (row.remark if row.agrees else f"{row.leader} is ahead, {row.remark}" for row in refused)
        text += f"; no winner is called in {len(refused)} ({'; '.join(dict.fromkeys(reasons))})"
    if against:
        text += _sentences(_contradictions(main, others, against, settings, short))
    return f"{text}.{_about_users([row for row in others if row.other_users], len(others), users)}"


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


def _does(row: VerdictRow, main: VerdictRow, short: Mapping[str, str]) -> str:
    """What the leader of another setting does there: it leads, and perhaps is significantly better than its rival."""
    if _kind(row):
        return "leads"
    rival = short[row.rival]
    return f"beats {rival} significantly" if row.rival == main.leader else f"leads and beats {rival} significantly"


def _contradictions(
    main: VerdictRow,
    others: Sequence[VerdictRow],
    against: Sequence[VerdictRow],
    settings: Sequence[Setting],
    short: Mapping[str, str],
) -> list[_Contradiction]:
    """Significant reversals first; those that one option of a decision covers share a sentence."""
    by_id = {s.id: s for s in settings}
    levels = {row.setting: _levels(by_id[row.setting]) for row in (main, *others)}
    alike: dict[tuple[int, str], list[VerdictRow]] = {}
    for row in against:
        alike.setdefault((_kind(row), f"{short[row.leader]} {_does(row, main, short)}"), []).append(row)
    contradictions = []
    # Sorting by kind alone keeps the order of the settings within a kind.
    for (kind, does), rows in sorted(alike.items(), key=lambda item: item[0][0]):
        remark = _KINDS[kind]
        cause = _cause(levels[main.setting], [levels[r.setting] for r in rows], [levels[r.setting] for r in others])
        if len(rows) > 1 and cause is not None:
            decision, option, size = cause
            where = f"{len(rows)} of {size}" if size != len(rows) else "both" if size == 2 else f"all {size}"
            text = f"under {_option(decision, option)}, {does} in {where} settings{remark}"
            contradictions.append(_Contradiction(text, tuple(rows), grouped=True))
            continue
        for row in rows:
            text = f"{does} under {by_id[row.setting].words}{remark}"
            contradictions.append(_Contradiction(text, (row,), grouped=False))
    return contradictions


def _option(decision: str, option: str) -> str:
    """An option within a sentence."""
    return metric_words(option) if decision == "metric" else option_words(option)


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


def _leads(subject: str, same: Sequence[VerdictRow], settings: int, kind: str) -> str:
    """In how many of the settings the leader leads, and in how many of these significantly."""
    where = f"{len(same)} of {settings}" if len(same) < settings else "both" if settings == 2 else f"all {settings}"
    text = f"{subject} leads in {where} {kind}"
    sure = sum(row.significant for row in same)
    untested = sum(row.p_adjusted is None for row in same)
    if not same or untested == len(same):
        return text
    if sure < len(same):
        return f"{text}, significantly in {sure or 'none'}" + (f", not tested in {untested}" if untested else "")
    return f"{text}, significantly in each" if len(same) > 1 else f"{text}, significantly"


def setting_conclusion(row: VerdictRow | None, setting: Setting, evidence: VerdictEvidence) -> Conclusion:
    """Who wins or leads a setting; `row` is None if fewer than two systems have a value."""
    if row is None:
        board = evidence.boards.get(setting.id, [])
        if not board:
            return Conclusion(f"No system has a value of {metric_name(setting)}.")
        if setting.descriptive:
            return Conclusion(UNCALLED, f"{metric_name(setting)} describes lists and cannot decide a winner.")
        if len(board) > 1:
            return Conclusion(UNCALLED)
        value = f"{metric_name(setting)} is {number(board[0].value, 4)}."
        return Conclusion(f"{evidence.short[board[0].system]} is the only system.", value)
    if row.refused:
        return Conclusion(UNCALLED, _refusal(row, setting, row.refused))
    return conclusion(row, setting, evidence)


def brief(row: VerdictRow, digits: int, short: Mapping[str, str]) -> str:
    """A verdict in a few words: "EASE wins by 0.0123 over ALS, p = 0.003"."""
    leader, rival = short[row.leader], short[row.rival]
    by = f"by {signed(abs(row.difference), digits).lstrip('+')} over {rival}"
    if row.refused:
        return f"no winner is called: {leader} is ahead, but {row.remark}"
    if row.tie:
        return f"{leader} and {rival} tie"
    if row.p_adjusted is None:
        return f"{leader} leads {by}, not tested"
    if row.significant:
        return f"{leader} wins {by}, {p_value(row.p_adjusted)}"
    return f"no winner: {leader} is ahead {by}, {p_value(row.p_adjusted)}"
