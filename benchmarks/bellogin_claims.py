"""What Bellogín, Castells and Cantador (2017) say of MovieLens 1M, sections 3 to 7, beside what `heldout bias` measures.

`python -m benchmarks.bellogin_claims FOLDER [--write]`. Needs a folder of real data ($HELDOUT_DATA, or ../shared/data) with
ml-1m; results are kept in FOLDER, so that a second call only draws. `--write` puts the table into docs/biases-movielens.md.

Each claim is a rule that was written before anything was measured, with no tolerance but those it names. The paper's
systems are pLSA, matrix factorisation, user-based neighbours, popularity and random; it does not give their parameters. Here
they are PLSA with 50 topics, SVD and UserKNN with their defaults; EASE, WRMF and ItemKNN stand beside them and enter no
claim.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import heldout as ho
from benchmarks.valcarce_data import folder
from heldout.biases.findings import BiasFindings
from heldout.biases.sweeps import CurvePoint
from heldout.catalogue import make
from heldout.splits.uniform_test import UniformTest

PAPER = ("pLSA", "Popularity", "MF", "kNN", "Random")
"""The systems of the paper, as it orders them in Figure 2 for MovieLens."""
PAGE = Path(__file__).resolve().parents[1] / "docs" / "biases-movielens.md"
MARKS = "<!-- claims -->", "<!-- end of claims -->"


def study(data: Path) -> dict[str, object]:
    """The paper's set-up of section 3.3, with one fold of its five."""
    return {
        "title": "How much of MovieLens 1M is popularity?",
        "data": str(data / "ml-1m" / "ratings.dat"),
        "split": "ratio(train=0.8)",
        "relevance": "threshold(5)",
        "target": "TestItems",
        "metrics": ["P@10"],
        "recommend": [
            {"name": "pLSA", "model": "PLSA(topics=50)"},
            {"name": "MF", "model": "SVD"},
            {"name": "kNN", "model": "UserKNN"},
            "EASE",
            {"name": "WRMF", "model": "WRMF(factors=30)"},
            "ItemKNN",
        ],
        "compare": "t",
    }


class Figures:
    """Look-ups in what was measured."""

    def __init__(self, findings: BiasFindings) -> None:
        self.findings = findings
        self.value = {(r.protocol, r.metric, r.system): r for r in findings.effects.values}
        self.expected = {(r.protocol, r.system): r for r in findings.expectations}

    def precision(self, protocol: str, system: str) -> float:
        """P@10."""
        return self.value[protocol, "P@10", system].value

    def order(self, protocol: str, metric: str = "P@10") -> list[str]:
        """The paper's systems, the best first."""
        return sorted(PAPER, key=lambda system: -self.value[protocol, metric, system].value)

    def ratio(self, protocol: str) -> float:
        """Popularity's P@10 by that of a random ranking."""
        return self.value[protocol, "P@10", "Popularity"].times_random

    def curve(self, sweep: str, protocol: str, system: str) -> list[CurvePoint]:
        """A system's points of a sweep."""
        points = [p for p in self.findings.curves if (p.sweep, p.protocol, p.system) == (sweep, protocol, system)]
        return sorted(points, key=lambda point: point.x)


@dataclass(frozen=True)
class Claim:
    """One claim of the paper: its words, its rule, and what decides it."""

    section: str
    claim: str
    rule: str
    check: Callable[[Figures], tuple[bool, str]]


def _ordered(protocols: tuple[str, ...]) -> Callable[[Figures], tuple[bool, str]]:
    def check(f: Figures) -> tuple[bool, str]:
        orders = {protocol: f.order(protocol) for protocol in protocols}
        figures = "; ".join(f"{protocol}: {' > '.join(order)}" for protocol, order in orders.items())
        return all(tuple(order) == PAPER for order in orders.values()), figures

    return check


