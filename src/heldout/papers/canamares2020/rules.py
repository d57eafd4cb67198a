"""Rules of what Cañamares et al. say: curves by split ratio, depth and overlap, and combinations of Tables 3 and 4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from heldout.papers.canamares2020.works import DEPTHS, FALLBACKS, NDCG, NEIGHBOURS, OVERLAPS, POSITIONS, RATIOS, SEEDS, P
from heldout.papers.paper import ClaimFinding, MeasuredTables, Pick
from heldout.papers.rules import Part, all_of, falling, in_words, mean, middle, rising
from heldout.text.numbers import p_number, percent, signed

BOTH = ("kNN", "MF")
BELOW, ABOVE = RATIOS[:4], RATIOS[5:]
"""Split ratios with more test ratings than training ratings, and with fewer."""
MIDDLE = RATIOS[4]
ZERO = 0.001
"""What “essentially 0” is read as: p below it."""
ALMOST = 0.95
"""What “almost all” is read as: a share above it."""
LEVEL = 0.05
SEVERAL = 100
"""Ratings of a user or item, in what is said of Figure 1."""


def value(
    measured: MeasuredTables,
    system: str,
    metric: str,
    *,
    study: str = "start",
    target: str = "AllItems",
    aggregate: str = "mean",
) -> list[float]:
    """A system's value in the starting configuration, or in another setting."""
    where = {"system": system, "metric": metric, "study": study, "target": target, "aggregate": aggregate}
    return measured.numbers("values", "value", **where)


def p_value(
    measured: MeasuredTables, metric: str, *, study: str = "start", target: str = "AllItems", aggregate: str = "mean"
) -> list[float]:
    """p of kNN against MF."""
    where = {"a": "kNN", "b": "MF", "metric": metric, "study": study, "target": target, "aggregate": aggregate}
    return measured.numbers("pairs", "p", **where)


def correlation(measured: MeasuredTables, of: str) -> list[float]:
    """Pearson's ρ of ratings and positive ratings, over users or items."""
    counts = measured.tables[of]
    return [float(np.corrcoef(counts["ratings"].to_numpy(), counts["positive"].to_numpy())[0, 1])]


def curve(measured: MeasuredTables, system: str, metric: str, target: str = "AllItems") -> list[float]:
    """A system's value at each split ratio."""
    return [mean(value(measured, system, metric, study=f"{ratio:g}", target=target)) for ratio in RATIOS]


def _leads(measured: MeasuredTables, metric: str, target: str) -> npt.NDArray[np.float64]:
    """kNN − MF at each split ratio."""
    knn, mf = (curve(measured, system, metric, target) for system in BOTH)
    leads: npt.NDArray[np.float64] = np.subtract(knn, mf)
    return leads


def crossing(measured: MeasuredTables, metric: str, target: str) -> ClaimFinding:
    """Whether kNN is ahead at 0.1 to 0.4 and MF at 0.6 to 0.9."""
    lead = dict(zip(RATIOS, _leads(measured, metric, target), strict=True))
    words = ", ".join(f"{ratio:g}: {'+' if gap > 0 else '−'}{abs(gap):.4f}" for ratio, gap in lead.items())
    holds = all(lead[ratio] > 0 for ratio in BELOW) and all(lead[ratio] < 0 for ratio in ABOVE)
    return ClaimFinding(holds, f"kNN − MF at {words}")


def one_winner(measured: MeasuredTables, metric: str, target: str) -> ClaimFinding:
    """Whether the same system is ahead at every split ratio."""
    knn, mf = (curve(measured, system, metric, target) for system in BOTH)
    first = {bool(a > b) for a, b in zip(knn, mf, strict=True)}
    return ClaimFinding(len(first) == 1, f"kNN {in_words(knn)}; MF {in_words(mf)}")


def same_lead(measured: MeasuredTables, target: str) -> ClaimFinding:
    """Whether by Prec@10 the system is ahead that is ahead by NDCG@10, at every ratio but 0.5."""
    leads = [_leads(measured, metric, target) for metric in (P, NDCG)]
    words = ", ".join(f"{ratio:g}: {signed(gap, 4)}" for ratio, gap in zip(RATIOS, leads[0], strict=True))
    same = [(a > 0) == (b > 0) for ratio, a, b in zip(RATIOS, *leads, strict=True) if ratio != MIDDLE]
    return ClaimFinding(all(same), f"by Prec@10 kNN − MF at {words}")


