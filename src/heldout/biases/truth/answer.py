"""The answer in sentences: which protocol would have chosen the truly better system, and where none can be trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import isnan

from heldout.biases.truth.findings import EstimatorRow, TruthPair
from heldout.biases.truth.summary import PLAIN
from heldout.words import counted, listed, number, percent

TRUSTED = 0.75
"""A pair of systems that no estimator orders rightly in so many draws cannot be told apart by any."""
FEW_DRAWS = 10
"""With fewer, no protocol is named as the best."""
FEW_DIFFERENCES = 10
"""Among fewer significant differences, the share with the wrong sign is not told."""
MOST_NAMED = 4


def sentences(rows: Sequence[EstimatorRow], pairs: Sequence[TruthPair], draws: int, *, simulated: bool) -> tuple[str, ...]:
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
    return f"{percent(row.right)} ({percent(row.right_low)} to {percent(row.right_high)})"


def _best(rows: Sequence[EstimatorRow], drawn: str) -> str:
    """Who was right most often, and how many others may be as good."""
    best = rows[0]
    if not best.right_low > 0.5:
        return f"Over {drawn}, no protocol is shown to choose the truly better of two systems more often than a coin."
    others: dict[str, EstimatorRow] = {}
    for row in rows:
        if row.protocol != best.protocol:
            others.setdefault(row.protocol, row)
    near = [name for name, row in others.items() if row.right >= best.right_low]
    rest = ""
    if near:
        more = [f"{len(near) - MOST_NAMED} more"] if len(near) > MOST_NAMED else []
        rest = f"; {listed(near[:MOST_NAMED] + more)} {'lies' if len(near) == 1 else 'lie'} within this interval"
    return (
        f"Over {drawn}, {best.protocol} with {best.metric} most often chose the truly better of two systems: in "
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
    """How the protocol that everybody uses does, and what does worse than a coin."""
    plain = [row for row in rows if row.protocol == PLAIN]
    worse = [row for row in rows if row.right_high < 0.5]
    text = ""
    if plain:
        judged = Counter(pair.metric for pair in pairs if pair.judged)
        each = listed([f"{_interval(row)} of {counted(judged[row.metric], 'pair')} by {row.metric}" for row in plain])
        text = f"The plain ranking of all items ({PLAIN}) was right in {each}."
    if worse:
        names = listed(list(dict.fromkeys(row.name for row in worse))[:4])
        text += f" Worse than a coin: {names}{' and others' if len(worse) > 4 else ''}."
    return text.strip()


def _nearest(rows: Sequence[EstimatorRow]) -> str:
    """Of estimators on the scale of the truth, the one with the least RMSE of each metric, beside the plain one."""
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
