"""What the text says of Tables 2 to 4, and the numbers that they print."""

from __future__ import annotations

from collections.abc import Mapping

from heldout.papers.canamares2020 import causes
from heldout.papers.canamares2020.studies import NDCG, P, p_value, value
from heldout.papers.paper import Claim, ClaimFinding, MeasuredTables, Pick
from heldout.papers.rules import Part, ahead, all_of, mean, middle
from heldout.words import p_number, signed

LEVEL = 0.05
ORDER_RULE = "in the mean over splits"
TABLE_2: dict[str, tuple[float, float, float]] = {"Prec@10": (0.416, 0.423, 0.039), "NDCG@10": (0.452, 0.455, 0.897)}
"""Metric → kNN, MF, p on MovieLens 1M."""
TABLE_3 = {
    **{(metric, "g1"): numbers for metric, numbers in TABLE_2.items()},
    ("NDCG@10", "g2"): (0.393, 0.389, 0.002),
    ("RBP", "g1"): (0.410, 0.410, 0.390),
    ("RBP", "g2"): (0.339, 0.332, 0.011),
}
"""(metric, gain) → kNN, MF, p."""
TABLE_4 = {
    **{(metric, "mean"): numbers for metric, numbers in TABLE_2.items()},
    ("Prec@10", "mean(weight=test)"): (0.591, 0.586, 0.123),
    ("NDCG@10", "mean(weight=test)"): (0.619, 0.611, 0.001),
    ("Prec@10", "mean(weight=relevant)"): (0.597, 0.590, 0.013),
    ("NDCG@10", "mean(weight=relevant)"): (0.625, 0.612, 1.826e-4),
    ("Prec@10", "gmean"): (0.294, 0.308, 1.769e-6),
    ("NDCG@10", "gmean"): (0.320, 0.332, 1.653e-4),
}
"""(metric, aggregation) → kNN, MF, p; p of geometric means is of the logarithms, from the text."""
AGGREGATIONS = {
    "mean": "AM, unweighted",
    "mean(weight=test)": "AM, Test weighted",
    "mean(weight=relevant)": "AM, Test relevant",
    "gmean": "GM, unweighted",
}
METRICS = {"Prec@10": P, "NDCG@10": NDCG}


def graded(metric: str, gain: str) -> str:
    """The text form of a metric of Table 3 with g1, or with a gain that stands for g2."""
    if metric == "Prec@10":
        return P
    if metric == "RBP":
        return "RBP@10" if gain == "g1" else f"RBP(gain={gain})@10"
    return NDCG if gain == "g1" else f"nDCG(gain={gain})@10"


def _mf_first(measured: MeasuredTables) -> ClaimFinding:
    return all_of([_named(name, ahead(value("MF", m), value("kNN", m), measured)) for name, m in METRICS.items()])


def _higher_margin(measured: MeasuredTables) -> ClaimFinding:
    parts = []
    for name, metric in METRICS.items():
        margin = mean(value("MF", metric)(measured)) - mean(value("kNN", metric)(measured))
        published = TABLE_2[name][1] - TABLE_2[name][0]
        parts.append((margin > published, f"{name}: {signed(margin, 4)} and {signed(published, 3)}"))
    return all_of(parts)


def _weaker(measured: MeasuredTables) -> ClaimFinding:
    binary, printed = (middle(p_value(graded("NDCG@10", gain))(measured)) for gain in ("g1", "exp2"))
    return ClaimFinding(binary > printed, f"median p {p_number(binary)} with g1, {p_number(printed)} with g2")


def _benefits(measured: MeasuredTables) -> ClaimFinding:
    parts = []
    for name, metric in METRICS.items():
        plain, *weighted = (
            mean(value("kNN", metric, aggregate=of)(measured)) - mean(value("MF", metric, aggregate=of)(measured))
            for of in ("mean", "mean(weight=test)", "mean(weight=relevant)")
        )
        words = " and ".join(signed(lead, 4) for lead in weighted)
        parts.append((min(weighted) > plain, f"{name}, kNN − MF: {signed(plain, 4)} unweighted, {words} weighted"))
    return all_of(parts)


