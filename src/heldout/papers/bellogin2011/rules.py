"""Rules of what Bellogín et al. (2011) say: which methodologies agree with each other and with RMSE, in how many cases."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from heldout import make
from heldout.papers.bellogin2011.works import (
    BY_NAME,
    METHODOLOGIES,
    METRICS,
    OTHER_CUTOFFS,
    SPLITS,
    SYSTEMS,
    TEST_RATINGS,
    UNRATED_TOO,
)
from heldout.papers.paper import ClaimFinding, MeasuredTables
from heldout.papers.rules import Part, all_of, falling, in_words, mean
from heldout.text.numbers import counted


def mean_size(measured: MeasuredTables, split: str, part: str, column: str) -> list[float]:
    """Users, items or density of a part, the mean over folds."""
    return [mean(measured.numbers("sizes", column, split=split, part=part))]


def value_of(
    measured: MeasuredTables, split: str, methodology: str, system: str, metric: str, undefined: str = "zero"
) -> float:
    """A system's value, the mean over users and folds."""
    of = BY_NAME[methodology]
    where = {"relevance": of.relevance, "aggregate": "mean", "undefined": undefined}
    rows = measured.rows("values", study=split, system=system, metric=metric, **where)
    return mean(rows.filter(pl.col("target").str.starts_with(of.target))["value"].to_list())


def values_of(measured: MeasuredTables, split: str, methodology: str, metric: str, undefined: str = "zero") -> list[float]:
    """Those of UB50, IB and SVD50."""
    return [value_of(measured, split, methodology, system, metric, undefined) for system in SYSTEMS]


def error_of(measured: MeasuredTables, split: str, system: str) -> float:
    """RMSE over all test ratings that were predicted."""
    where = {"study": split, "target": "TestRatings", "relevance": "threshold(tau=4)", "undefined": "skip"}
    return mean(measured.numbers("values", "value", system=system, metric="RMSE", aggregate="pooled", **where))


def by_sample(measured: MeasuredTables, split: str, system: str, metric: str) -> dict[int, float]:
    """A system's value by the number of sampled items."""
    rows = measured.rows("values", study=split, system=system, metric=metric).select("target", "value")
    return dict(sorted((make("target", target).nonrelevant, value) for target, value in rows.iter_rows()))


def _order(values: Sequence[float]) -> str:
    """The systems from best to worst."""
    value_by_system = dict(zip(SYSTEMS, values, strict=True))
    return " > ".join(sorted(SYSTEMS, key=lambda system: -value_by_system[system]))


def _in_all_cases(parts: Sequence[Part]) -> ClaimFinding:
    """A claim about many cases: it holds if all do; the words are of those that do not, or of how many hold."""
    wrong = [text for holds, text in parts if not holds]
    if not wrong:
        return ClaimFinding(True, f"in all {len(parts)} cases")
    return ClaimFinding(False, f"otherwise in {len(wrong)} of {len(parts)} cases: {'; '.join(wrong)}")


def all_are_rated(measured: MeasuredTables, items: int) -> ClaimFinding:
    """Whether so many items have a rating."""
    rated = int(measured.tables["data"]["items"][0])
    return ClaimFinding(rated == items, f"{rated:,} items are rated")


def some_never_rate_it(measured: MeasuredTables) -> ClaimFinding:
    """Whether some user has no positive rating."""
    users = int((measured.tables["users"]["positive"] == 0).sum())
    return ClaimFinding(users > 0, counted(users, "user"))


def less_error(measured: MeasuredTables, user_based: str) -> ClaimFinding:
    """Whether IB has a lower RMSE than a user-based system, on both splits."""
    parts: list[Part] = []
    for split in SPLITS:
        user, item = (error_of(measured, split, system) for system in (user_based, "IB"))
        parts.append((item < user, f"{split}: IB {item:.3f}, {user_based} {user:.3f}"))
    return all_of(parts)


def _lead_of_ib(
    measured: MeasuredTables, user_based: str, methodologies: Sequence[str], metrics: Sequence[str], *, ahead: bool
) -> list[Part]:
    parts: list[Part] = []
    for split in SPLITS:
        for methodology in methodologies:
            for metric in metrics:
                user, item = (value_of(measured, split, methodology, system, metric) for system in (user_based, "IB"))
                words = f"{split} {methodology} {metric}: IB {item:.4f}, {user_based} {user:.4f}"
                parts.append((item > user if ahead else item < user, words))
    return parts


