"""What Valcarce et al. (2018) say of metrics, claim by claim, beside a trial of ours on their split of MovieLens 1M.

`python -m benchmarks.metric_claims TRIAL [--write]`; TRIAL is the folder of `heldout meta` with their seven metrics.
`--write` puts the tables into docs/metric-quality-movielens.md.

Each claim is in the paper's words and has a rule that says when it holds. Rules are orders ("the highest of the seven"), or
the paper's own numbers (.76, .85, .9); none has a tolerance. All of them were written after figures of a trial had been
seen, as the page says.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import heldout as ho

PUBLISHED = {"P": 2.6, "Recall": 7.0, "AP": 2.8, "nDCG": 1.4, "RR": 15.5, "bpref": 9.9, "infAP": 8.4}
"""DP at 100, Table 3."""
METRICS = tuple(PUBLISHED)
DEEP = 100
SHALLOW = (5, 10)
PAGE = Path(__file__).resolve().parents[1] / "docs" / "metric-quality-movielens.md"
MARKS = "<!-- claims -->", "<!-- end of claims -->"

Verdict = tuple[bool, str]


class Figures:
    """What a trial says of the seven metrics, by metric and depth."""

    def __init__(self, trial: ho.MetaResults) -> None:
        self.rows = {(row["name"], row["depth"]): row for row in trial.table.iter_rows(named=True)}
        self.depths = sorted({depth for _, depth in self.rows})
        sweeps = trial.sweeps.filter(sweep="missing ratings")
        self.kept = {(metric, share): tau for metric, share, tau in sweeps.select("metric", "share", "tau").iter_rows()}
        pairs = trial.agreement.select("between", "of", "first", "second", "tau").iter_rows()
        self.tau = {(between, of, frozenset((first, second))): tau for between, of, first, second, tau in pairs}

    def at(self, figure: str, depth: int = DEEP) -> dict[str, float]:
        """A figure of each metric at a depth."""
        return {metric: self.rows[metric, depth][figure] for metric in METRICS}

    def over_depths(self, figure: str, metric: str) -> dict[int, float]:
        """A figure of one metric at each depth."""
        return {depth: self.rows[metric, depth][figure] for depth in self.depths}

    def between_depths(self, metric: str) -> dict[tuple[int, int], float]:
        """τ between any two depths of a metric."""
        return {
            (a, b): self.tau["depths", metric, frozenset((str(a), str(b)))]
            for a in self.depths
            for b in self.depths
            if a < b
        }

    def between_metrics(self, first: str, second: str) -> float:
        """τ between two metrics at 100."""
        return self.tau["metrics", f"@{DEEP}", frozenset((first, second))]


@dataclass(frozen=True)
class Claim:
    """What the paper says, when that holds, and whether it does."""

    words: str
    rule: str
    check: Callable[[Figures], Verdict]


def _short(value: float) -> str:
    return f"{value:.2f}".replace("0.", ".") if abs(value) < 1 else f"{value:.1f}"


def _fine(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".")


def _ordered(figures: dict[str, float], *, highest_first: bool, shown: Callable[[float], str]) -> str:
    order = sorted(figures, key=lambda name: figures[name], reverse=highest_first)
    return ", ".join(f"{name} {shown(figures[name])}" for name in order)


def _most_correlations(of: Figures) -> Verdict:
    taus = [tau for metric in METRICS for tau in of.between_depths(metric).values()]
    above = sum(tau > 0.85 for tau in taus)
    return above > len(taus) / 2, f"{above} of {len(taus)}"


def _lowest_correlation(of: Figures) -> Verdict:
    lowest = {metric: min(of.between_depths(metric).items(), key=lambda pair: pair[1]) for metric in METRICS}
    least = min(tau for _, tau in lowest.values())
    theirs = [of.between_depths(metric)[SHALLOW[0], DEEP] for metric in ("P", "Recall")]
    same = all(round(tau, 2) == 0.76 for tau in theirs) and least >= min(theirs)
    text = ", ".join(f"{metric} {_short(tau)} ({a} and {b})" for metric, ((a, b), tau) in lowest.items())
    return same, f"lowest of each: {text}"


def _ndcg_agrees(of: Figures) -> Verdict:
    least = min(of.between_depths("nDCG").values())
    return least >= 0.9, f"the least is {_short(least)}"


def _five_differs(of: Figures) -> Verdict:
    taus = of.between_depths("nDCG")
    mean = {depth: float(np.mean([tau for pair, tau in taus.items() if depth in pair])) for depth in of.depths}
    least = min(mean, key=lambda depth: mean[depth])
    return least == SHALLOW[0], f"mean τ with the others: {_short(mean[least])} at {least}, the lowest"


def _deeper(figure: str, metrics: tuple[str, ...], shown: Callable[[float], str]) -> Callable[[Figures], Verdict]:
    """Whether a τ is higher at 100 than at 5 and at 10."""

    def check(of: Figures) -> Verdict:
        values = {metric: of.over_depths(figure, metric) for metric in metrics}
        better = [m for m in metrics if values[m][DEEP] > max(values[m][depth] for depth in SHALLOW)]
        text = ", ".join(f"{m} {shown(values[m][5])}, {shown(values[m][10])}, {shown(values[m][DEEP])}" for m in metrics)
        return len(better) == len(metrics), f"so for {_listed(better)}; at 5, 10, 100: {text}"

    return check


def _deeper_power(metrics: tuple[str, ...]) -> Callable[[Figures], Verdict]:
    """Whether the worst DP above 50 is better than the best at 50 or less."""

    def check(of: Figures) -> Verdict:
        worst = {m: max(dp for n, dp in of.over_depths("dp", m).items() if n > 50) for m in metrics}
        best = {m: min(dp for n, dp in of.over_depths("dp", m).items() if n <= 50) for m in metrics}
        better = [m for m in metrics if worst[m] < best[m]]
        text = ", ".join(f"{m} {_short(worst[m])} against {_short(best[m])}" for m in metrics)
        return len(better) == len(metrics), f"so for {_listed(better)}; worst above 50 against best up to 50: {text}"

    return check


def _listed(names: list[str]) -> str:
    return ", ".join(names) if names else "none"


def _rr_differs(of: Figures) -> Verdict:
    mean = {m: float(np.mean([of.between_metrics(m, other) for other in METRICS if other != m])) for m in METRICS}
    order = _ordered(mean, highest_first=False, shown=_short)
    return min(mean, key=lambda m: mean[m]) == "RR", f"mean τ with the other six: {order}"


def _ap_like_ndcg(of: Figures) -> Verdict:
    tau = of.between_metrics("AP", "nDCG")
    return tau >= 0.9, f"τ {_short(tau)}"


def _half_is_enough(of: Figures) -> Verdict:
    taus = {metric: of.kept[f"{metric}@{DEEP}", 0.5] for metric in METRICS}
    return min(taus.values()) > 0.9, _ordered(taus, highest_first=True, shown=_short)


def _places(figure: str, *, first: tuple[str, ...] = (), last: tuple[str, ...] = ()) -> Callable[[Figures], Verdict]:
    """Whether these metrics have the highest figures, in any order, and those the lowest."""

    def check(of: Figures) -> Verdict:
        figures = of.at(figure)
        order = sorted(METRICS, key=lambda metric: -figures[metric])
        holds = set(order[: len(first)]) == set(first) and set(order[len(order) - len(last) :]) == set(last)
        return holds, _ordered(figures, highest_first=True, shown=_fine)

    return check


def _poor_when_missing(of: Figures) -> Verdict:
    figures = of.at("missing_tau")
    order = sorted(METRICS, key=lambda metric: figures[metric])
    holds = order[0] == "bpref" and set(order[1:3]) == {"infAP", "RR"}
    return holds, _ordered(figures, highest_first=False, shown=_fine)


def _both(extreme: str, *, highest: bool) -> Callable[[Figures], Verdict]:
    """Whether a metric is the most, or the least, robust to missing ratings and to popular items left out."""

    def check(of: Figures) -> Verdict:
        pick = max if highest else min
        extremes = {figure: pick(METRICS, key=lambda m: of.at(figure)[m]) for figure in ("missing_tau", "popularity_tau")}
        text = f"{extremes['missing_tau']} by missing ratings, {extremes['popularity_tau']} by popular items"
        return set(extremes.values()) == {extreme}, text

    return check


def _most_power(of: Figures) -> Verdict:
    figures = of.at("dp")
    order = sorted(METRICS, key=lambda metric: figures[metric])
    return order[:2] == ["nDCG", "P"], _ordered(figures, highest_first=False, shown=_short)


def _low_power(of: Figures) -> Verdict:
    figures = of.at("dp")
    middle = float(np.median(list(figures.values())))
    holds = figures["bpref"] > figures["infAP"] > middle
    return holds, f"bpref {_short(figures['bpref'])}, infAP {_short(figures['infAP'])}; the median is {_short(middle)}"


ALL = METRICS
CLAIMS = (
    Claim("“most of the correlations [between cut-offs] are above 0.85”", "more than half of all τ", _most_correlations),
    Claim(
        "“the lowest found correlation was between P@5 and P@100 and Recall@5 and Recall@100 with a value of 0.76”",
        "both round to .76, and no τ between cut-offs is lower",
        _lowest_correlation,
    ),
    Claim("nDCG at any two cut-offs: “all the correlations are at least 0.9”", "every τ ≥ .9", _ndcg_agrees),
    Claim(
        "nDCG: “the largest discrepancy is between the cut-off at 5 and the rest”",
        "of all cut-offs, 5 has the lowest mean τ with the others",
        _five_differs,
    ),
    Claim(
        "“deeper cut-offs (around 100) offer better robustness to sparsity … than shallower cut-offs (5-10)”",
        "mean τ over shares of ratings, of each of the seven, is higher at 100 than at 5 and at 10",
        _deeper("missing_tau", ALL, _fine),
    ),
    Claim(
        "the same of popularity",
        "mean τ over shares of items, of each of the seven, is higher at 100 than at 5 and at 10",
        _deeper("popularity_tau", ALL, _short),
    ),
    Claim(
        "nDCG: “deeper cut-offs (above 50) consistently provide better figures of DP than shallower cut-offs”",
        "the worst DP above 50 is better than the best up to 50",
        _deeper_power(("nDCG",)),
    ),
    Claim("“different metrics … present similar results”", "the same for each of the seven", _deeper_power(ALL)),
    Claim("“MRR differs noticeably”", "RR has the lowest mean τ with the other six", _rr_differs),
    Claim("“MAP is strongly correlated with nDCG”", "τ ≥ .9, “almost equivalent” in the paper", _ap_like_ndcg),
    Claim(
        "“all the metrics are fairly robust … above 0.9 even when removing half of the test set”",
        "τ > .9 with half of the ratings, for each of the seven",
        _half_is_enough,
    ),
    Claim(
        "“precision and nDCG showed very good figures of robustness to sparsity”",
        "the two highest mean τ over shares of ratings",
        _places("missing_tau", first=("P", "nDCG")),
    ),
    Claim(
        "“bpref, and to a lesser extent infAP and MRR, show poor robustness to sparsity”",
        "the lowest mean τ is bpref's, the next two are those of infAP and RR",
        _poor_when_missing,
    ),
    Claim(
        "“precision is the best metric in terms of robustness to popularity whereas MRR is the worst one”",
        "P has the highest mean τ over shares of items, RR the lowest",
        _places("popularity_tau", first=("P",), last=("RR",)),
    ),
    Claim("“MRR is the least robust metric”", "the lowest mean τ in both sweeps", _both("RR", highest=False)),
    Claim("“precision is the most robust metric”", "the highest mean τ in both sweeps", _both("P", highest=True)),
    Claim(
        "“nDCG and precision (in this order) present the highest discriminative power”",
        "the lowest DP is nDCG's, the next P's",
        _most_power,
    ),
    Claim(
        "“bpref, and to a lesser extent infAP, presents low discriminative power”",
        "DP of both is above the median of the seven, and bpref's above infAP's",
        _low_power,
    ),
)


def power_table(of: Figures) -> Iterator[str]:
    """DP beside the published figures, with what it is made of."""
    yield "| | " + " | ".join(METRICS) + " |"
    yield "|---|" + "---|" * len(METRICS)
    rows: list[tuple[str, dict[str, float], Callable[[float], str]]] = [
        ("DP@100, published", PUBLISHED, _tenths),
        ("DP@100, here", of.at("dp"), _tenths),
        ("mean p", of.at("mean_p"), _fine),
        ("its standard error over systems", of.at("mean_p_error"), _fine),
        ("mean p, half of the users", of.at("half_mean_p"), _fine),
        ("its standard deviation over halves", of.at("half_error"), _fine),
        ("share of pairs with p < .05", of.at("significant"), _fine),
        ("τ, mean over shares of ratings kept", of.at("missing_tau"), _fine),
        ("τ with 5 % of the ratings", {m: of.kept[f"{m}@{DEEP}", 0.05] for m in METRICS}, _fine),
        ("τ, mean over shares of items kept", of.at("popularity_tau"), _fine),
    ]
    for title, figures, shown in rows:
        yield f"| {title} | " + " | ".join(shown(figures[metric]) for metric in METRICS) + " |"


def _tenths(value: float) -> str:
    return f"{value:.1f}"


def claims_table(of: Figures) -> Iterator[str]:
    """Each claim with its rule, whether it holds, and the figures."""
    yield "| the paper | holds here if | | figures |"
    yield "|---|---|---|---|"
    for claim in CLAIMS:
        holds, figures = claim.check(of)
        yield f"| {claim.words} | {claim.rule} | {'holds' if holds else 'does not hold here'} | {figures} |"


def main(arguments: list[str]) -> int:
    folders = [argument for argument in arguments if argument != "--write"]
    if len(folders) != 1:
        print("python -m benchmarks.metric_claims TRIAL [--write]")
        return 2
    results = ho.load(folders[0])
    if not isinstance(results, ho.MetaResults):
        print(f"{folders[0]} does not hold a trial of metrics")
        return 2
    figures = Figures(results)
    tables = "\n".join([*power_table(figures), "", *claims_table(figures)])
    if "--write" not in arguments:
        print(tables)
        return 0
    before, rest = PAGE.read_text(encoding="utf-8").split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    PAGE.write_text(f"{before}{MARKS[0]}\n\n{tables}\n\n{MARKS[1]}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
