"""Rules of what Bellogín et al. (2017) say: places of systems under protocols, values along sweeps, facts of the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace

import numpy as np
import numpy.typing as npt

from heldout import NotApplicableError, make
from heldout.papers.bellogin2017.works import (
    GRADED,
    INCOMPLETE,
    LOWER_THRESHOLD,
    NAMES,
    OTHER_METRICS,
    OWN_THRESHOLD,
    PAPERS_TARGETS,
    PLAIN,
    REMOVED,
    SIMULATED_TARGETS,
    SKEWED_METRICS,
    SYSTEMS,
    WHOLE,
)
from heldout.papers.paper import ClaimFinding, MeasuredTables
from heldout.papers.rules import Part, all_of, falling, in_words, mean, rising

UNAFFECTED = 0.1
"""What “quite unaffected” is read as: a change of less than this share of the value."""
TREC_NUMBERS = (
    "queries with a relevant document",
    "relevant documents",
    "positive judgements",
    "share of documents relevant to one query",
    "positive judgements of the top document",
    "the same, as a share of the queries",
)
TENTH = 10


class _Lookup(dict[tuple[str, ...], SimpleNamespace]):
    def __missing__(self, key: tuple[str, ...]) -> SimpleNamespace:
        raise NotApplicableError(f"{', '.join(key)} was not measured")


class BiasFigures:
    """Look-ups in a look at biases by protocol, metric and system; NotApplicableError if something was not measured."""

    def __init__(self, measured: MeasuredTables) -> None:
        def rows(table: str) -> list[SimpleNamespace]:
            return [SimpleNamespace(**row) for row in measured.tables[table].iter_rows(named=True)]

        self.value = _Lookup({(row.protocol, row.metric, row.system): row for row in rows("values")})
        self.expectations, self.curves, self.pairs = rows("expected"), rows("sweeps"), rows("pairs")
        self.expected = _Lookup({(row.protocol, row.system): row for row in self.expectations})
        self.ratings, self.liked = (measured.tables["items"][name].to_numpy() for name in ("ratings", "liked"))
        self._data = measured.tables["data"]

    def of_data(self, name: str) -> float:
        """A number of the data set."""
        return float(self._data[name][0])

    def precision(self, protocol: str, system: str) -> float:
        """P@10."""
        return float(self.value[protocol, "P@10", system].value)

    def order(self, protocol: str, metric: str = "P@10") -> list[str]:
        """The paper's systems, the best first."""
        return sorted(SYSTEMS, key=lambda system: -self.value[protocol, metric, system].value)

    def own_order(self, protocol: str) -> list[str]:
        """The same by the metric that a protocol has of its own."""
        metrics = [metric for name, metric, _ in self.value if name == protocol]
        return self.order(protocol, metrics[0] if metrics else "its own metric")

    def ratio(self, protocol: str) -> float:
        """Popularity's P@10 by that of a random ranking."""
        return float(self.value[protocol, "P@10", "Popularity"].times_random)

    def curve(self, sweep: str, protocol: str, system: str) -> list[SimpleNamespace]:
        """A system's points of a sweep, two or more."""
        points = [p for p in self.curves if (p.sweep, p.protocol, p.system) == (sweep, protocol, system)]
        if len(points) < 2:
            raise NotApplicableError(f"the sweep {sweep} of {system} in {protocol} was not measured")
        return sorted(points, key=lambda point: point.x)


def precision(measured: MeasuredTables, protocol: str, system: str) -> list[float]:
    """P@10 of a system under a protocol."""
    return [BiasFigures(measured).precision(protocol, system)]


def of_data(measured: MeasuredTables, name: str) -> list[float]:
    """A number of the data set."""
    return [BiasFigures(measured).of_data(name)]


def top_liked(measured: MeasuredTables) -> list[float]:
    """The share of the users who like the top item."""
    return [float(measured.tables["items"]["liked"].max()) / float(measured.tables["data"]["users"][0])]  # type: ignore[arg-type]


def _positive(measured: MeasuredTables, of: str) -> npt.NDArray[np.int64]:
    """Positive ratings of every user or item that has any."""
    counts: npt.NDArray[np.int64] = measured.tables[of]["positive"].to_numpy()
    return counts[counts > 0]