def item_based_leads(measured: MeasuredTables, user_based: str) -> ClaimFinding:
    """Whether IB is above a user-based system under TestRatings, in all cases."""
    return _in_all_cases(_lead_of_ib(measured, user_based, TEST_RATINGS, METRICS, ahead=True))


def item_based_trails(measured: MeasuredTables, user_based: str) -> ClaimFinding:
    """Whether IB is below a user-based system if unrated items compete, in all cases."""
    return _in_all_cases(_lead_of_ib(measured, user_based, UNRATED_TOO, METRICS, ahead=False))


def same_at_other_cutoffs(measured: MeasuredTables) -> ClaimFinding:
    """Whether IB is below UB50 if unrated items compete and above it under TestRatings, at 5 and 10."""
    below = _lead_of_ib(measured, "UB50", UNRATED_TOO, OTHER_CUTOFFS, ahead=False)
    return _in_all_cases([*below, *_lead_of_ib(measured, "UB50", TEST_RATINGS, OTHER_CUTOFFS, ahead=True)])


def overestimates(measured: MeasuredTables) -> ClaimFinding:
    """Whether the least value under TestRatings is above the highest under the others."""
    parts: list[Part] = []
    for split in SPLITS:
        for metric in METRICS:
            least = min(min(values_of(measured, split, m, metric)) for m in TEST_RATINGS)
            most = max(max(values_of(measured, split, m, metric)) for m in UNRATED_TOO)
            parts.append((least > most, f"{split} {metric}: at least {least:.3f} against at most {most:.3f}"))
    return all_of(parts)


def below_a_tenth(measured: MeasuredTables) -> ClaimFinding:
    """Whether most values are below 0.1 if unrated items compete."""
    cases = [(split, methodology, metric) for split in SPLITS for methodology in UNRATED_TOO for metric in METRICS]
    values = [value for case in cases for value in values_of(measured, *case)]
    small = sum(value < 0.1 for value in values)
    return ClaimFinding(small > len(values) / 2, f"{small} of {len(values)} values are below 0.1")


def same_order(measured: MeasuredTables, methodologies: Sequence[str]) -> ClaimFinding:
    """Whether the systems come in the same order under all of these, by each metric on each split."""
    parts: list[Part] = []
    for split in SPLITS:
        for metric in METRICS:
            orders = {name: _order(values_of(measured, split, name, metric)) for name in methodologies}
            words = ", ".join(f"{name} {order}" for name, order in orders.items())
            parts.append((len(set(orders.values())) == 1, f"{split} {metric}: {words}"))
    return _in_all_cases(parts)


def threshold(measured: MeasuredTables, metric: str, *, rises: bool) -> ClaimFinding:
    """Whether every system's value rises, or falls, from TR 3 to TR 4."""
    parts: list[Part] = []
    for split in SPLITS:
        three, four = (values_of(measured, split, m, metric) for m in TEST_RATINGS)
        moved = all((b > a) == rises and a != b for a, b in zip(three, four, strict=True))
        words = f"{split}: {in_words(three, 3)} under TR 3, {in_words(four, 3)} under TR 4"
        if rises:
            other = [values_of(measured, split, m, metric, "skip") for m in TEST_RATINGS]
            words += f" (over users with relevant items: {in_words(other[0], 3)} and {in_words(other[1], 3)})"
        parts.append((moved, words))
    return all_of(parts)


def high_recall(measured: MeasuredTables) -> ClaimFinding:
    """Whether Recall@50 is above 0.9 under TestRatings."""
    values = [v for split in SPLITS for m in TEST_RATINGS for v in values_of(measured, split, m, "Recall@50")]
    return ClaimFinding(min(values) > 0.9, f"between {min(values):.3f} and {max(values):.3f}")


def same_on_both(measured: MeasuredTables) -> ClaimFinding:
    """Whether the systems come in the same order on both splits, by each metric under each methodology."""
    parts: list[Part] = []
    for methodology in METHODOLOGIES:
        for metric in METRICS:
            orders = [_order(values_of(measured, split, methodology.name, metric)) for split in SPLITS]
            parts.append((orders[0] == orders[1], f"{methodology.name} {metric}: {' and '.join(orders)}"))
    return _in_all_cases(parts)


def _spread(values: Sequence[float]) -> float:
    """Best less worst, in parts of their mean."""
    return (max(values) - min(values)) / (sum(values) / len(values))


