"""The findings in words: which protocol would have chosen the truly better system, where none can be trusted, and limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import isnan

from heldout.biases.protocols import spelt_out
from heldout.biases.truth.draw_statistics import PLAIN, DrawStatistics
from heldout.biases.truth.drawn_data import DrawnData
from heldout.biases.truth.draws import Draw
from heldout.biases.truth.findings import EstimatorRow, TruthFindings, TruthPair
from heldout.splits.splitter import Splitter
from heldout.text.numbers import counted, number, percent
from heldout.text.phrases import listed

TRUSTED = 0.75
"""If no estimator orders a pair of systems rightly in this share of the draws, none can be trusted with it."""
FEW_DRAWS = 10
"""With fewer, no protocol is named as the best."""
FEW_DIFFERENCES = 10
"""Among fewer significant differences, the share with the wrong sign is not given."""
MOST_NAMED = 2


def truth_answer(findings: TruthFindings) -> str:
    """The answer in at most 12 words: whether a protocol is right more often than the others."""
    judged = [row for row in findings.rows if not isnan(row.right)]
    if not judged:
        return "The truth separates no pair of systems."
    if findings.draws < FEW_DRAWS:
        return "Too few draws to say which protocol is right most often."
    if not judged[0].right_low > 0.5:
        return "No protocol is shown to be right more often than chance."
    equal, first = len(_within_interval(judged)), judged[0].protocol
    first = first[:1].upper() + first[1:]
    if equal:
        return f"{first} and {counted(equal, 'other protocol')} are right about equally often."
    return f"{first} most often finds the truly better system."


def truth_sentences(
    rows: Sequence[EstimatorRow], pairs: Sequence[TruthPair], draws: int, *, simulated: bool
) -> tuple[str, ...]:
    """What the figures say, the answer first."""
    drawn = f"{counted(draws, 'redrawn world')}" if simulated else f"{counted(draws, 'split')}"
    judged = [row for row in rows if not isnan(row.right)]
    if not judged:
        return (f"Over {drawn}, the truth separates no pair of systems: no protocol can be judged by it.",)
    enough = draws >= FEW_DRAWS
    return tuple(
        sentence
        for sentence in (
            _best(judged, drawn) if enough else _too_few(judged, drawn),
            _plain(judged, pairs),
            _nearest(judged),
            _wrongly_sure(judged),
            _untold(pairs, drawn) if enough else "",
        )
        if sentence
    )


def _interval(row: EstimatorRow) -> str:
    if isnan(row.right_low):
        return percent(row.right)
    return f"{percent(row.right)} (95% CI {percent(row.right_low)} to {percent(row.right_high)})"


def _within_interval(rows: Sequence[EstimatorRow]) -> list[str]:
    """Other protocols that are right in a share of pairs within the interval of the first one, or above."""
    others: dict[str, EstimatorRow] = {}
    for row in rows:
        if row.protocol != rows[0].protocol:
            others.setdefault(row.protocol, row)
    return [name for name, row in others.items() if row.right >= rows[0].right_low]


def _best(rows: Sequence[EstimatorRow], drawn: str) -> str:
    """Who was right most often, and how many others may be as good."""
    best = rows[0]
    if not best.right_low > 0.5:
        return f"Over {drawn}, no protocol is shown to choose the truly better of two systems more often than chance."
    equal = _within_interval(rows)
    rest = ""
    if equal:
        few = listed([spelt_out(name) for name in equal]) if len(equal) <= MOST_NAMED else ""
        rest = f"; {few or f'{len(equal)} other protocols'} {'lies' if len(equal) == 1 else 'lie'} within this interval"
    return (
        f"Over {drawn}, {spelt_out(best.protocol)} with {best.metric} chose the truly better of two systems in "
        f"{_interval(best)} of pairs{rest}."
    )


def _too_few(rows: Sequence[EstimatorRow], drawn: str) -> str:
    """What is said in place of a winner."""
    count = len({row.protocol for row in rows})
    return (
        f"{drawn[0].upper()}{drawn[1:]}: too few to say which of {counted(count, 'protocol')} chooses the truly better "
        f"system most often; {FEW_DRAWS} or more are needed."
    )


def _plain(rows: Sequence[EstimatorRow], pairs: Sequence[TruthPair]) -> str:
    """How the usual protocol does, and which estimators do worse than chance."""
    plain = [row for row in rows if row.protocol == PLAIN]
    worse = [row for row in rows if row.right_high < 0.5]
    text = ""
    if plain:
        judged = Counter(pair.metric for pair in pairs if pair.judged)
        each = listed([f"{_interval(row)} of {counted(judged[row.metric], 'pair')} by {row.metric}" for row in plain])
        text = f"{spelt_out(PLAIN)}, the plain ranking of all items, was right in {each}."
    if worse:
        names = listed(list(dict.fromkeys(row.name for row in worse))[:4])
        text += f" Worse than chance: {names}{' and others' if len(worse) > 4 else ''}."
    return text.strip()


def _nearest(rows: Sequence[EstimatorRow]) -> str:
    """Of estimators on the scale of the truth, the one with the least RMSE of each metric, and the plain one."""
    parts = []
    for metric in dict.fromkeys(row.metric for row in rows):
        scaled = [row for row in rows if row.metric == metric and row.same_scale and not isnan(row.rmse)]
        if len(scaled) < 2:
            continue
        best = min(scaled, key=lambda row: row.rmse)
        figures = f"RMSE {number(best.rmse, 3)}, bias {number(best.bias, 3)}, truth {number(best.truth, 3)}"
        part = f"{best.protocol} for {metric} ({figures})"
        plain = next((row for row in scaled if row.protocol == PLAIN), None)
        if plain is not None and plain is not best:
            part += f" where {PLAIN} has RMSE {number(plain.rmse, 3)}"
        parts.append(part)
    return f"Nearest to the true value: {'; '.join(parts)}." if parts else ""


def _wrongly_sure(rows: Sequence[EstimatorRow]) -> str:
    """Estimators whose significant differences often have the wrong sign."""
    enough = [row for row in rows if row.significant >= FEW_DIFFERENCES]
    if not enough:
        return ""
    sure = sorted((row for row in enough if row.type_s > 0.05), key=lambda row: -row.type_s)
    if not sure:
        return "Significant differences had the wrong sign in at most 5% of cases under every protocol."
    worst = listed([f"{row.name} ({_of_significant(row)})" for row in sure[:3]])
    plain = next((row for row in enough if row.protocol == PLAIN), None)
    beside = "" if plain is None else f"; under {PLAIN} with {plain.metric} in {_of_significant(plain)}"
    among = f", among estimators with {FEW_DIFFERENCES} or more of them" if len(enough) < len(rows) else ""
    return f"Significant differences had the wrong sign most often under {worst}{among}{beside}."


def _of_significant(row: EstimatorRow) -> str:
    """12.5% of 40."""
    return f"{percent(row.type_s)} of {row.significant:,}"


def _untold(pairs: Sequence[TruthPair], drawn: str) -> str:
    """Pairs that no estimator orders rightly often enough to be trusted."""
    judged = [pair for pair in pairs if pair.judged]
    untold = [pair for pair in judged if pair.best_right < TRUSTED]
    if not untold:
        least = min(pair.best_right for pair in judged)
        return (
            f"Each of the {counted(len(judged), 'comparison')} of two systems was ordered rightly by some protocol in "
            f"{percent(least)} of the {drawn} or more; by which one differs between them."
        )
    named = listed([f"{pair.better} and {pair.worse} by {pair.metric}" for pair in untold[:3]])
    more = f" and {len(untold) - 3} more" if len(untold) > 3 else ""
    return (
        f"No protocol can be trusted with {counted(len(untold), 'comparison')} of {len(judged)}: none was right in "
        f"{percent(TRUSTED)} of the {drawn} for {named}{more}."
    )


def truth_limits(summary: DrawStatistics, drawn_data: DrawnData, splitter: Splitter) -> Iterator[str]:
    """What these figures cannot say."""
    draw = summary.draws[0]
    if summary.simulated:
        yield "Intervals are over redrawn worlds of this one kind: another kind of world may say otherwise."
        assert drawn_data.world is not None
        if drawn_data.world.inexact:
            yield f"Known propensities are not exact here: {drawn_data.world.inexact}."
    else:
        uniform = any(e.split is not None for e in summary.judged_estimators)
        yield from _limits_of_sample(draw, drawn_data, uniform=uniform)
    if len(summary.draws) < FEW_DRAWS:
        few = counted(len(summary.draws), "draw")
        yield f"{few}: with so few, intervals are wide and the order of protocols may change."
    count = len(summary.judged_estimators)
    if count > 1:
        yield f"The first of {count} estimators was chosen by these same figures, so it looks better than it is."
    users = [estimate.users for estimate in draw.estimates]
    if users and min(users) < draw.users:
        yield (
            f"The truly better system is the better one for all {counted(draw.users, 'user')} whose truth is known. "
            f"Estimates are of those of them whom a protocol can test ({_span(users)} in one draw); bias, standard error, "
            "RMSE and type M (magnitude error) compare them with the truth of the same users."
        )
    if splitter.folds_made > 1:
        yield f"{splitter} has {splitter.folds_made} folds; of each draw the first is used."
    if not splitter.coin_flip:
        yield (
            f"Propensities of test ratings, p σ / (1 − p (1 − σ)), are those of a split by coin flip; under {splitter} "
            "they are near, and not exact."
        )


def _limits_of_sample(draw: Draw, drawn_data: DrawnData, *, uniform: bool) -> Iterator[str]:
    """What a truth that is a random sample cannot say."""
    yield (
        f"The truth is a random sample ({draw.true_pairs:,} pairs of {draw.users:,} users in one draw), weighed by one over "
        "its sampling rate, without training pairs"
        + (f" (left out: {draw.left_out})" if draw.left_out else "")
        + ". It judges only pairs of systems whose mean true difference is more than 1.96 standard errors, and its own "
        "sampling error is part of the standard error and of RMSE."
    )
    share = percent(draw.overlap)
    if drawn_data.first_half is not None:
        yield (
            f"{share} of the ratings are in the sample too, so they are part of it. Each draw halves the sample of every "
            "user at random. The ratings in the first half are split into train and test. The second half gives the truth "
            "of all pairs outside the first half; pairs of the first half that are not in train count as they are. Systems "
            'are therefore trained on half of the ratings; truth_design = "whole" trains them on all.'
        )
        if drawn_data.outside:
            yield f"{counted(drawn_data.outside, 'rating')} outside the sample were left out."
    elif draw.nested:
        yield (
            f"{share} of the ratings are in the sample too, so they are part of it. A test rating weighs more, because it "
            "could have gone to train. In the truth of tested users, a test rating without which its user would not be "
            "tested weighs 1. These weights take the items of a user as drawn independently, which makes the truth slightly "
            'low if users have few sampled items; truth_design = "halves" needs no such assumption.'
        )
        if uniform:
            yield (
                "Under U1R, UAR and AI-UAR all ratings of items outside the test set train, so that the truth does not say "
                "what users would have rated of these by themselves."
            )
    else:
        yield (
            f"{share} of the ratings are in the sample too, so it is taken for one that was drawn whatever users rated by "
            "themselves."
        )
    yield (
        "Intervals are over splits and resampled users of one data set, and conditional on it; test ratings that are in the "
        "sample are part of the truth."
    )


def _span(numbers: Sequence[int]) -> str:
    """Between 812 and 1,027."""
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"between {low:,} and {high:,}"