def peak_in_the_middle(measured: MeasuredTables) -> ClaimFinding:
    """Whether NDCG@10 of both is highest at 0.4, 0.5 or 0.6."""
    tops = {system: RATIOS[int(np.argmax(curve(measured, system, NDCG)))] for system in BOTH}
    return all_of([(0.4 <= top <= 0.6, f"{system} at {top:g}") for system, top in tops.items()])


def tiny_p(measured: MeasuredTables, metric: str, target: str) -> ClaimFinding:
    """Whether p is below 0.001 at every ratio but 0.5."""
    p = {ratio: mean(p_value(measured, metric, study=f"{ratio:g}", target=target)) for ratio in RATIOS}
    words = ", ".join(f"{ratio:g}: {p_number(each)}" for ratio, each in p.items())
    return ClaimFinding(all(each < ZERO for ratio, each in p.items() if ratio != MIDDLE), f"p at {words}")


def mostly_unrated(measured: MeasuredTables) -> ClaimFinding:
    """Whether at least half of the top ten has no rating, at every ratio and by both systems."""
    least = {system: min(curve(measured, system, "Unrated@10")) for system in BOTH}
    words = ", ".join(f"{system} {percent(share)}" for system, share in least.items())
    return ClaimFinding(all(share >= 0.5 for share in least.values()), f"least shares: {words}")


def great_majority(measured: MeasuredTables) -> ClaimFinding:
    """Whether more than two thirds have no rating at the least and the greatest ratio."""
    shares = {system: curve(measured, system, "Unrated@10") for system in BOTH}
    return all_of(
        [(min(of[0], of[-1]) > 2 / 3, f"{system} {percent(of[0])} and {percent(of[-1])}") for system, of in shares.items()]
    )


def steady(measured: MeasuredTables) -> ClaimFinding:
    """Whether NDCG@10 of condensed lists rises at every step, for both systems."""
    curves = {system: curve(measured, system, NDCG, "TestRatings") for system in BOTH}
    words = "; ".join(f"{system} {in_words(values)}" for system, values in curves.items())
    return ClaimFinding(all(rising(values) for values in curves.values()), words)


def share_of_few(measured: MeasuredTables, of: str, share: float) -> ClaimFinding:
    """Whether the users or items of 100 ratings or less are this share, to the nearest 5 %."""
    here = float((measured.tables[of]["ratings"].to_numpy() <= SEVERAL).mean())
    return ClaimFinding(round(here * 20) / 20 == share, percent(here))


def long_tails(measured: MeasuredTables) -> ClaimFinding:
    """Whether the mean number of ratings is above the median, of users and of items."""
    parts: list[Part] = []
    for of in ("users", "items"):
        counts = measured.tables[of]["ratings"].to_numpy()
        average, half = float(counts.mean()), float(np.median(counts))
        parts.append((average > half, f"{of}: mean {average:,.0f}, median {half:,.0f}"))
    return all_of(parts)


def positions(measured: MeasuredTables, system: str) -> list[float]:
    """Mean rank in the full list of the items of the condensed list, over splits."""
    return [mean(value(measured, system, f"FullPosition@{depth}")) for depth in POSITIONS]


def three_of_ten(measured: MeasuredTables) -> ClaimFinding:
    """Whether the third condensed item is in the first ten of the full list and the fourth is not, for both."""
    parts: list[Part] = []
    for system in BOTH:
        third, fourth = positions(measured, system)[2:4]
        parts.append((third <= 10 < fourth, f"{system}: third at {third:.1f}, fourth at {fourth:.1f}"))
    return all_of(parts)


def tenth_beyond_fifty(measured: MeasuredTables) -> ClaimFinding:
    """Whether the tenth condensed item is behind rank 50 of the full list, for both."""
    tenth = {system: positions(measured, system)[-1] for system in BOTH}
    return ClaimFinding(all(place > 50 for place in tenth.values()), ", ".join(f"{s} {p:.1f}" for s, p in tenth.items()))


