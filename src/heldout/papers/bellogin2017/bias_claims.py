"""What the paper says of its five systems on MovieLens 1M; the notes of the paper say when rules were written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from heldout.errors import NotApplicableError
from heldout.papers.bellogin2017 import causes
from heldout.papers.bellogin2017.bias_figures import GRADED, PLAIN, SYSTEMS, BiasFigures, Verdict, bias_claim
from heldout.papers.paper import Claim, ClaimFinding, MeasuredTables


def _ordered(protocols: tuple[str, ...]) -> Callable[[BiasFigures], Verdict]:
    def check(f: BiasFigures) -> Verdict:
        orders = {protocol: f.order(protocol) for protocol in protocols}
        figures = "; ".join(f"{protocol}: {' > '.join(order)}" for protocol, order in orders.items())
        return all(tuple(order) == SYSTEMS for order in orders.values()), figures

    return check


def _bounds_hold(f: BiasFigures) -> Verdict:
    rows = [row for row in f.expectations if row.protocol == "1R"]
    points = [p for p in f.curves if p.lower == p.lower]
    inside = all(r.lower - 1e-12 <= r.measured <= r.upper + 1e-12 for r in rows)
    inside &= all(p.lower - 1e-12 <= p.value <= p.upper + 1e-12 for p in points)
    return inside, f"{len(rows)} systems, and {len(points)} places of sweeps"


def _bounds_close(f: BiasFigures) -> Verdict:
    widths = {}
    for sweep in ("removed", "lists"):
        for system in ("pLSA", "kNN"):
            points = f.curve(sweep, "1R", system)
            widths[sweep, system] = (points[0].upper - points[0].lower, points[-1].upper - points[-1].lower)
    figures = ", ".join(f"{system} by {sweep} {a:.4f} → {b:.4f}" for (sweep, system), (a, b) in widths.items())
    return all(b < a for a, b in widths.values()), figures


def linear(f: BiasFigures) -> Verdict:
    """Whether precision in AR is linear in the density of the test ratings."""
    fits = {}
    for system in SYSTEMS:
        points = f.curve("removed", "AR", system)
        fits[system] = float(np.corrcoef([1 - p.x for p in points], [p.value for p in points])[0, 1] ** 2)
    return min(fits.values()) >= 0.99, ", ".join(f"{system} R² {r:.4f}" for system, r in fits.items())


def _at(points: list[SimpleNamespace], x: float) -> SimpleNamespace:
    """The point of a sweep at one place."""
    for point in points:
        if point.x == x:
            return point
    raise NotApplicableError(f"nothing was measured at {x:g}")


def _independent(f: BiasFigures) -> Verdict:
    figures, holds = [], True
    for system in SYSTEMS:
        points = f.curve("removed", "1R", system)
        most = _at(points, 0.8)
        holds &= most.low <= points[0].value <= most.high
        figures.append(f"{system} {points[0].value:.4f}, [{most.low:.4f}, {most.high:.4f}]")
    return holds, "; ".join(figures)


def _inverse(f: BiasFigures) -> Verdict:
    random = f.curve("lists", "1R", "Random")
    holds = all(p.low <= 1 / p.x <= p.high for p in random)
    for system in SYSTEMS:
        values = [p.value for p in f.curve("lists", "1R", system)]
        holds &= values == sorted(values, reverse=True)
    return holds, ", ".join(f"Random at {p.x:.0f}: {p.value:.5f} (1/t {1 / p.x:.5f})" for p in random)


def _sparsity_keeps_order(f: BiasFigures) -> Verdict:
    orders = []
    places = [p.x for p in f.curve("removed", "AR", "Random")]
    for k in range(len(places)):
        orders.append(sorted(SYSTEMS, key=lambda s: -f.curve("removed", "AR", s)[k].value))
    changed = [f"{x:.0%}" for x, order in zip(places, orders, strict=True) if order != orders[0]]
    return not changed, "the same at every share" if not changed else f"another at {', '.join(changed)}"


def _skew_others(f: BiasFigures) -> Verdict:
    holds, figures = True, []
    for system in ("kNN", "MF"):
        values = [p.value for p in f.curve("skew", "1R", system)]
        holds &= max(values) <= 0.015
        figures.append(f"{system} at most {max(values):.4f}")
    steep = zip(f.curve("skew", "1R", "pLSA")[1:], f.curve("skew", "1R", "Popularity")[1:], strict=True)
    gaps = [abs(a.value / b.value - 1) for a, b in steep]
    figures.append(f"pLSA off popularity by at most {max(gaps):.0%}")
    return holds and max(gaps) <= 0.1, "; ".join(figures)


def _levelled(f: BiasFigures) -> Verdict:
    orders = {protocol: f.order(protocol) for protocol in ("P1R", "U1R")}
    figures = "; ".join(f"{protocol}: {' > '.join(order)}" for protocol, order in orders.items())
    return all(order[-2:] == ["Popularity", "Random"] for order in orders.values()), figures


def _uar_above_knn(f: BiasFigures) -> Verdict:
    a, b = f.precision("UAR", "Popularity"), f.precision("UAR", "kNN")
    return a > b, f"Popularity {a:.4f}, kNN {b:.4f}"


def _plsa_first(f: BiasFigures) -> Verdict:
    first = {protocol: f.order(protocol)[0] for protocol in PLAIN}
    others = [f"{protocol}: {name}" for protocol, name in first.items() if name != "pLSA"]
    return not others, "in all" if not others else "; ".join(others)


def _dragged(protocol: str) -> Callable[[BiasFigures], Verdict]:
    def check(f: BiasFigures) -> Verdict:
        order, plain = f.own_order(protocol), f.order("AR")
        lower = order.index("Popularity") > plain.index("Popularity")
        return lower and order[0] != "pLSA", " > ".join(order)

    return check


def _second(protocols: tuple[str, ...]) -> Callable[[BiasFigures], Verdict]:
    def check(f: BiasFigures) -> Verdict:
        orders = {protocol: f.own_order(protocol) for protocol in protocols}
        figures = "; ".join(f"{protocol}: {' > '.join(order)}" for protocol, order in orders.items())
        return all(order[1] == "Popularity" for order in orders.values()), figures

    return check


def _as_in_1r(f: BiasFigures) -> Verdict:
    inferred, precise = f.own_order("1R infAP"), f.order("1R")
    figures = f"infAP: {' > '.join(inferred)}; P@10: {' > '.join(precise)}"
    return inferred.index("Popularity") == precise.index("Popularity"), figures


def _all_differ(f: BiasFigures) -> Verdict:
    pairs = [p for p in f.pairs if (p.protocol, p.metric) == ("1R", "P@10") and {p.a, p.b} <= {*SYSTEMS}]
    most = max(pairs, key=lambda pair: pair.p)
    return most.p < 0.001, f"{len(pairs)} pairs, the largest p {most.p:.2g} ({most.a} and {most.b})"


def _ndcg_alike(f: BiasFigures) -> Verdict:
    others = [protocol for protocol in PLAIN if f.order(protocol) != f.order(protocol, GRADED)]
    return not others, "in all nine" if not others else f"another order under {', '.join(others)}"


def _items_alike(f: BiasFigures) -> Verdict:
    rows = {system: (f.value["AR", "P@10", system], f.value["AI-AR", "P@10", system].value) for system in SYSTEMS}
    figures = ", ".join(f"{system} {row.value:.4f} and {other:.4f}" for system, (row, other) in rows.items())
    return all(row.low <= other <= row.high for row, other in rows.values()), figures


def _faster_when_sparse(f: BiasFigures) -> Verdict:
    left: dict[tuple[str, str], float] = {}
    for sweep in ("removed", "lists"):
        for system in ("pLSA", "kNN"):
            points = f.curve(sweep, "1R", system)
            left[sweep, system] = (points[-1].upper - points[-1].lower) / (points[0].upper - points[0].lower)
    figures = ", ".join(f"{system} by {sweep} {share:.0%}" for (sweep, system), share in left.items())
    return all(left["removed", system] < left["lists", system] for system in ("pLSA", "kNN")), f"left: {figures}"


CLAIMS: tuple[Claim, ...] = (
    bias_claim(
        "3.3",
        "“pLSA consistently performs best in most experimental configurations, closely followed by popularity …, and that "
        "MF is generally superior to kNN”",
        "pLSA, popularity, MF, kNN, random: this order in AR and 1R (stricter than “most” and “generally”)",
        _ordered(("AR", "1R")),
        causes.SIMILARITY,
    ),
    bias_claim(
        "3.3",
        "1R with |T_u| = 100 is “sufficient to ensure statistical significance (e.g. Wilcoxon p ≪ 0.001 for all pairwise "
        "differences between the recommenders in Figure 2)”",
        "p < 0.001 for each pair of the five, here of t-tests adjusted by Holm",
        _all_differ,
    ),
    bias_claim(
        "5.2",
        "“kNN and MF stay essentially around random recommendation”; pLSA “closely matches the effectiveness of popularity "
        "recommendation”",
        "kNN and MF at most 0.015; pLSA within 10% of popularity from α = 0.5 on",
        _skew_others,
        causes.STEEP,
    ),
    bias_claim(
        "6.3",
        "“U1R and (even more) P1R actually place the popularity algorithm by the level of random recommendation”",
        "popularity is fourth of the five, before random: a place, not a distance",
        _levelled,
    ),
    bias_claim(
        "6.3",
        "“the measured popularity precision decreases in UAR, but remains above kNN”",
        "P@10 of popularity above that of kNN in UAR",
        _uar_above_knn,
        causes.UNIFORM,
    ),
    bias_claim(
        "6.3",
        "pLSA “remains the best algorithm in all configurations”",
        "first of the five in all nine",
        _plsa_first,
        causes.BEST,
    ),
    bias_claim(
        "6.3",
        "“Figure 8 shows results for nDCG, where we see that the analysed patterns hold just the same”",
        "the order of the five is that of P@10 in all nine",
        _ndcg_alike,
        causes.BEST,
    ),
    bias_claim(
        "7",
        "“bpref and infAP do counter the popularity bias in the AR option for MovieLens” and “seem to drag down pLSA along "
        "with popularity”: bpref",
        "by bpref popularity has a lower place of the five in AR than by P@10, and pLSA is not first",
        _dragged("bpref"),
        causes.NEGATIVE,
    ),
    bias_claim(
        "7",
        "the same of infAP",
        "by infAP popularity has a lower place of the five in AR than by P@10, and pLSA is not first",
        _dragged("infAP"),
        causes.INFERRED,
    ),
    bias_claim(
        "7",
        "“On 1R, infAP seems to display a similar bias for popularity as P@10”",
        "popularity has the same place of the five",
        _as_in_1r,
    ),
    bias_claim(
        "7",
        "stratified recall: “popularity remains the second best algorithm according to the metric”",
        "popularity is second of the five, in AR and 1R",
        _second(("stratified recall", "1R stratified recall")),
        causes.STRATIFIED,
    ),
    bias_claim(
        "3.3",
        "“TI and AI produce almost the same results”",
        "AI-AR lies in the 95% interval of AR",
        _items_alike,
        causes.WITHOUT_TEST,
    ),
    bias_claim(
        "3.4",
        "“1R precision is bound linearly by NN-AR precision” (equation 2)",
        "1RP@10 lies between the bounds for every system and place of a sweep",
        _bounds_hold,
    ),
    bias_claim(
        "3.4",
        "“the bounding interval reduces progressively as |T_u| is increased …, and even faster with test data sparsity”",
        "pLSA, kNN: narrower at the last place of both sweeps than at the first",
        _bounds_close,
    ),
    bias_claim(
        "4.2", "“precision decreases linearly with density in the AR methodology”", "R² ≥ 0.99 for each system", linear
    ),
    bias_claim(
        "4.2",
        "“precision is independent from the amount of test ratings in the 1R approach”",
        "value at 0% in the 95% interval at 80%",
        _independent,
        causes.REMOVED,
    ),
    bias_claim(
        "4.2", "1R “shows inverse proportionality to t”", "1/t in each interval of Random; all systems fall", _inverse
    ),
    bias_claim(
        "4.2",
        "“the comparison between recommenders is not distorted by test sparsity”",
        "the same order of the five at every share, in AR",
        _sparsity_keeps_order,
    ),
    bias_claim(
        "3.4",
        "“and even faster with test data sparsity”",
        "pLSA, kNN: of the width between the bounds less is left at the last place by removed ratings than by size of the "
        "lists (rule written after both had been seen)",
        _faster_when_sparse,
    ),
)
"""In no order: figures take them by section."""
READINGS: dict[str, str] = {
    "sum of cosines": "UserKNN",
    "mean by Pearson": "UserKNN(similarity=pearson, normalise=true)",
    "NNCosNgbr-UB": "NNCosNgbr-UB",
}
"""The first is the kNN of all other experiments."""
WITH_ANY = {causes.STEEP, causes.INFERRED, causes.WITHOUT_TEST, causes.REMOVED}
"""Why claims do not hold with any of the three."""


def _under_each(claim: Claim) -> Callable[[MeasuredTables], ClaimFinding]:
    def check(measured: MeasuredTables) -> ClaimFinding:
        findings = {reading: claim.check(measured.of(reading)) for reading in READINGS}
        figures = "; ".join(
            f"✓ {reading}" if finding.holds else f"✗ {reading} ({finding.figures})" for reading, finding in findings.items()
        )
        return ClaimFinding(all(finding.holds for finding in findings.values()), figures)

    return check


READING_CLAIMS: tuple[Claim, ...] = tuple(
    replace(
        claim,
        rule=f"with each kNN: {claim.rule}",
        check=_under_each(claim),
        causes=claim.causes if WITH_ANY.intersection(claim.causes) else (causes.WHICH_KNN,),
    )
    for claim in CLAIMS
)