def _random_expected(f: Figures) -> tuple[bool, str]:
    rows = [f.expected[protocol, "Random"] for protocol in ("AR", "1R", "P1R", "U1R", "UAR")]
    figures = ", ".join(f"{r.protocol} {r.expected:.4f} in [{r.low:.4f}, {r.high:.4f}]" for r in rows)
    return all(row.low <= row.expected <= row.high for row in rows), figures


def _bounds_hold(f: Figures) -> tuple[bool, str]:
    rows = [row for row in f.findings.expectations if row.protocol == "1R"]
    points = [p for p in f.findings.curves if p.lower == p.lower]
    inside = all(r.lower - 1e-12 <= r.measured <= r.upper + 1e-12 for r in rows)
    inside &= all(p.lower - 1e-12 <= p.value <= p.upper + 1e-12 for p in points)
    return inside, f"{len(rows)} systems, and {len(points)} places of sweeps"


def _bounds_close(f: Figures) -> tuple[bool, str]:
    widths = {}
    for sweep in ("removed", "lists"):
        for system in ("pLSA", "kNN"):
            points = f.curve(sweep, "1R", system)
            widths[sweep, system] = (points[0].upper - points[0].lower, points[-1].upper - points[-1].lower)
    figures = ", ".join(f"{system} by {sweep} {a:.4f} → {b:.4f}" for (sweep, system), (a, b) in widths.items())
    return all(b < a for a, b in widths.values()), figures


def _linear(f: Figures) -> tuple[bool, str]:
    fits = {}
    for system in PAPER:
        points = f.curve("removed", "AR", system)
        fits[system] = float(np.corrcoef([1 - p.x for p in points], [p.value for p in points])[0, 1] ** 2)
    return min(fits.values()) >= 0.99, ", ".join(f"{system} R² {r:.4f}" for system, r in fits.items())


def _independent(f: Figures) -> tuple[bool, str]:
    figures, holds = [], True
    for system in PAPER:
        points = f.curve("removed", "1R", system)
        most = next(p for p in points if p.x == 0.8)
        holds &= most.low <= points[0].value <= most.high
        figures.append(f"{system} {points[0].value:.4f}, [{most.low:.4f}, {most.high:.4f}]")
    return holds, "; ".join(figures)


def _inverse(f: Figures) -> tuple[bool, str]:
    random = f.curve("lists", "1R", "Random")
    holds = all(p.low <= 1 / p.x <= p.high for p in random)
    for system in PAPER:
        values = [p.value for p in f.curve("lists", "1R", system)]
        holds &= values == sorted(values, reverse=True)
    return holds, ", ".join(f"Random at {p.x:.0f}: {p.value:.5f} (1/t {1 / p.x:.5f})" for p in random)


def _sparsity_keeps_order(f: Figures) -> tuple[bool, str]:
    orders = []
    places = [p.x for p in f.curve("removed", "AR", "Random")]
    for k in range(len(places)):
        orders.append(sorted(PAPER, key=lambda s: -f.curve("removed", "AR", s)[k].value))
    changed = [f"{x:.0%}" for x, order in zip(places, orders, strict=True) if order != orders[0]]
    return not changed, "the same at every share" if not changed else f"another at {', '.join(changed)}"


def _skew_zero(f: Figures) -> tuple[bool, str]:
    popular, random = (f.curve("skew", "1R", system)[0] for system in ("Popularity", "Random"))
    holds = popular.low <= 0.0077 <= popular.high and random.low <= 0.01 <= random.high and popular.value < random.value
    return holds, f"Popularity {popular.value:.4f} [{popular.low:.4f}, {popular.high:.4f}], Random {random.value:.4f}"


def _skew_grows(f: Figures) -> tuple[bool, str]:
    values = [p.value for p in f.curve("skew", "1R", "Popularity")]
    return values == sorted(values), " → ".join(f"{value:.4f}" for value in values)