def mf_deeper(measured: MeasuredTables) -> ClaimFinding:
    """Whether MF − kNN grows at every step."""
    knn, mf = (positions(measured, system) for system in BOTH)
    grows = rising([b - a for a, b in zip(knn, mf, strict=True)])
    return ClaimFinding(grows, f"kNN {in_words(knn, 1)}; MF {in_words(mf, 1)}")


def _lead_by_depth(measured: MeasuredTables, study: str) -> npt.NDArray[np.float64]:
    """kNN − MF at each depth."""
    knn, mf = ([mean(value(measured, s, f"nDCG(gain=binary)@{d}", study=study)) for d in DEPTHS] for s in BOTH)
    lead: npt.NDArray[np.float64] = np.subtract(knn, mf)
    return lead


def overtakes(measured: MeasuredTables, study: str = "start") -> ClaimFinding:
    """Whether kNN leads at the smallest depth, MF at the largest, and the lead changes once."""
    lead = _lead_by_depth(measured, study)
    changes = int((np.diff(lead > 0)).sum())
    words = ", ".join(f"{d}: {'+' if gap > 0 else '−'}{abs(gap):.4f}" for d, gap in zip(DEPTHS, lead, strict=True))
    return ClaimFinding(bool(lead[0] > 0 > lead[-1] and changes == 1), f"kNN − MF at {words}")


def mf_at_every_depth(measured: MeasuredTables) -> ClaimFinding:
    """Whether MF leads at every depth."""
    lead = _lead_by_depth(measured, "start")
    return ClaimFinding(bool((lead < 0).all()), f"kNN − MF: {in_words(lead.tolist())}")


def by_neighbours(measured: MeasuredTables, fallback: str, column: str = "value", metric: str = NDCG) -> list[float]:
    """A metric, or another column of it, of kNN with few neighbours to many under a fallback."""
    systems = [f"k = {k}" for k in NEIGHBOURS]
    return [mean(measured.numbers("values", column, system=s, metric=metric, fallback=fallback)) for s in systems]


def _neighbours_in_words(values: Sequence[float]) -> str:
    return f"k = {', '.join(map(str, NEIGHBOURS))}: {in_words(values)}"


def rises_with_neighbours(measured: MeasuredTables, column: str = "value", label: str = "") -> ClaimFinding:
    """Whether NDCG@10, or another column, rises with every k if items that cannot be scored are left out."""
    values = by_neighbours(measured, "none", column)
    return ClaimFinding(rising(values), f"{label}{_neighbours_in_words(values)}")


def rises_less_at_random(measured: MeasuredTables) -> ClaimFinding:
    """Whether NDCG@10 rises with every k under Random, by less than under None."""
    plain, filled = by_neighbours(measured, "none"), by_neighbours(measured, "random")
    holds = rising(filled) and filled[-1] - filled[0] < plain[-1] - plain[0]
    return ClaimFinding(holds, _neighbours_in_words(filled))


def _steady(values: Sequence[float]) -> bool:
    return rising(values) or falling(values)


def not_monotonic(measured: MeasuredTables) -> ClaimFinding:
    """Whether NDCG@10 neither rises nor falls with every k under Popularity and under Average rating."""
    curves = {name: by_neighbours(measured, FALLBACKS[name]) for name in ("Popularity", "Average rating")}
    words = "; ".join(f"{name}, {_neighbours_in_words(values)}" for name, values in curves.items())
    return ClaimFinding(not any(map(_steady, curves.values())), words)


def one_neighbour_is_best(measured: MeasuredTables) -> ClaimFinding:
    """Whether k = 1 has the highest NDCG@10 under Average rating."""
    values = by_neighbours(measured, "average_rating")
    return ClaimFinding(values[0] == max(values), _neighbours_in_words(values))


def alike_by_precision(measured: MeasuredTables) -> ClaimFinding:
    """Whether Prec@10 rises with every k under None and Random, and neither rises nor falls under the others."""
    curves = {name: by_neighbours(measured, fallback, metric=P) for name, fallback in FALLBACKS.items()}
    rise = all(rising(curves[name]) for name in ("None", "Random"))
    words = "; ".join(f"{name}, {_neighbours_in_words(values)}" for name, values in curves.items())
    return ClaimFinding(rise and not any(_steady(curves[name]) for name in ("Popularity", "Average rating")), words)


