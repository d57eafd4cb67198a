"""Tables 1 to 4, with their p-values over several splits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from heldout.papers.canamares2020 import causes
from heldout.papers.canamares2020.studies import GAINS, NDCG, PRINTED, P, p_value, starts, value
from heldout.papers.data_sets import MOVIELENS_1M, NETFLIX
from heldout.papers.paper import Claim, ClaimFinding, Expectation, Experiment, MeasuredTables, Pick
from heldout.papers.rating_counts import RatingCounts
from heldout.papers.rules import Part, ahead, all_of, mean, middle, pick
from heldout.words import p_number

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
OF_MF = {"MF": causes.LAMBDA}
OF_MF_AGAIN = {"MF": causes.LAMBDA_AGAIN}
"""Why numbers of MF do not agree on MovieLens 1M."""
G2 = {"exp2": "g2 as printed", "chapelle_scaled": "g2 of §3"}
FITTED = {"MF": "λ chosen on Table 2"}


def graded(metric: str, gain: str) -> str:
    """The text form of a metric of Table 3 with g1, or with a gain that stands for g2."""
    if metric == "Prec@10":
        return P
    if metric == "RBP":
        return "RBP@10" if gain == "g1" else f"RBP(gain={gain})@10"
    return NDCG if gain == "g1" else f"nDCG(gain={gain})@10"


def number_name(metric: str, column: str, of: str = "") -> str:
    """Names a number of Tables 2 to 4, which print some of them again."""
    return f"canamares-2020 {metric} {of} {column}"


def _triple(
    row: str,
    published: tuple[float, float, float],
    metric: str,
    names: tuple[str, str],
    why: Mapping[str, str] = OF_MF_AGAIN,
    remarks: Mapping[str, str] = FITTED,
    **where: object,
) -> Iterator[Expectation]:
    """kNN, MF and p of one row; causes and remarks by column. A row with a remark on kNN is another reading."""
    for column, number in zip(("kNN", "MF", "p"), published, strict=True):
        yield Expectation(
            row=row,
            column=column,
            published=number,
            pick=p_value(metric, **where) if column == "p" else value(column, metric, **where),
            kind="p" if column == "p" else "value",
            remark=remarks.get(column, ""),
            standing="reading" if "kNN" in remarks else "own" if column == "kNN" else "fitted",
            same=number_name(names[0], column, names[1]),
            causes=(why[column],) if column in why else (),
        )


def _table_2(
    published: Mapping[str, tuple[float, float, float]], why: Mapping[str, str] = OF_MF, of: str = ""
) -> Iterator[Expectation]:
    """With the MF of all experiments, which is not counted here since it was chosen by looking, and with MF as printed."""
    at = "at MovieLens" if of else "here"
    for row, numbers in published.items():
        for expectation in _triple(row, numbers, METRICS[row], (row, of), why, {"MF": f"λ = 10, chosen by looking {at}"}):
            yield replace(expectation, standing="reading") if expectation.column == "MF" else expectation
        for system in PRINTED:
            to_rating = system.endswith("r")
            yield Expectation(
                row=row,
                column=system,
                published=numbers[1],
                pick=value(system, METRICS[row]),
                remark=f"λ = 1 and α = 0.1 as §4 prints them, fitted to {'the rating' if to_rating else '1'}",
                standing="own" if to_rating else "reading",
                same=number_name(row, "MF", of),
                causes=tuple(why.values()),
            )


def _table_3() -> Iterator[Expectation]:
    for (metric, gain), numbers in TABLE_3.items():
        for form in GAINS if gain == "g2" else ("g1",):
            scaled = dict.fromkeys(("kNN", "MF", "p"), "the gain of §3, not of §4")
            remarks = scaled if form == "chapelle_scaled" else FITTED
            why = dict.fromkeys(("kNN", "MF"), causes.GAIN) if form == "exp2" else OF_MF_AGAIN
            names = (metric, "" if gain == "g1" else gain)
            yield from _triple(f"{metric}, {G2.get(form, form)}", numbers, graded(metric, form), names, why, remarks)


def _table_4() -> Iterator[Expectation]:
    for (metric, aggregate), numbers in TABLE_4.items():
        remarks = FITTED | ({"p": "from the text; the table has –"} if aggregate == "gmean" else {})
        names = (metric, "" if aggregate == "mean" else aggregate)
        row = f"{metric}, {AGGREGATIONS[aggregate]}"
        yield from _triple(row, numbers, METRICS[metric], names, remarks=remarks, aggregate=aggregate)


def _mf_first(measured: MeasuredTables) -> ClaimFinding:
    return all_of([_named(name, ahead(value("MF", m), value("kNN", m), measured)) for name, m in METRICS.items()])


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


def _correlation(of: str) -> Pick:
    def correlation(measured: MeasuredTables) -> list[float]:
        counts = measured.tables[of]
        return [float(np.corrcoef(counts["ratings"].to_numpy(), counts["positive"].to_numpy())[0, 1])]

    return correlation


def _sizes(data: str, users: int, items: int, ratings: int, density: float) -> tuple[Expectation, ...]:
    counts = {"users": users, "items": items, "ratings": ratings, "density": density}
    return tuple(
        Expectation(
            row=row,
            column="",
            published=n,
            pick=pick("data", row),
            kind="count",
            decimals=4 if row == "density" else 0,
            standing="size",
            same=f"{data} {row}",
        )
        for row, n in counts.items()
    )


SIGNIFICANT_NOT = ("NDCG@10, g1", "RBP, g1", "NDCG@10, AM, unweighted", "Prec@10, AM, Test weighted")

TABLES: tuple[Experiment, ...] = (
    Experiment(
        key="table-1",
        title="Public data sets",
        did="Counts users, items and ratings.",
        data=MOVIELENS_1M,
        minutes=0.1,
        work=RatingCounts(positive=4),
        expectations=_sizes("ml-1m", 6040, 3706, 1_000_209, 0.0447),
    ),
    Experiment(
        key="table-1-netflix",
        title="Public data sets",
        did="Counts users, items and ratings.",
        data=NETFLIX,
        minutes=3,
        work=RatingCounts(positive=4),
        expectations=_sizes("netflix", 480_189, 17_770, 100_480_507, 0.0118),
    ),
    Experiment(
        key="table-2",
        title="kNN and MF under the initial settings",
        did="Random split 0.5, full rankings, τ = 4, a paired t-test over users; here on five splits.",
        data=MOVIELENS_1M,
        minutes=1.3,
        work=starts(),
        expectations=tuple(_table_2(TABLE_2)),
        claims=(
            Claim(
                words="“Matrix factorization provides slightly better performance than kNN … using both metrics”",
                section="§4, Starting Configuration",
                rule=f"MF above kNN by both, {ORDER_RULE}",
                check=_mf_first,
                causes=(causes.LEVEL,),
            ),
        ),
    ),
    Experiment(
        key="table-2-netflix",
        title="kNN and MF under the initial settings",
        did="As Table 2, with k = 1000.",
        data=NETFLIX,
        minutes=900,
        work=starts(1000),
        expectations=tuple(_table_2({"Prec@10": (0.382, 0.409, 0.0), "NDCG@10": (0.416, 0.442, 0.0)}, {}, "netflix")),
        claims=(
            Claim(
                words="“The outcome is consistent across the two datasets”",
                section="§4, Starting Configuration",
                rule=f"MF above kNN by both, {ORDER_RULE}",
                check=_mf_first,
            ),
        ),
    ),
    Experiment(
        key="table-3",
        title="Gain mappings and metrics",
        did="The lists of Table 2, measured with a binary and a graded gain.",
        data=MOVIELENS_1M,
        minutes=1.3,
        work=starts(),
        expectations=tuple(_table_3()),
        claims=(
            Claim(
                words="“The relative superiority between kNN and MF is again reversed by a single change” of the gain",
                section="§4, C2",
                rule=f"by NDCG@10, MF ahead with g1 and kNN with g2 as printed, {ORDER_RULE}",
                check=_gain_reverses,
                causes=(causes.LEVEL_AGAIN,),
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
        ),
    ),
    Experiment(
        key="table-4",
        title="Aggregations",
        did="The values of Table 2, averaged over users in four ways.",
        data=MOVIELENS_1M,
        minutes=1.3,
        work=starts(),
        expectations=tuple(_table_4()),
        claims=(
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
        ),
        notes=(
            "The p-values of weighted means are of a t-test with weighted users; the paper does not say of which. Of "
            "geometric means its Table 4 prints none; the two are from the text, of a t-test on ln(x + ε).",
        ),
    ),
    Experiment(
        key="rho",
        title="Ratings and positive ratings",
        did="Correlates how many ratings a user gave with how many of 4 or 5.",
        data=MOVIELENS_1M,
        minutes=0.1,
        work=RatingCounts(positive=4),
        expectations=tuple(
            Expectation(
                row=f"Pearson’s ρ over {of}",
                column="",
                published=0.962,
                pick=_correlation(of),
                kind="count",
                decimals=3,
                remark=remark,
                standing="reading" if remark else "own",
                causes=(causes.OVER_ITEMS,),
            )
            for of, remark in (("users", ""), ("items", "not what §4, C3 says, and what comes out"))
        ),
    ),
)
