"""Rules of what Valcarce et al. say of metrics: orders and the paper's own numbers, over what a trial of metrics found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from heldout import NotApplicableError
from heldout.data.profile import gini as gini_of
from heldout.papers.paper import ClaimFinding, MeasuredTables
from heldout.papers.rules import mean
from heldout.papers.valcarce2018.works import DEEP, DEPTHS, METRICS, SHALLOW
from heldout.text.numbers import number

ALMOST_EQUIVALENT = 0.9
"""τ above which the paper calls two orders almost equivalent."""


class TrialFigures:
    """What a trial says of the seven metrics, by metric and depth; NotApplicableError if it has no such figure."""

    def __init__(self, measured: MeasuredTables) -> None:
        self._rows = {(row["name"], row["depth"]): row for row in measured.tables["metrics"].iter_rows(named=True)}
        sweeps = measured.rows("sweeps", sweep="missing ratings")
        self._kept = {(metric, share): tau for metric, share, tau in sweeps.select("metric", "share", "tau").iter_rows()}
        popular = measured.rows("sweeps", sweep="popularity")
        self.without_popular: list[float] = popular["tau"].drop_nulls().drop_nans().to_list() if len(popular) else []
        """τ of all metrics at all shares of the least popular items."""
        pairs = measured.tables["agreement"].select("between", "of", "first", "second", "tau").iter_rows()
        self._tau = {(between, of, frozenset((first, second))): tau for between, of, first, second, tau in pairs}

    def at(self, figure: str, depth: int = DEEP) -> dict[str, float]:
        """A figure of each metric at a depth."""
        return {metric: self._number((metric, depth), figure) for metric in METRICS}

    def over_depths(self, figure: str, metric: str) -> dict[int, float]:
        """A figure of one metric at each depth."""
        return {depth: self._number((metric, depth), figure) for depth in DEPTHS}

    def kept(self, metric: str, share: float) -> float:
        """τ of a metric at 100 with a share of the ratings."""
        return _finite(self._kept.get((f"{metric}@{DEEP}", share)))

    def between_depths(self, metric: str) -> dict[tuple[int, int], float]:
        """τ between any two depths of a metric."""
        return {
            (a, b): _finite(self._tau.get(("depths", metric, frozenset((str(a), str(b))))))
            for a, b in combinations(DEPTHS, 2)
        }

    def between_metrics(self, first: str, second: str) -> float:
        """τ between two metrics at 100."""
        return _finite(self._tau.get(("metrics", f"@{DEEP}", frozenset((first, second)))))

    def mean_with_others(self) -> dict[str, float]:
        """Mean τ of each metric with the other six at 100."""
        return {m: float(np.mean([self.between_metrics(m, other) for other in METRICS if other != m])) for m in METRICS}

    def _number(self, key: tuple[str, int], figure: str) -> float:
        return _finite(self._rows[key][figure] if key in self._rows else None)


def _finite(value: float | None) -> float:
    if value is None or not np.isfinite(value):
        raise NotApplicableError("a number that decides it was not measured")
    return value


def short(value: float) -> str:
    """Two digits of a share, one of other numbers."""
    return number(value, 2).replace("0.", ".") if abs(value) < 1 else number(value, 1)


def fine(value: float) -> str:
    """Three digits, of a share without the 0."""
    return number(value, 3).replace("0.", ".")


SHOWN: dict[str, Callable[[float], str]] = {"short": short, "fine": fine}


def _listed(figures: Mapping[str, float], shown: Callable[[float], str], order: Iterable[str] | None = None) -> str:
    return ", ".join(f"{name} {shown(figures[name])}" for name in (figures if order is None else order))


def _by_figure(figures: Mapping[str, float], *, highest_first: bool) -> list[str]:
    return sorted(figures, key=lambda name: figures[name], reverse=highest_first)


def gini(measured: MeasuredTables) -> list[float]:
    """How unequally items are rated."""
    return [gini_of(measured.tables["items"]["ratings"].to_numpy())]


def most_correlations(measured: MeasuredTables) -> ClaimFinding:
    """Whether more than half of all τ between cut-offs are above .85."""
    of = TrialFigures(measured)
    taus = [tau for metric in METRICS for tau in of.between_depths(metric).values()]
    above = sum(tau > 0.85 for tau in taus)
    return ClaimFinding(above > len(taus) / 2, f"{above} of {len(taus)}")


def lowest_correlation(measured: MeasuredTables) -> ClaimFinding:
    """Whether τ between 5 and 100 is .76 for P and Recall, and none between cut-offs is lower."""
    of = TrialFigures(measured)
    lowest = {metric: min(of.between_depths(metric).items(), key=lambda pair: pair[1]) for metric in METRICS}
    least = min(tau for _, tau in lowest.values())
    theirs = [of.between_depths(metric)[SHALLOW[0], DEEP] for metric in ("P", "Recall")]
    same = all(round(tau, 2) == 0.76 for tau in theirs) and least >= min(theirs)
    text = ", ".join(f"{metric} {short(tau)} ({a} and {b})" for metric, ((a, b), tau) in lowest.items())
    return ClaimFinding(same, f"lowest of each: {text}")


def depths_agree(measured: MeasuredTables, metric: str) -> ClaimFinding:
    """Whether every τ between two cut-offs of a metric is at least .9."""
    least = min(TrialFigures(measured).between_depths(metric).values())
    return ClaimFinding(least >= ALMOST_EQUIVALENT, f"the least is {short(least)}")


def five_differs(measured: MeasuredTables) -> ClaimFinding:
    """Whether 5 has the lowest mean τ with the other cut-offs of nDCG."""
    taus = TrialFigures(measured).between_depths("nDCG")
    average = {depth: float(np.mean([tau for pair, tau in taus.items() if depth in pair])) for depth in DEPTHS}
    least = min(average, key=lambda depth: average[depth])
    return ClaimFinding(least == SHALLOW[0], f"mean τ with the others: {short(average[least])} at {least}, the lowest")


def deep_agree(measured: MeasuredTables) -> ClaimFinding:
    """Whether every τ between two cut-offs above 20 is at least .9."""
    of = TrialFigures(measured)
    least = {m: min(tau for pair, tau in of.between_depths(m).items() if min(pair) > 20) for m in METRICS}
    return ClaimFinding(min(least.values()) >= ALMOST_EQUIVALENT, f"least of each: {_listed(least, short)}")


def almost_always_agree(measured: MeasuredTables) -> ClaimFinding:
    """Whether more than nine tenths of all τ between cut-offs above 20 are above .9."""
    of = TrialFigures(measured)
    taus = [tau for metric in METRICS for pair, tau in of.between_depths(metric).items() if min(pair) > 20]
    above = sum(tau > ALMOST_EQUIVALENT for tau in taus)
    return ClaimFinding(above > 0.9 * len(taus), f"{above} of {len(taus)}")


def deeper_is_better(measured: MeasuredTables, figure: str, shown: str) -> ClaimFinding:
    """Whether a mean τ of each metric is higher at 100 than at 5 and at 10."""
    of, form = TrialFigures(measured), SHOWN[shown]
    values = {metric: of.over_depths(figure, metric) for metric in METRICS}
    better = [m for m in METRICS if values[m][DEEP] > max(values[m][depth] for depth in SHALLOW)]
    text = ", ".join(f"{m} {form(values[m][5])}, {form(values[m][10])}, {form(values[m][DEEP])}" for m in METRICS)
    return ClaimFinding(len(better) == len(METRICS), f"so for {', '.join(better) or 'none'}; at 5, 10, 100: {text}")


def deeper_discriminates(measured: MeasuredTables, metrics: Sequence[str] = METRICS) -> ClaimFinding:
    """Whether the worst DP above 50 is better than the best at 50 or less."""
    of = TrialFigures(measured)
    worst = {m: max(dp for n, dp in of.over_depths("dp", m).items() if n > 50) for m in metrics}
    best = {m: min(dp for n, dp in of.over_depths("dp", m).items() if n <= 50) for m in metrics}
    better = [m for m in metrics if worst[m] < best[m]]
    text = ", ".join(f"{m} {short(worst[m])} against {short(best[m])}" for m in metrics)
    words = f"so for {', '.join(better) or 'none'}; worst above 50 against best up to 50: {text}"
    return ClaimFinding(len(better) == len(metrics), words)


def robust_beyond_50(measured: MeasuredTables, figure: str) -> ClaimFinding:
    """Whether nDCG is more robust at every cut-off above 50 than at any up to 50."""
    taus = TrialFigures(measured).over_depths(figure, "nDCG")
    least = min(tau for depth, tau in taus.items() if depth > 50)
    most = max(tau for depth, tau in taus.items() if depth <= 50)
    return ClaimFinding(least > most, f"at least {fine(least)} above 50, at most {fine(most)} up to 50")


def rises_with_depth(measured: MeasuredTables) -> ClaimFinding:
    """Whether Spearman's ρ between cut-off and mean τ is above 0 for each metric, in both sweeps."""
    from scipy.stats import spearmanr

    of, rho = TrialFigures(measured), {}
    for metric in METRICS:
        for figure, name in (("missing_tau", "sparsity"), ("popularity_tau", "popularity")):
            taus = of.over_depths(figure, metric)
            values = list(taus.values())
            constant = min(values) == max(values)
            rho[f"{metric} by {name}"] = 0.0 if constant else float(spearmanr(list(taus), values).statistic)
    return ClaimFinding(min(rho.values()) > 0, _listed(rho, short))