def _untrained(measured: MeasuredTables, ratio: float) -> list[int]:
    """Users without a training rating at a split ratio, on each of the splits."""
    users = int(measured.tables["data"]["users"][0])
    split = f"ratio(train={ratio:g})"
    return [users - int(measured.rows(f"{seed} sizes", split=split, part="train")["users"][0]) for seed in SEEDS]


def all_are_trained(measured: MeasuredTables) -> ClaimFinding:
    """Whether all users have a training rating at 0.5 on each split."""
    lacking = _untrained(measured, 0.5)
    return ClaimFinding(not any(lacking), f"{in_words(lacking, 0)} users on the five splits")


def untrained_at_a_tenth_only(measured: MeasuredTables) -> ClaimFinding:
    """Whether on each split some users have no training rating at 0.1, and none at 0.5."""
    lacking = {ratio: _untrained(measured, ratio) for ratio in (0.1, 0.5)}
    words = "; ".join(f"at {ratio:g}: {in_words(users, 0)} users" for ratio, users in lacking.items())
    return ClaimFinding(min(lacking[0.1]) > 0 and not any(lacking[0.5]), words)


def almost_all_scored(measured: MeasuredTables) -> ClaimFinding:
    """Whether both systems score almost all of a user's test items."""
    shares = {system: mean(value(measured, system, "Predicted")) for system in BOTH}
    return ClaimFinding(min(shares.values()) > ALMOST, ", ".join(f"{s} {percent(share)}" for s, share in shares.items()))


def at_overlap(measured: MeasuredTables, overlap: int, coverage: str, column: str = "value") -> list[float]:
    """Prec@10, or another column, of kNN that asks for this overlap."""
    return measured.numbers("values", column, system=f"overlap {overlap}", metric=P, coverage=coverage)


def _by_overlap(measured: MeasuredTables, coverage: str, column: str = "value") -> list[float]:
    return [mean(at_overlap(measured, overlap, coverage, column)) for overlap in OVERLAPS]


def mf_by_coverage(measured: MeasuredTables, coverage: str = "zero") -> float:
    """Prec@10 of MF."""
    return mean(measured.numbers("values", "value", system="MF", metric=P, coverage=coverage))


def surrenders_coverage(measured: MeasuredTables) -> ClaimFinding:
    """Whether at every step of the overlap coverage and the full average fall and the forgiven average rises."""
    covered = _by_overlap(measured, "zero", "user_coverage")
    forgiven, full = _by_overlap(measured, "forgive"), _by_overlap(measured, "zero")
    words = f"coverage {in_words(covered)}; forgiven {in_words(forgiven)}; full {in_words(full)}"
    return ClaimFinding(falling(covered) and rising(forgiven) and falling(full), words)


def above_mf_beyond(measured: MeasuredTables, overlap: int) -> ClaimFinding:
    """Whether forgiven kNN is above MF if it asks for more than this overlap, and not below."""
    forgiven, mf = _by_overlap(measured, "forgive"), mf_by_coverage(measured)
    holds = all((value > mf) == (n > overlap) for n, value in zip(OVERLAPS, forgiven, strict=True))
    return ClaimFinding(holds, f"kNN {in_words(forgiven)} at {', '.join(map(str, OVERLAPS))}; MF {in_words([mf])}")


def no_gain(measured: MeasuredTables) -> ClaimFinding:
    """Whether the full average of kNN is at no overlap above that at the first."""
    full = _by_overlap(measured, "zero")
    return ClaimFinding(max(full) == full[0], f"at {', '.join(map(str, OVERLAPS))}: {in_words(full)}")


def difficult_users(measured: MeasuredTables) -> ClaimFinding:
    """Whether MF is better over the users whom kNN serves at every overlap than over all."""
    covered, every = mf_by_coverage(measured, "intersection"), mf_by_coverage(measured)
    words = f"MF {in_words([covered])} over the users whom kNN serves at every overlap, {in_words([every])} over all"
    return ClaimFinding(covered > every, words)