def top_positive(measured: MeasuredTables) -> list[float]:
    """The share of the users who rate the top item positively."""
    return [float(_positive(measured, "items").max() / measured.tables["data"]["users"][0])]


def trec(measured: MeasuredTables, name: str) -> list[float]:
    """A number of the relevance judgements of TREC."""
    queries, documents = (_positive(measured, of) for of in ("users", "items"))
    numbers = (len(queries), len(documents), documents.sum(), np.mean(documents == 1), documents.max())
    return [float(dict(zip(TREC_NUMBERS, (*numbers, documents.max() / len(queries)), strict=True))[name])]


def tenth_has(measured: MeasuredTables, *, most: bool) -> ClaimFinding:
    """Whether the tenth of the items with the most positive ratings has more than half of them, or less."""
    counts = np.sort(_positive(measured, "items"))[::-1]
    share = float(counts[: len(counts) // TENTH].sum() / counts.sum())
    return ClaimFinding(share > 0.5 if most else share < 0.5, f"{share:.1%}")


def few_have_most(measured: MeasuredTables) -> ClaimFinding:
    """Whether a tenth of the items has most of the liked ratings."""
    liked = np.sort(BiasFigures(measured).liked)[::-1]
    share = float(liked[: len(liked) // TENTH].sum() / liked.sum())
    return ClaimFinding(share > 0.5, f"{share:.1%}")


def _orders_in_words(orders: Mapping[str, Sequence[str]]) -> str:
    if len(orders) == 1:
        return " > ".join(next(iter(orders.values())))
    return "; ".join(f"{name}: {' > '.join(order)}" for name, order in orders.items())


def placed(
    measured: MeasuredTables, protocols: Sequence[str], places: Mapping[str, int], *, own: bool = False
) -> ClaimFinding:
    """Whether systems have these places of the five under each protocol, by P@10 or by the protocol's own metric."""
    f = BiasFigures(measured)
    orders = {protocol: f.own_order(protocol) if own else f.order(protocol) for protocol in protocols}
    holds = all(order[place - 1] == system for order in orders.values() for system, place in places.items())
    return ClaimFinding(holds, _orders_in_words(orders))


def disagree(measured: MeasuredTables, protocols: Sequence[str]) -> ClaimFinding:
    """Whether the order of the five differs between protocols."""
    f = BiasFigures(measured)
    orders = {protocol: f.order(protocol) for protocol in protocols}
    return ClaimFinding(len({tuple(order) for order in orders.values()}) > 1, _orders_in_words(orders))


def dragged_down(measured: MeasuredTables, protocol: str) -> ClaimFinding:
    """Whether popularity has a lower place by a protocol's own metric than by P@10 in AR, and pLSA is not first."""
    f = BiasFigures(measured)
    order, plain = f.own_order(protocol), f.order("AR")
    lower = order.index("Popularity") > plain.index("Popularity")
    return ClaimFinding(lower and order[0] != "pLSA", " > ".join(order))


def infap_as_precision(measured: MeasuredTables) -> ClaimFinding:
    """Whether popularity has the same place by infAP in 1R as by P@10."""
    f = BiasFigures(measured)
    inferred, precise = f.own_order("1R infAP"), f.order("1R")
    words = _orders_in_words({"infAP": inferred, "P@10": precise})
    return ClaimFinding(inferred.index("Popularity") == precise.index("Popularity"), words)


def random_high(measured: MeasuredTables) -> ClaimFinding:
    """Whether random and popularity are the first two by bpref, and random is third by infAP."""
    f = BiasFigures(measured)
    orders = {name: f.own_order(name) for name in ("bpref", "infAP")}
    holds = set(orders["bpref"][:2]) == {"Random", "Popularity"} and orders["infAP"][2] == "Random"
    return ClaimFinding(holds, _orders_in_words(orders))


def plsa_first(measured: MeasuredTables) -> ClaimFinding:
    """Whether pLSA is first under all nine protocols."""
    f = BiasFigures(measured)
    others = [f"{protocol}: {first}" for protocol in PLAIN if (first := f.order(protocol)[0]) != "pLSA"]
    return ClaimFinding(not others, "in all" if not others else "; ".join(others))


def ndcg_alike(measured: MeasuredTables) -> ClaimFinding:
    """Whether the order by nDCG@10 is that by P@10 under all nine protocols."""
    f = BiasFigures(measured)
    others = [protocol for protocol in PLAIN if f.order(protocol) != f.order(protocol, GRADED)]
    return ClaimFinding(not others, "in all nine" if not others else f"another order under {', '.join(others)}")


def above(measured: MeasuredTables, protocol: str, first: str, second: str) -> ClaimFinding:
    """Whether one system has a higher P@10 than another."""
    f = BiasFigures(measured)
    a, b = f.precision(protocol, first), f.precision(protocol, second)
    return ClaimFinding(a > b, f"{first} {a:.4f}, {second} {b:.4f}")


def less_popular(measured: MeasuredTables, pairs: Sequence[Sequence[str]]) -> ClaimFinding:
    """Whether popularity ÷ random is lower under the first protocol of each pair than under the second."""
    f = BiasFigures(measured)
    words = ", ".join(f"{a} {f.ratio(a):.2f} × and {b} {f.ratio(b):.2f} ×" for a, b in pairs)
    return ClaimFinding(all(f.ratio(a) < f.ratio(b) for a, b in pairs), words)


def more_effective_in_1r(measured: MeasuredTables) -> ClaimFinding:
    """Whether popularity ÷ random is lower in P1R and in U1R than in UAR."""
    f = BiasFigures(measured)
    ratios = {protocol: f.ratio(protocol) for protocol in ("P1R", "U1R", "UAR")}
    words = ", ".join(f"{protocol} {ratio:.2f} ×" for protocol, ratio in ratios.items())
    return ClaimFinding(max(ratios["P1R"], ratios["U1R"]) < ratios["UAR"], words)


def random_as_expected(measured: MeasuredTables) -> ClaimFinding:
    """Whether the closed form for random recommendation is in the 95 % interval, under five protocols."""
    f = BiasFigures(measured)
    rows = [f.expected[protocol, "Random"] for protocol in ("AR", "1R", "P1R", "U1R", "UAR")]
    words = ", ".join(f"{r.protocol} {r.expected:.4f} in [{r.low:.4f}, {r.high:.4f}]" for r in rows)
    return ClaimFinding(all(row.low <= row.expected <= row.high for row in rows), words)


def popular_as_expected(measured: MeasuredTables) -> ClaimFinding:
    """Whether equation 3 gives a P@10 of popularity in AR that is in the 95 % interval."""
    row = BiasFigures(measured).expected["AR", "Popularity"]
    return ClaimFinding(row.low <= row.expected <= row.high, f"{row.expected:.4f} in [{row.low:.4f}, {row.high:.4f}]")


def popular_as_random(measured: MeasuredTables) -> ClaimFinding:
    """Whether random is in the 95 % interval of popularity in U1R."""
    f = BiasFigures(measured)
    popular, random = f.value["U1R", "P@10", "Popularity"], f.precision("U1R", "Random")
    words = f"{popular.value:.4f} [{popular.low:.4f}, {popular.high:.4f}], {random:.4f}"
    return ClaimFinding(popular.low <= random <= popular.high, words)


def reduced_by_all_items(measured: MeasuredTables) -> ClaimFinding:
    """Whether P@10 of random in AI-UAR, divided by |T|/|C|, is in the 95 % interval of that in UAR."""
    f = BiasFigures(measured)
    whole, tested = (f.value[protocol, "P@10", "Random"] for protocol in ("AI-UAR", "UAR"))
    factor = f.of_data("zeta") / len(f.ratings)
    words = f"{whole.value:.4f} ÷ {factor:.3f} = {whole.value / factor:.4f} in [{tested.low:.4f}, {tested.high:.4f}]"
    return ClaimFinding(tested.low <= whole.value / factor <= tested.high, words)


def items_alike(measured: MeasuredTables) -> ClaimFinding:
    """Whether P@10 of each system in AI-AR is in the 95 % interval of AR."""
    f = BiasFigures(measured)
    rows = {system: (f.value["AR", "P@10", system], f.value["AI-AR", "P@10", system].value) for system in SYSTEMS}
    words = ", ".join(f"{system} {row.value:.4f} and {other:.4f}" for system, (row, other) in rows.items())
    return ClaimFinding(all(row.low <= other <= row.high for row, other in rows.values()), words)


def all_differ(measured: MeasuredTables) -> ClaimFinding:
    """Whether p is below 0.001 for each pair of the five in 1R."""
    pairs = [p for p in BiasFigures(measured).pairs if (p.protocol, p.metric) == ("1R", "P@10") and {p.a, p.b} <= {*SYSTEMS}]
    most = max(pairs, key=lambda pair: pair.p)
    return ClaimFinding(most.p < 0.001, f"{len(pairs)} pairs, the largest p {most.p:.2g} ({most.a} and {most.b})")


def shape_is(measured: MeasuredTables, zeta: int, eta: int) -> ClaimFinding:
    """Whether a uniform test set has exactly so many items, and ratings of each."""
    f = BiasFigures(measured)
    items, each = f.of_data("zeta"), f.of_data("eta")
    return ClaimFinding((items, each) == (zeta, eta), f"ζ = {items:.0f}, η = {each:.0f}")


def grows_with_ratings(measured: MeasuredTables, *, share: bool) -> ClaimFinding:
    """Whether the liked ratings of an item, or their share, grow with its ratings, by Spearman's ρ."""
    from scipy.stats import spearmanr

    f = BiasFigures(measured)
    rated = f.ratings > 0 if share else np.full(len(f.ratings), fill_value=True)
    liked = f.liked[rated] / f.ratings[rated] if share else f.liked
    rho = float(spearmanr(f.ratings[rated], liked).statistic)
    return ClaimFinding(rho > 0, f"Spearman’s ρ {rho:.2f} over {int(rated.sum()):,} items")


def flat_popularity(measured: MeasuredTables, popular: float, random: float) -> ClaimFinding:
    """Whether popularity and random have these values without any skew, both in the 95 % interval, and below."""
    f = BiasFigures(measured)
    of_popular, of_random = (f.curve("skew", "1R", system)[0] for system in ("Popularity", "Random"))
    holds = of_popular.low <= popular <= of_popular.high and of_random.low <= random <= of_random.high
    words = f"Popularity {of_popular.value:.4f} [{of_popular.low:.4f}, {of_popular.high:.4f}], Random {of_random.value:.4f}"
    return ClaimFinding(holds and of_popular.value < of_random.value, words)


def grows_with_skew(measured: MeasuredTables) -> ClaimFinding:
    """Whether popularity in 1R grows at every step of α."""
    values = [p.value for p in BiasFigures(measured).curve("skew", "1R", "Popularity")]
    return ClaimFinding(values == sorted(values), " → ".join(f"{value:.4f}" for value in values))


def same_in_ar(measured: MeasuredTables) -> ClaimFinding:
    """Whether popularity in AR is below random at α = 0 and grows at every step of α."""
    f = BiasFigures(measured)
    popular, random = ([point.value for point in f.curve("skew", "AR", system)] for system in ("Popularity", "Random"))
    words = f"{' → '.join(f'{value:.4f}' for value in popular)}, Random {random[0]:.4f} at α = 0"
    return ClaimFinding(popular == sorted(popular) and popular[0] < random[0], words)


def others_by_skew(measured: MeasuredTables) -> ClaimFinding:
    """Whether kNN and MF stay around random at any skew, and pLSA matches popularity from α = 0.5 on."""
    f = BiasFigures(measured)
    holds, words = True, []
    for system in ("kNN", "MF"):
        most = max(p.value for p in f.curve("skew", "1R", system))
        holds &= most <= 0.015
        words.append(f"{system} at most {most:.4f}")
    steep = zip(f.curve("skew", "1R", "pLSA")[1:], f.curve("skew", "1R", "Popularity")[1:], strict=True)
    gap = max(abs(a.value / b.value - 1) for a, b in steep)
    return ClaimFinding(holds and gap <= 0.1, "; ".join([*words, f"pLSA off popularity by at most {gap:.0%}"]))


def bounds_hold(measured: MeasuredTables) -> ClaimFinding:
    """Whether 1RP@10 is between the bounds of equation 2 for every system and place of a sweep."""
    f = BiasFigures(measured)
    rows = [row for row in f.expectations if row.protocol == "1R"]
    points = [p for p in f.curves if p.lower == p.lower]
    inside = all(r.lower - 1e-12 <= r.measured <= r.upper + 1e-12 for r in rows)
    inside &= all(p.lower - 1e-12 <= p.value <= p.upper + 1e-12 for p in points)
    return ClaimFinding(inside, f"{len(rows)} systems, and {len(points)} places of sweeps")


def _widths(f: BiasFigures) -> dict[tuple[str, str], tuple[float, float]]:
    """The width between the bounds at the first and the last place, by sweep and system."""
    ends = {
        (sweep, system): f.curve(sweep, "1R", system)[:: len(f.curve(sweep, "1R", system)) - 1]
        for sweep in ("removed", "lists")
        for system in ("pLSA", "kNN")
    }
    return {key: (first.upper - first.lower, last.upper - last.lower) for key, (first, last) in ends.items()}


def bounds_close(measured: MeasuredTables) -> ClaimFinding:
    """Whether the bounds are narrower at the last place of both sweeps than at the first."""
    widths = _widths(BiasFigures(measured))
    words = ", ".join(f"{system} by {sweep} {a:.4f} → {b:.4f}" for (sweep, system), (a, b) in widths.items())
    return ClaimFinding(all(b < a for a, b in widths.values()), words)


def faster_when_sparse(measured: MeasuredTables) -> ClaimFinding:
    """Whether less of the width between the bounds is left by removed ratings than by size of the lists."""
    left = {key: last / first for key, (first, last) in _widths(BiasFigures(measured)).items()}
    words = ", ".join(f"{system} by {sweep} {share:.0%}" for (sweep, system), share in left.items())
    return ClaimFinding(all(left["removed", s] < left["lists", s] for s in ("pLSA", "kNN")), f"left: {words}")


def _fits(x: Sequence[float], curves: Mapping[str, Sequence[float]]) -> ClaimFinding:
    """Whether each curve is a straight line over x: R² of 0.99 or more."""
    fits = {system: float(np.corrcoef(x, values)[0, 1] ** 2) for system, values in curves.items()}
    return ClaimFinding(min(fits.values()) >= 0.99, ", ".join(f"{system} R² {r:.4f}" for system, r in fits.items()))


def linear(measured: MeasuredTables) -> ClaimFinding:
    """Whether precision in AR is linear in the density of the test ratings."""
    f = BiasFigures(measured)
    points = {system: f.curve("removed", "AR", system) for system in SYSTEMS}
    return _fits([1 - p.x for p in points["pLSA"]], {system: [p.value for p in of] for system, of in points.items()})


def independent(measured: MeasuredTables) -> ClaimFinding:
    """Whether the value with all test ratings is in the 95 % interval of that with a fifth of them."""
    f = BiasFigures(measured)
    holds, words = True, []
    for system in SYSTEMS:
        points = f.curve("removed", "1R", system)
        most = next((point for point in points if point.x == REMOVED[-1]), None)
        if most is None:
            raise NotApplicableError(f"nothing was measured at {REMOVED[-1]:g}")
        holds &= most.low <= points[0].value <= most.high
        words.append(f"{system} {points[0].value:.4f}, [{most.low:.4f}, {most.high:.4f}]")
    return ClaimFinding(holds, "; ".join(words))


def inverse(measured: MeasuredTables) -> ClaimFinding:
    """Whether 1/t is in each interval of Random, and all systems fall with t."""
    f = BiasFigures(measured)
    random = f.curve("lists", "1R", "Random")
    holds = all(p.low <= 1 / p.x <= p.high for p in random)
    for system in SYSTEMS:
        values = [p.value for p in f.curve("lists", "1R", system)]
        holds &= values == sorted(values, reverse=True)
    return ClaimFinding(holds, ", ".join(f"Random at {p.x:.0f}: {p.value:.5f} (1/t {1 / p.x:.5f})" for p in random))


def same_at_every_share(measured: MeasuredTables) -> ClaimFinding:
    """Whether the order of the five in AR is the same at every share of removed ratings."""
    f = BiasFigures(measured)
    places = [p.x for p in f.curve("removed", "AR", "Random")]
    orders = [sorted(SYSTEMS, key=lambda s: -f.curve("removed", "AR", s)[k].value) for k in range(len(places))]
    changed = [f"{x:.0%}" for x, order in zip(places, orders, strict=True) if order != orders[0]]
    return ClaimFinding(not changed, "the same at every share" if not changed else f"another at {', '.join(changed)}")


def over_all_items(measured: MeasuredTables, metric: str, system: str) -> list[float]:
    """A system's value by a metric of Figure 9, all items competing."""
    return measured.numbers("lists values", "value", target="AllItems", metric=INCOMPLETE[metric], system=system)


def always_1(measured: MeasuredTables) -> ClaimFinding:
    """Whether bpref in 1R is 1 for each of the five."""
    rows = measured.rows("lists values", metric=INCOMPLETE["bpref"])
    single = {s: mean(rows.filter(rows["target"] != "AllItems", rows["system"] == s)["value"].to_list()) for s in SYSTEMS}
    return ClaimFinding(all(value == 1 for value in single.values()), ", ".join(f"{s} {v:.4f}" for s, v in single.items()))


def thinned_curve(measured: MeasuredTables, metric: str, system: str) -> list[float]:
    """A system's value by the share of removed test ratings."""
    rows = measured.rows("sparse removed", metric=metric, system=system).sort("removed")
    mean(rows["value"].to_list())
    return [float(value) for value in rows["value"]]


def _lost(measured: MeasuredTables, metric: str) -> dict[str, float]:
    """The share of its value that each system loses from all test ratings to a fifth of them."""
    curves = {system: thinned_curve(measured, metric, system) for system in SYSTEMS}
    return {system: 1 - values[-1] / values[0] for system, values in curves.items()}


def _signed(share: float) -> str:
    return f"{'−' if share > 0 else '+'}{abs(share):.0%}"


def _compared(first: Mapping[str, float], second: Mapping[str, float]) -> Part:
    """Whether each system loses something by the first, and more by the second."""
    holds = all(0 < first[system] < second[system] for system in SYSTEMS)
    return holds, ", ".join(f"{system} {_signed(first[system])} and {_signed(second[system])}" for system in SYSTEMS)


def unaffected(measured: MeasuredTables) -> ClaimFinding:
    """Whether Recall@10 of each of the five hardly changes."""
    lost = _lost(measured, "Recall@10")
    holds = all(abs(share) < UNAFFECTED for share in lost.values())
    return ClaimFinding(holds, ", ".join(f"{system} {_signed(share)}" for system, share in lost.items()))


def slightly_sensitive(measured: MeasuredTables) -> ClaimFinding:
    """Whether each of the five loses some of its MAP and nDCG, and a larger share of its nDCG@10."""
    clear, parts = _lost(measured, GRADED), []
    for metric, name in WHOLE.items():
        holds, words = _compared(_lost(measured, metric), clear)
        parts.append((holds, f"{name} and nDCG@10: {words}"))
    return all_of(parts)


def flatter(measured: MeasuredTables) -> ClaimFinding:
    """Whether each of the five loses a smaller share of its nDCG@10 than of its P@10."""
    holds, words = _compared(_lost(measured, GRADED), _lost(measured, "P@10"))
    return ClaimFinding(holds, f"nDCG@10 and P@10: {words}")


def just_as_steady(measured: MeasuredTables) -> ClaimFinding:
    """Whether nDCG@10 of each of the five is linear in density."""
    return _fits([1 - share for share in REMOVED], {s: thinned_curve(measured, GRADED, s) for s in SYSTEMS})


def falls_with_sparsity(measured: MeasuredTables) -> ClaimFinding:
    """Whether MRR of each of the five falls with every share that is removed."""
    curves = {system: thinned_curve(measured, "RR", system) for system in SYSTEMS}
    return ClaimFinding(all(map(falling, curves.values())), "; ".join(f"{s} {in_words(v)}" for s, v in curves.items()))


def undistorted(measured: MeasuredTables) -> ClaimFinding:
    """Whether the order of the five by each metric is the same at every share that is removed."""
    changed = []
    for metric, name in NAMES.items():
        curves = {system: thinned_curve(measured, metric, system) for system in SYSTEMS}
        orders = [sorted(SYSTEMS, key=lambda system: -curves[system][k]) for k in range(len(REMOVED))]
        changed += [f"{name} at {REMOVED[k]:.0%}: {' > '.join(o)}" for k, o in enumerate(orders) if o != orders[0]]
    return ClaimFinding(not changed, "the same at every share" if not changed else "; ".join(changed))


def same_trends(measured: MeasuredTables) -> ClaimFinding:
    """Whether the order of the five by nDCG@10, MAP and MRR in AR is that by P@10."""
    orders = {
        name: sorted(SYSTEMS, key=lambda system: -thinned_curve(measured, metric, system)[0])
        for metric, name in NAMES.items()
        if name in ("P@10", "nDCG@10", "MAP", "MRR")
    }
    return ClaimFinding(all(order == orders["P@10"] for order in orders.values()), _orders_in_words(orders))


def _order_under(measured: MeasuredTables, protocol: str, metric: str, relevance: str = OWN_THRESHOLD) -> list[str]:
    """The five systems under a protocol by a further metric, the best first."""
    own = "folds" if protocol in PAPERS_TARGETS["folds"] else "uniform"
    targets = [str(make("target", each[own][protocol])) for each in (PAPERS_TARGETS, SIMULATED_TARGETS)]
    rows = measured.rows("values", study=own, metric=metric, relevance=relevance)
    of_target = rows.filter(rows["target"].is_in(targets))
    return sorted(SYSTEMS, key=lambda s: -mean(of_target.filter(of_target["system"] == s)["value"].to_list()))


def same_with_lower_threshold(measured: MeasuredTables) -> ClaimFinding:
    """Whether the order by P@10 is the same with ratings of 4 and 5 relevant as with 5 alone."""
    parts: list[Part] = []
    for protocol in ("AI-AR", "AR", "1R"):
        orders = [_order_under(measured, protocol, "P@10", relevance) for relevance in (OWN_THRESHOLD, LOWER_THRESHOLD)]
        words = " and ".join(dict.fromkeys(" > ".join(order) for order in orders))
        parts.append((orders[0] == orders[1], f"{protocol}: {words}"))
    return all_of(parts)


def same_trends_under_all(measured: MeasuredTables) -> ClaimFinding:
    """Whether the order by recall, MAP and MRR is that by P@10 in all nine configurations."""
    parts: list[Part] = []
    for metric, name in OTHER_METRICS.items():
        others = [p for p in PLAIN if _order_under(measured, p, metric) != _order_under(measured, p, "P@10")]
        parts.append((not others, f"{name}: {'in all nine' if not others else 'another order under ' + ', '.join(others)}"))
    return all_of(parts)


def by_skew(measured: MeasuredTables, metric: str, system: str) -> list[float]:
    """A system's value at each skew of simulated ratings."""
    rows = measured.rows("skewed", metric=metric, system=system).sort("alpha")
    mean(rows["value"].to_list())
    return rows["value"].to_list()


def popular_by_others(measured: MeasuredTables) -> ClaimFinding:
    """Whether by each metric popularity in AR is below random at α = 0 and grows at every step of α."""
    parts: list[Part] = []
    for metric, name in SKEWED_METRICS.items():
        popular, random = (by_skew(measured, metric, system) for system in ("Popularity", "Random"))
        words = f"{name} {' → '.join(f'{value:.5f}' for value in popular)}, Random {random[0]:.5f} at α = 0"
        parts.append((popular[0] < random[0] and rising(popular), words))
    return all_of(parts)