def differs_most(measured: MeasuredTables, metric: str) -> ClaimFinding:
    """Whether a metric has the lowest mean τ with the other six."""
    average = TrialFigures(measured).mean_with_others()
    order = _by_figure(average, highest_first=False)
    return ClaimFinding(order[0] == metric, f"mean τ with the other six: {_listed(average, short, order)}")


def least_like(measured: MeasuredTables, metric: str, other: str) -> ClaimFinding:
    """Whether a metric has the lowest τ with another of all six."""
    of = TrialFigures(measured)
    taus = {each: of.between_metrics(other, each) for each in METRICS if each != other}
    return ClaimFinding(min(taus, key=lambda each: taus[each]) == metric, _listed(taus, short))


def agree_above(measured: MeasuredTables, level: float, metrics: Sequence[str] = METRICS) -> ClaimFinding:
    """Whether every τ between two of these metrics is above a level."""
    return _least_agreement(measured, metrics, lambda tau: tau > level)


def agree_at_least(measured: MeasuredTables, level: float, metrics: Sequence[str] = METRICS) -> ClaimFinding:
    """Whether every τ between two of these metrics reaches a level."""
    return _least_agreement(measured, metrics, lambda tau: tau >= level)


def _least_agreement(measured: MeasuredTables, metrics: Sequence[str], enough: Callable[[float], bool]) -> ClaimFinding:
    of = TrialFigures(measured)
    taus = {f"{a} and {b}": of.between_metrics(a, b) for a, b in combinations(metrics, 2)}
    least = min(taus, key=lambda pair: taus[pair])
    return ClaimFinding(enough(taus[least]), f"the least is {short(taus[least])}, {least}")