def _named(name: str, part: Part) -> Part:
    return part[0], f"{name}: {part[1]}"


def _gain_reverses(measured: MeasuredTables) -> ClaimFinding:
    g1 = ahead(value("MF", NDCG), value("kNN", NDCG), measured)
    graded_metric = graded("NDCG@10", "exp2")
    g2 = ahead(value("kNN", graded_metric), value("MF", graded_metric), measured)
    return all_of([_named("g1, MF and kNN", g1), _named("g2, kNN and MF", g2)])


def _similar_order(measured: MeasuredTables) -> ClaimFinding:
    parts = []
    for metric, name in {"KendallTau": "τ-b", "RBO": "RBO"}.items():
        first, second = (value(system, metric, target="TestRatings") for system in ("kNN", "MF"))
        parts.append(_named(name, ahead(first, second, measured)))
    return all_of(parts)


def _weights_reverse(measured: MeasuredTables) -> ClaimFinding:
    parts = []
    for name, metric in METRICS.items():
        parts.append(_named(f"{name}, MF and kNN", ahead(value("MF", metric), value("kNN", metric), measured)))
        for weight in ("mean(weight=test)", "mean(weight=relevant)"):
            first, second = (value(system, metric, aggregate=weight) for system in ("kNN", "MF"))
            parts.append(_named(f"{AGGREGATIONS[weight]}, kNN and MF", ahead(first, second, measured)))
    return all_of(parts)


def _geometric(measured: MeasuredTables) -> ClaimFinding:
    parts = []
    for name, metric in METRICS.items():
        first, second = (value(system, metric, aggregate="gmean") for system in ("MF", "kNN"))
        parts.append(_named(name, ahead(first, second, measured)))
    return all_of(parts)


def _lift(measured: MeasuredTables) -> ClaimFinding:
    parts = []
    for name, metric in METRICS.items():
        for system in ("kNN", "MF"):
            weighted = value(system, metric, aggregate="mean(weight=test)")
            parts.append(_named(f"{name}, {system}", ahead(weighted, value(system, metric), measured)))
    return all_of(parts)


def _significance(picks: Mapping[str, Pick], beyond: tuple[str, ...], why: str) -> Claim:
    """All combinations but those named have a median p below 0.05."""

    def check(measured: MeasuredTables) -> ClaimFinding:
        medians = {name: middle(of(measured)) for name, of in picks.items()}
        wrong = [name for name, p in medians.items() if (p < LEVEL) == (name in beyond)]
        words = "; ".join(f"{name}: {p_number(p)}" for name, p in medians.items())
        return ClaimFinding(
            not wrong, f"median p {words}" + (f"; otherwise than published: {', '.join(wrong)}" if wrong else "")
        )

    return Claim(
        words="“With the exception of just three combinations – NDCG@10 applied to full rankings, RBP with the binarized "
        "gain mapping g1, and test-weighted aggregation when coupled with Prec@10 – a researcher … would … conclude that "
        "they had attained a significant result”",
        section="§4, D",
        rule="the median p over splits is below 0.05 in all combinations of the table but these",
        check=check,
        causes=(why,),
    )


def _opposed(measured: MeasuredTables) -> ClaimFinding:
    """Whether some aggregations and metrics have kNN significantly ahead, and others MF."""
    ahead_of: dict[str, list[str]] = {"kNN": [], "MF": []}
    for (metric, aggregate), _ in TABLE_4.items():
        if middle(p_value(METRICS[metric], aggregate=aggregate)(measured)) < LEVEL:
            knn, mf = (mean(value(system, METRICS[metric], aggregate=aggregate)(measured)) for system in ("kNN", "MF"))
            ahead_of["kNN" if knn > mf else "MF"].append(f"{metric}, {AGGREGATIONS[aggregate]}")
    words = "; ".join(f"{system} in {' and '.join(names) if names else 'none'}" for system, names in ahead_of.items())
    return ClaimFinding(all(ahead_of.values()), words)


def _p_of_table_3() -> dict[str, Pick]:
    return {f"{m}, {g}": p_value(graded(m, "exp2" if g == "g2" else g)) for m, g in TABLE_3}