def _skew_others(f: Figures) -> tuple[bool, str]:
    holds, figures = True, []
    for system in ("kNN", "MF"):
        values = [p.value for p in f.curve("skew", "1R", system)]
        holds &= max(values) <= 0.015
        figures.append(f"{system} at most {max(values):.4f}")
    steep = zip(f.curve("skew", "1R", "pLSA")[1:], f.curve("skew", "1R", "Popularity")[1:], strict=True)
    gaps = [abs(a.value / b.value - 1) for a, b in steep]
    figures.append(f"pLSA off popularity by at most {max(gaps):.0%}")
    return holds and max(gaps) <= 0.1, "; ".join(figures)


def _uniform_shape(f: Figures) -> tuple[bool, str]:
    data = ho.read(f.findings.protocol["data"])
    splitter: UniformTest = make("split", "uniform_test(share=0.2, keep=0.2)")
    items, each = splitter.shape(data)
    return (len(items), each) == (1703, 118), f"ζ = {len(items)}, η = {each}"


def _less_popular(pairs: tuple[tuple[str, str], ...]) -> Callable[[Figures], tuple[bool, str]]:
    def check(f: Figures) -> tuple[bool, str]:
        figures = ", ".join(f"{a} {f.ratio(a):.2f} × and {b} {f.ratio(b):.2f} ×" for a, b in pairs)
        return all(f.ratio(a) < f.ratio(b) for a, b in pairs), figures

    return check


def _levelled(f: Figures) -> tuple[bool, str]:
    orders = {protocol: f.order(protocol) for protocol in ("P1R", "U1R")}
    figures = "; ".join(f"{protocol}: {' > '.join(order)}" for protocol, order in orders.items())
    return all(order[-2:] == ["Popularity", "Random"] for order in orders.values()), figures


def _uar_above_knn(f: Figures) -> tuple[bool, str]:
    a, b = f.precision("UAR", "Popularity"), f.precision("UAR", "kNN")
    return a > b, f"Popularity {a:.4f}, kNN {b:.4f}"


def _plsa_first(f: Figures) -> tuple[bool, str]:
    protocols = ("AI-AR", "AR", "AR-NN", "1R", "1R-head", "P1R", "U1R", "UAR", "AI-UAR")
    first = {protocol: f.order(protocol)[0] for protocol in protocols}
    others = [f"{protocol}: {name}" for protocol, name in first.items() if name != "pLSA"]
    return not others, "in all" if not others else "; ".join(others)


def _dragged(metric: str) -> Callable[[Figures], tuple[bool, str]]:
    def check(f: Figures) -> tuple[bool, str]:
        order, plain = f.order(metric, metric), f.order("AR")
        lower = order.index("Popularity") > plain.index("Popularity")
        return lower and order[0] != "pLSA", " > ".join(order)

    return check


def _stratified(f: Figures) -> tuple[bool, str]:
    order = f.order("stratified recall", "StratifiedRecall@10")
    return order[1] == "Popularity", " > ".join(order)


def _near_eight(f: Figures) -> tuple[bool, str]:
    value = f.precision("AR", "Popularity")
    return round(value, 2) == 0.08, f"{value:.4f}"


def _items_alike(f: Figures) -> tuple[bool, str]:
    rows = {system: (f.value["AR", "P@10", system], f.value["AI-AR", "P@10", system].value) for system in PAPER}
    figures = ", ".join(f"{system} {row.value:.4f} and {other:.4f}" for system, (row, other) in rows.items())
    return all(row.low <= other <= row.high for row, other in rows.values()), figures