def two_agree(measured: MeasuredTables, first: str, second: str) -> ClaimFinding:
    """Whether τ between two metrics is at least .9."""
    tau = TrialFigures(measured).between_metrics(first, second)
    return ClaimFinding(tau >= ALMOST_EQUIVALENT, f"τ {short(tau)}")


def some_differ(measured: MeasuredTables) -> ClaimFinding:
    """Whether a τ between two metrics is below .8."""
    of = TrialFigures(measured)
    taus = [of.between_metrics(a, b) for a, b in combinations(METRICS, 2)]
    below = sum(tau < 0.8 for tau in taus)
    return ClaimFinding(below > 0, f"{below} of {len(taus)}, the least {short(min(taus))}")


def half_is_enough(measured: MeasuredTables) -> ClaimFinding:
    """Whether τ is above .9 with half of the ratings, for each metric."""
    of = TrialFigures(measured)
    taus = {metric: of.kept(metric, 0.5) for metric in METRICS}
    order = _by_figure(taus, highest_first=True)
    return ClaimFinding(min(taus.values()) > ALMOST_EQUIVALENT, _listed(taus, short, order))


def highest(
    measured: MeasuredTables,
    figure: str,
    first: Sequence[str] = (),
    last: Sequence[str] = (),
    between: Sequence[str] = (),
) -> ClaimFinding:
    """Whether these metrics have the highest figures, in any order, those the lowest, and others neither."""
    figures = TrialFigures(measured).at(figure)
    order = _by_figure(figures, highest_first=True)
    holds = set(order[: len(first)]) == set(first) and set(order[len(order) - len(last) :]) == set(last)
    return ClaimFinding(holds and not {order[0], order[-1]} & set(between), _listed(figures, fine, order))