def higher_margin(measured: MeasuredTables, published: Mapping[str, Sequence[float]]) -> ClaimFinding:
    """Whether MF − kNN is above the published margin, by each metric; `published` has MF and kNN."""
    parts: list[Part] = []
    for (name, (mf, knn)), metric in zip(published.items(), (P, NDCG), strict=True):
        margin = mean(value(measured, "MF", metric)) - mean(value(measured, "kNN", metric))
        parts.append((margin > mf - knn, f"{name}: {signed(margin, 4)} and {signed(mf - knn, 3)}"))
    return all_of(parts)


def weaker_significance(measured: MeasuredTables, of: Pick, than: Pick) -> ClaimFinding:
    """Whether the median p with g1 is above that with g2."""
    binary, printed = middle(of(measured)), middle(than(measured))
    return ClaimFinding(binary > printed, f"median p {p_number(binary)} with g1, {p_number(printed)} with g2")


def gains_by_weights(measured: MeasuredTables) -> ClaimFinding:
    """Whether kNN − MF is larger under both weights than unweighted, by both metrics."""
    parts: list[Part] = []
    for name, metric in {"Prec@10": P, "NDCG@10": NDCG}.items():
        plain, *weighted = (
            mean(value(measured, "kNN", metric, aggregate=of)) - mean(value(measured, "MF", metric, aggregate=of))
            for of in ("mean", "mean(weight=test)", "mean(weight=relevant)")
        )
        words = " and ".join(signed(lead, 4) for lead in weighted)
        parts.append((min(weighted) > plain, f"{name}, kNN − MF: {signed(plain, 4)} unweighted, {words} weighted"))
    return all_of(parts)


TABLE_3 = {
    "Prec@10, g1": {"metric": P},
    "NDCG@10, g1": {"metric": NDCG},
    "NDCG@10, g2": {"metric": "nDCG(gain=exp2)@10"},
    "RBP, g1": {"metric": "RBP@10"},
    "RBP, g2": {"metric": "RBP(gain=exp2)@10"},
}
TABLE_4 = {
    "Prec@10, AM, unweighted": {"metric": P},
    "NDCG@10, AM, unweighted": {"metric": NDCG},
    "Prec@10, AM, Test weighted": {"metric": P, "aggregate": "mean(weight=test)"},
    "NDCG@10, AM, Test weighted": {"metric": NDCG, "aggregate": "mean(weight=test)"},
    "Prec@10, AM, Test relevant": {"metric": P, "aggregate": "mean(weight=relevant)"},
    "NDCG@10, AM, Test relevant": {"metric": NDCG, "aggregate": "mean(weight=relevant)"},
    "Prec@10, GM, unweighted": {"metric": P, "aggregate": "gmean"},
    "NDCG@10, GM, unweighted": {"metric": NDCG, "aggregate": "gmean"},
}
"""The combinations of Tables 3 and 4, and their settings."""
COMBINATIONS = {"Table 3": TABLE_3, "Table 4": TABLE_4}


def significant_but(measured: MeasuredTables, table: str, but: Sequence[str]) -> ClaimFinding:
    """Whether all combinations of a table but these have a median p below 0.05."""
    medians = {name: middle(p_value(measured, **where)) for name, where in COMBINATIONS[table].items()}
    wrong = [name for name, p in medians.items() if (p < LEVEL) == (name in but)]
    words = "; ".join(f"{name}: {p_number(p)}" for name, p in medians.items())
    return ClaimFinding(
        not wrong, f"median p {words}" + (f"; otherwise than published: {', '.join(wrong)}" if wrong else "")
    )


def opposed(measured: MeasuredTables) -> ClaimFinding:
    """Whether some combinations of Table 4 have kNN significantly ahead, and others MF."""
    ahead_of: dict[str, list[str]] = {"kNN": [], "MF": []}
    for name, where in TABLE_4.items():
        if middle(p_value(measured, **where)) < LEVEL:
            knn, mf = (mean(value(measured, system, **where)) for system in BOTH)
            ahead_of["kNN" if knn > mf else "MF"].append(name)
    words = "; ".join(f"{system} in {' and '.join(names) if names else 'none'}" for system, names in ahead_of.items())
    return ClaimFinding(all(ahead_of.values()), words)