def _p_of_table_4() -> dict[str, Pick]:
    return {f"{m}, {AGGREGATIONS[a]}": p_value(METRICS[m], aggregate=a) for m, a in TABLE_4}


SIGNIFICANT_NOT = ("NDCG@10, g1", "RBP, g1", "NDCG@10, AM, unweighted", "Prec@10, AM, Test weighted")

TABLE_2_CLAIMS: tuple[Claim, ...] = (
    Claim(
        words="“Matrix factorization provides slightly better performance than kNN … using both metrics”",
        section="§4, Starting Configuration",
        rule=f"MF above kNN by both, {ORDER_RULE}",
        check=_mf_first,
        causes=(causes.LEVEL,),
    ),
)
NETFLIX_CLAIMS: tuple[Claim, ...] = (
    Claim(
        words="“The outcome is consistent across the two datasets”",
        section="§4, Starting Configuration",
        rule=f"MF above kNN by both, {ORDER_RULE}",
        check=_mf_first,
    ),
    Claim(
        words="“with a slightly higher margin for Netflix”",
        section="§4, Starting Configuration",
        rule=f"MF − kNN is above that of Table 2 on MovieLens, as printed, by both, {ORDER_RULE}",
        check=_higher_margin,
    ),
)
TABLE_3_CLAIMS: tuple[Claim, ...] = (
    Claim(
        words="“The relative superiority between kNN and MF is again reversed by a single change” of the gain",
        section="§4, C2",
        rule=f"by NDCG@10, MF ahead with g1 and kNN with g2 as printed, {ORDER_RULE}",
        check=_gain_reverses,
        causes=(causes.LEVEL_AGAIN,),
    ),
    Claim(
        words="kNN is ahead with g2, MF with g1 “with weaker significance”",
        section="§4, C2",
        rule="the median p over splits of NDCG@10 is higher with g1 than with g2 as printed (rule written after these "
        "p had been seen)",
        check=_weaker,
    ),
    Claim(
        words="“Kendall’s τ and RBO … confirm that the condensed kNN rankings are more similar to the Test "
        "rankings than are the MF rankings”",
        section="§4, C2",
        rule=f"kNN above MF by τ-b and by RBO (φ = 0.9) on condensed lists, {ORDER_RULE}",
        check=_similar_order,
        causes=(causes.UNSCORED,),
    ),
    _significance(_p_of_table_3(), SIGNIFICANT_NOT, causes.NO_ONE_LAMBDA),
)
TABLE_4_CLAIMS: tuple[Claim, ...] = (
    Claim(
        words="Weighting by ratings or by positive ratings “also reverse[s] the system comparison”",
        section="§4, C3",
        rule=f"MF ahead unweighted, kNN under both weights, by both metrics, {ORDER_RULE}",
        check=_weights_reverse,
        causes=(causes.LEVEL_AGAIN,),
    ),
    Claim(
        words="“The lift in absolute scores” of weighted means",
        section="§4, C3",
        rule=f"test-weighted above unweighted, of both systems by both metrics, {ORDER_RULE}",
        check=_lift,
    ),
    Claim(
        words="“it appears from this experiment that kNN benefits from having more ratings available”",
        section="§4, C3",
        rule=f"kNN − MF is larger under both weights than unweighted, by both metrics, {ORDER_RULE} (rule written "
        "after these values had been seen)",
        check=_benefits,
    ),
    Claim(
        words="The geometric mean has MF ahead (Table 4, better values in blue)",
        section="§4, C3",
        rule=f"by both metrics, {ORDER_RULE}",
        check=_geometric,
    ),
    _significance(_p_of_table_4(), SIGNIFICANT_NOT, causes.NO_ONE_LAMBDA_AGAIN),
    Claim(
        words="“in some of these many experiments it is kNN that is significantly better, and in others it is MF”",
        section="§4, D",
        rule="of the table’s combinations with a median p below 0.05, kNN is ahead in some and MF in others (rule "
        "written after these p had been seen)",
        check=_opposed,
    ),
)
