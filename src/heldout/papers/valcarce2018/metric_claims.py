"""What the paper says of metrics: rules over a trial, which are orders or the paper's own numbers, without a tolerance."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from heldout.errors import NotApplicableError
from heldout.papers.paper import Claim, ClaimFinding, MeasuredTables
from heldout.papers.valcarce2018 import causes
from heldout.words import number

METRICS: tuple[str, ...] = ("P", "Recall", "AP", "nDCG", "RR", "bpref", "infAP")
"""In the order of Table 3; MAP is our AP, MRR our RR."""
_TABLE_3: dict[str, tuple[float, ...]] = {
    "ml-1m": (2.6, 7.0, 2.8, 1.4, 15.5, 9.9, 8.4),
    "librarything": (1.5, 5.9, 3.6, 0.2, 2.9, 5.4, 3.8),
    "beeradvocate": (1.9, 8.3, 10.7, 4.4, 5.8, 12.7, 4.8),
}
"""DP of the metrics at 100 as printed: sums over 420 ordered pairs of systems, in which each pair counts twice."""
PUBLISHED_POWER: dict[str, tuple[float, ...]] = {
    data: tuple(round(dp / 2, 2) for dp in printed) for data, printed in _TABLE_3.items()
}
"""DP over the 210 pairs: half of what Table 3 prints."""
DEPTHS: tuple[int, ...] = (5, *range(10, 101, 10))
DEEP = 100
SHALLOW = (5, 10)


class TrialFigures:
    """What a trial says of the seven metrics, by metric and depth; NotApplicableError where it has no such figure."""

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
        return {metric: _number(self._rows, (metric, depth), figure) for metric in METRICS}

    def over_depths(self, figure: str, metric: str) -> dict[int, float]:
        """A figure of one metric at each depth."""
        return {depth: _number(self._rows, (metric, depth), figure) for depth in DEPTHS}

    def kept(self, metric: str, share: float) -> float:
        """τ of a metric at 100 with a share of the ratings."""
        return _finite(self._kept.get((f"{metric}@{DEEP}", share)))

    def between_depths(self, metric: str) -> dict[tuple[int, int], float]:
        """τ between any two depths of a metric."""
        return {
            (a, b): _finite(self._tau.get(("depths", metric, frozenset((str(a), str(b))))))
            for a in DEPTHS
            for b in DEPTHS
            if a < b
        }

    def between_metrics(self, first: str, second: str) -> float:
        """τ between two metrics at 100."""
        return _finite(self._tau.get(("metrics", f"@{DEEP}", frozenset((first, second)))))


def _number(rows: dict[tuple[str, int], dict[str, float]], key: tuple[str, int], figure: str) -> float:
    return _finite(rows[key][figure] if key in rows else None)


def _finite(value: float | None) -> float:
    if value is None or not np.isfinite(value):
        raise NotApplicableError("a number that decides it was not measured")
    return value


Verdict = tuple[bool, str]


def short(value: float) -> str:
    """Two digits of a share, one of other numbers."""
    return number(value, 2).replace("0.", ".") if abs(value) < 1 else number(value, 1)


def fine(value: float) -> str:
    """Three digits, of a share without the 0."""
    return number(value, 3).replace("0.", ".")


def _ordered(figures: dict[str, float], *, highest_first: bool, shown: Callable[[float], str]) -> str:
    order = sorted(figures, key=lambda name: figures[name], reverse=highest_first)
    return ", ".join(f"{name} {shown(figures[name])}" for name in order)


def _most_correlations(of: TrialFigures) -> Verdict:
    taus = [tau for metric in METRICS for tau in of.between_depths(metric).values()]
    above = sum(tau > 0.85 for tau in taus)
    return above > len(taus) / 2, f"{above} of {len(taus)}"


def _lowest_correlation(of: TrialFigures) -> Verdict:
    lowest = {metric: min(of.between_depths(metric).items(), key=lambda pair: pair[1]) for metric in METRICS}
    least = min(tau for _, tau in lowest.values())
    theirs = [of.between_depths(metric)[SHALLOW[0], DEEP] for metric in ("P", "Recall")]
    same = all(round(tau, 2) == 0.76 for tau in theirs) and least >= min(theirs)
    text = ", ".join(f"{metric} {short(tau)} ({a} and {b})" for metric, ((a, b), tau) in lowest.items())
    return same, f"lowest of each: {text}"


def _ndcg_agrees(of: TrialFigures) -> Verdict:
    least = min(of.between_depths("nDCG").values())
    return least >= 0.9, f"the least is {short(least)}"


def _five_differs(of: TrialFigures) -> Verdict:
    taus = of.between_depths("nDCG")
    mean = {depth: float(np.mean([tau for pair, tau in taus.items() if depth in pair])) for depth in DEPTHS}
    least = min(mean, key=lambda depth: mean[depth])
    return least == SHALLOW[0], f"mean τ with the others: {short(mean[least])} at {least}, the lowest"


def _deeper(figure: str, metrics: tuple[str, ...], shown: Callable[[float], str]) -> Callable[[TrialFigures], Verdict]:
    """Whether a τ is higher at 100 than at 5 and at 10."""

    def check(of: TrialFigures) -> Verdict:
        values = {metric: of.over_depths(figure, metric) for metric in metrics}
        better = [m for m in metrics if values[m][DEEP] > max(values[m][depth] for depth in SHALLOW)]
        text = ", ".join(f"{m} {shown(values[m][5])}, {shown(values[m][10])}, {shown(values[m][DEEP])}" for m in metrics)
        return len(better) == len(metrics), f"so for {_listed(better)}; at 5, 10, 100: {text}"

    return check


def _deeper_power(metrics: tuple[str, ...]) -> Callable[[TrialFigures], Verdict]:
    """Whether the worst DP above 50 is better than the best at 50 or less."""

    def check(of: TrialFigures) -> Verdict:
        worst = {m: max(dp for n, dp in of.over_depths("dp", m).items() if n > 50) for m in metrics}
        best = {m: min(dp for n, dp in of.over_depths("dp", m).items() if n <= 50) for m in metrics}
        better = [m for m in metrics if worst[m] < best[m]]
        text = ", ".join(f"{m} {short(worst[m])} against {short(best[m])}" for m in metrics)
        return len(better) == len(metrics), f"so for {_listed(better)}; worst above 50 against best up to 50: {text}"

    return check


def _listed(names: list[str]) -> str:
    return ", ".join(names) if names else "none"


def _rr_differs(of: TrialFigures) -> Verdict:
    mean = {m: float(np.mean([of.between_metrics(m, other) for other in METRICS if other != m])) for m in METRICS}
    order = _ordered(mean, highest_first=False, shown=short)
    return min(mean, key=lambda m: mean[m]) == "RR", f"mean τ with the other six: {order}"


def _all_alike(of: TrialFigures) -> Verdict:
    taus = {f"{a} and {b}": of.between_metrics(a, b) for a, b in combinations(METRICS, 2)}
    least = min(taus, key=lambda pair: taus[pair])
    return taus[least] > 0.9, f"the least is {short(taus[least])}, {least}"


def _ap_like_ndcg(of: TrialFigures) -> Verdict:
    tau = of.between_metrics("AP", "nDCG")
    return tau >= 0.9, f"τ {short(tau)}"


def _half_is_enough(of: TrialFigures) -> Verdict:
    taus = {metric: of.kept(metric, 0.5) for metric in METRICS}
    return min(taus.values()) > 0.9, _ordered(taus, highest_first=True, shown=short)


def _places(figure: str, *, first: tuple[str, ...] = (), last: tuple[str, ...] = ()) -> Callable[[TrialFigures], Verdict]:
    """Whether these metrics have the highest figures, in any order, and those the lowest."""

    def check(of: TrialFigures) -> Verdict:
        figures = of.at(figure)
        order = sorted(METRICS, key=lambda metric: -figures[metric])
        holds = set(order[: len(first)]) == set(first) and set(order[len(order) - len(last) :]) == set(last)
        return holds, _ordered(figures, highest_first=True, shown=fine)

    return check


def _poor_when_missing(of: TrialFigures) -> Verdict:
    figures = of.at("missing_tau")
    order = sorted(METRICS, key=lambda metric: figures[metric])
    holds = order[0] == "bpref" and set(order[1:3]) == {"infAP", "RR"}
    return holds, _ordered(figures, highest_first=False, shown=fine)


def _both(extreme: str, *, highest: bool) -> Callable[[TrialFigures], Verdict]:
    """Whether a metric is the most, or the least, robust to missing ratings and to popular items left out."""

    def check(of: TrialFigures) -> Verdict:
        pick = max if highest else min
        extremes = {figure: pick(METRICS, key=lambda m: of.at(figure)[m]) for figure in ("missing_tau", "popularity_tau")}
        text = f"{extremes['missing_tau']} by missing ratings, {extremes['popularity_tau']} by popular items"
        return set(extremes.values()) == {extreme}, text

    return check


def _most_power(of: TrialFigures) -> Verdict:
    figures = of.at("dp")
    order = sorted(METRICS, key=lambda metric: figures[metric])
    return order[:2] == ["nDCG", "P"], _ordered(figures, highest_first=False, shown=short)


def _low_power(of: TrialFigures) -> Verdict:
    figures = of.at("dp")
    middle = float(np.median(list(figures.values())))
    holds = figures["bpref"] > figures["infAP"] > middle
    return holds, f"bpref {short(figures['bpref'])}, infAP {short(figures['infAP'])}; the median is {short(middle)}"


def trial_claim(words: str, section: str, rule: str, check: Callable[[TrialFigures], Verdict], *why: str) -> Claim:
    """A sentence of the paper, with a rule over a trial."""
    return Claim(
        words=words,
        section=section,
        rule=rule,
        check=lambda measured: ClaimFinding(*check(TrialFigures(measured))),
        causes=why,
    )


ALIKE: Claim = trial_claim(
    "“On the LibraryThing collection, all correlations are above 0.9”", "§7", "every τ between two metrics > .9", _all_alike
)
CLAIMS: dict[str, tuple[Claim, ...]] = {
    "fig-1": (
        trial_claim(
            "“most of the correlations [between cut-offs] are above 0.85”",
            "§6",
            "more than half of all τ",
            _most_correlations,
        ),
        trial_claim(
            "“the lowest found correlation was between P@5 and P@100 and Recall@5 and Recall@100 with a value of 0.76”",
            "§6",
            "both round to .76, and no τ between cut-offs is lower",
            _lowest_correlation,
            causes.OTHER_SYSTEMS,
        ),
        trial_claim(
            "nDCG at any two cut-offs: “all the correlations are at least 0.9”",
            "§6",
            "every τ ≥ .9",
            _ndcg_agrees,
            causes.OTHER_SYSTEMS,
        ),
        trial_claim(
            "nDCG: “the largest discrepancy is between the cut-off at 5 and the rest”",
            "§6",
            "of all cut-offs, 5 has the lowest mean τ with the others",
            _five_differs,
        ),
    ),
    "fig-2": (
        trial_claim(
            "“deeper cut-offs (around 100) offer better robustness to sparsity … than shallower cut-offs (5-10)”",
            "§8",
            "mean τ over shares of ratings, of each of the seven, is higher at 100 than at 5 and at 10",
            _deeper("missing_tau", METRICS, fine),
            causes.DRIFT,
        ),
    ),
    "fig-3": (
        trial_claim(
            "“deeper cut-offs (around 100) offer better robustness to … popularity biases than shallower cut-offs (5-10)”",
            "§8",
            "mean τ over shares of items, of each of the seven, is higher at 100 than at 5 and at 10",
            _deeper("popularity_tau", METRICS, short),
        ),
    ),
    "fig-4": (
        trial_claim(
            "nDCG: “deeper cut-offs (above 50) consistently provide better figures of DP than shallower cut-offs”",
            "§6",
            "the worst DP above 50 is better than the best up to 50",
            _deeper_power(("nDCG",)),
            causes.POWER_BY_DEPTH,
        ),
        trial_claim(
            "“different metrics … present similar results”",
            "§6",
            "the same for each of the seven",
            _deeper_power(METRICS),
            causes.POWER_BY_DEPTH,
        ),
    ),
    "fig-5": (
        trial_claim("“MRR differs noticeably”", "§7", "RR has the lowest mean τ with the other six", _rr_differs),
        trial_claim(
            "“MAP is strongly correlated with nDCG”", "§7", "τ ≥ .9, “almost equivalent” in the paper", _ap_like_ndcg
        ),
    ),
    "fig-6": (
        trial_claim(
            "“all the metrics are fairly robust … above 0.9 even when removing half of the test set”",
            "§7",
            "τ > .9 with half of the ratings, for each of the seven",
            _half_is_enough,
        ),
        trial_claim(
            "“precision and nDCG showed very good figures of robustness to sparsity”",
            "§7",
            "the two highest mean τ over shares of ratings",
            _places("missing_tau", first=("P", "nDCG")),
            causes.LEVEL_WITH_INFAP,
        ),
        trial_claim(
            "“bpref, and to a lesser extent infAP and MRR, show poor robustness to sparsity”",
            "§7",
            "the lowest mean τ is bpref’s, the next two are those of infAP and RR",
            _poor_when_missing,
            causes.REMOVED_JUDGEMENTS,
        ),
    ),
    "fig-7": (
        trial_claim(
            "“precision is the best metric in terms of robustness to popularity whereas MRR is the worst one”",
            "§7",
            "P has the highest mean τ over shares of items, RR the lowest",
            _places("popularity_tau", first=("P",), last=("RR",)),
        ),
        trial_claim(
            "“MRR is the least robust metric”",
            "§7",
            "the lowest mean τ in both sweeps",
            _both("RR", highest=False),
            causes.IN_BOTH,
        ),
        trial_claim(
            "“precision is the most robust metric”", "§7", "the highest mean τ in both sweeps", _both("P", highest=True)
        ),
    ),
    "fig-8": (
        trial_claim(
            "“nDCG and precision (in this order) present the highest discriminative power”",
            "§7",
            "the lowest DP is nDCG’s, the next P’s",
            _most_power,
            causes.POWER_AT_100,
        ),
        trial_claim(
            "“bpref, and to a lesser extent infAP, presents low discriminative power”",
            "§7",
            "DP of both is above the median of the seven, and bpref’s above infAP’s",
            _low_power,
            causes.POWER_AT_100,
        ),
    ),
}
"""By figure."""