CLAIMS = (
    Claim("3.3", "popularity's P@10 in AR is 0.08", "rounded to two decimals", _near_eight),
    Claim("3.3", "pLSA first, then popularity, MF, kNN, random", "this order in AR and 1R", _ordered(("AR", "1R"))),
    Claim("3.3", "TI and AI produce almost the same", "AI-AR lies in the 95% interval of AR", _items_alike),
    Claim("3.4", "1RP@n lies between the bounds of eq. 2", "for every system and place of a sweep", _bounds_hold),
    Claim(
        "3.4",
        "the bounds close with |T_u| and with removed test ratings",
        "pLSA, kNN: narrower at the last place than at the first",
        _bounds_close,
    ),
    Claim("4.2", "random precision is as expected", "closed form in the 95% interval, five protocols", _random_expected),
    Claim("4.2", "AR falls linearly as test ratings are removed", "R² ≥ 0.99 for each system", _linear),
    Claim("4.2", "1R does not depend on the test ratings", "value at 0% in the 95% interval at 80%", _independent),
    Claim("4.2", "1R is inversely proportional to |T_u|", "1/t in each interval of Random; all systems fall", _inverse),
    Claim(
        "4.2", "sparsity does not distort the comparison", "the same order of the five at every share", _sparsity_keeps_order
    ),
    Claim("5.2", "α = 0: popularity 0.0077, below random 0.0100", "both in the 95% interval, and below", _skew_zero),
    Claim("5.2", "popularity gains with skew", "1R grows at every step of α", _skew_grows),
    Claim(
        "5.2",
        "kNN and MF stay around random, pLSA near popularity",
        "at most 0.015; within 10% from α = 0.5 on",
        _skew_others,
    ),
    Claim("6.2", "ζ = 1703 and η = 118", "exactly", _uniform_shape),
    Claim(
        "6.3",
        "P1R, U1R and UAR limit popularity",
        "popularity ÷ random below 1R, 1R and AR-NN",
        _less_popular((("P1R", "1R"), ("U1R", "1R"), ("UAR", "AR-NN"))),
    ),
    Claim("6.3", "P1R and U1R place popularity by random", "popularity is fourth of the five, before random", _levelled),
    Claim("6.3", "in UAR popularity remains above kNN", "P@10", _uar_above_knn),
    Claim("6.3", "the residual bias is higher in U1R than in P1R", "popularity ÷ random", _less_popular((("P1R", "U1R"),))),
    Claim("6.3", "without TI (AI-UAR) a higher bias remains", "popularity ÷ random", _less_popular((("UAR", "AI-UAR"),))),
    Claim(
        "6.3",
        "removing the head helps, and less than P1R and U1R",
        "popularity ÷ random",
        _less_popular((("1R-head", "1R"), ("P1R", "1R-head"), ("U1R", "1R-head"))),
    ),
    Claim("6.3", "pLSA remains the best in all configurations", "first of the five in all nine", _plsa_first),
    Claim(
        "7", "bpref counters popularity in AR, and drags pLSA down", "popularity lower, pLSA not first", _dragged("bpref")
    ),
    Claim(
        "7", "infAP counters popularity in AR, and drags pLSA down", "popularity lower, pLSA not first", _dragged("infAP")
    ),
    Claim("7", "under stratified recall popularity remains second", "of the five", _stratified),
)


def rows_of(findings: BiasFindings) -> list[str]:
    """The table of claims, as lines of Markdown."""
    measured = Figures(findings)
    lines = ["| § | claim | rule | here | figures |", "|---|---|---|---|---|"]
    for claim in CLAIMS:
        holds, figures = claim.check(measured)
        verdict = "holds" if holds else "**does not hold here**"
        cells = (claim.section, claim.claim, claim.rule, verdict, figures)
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return lines


def main(arguments: list[str]) -> int:
    data, named = folder(), [text for text in arguments if text != "--write"]
    if not (data / "ml-1m" / "ratings.dat").exists():
        print(f"no ml-1m in {data}; set HELDOUT_DATA to a folder that has it")
        return 2
    if len(named) != 1:
        print("name the folder that results are kept in")
        return 2
    began, spent = time.time(), time.process_time()
    results = ho.bias(study(data), out=named[0])
    print(results)
    print(f"{time.time() - began:.0f} s, {time.process_time() - spent:.0f} CPU-s with fits")
    lines = rows_of(results.findings)
    print("\n".join(lines))
    if "--write" in arguments:
        before, rest = PAGE.read_text(encoding="utf-8").split(MARKS[0])
        after = rest.split(MARKS[1])[1]
        PAGE.write_text(before + "\n".join([MARKS[0], "", *lines, "", MARKS[1]]) + after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