def lowest(measured: MeasuredTables, figure: str, shown: str, groups: Sequence[Sequence[str]]) -> ClaimFinding:
    """Whether these groups of metrics have the lowest figures, one group after the other."""
    figures = TrialFigures(measured).at(figure)
    order = _by_figure(figures, highest_first=False)
    ends = np.cumsum([len(group) for group in groups])
    holds = all(set(order[end - len(group) : end]) == set(group) for group, end in zip(groups, ends, strict=True))
    return ClaimFinding(holds, _listed(figures, SHOWN[shown], order))


def extreme_in_both(measured: MeasuredTables, metric: str, *, most: bool) -> ClaimFinding:
    """Whether a metric is the most, or the least, robust to missing ratings and to popular items left out."""
    of, pick = TrialFigures(measured), max if most else min
    extremes = [pick(METRICS, key=lambda m: of.at(figure)[m]) for figure in ("missing_tau", "popularity_tau")]
    return ClaimFinding(set(extremes) == {metric}, f"{extremes[0]} by missing ratings, {extremes[1]} by popular items")


def low_power(measured: MeasuredTables) -> ClaimFinding:
    """Whether DP of bpref and infAP is above the median, and bpref's above infAP's."""
    figures = TrialFigures(measured).at("dp")
    middle = float(np.median(list(figures.values())))
    words = f"bpref {short(figures['bpref'])}, infAP {short(figures['infAP'])}; the median is {short(middle)}"
    return ClaimFinding(figures["bpref"] > figures["infAP"] > middle, words)


def great_difference(measured: MeasuredTables) -> ClaimFinding:
    """Whether the mean DP of nDCG and P is less than half of that of the other five."""
    dp = TrialFigures(measured).at("dp")
    two = float(np.mean([dp[metric] for metric in ("nDCG", "P")]))
    rest = float(np.mean([dp[metric] for metric in METRICS if metric not in ("nDCG", "P")]))
    return ClaimFinding(two < rest / 2, f"mean DP {short(two)} of nDCG and P, {short(rest)} of the other five")


def erratic(measured: MeasuredTables, published: Mapping[str, float]) -> ClaimFinding:
    """Whether the order of these metrics by DP is another than that of published values."""
    dp = TrialFigures(measured).at("dp")
    here, there = (sorted(published, key=lambda metric: power[metric]) for power in (dp, published))
    return ClaimFinding(here != there, f"{_listed(dp, short, here)}; MovieLens 1M: {', '.join(there)}")


def negative(measured: MeasuredTables) -> ClaimFinding:
    """Whether a τ over shares of items is below 0."""
    taus = TrialFigures(measured).without_popular
    mean(taus)
    return ClaimFinding(min(taus) < 0, f"the least is {short(min(taus))}")


def ap_before_estimates(measured: MeasuredTables) -> ClaimFinding:
    """Whether mean τ over shares of ratings is higher for AP than for bpref and infAP."""
    figures = TrialFigures(measured).at("missing_tau")
    taus = {metric: figures[metric] for metric in ("AP", "bpref", "infAP")}
    return ClaimFinding(taus["AP"] > max(taus["bpref"], taus["infAP"]), _listed(taus, fine))