def discriminates_less(measured: MeasuredTables) -> ClaimFinding:
    """Whether the systems lie closer together under TestRatings than under any other."""
    parts: list[Part] = []
    for split in SPLITS:
        for metric in METRICS:
            rated = max(_spread(values_of(measured, split, m, metric)) for m in TEST_RATINGS)
            others = min(_spread(values_of(measured, split, m, metric)) for m in UNRATED_TOO)
            parts.append((rated < others, f"{split} {metric}: at most {rated:.3f} against at least {others:.3f}"))
    return all_of(parts)


def finds_fewer(measured: MeasuredTables) -> ClaimFinding:
    """Whether P@50 of every system is lowest under One-Plus-Random."""
    others = [methodology.name for methodology in METHODOLOGIES if methodology.name != "OPR"]
    parts: list[Part] = []
    for split in SPLITS:
        for system in SYSTEMS:
            sampled = value_of(measured, split, "OPR", system, "P@50")
            rest = min(value_of(measured, split, other, system, "P@50") for other in others)
            parts.append((sampled < rest, f"{split} {system}: {sampled:.4f}, the others at least {rest:.4f}"))
    return all_of(parts)


def comparable(measured: MeasuredTables) -> ClaimFinding:
    """Whether nDCG@50 under One-Plus-Random is between half and twice its mean under TeI, TrI and AI."""
    parts: list[Part] = []
    for split in SPLITS:
        for system in SYSTEMS:
            sampled = value_of(measured, split, "OPR", system, "nDCG@50")
            rest = [value_of(measured, split, other, system, "nDCG@50") for other in ("TeI", "TrI", "AI")]
            usual = sum(rest) / len(rest)
            words = f"{split} {system}: {sampled:.4f}, the others {in_words(rest, 4)}"
            parts.append((usual / 2 <= sampled <= 2 * usual, words))
    return all_of(parts)


def equivalent(measured: MeasuredTables) -> ClaimFinding:
    """Whether every system has the same value under TrI and AI."""
    parts: list[Part] = []
    for split in SPLITS:
        for metric in METRICS:
            trained, every = (values_of(measured, split, m, metric) for m in ("TrI", "AI"))
            parts.append((trained == every, f"{split} {metric}: {in_words(trained, 4)} and {in_words(every, 4)}"))
    return _in_all_cases(parts)


def lower(measured: MeasuredTables) -> ClaimFinding:
    """Whether every system has a lower value under TrI and AI than under TeI."""
    parts: list[Part] = []
    for split in SPLITS:
        for methodology in ("TrI", "AI"):
            for metric in METRICS:
                more, fewer = (values_of(measured, split, m, metric) for m in (methodology, "TeI"))
                holds = all(a < b for a, b in zip(more, fewer, strict=True))
                words = f"{split} {methodology} {metric}: {in_words(more, 4)} against {in_words(fewer, 4)}"
                parts.append((holds, words))
    return _in_all_cases(parts)


def evenly(measured: MeasuredTables) -> ClaimFinding:
    """Whether P@50 falls from TeI to AI, by shares of which the largest is less than twice the smallest."""
    parts: list[Part] = []
    for split in SPLITS:
        fewer, more = (values_of(measured, split, m, "P@50") for m in ("TeI", "AI"))
        lost = [1 - b / a for a, b in zip(fewer, more, strict=True)]
        words = ", ".join(f"{system} {share:.0%}" for system, share in zip(SYSTEMS, lost, strict=True))
        parts.append((min(lost) > 0 and max(lost) < 2 * min(lost), f"{split}: {words}"))
    return all_of(parts)


def acceptable(measured: MeasuredTables) -> ClaimFinding:
    """Whether every system has an RMSE below 1.05 on both splits."""
    values = {f"{split} {system}": error_of(measured, split, system) for split in SPLITS for system in SYSTEMS}
    words = ", ".join(f"{name} {value:.3f}" for name, value in values.items())
    return ClaimFinding(all(value < 1.05 for value in values.values()), words)


def smaller_with_more(measured: MeasuredTables) -> ClaimFinding:
    """Whether every value falls with the number of sampled items."""
    parts: list[Part] = []
    for split in SPLITS:
        for metric in METRICS:
            for system in SYSTEMS:
                values = by_sample(measured, split, system, metric)
                mean(list(values.values()))
                words = f"{split} {metric} of {system}: {in_words(list(values.values()))} with {', '.join(map(str, values))}"
                parts.append((falling(list(values.values())), words))
    return _in_all_cases(parts)
