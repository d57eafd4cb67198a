"""Figures 2 to 4: full lists, unrated items and condensed lists by split ratio."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from heldout.papers.canamares2020 import causes
from heldout.papers.canamares2020.studies import NDCG, RATIOS, P, at_ratio, curve, p_value, ratios
from heldout.papers.canamares2020.table_claims import TABLE_2
from heldout.papers.canamares2020.tables import number_name
from heldout.papers.data_sets import MOVIELENS_1M, NETFLIX, NeededData
from heldout.papers.findings import Panel, PlotSeries
from heldout.papers.paper import Claim, ClaimFinding, Expectation, Experiment, MeasuredTables
from heldout.papers.rules import Part, all_of, in_words, mean, plotted, rising
from heldout.words import p_number, percent, signed

BOTH = ("kNN", "MF")
BELOW, ABOVE = RATIOS[:4], RATIOS[5:]
"""Split ratios with more test ratings than training ratings, and with fewer."""
MIDDLE = RATIOS[4]
ZERO = 0.001
"""What “essentially 0” is read as: p below it."""


def _by_ratio(metric: str, target: str, label: str) -> Callable[[MeasuredTables], tuple[Panel, ...]]:
    def draw(measured: MeasuredTables) -> tuple[Panel, ...]:
        series = (
            PlotSeries(
                name=system,
                x=RATIOS,
                y=tuple(plotted(at_ratio(system, metric, ratio, target=target)(measured)) for ratio in RATIOS),
            )
            for system in BOTH
        )
        return (Panel(title="", x_label="split ratio", y_label=label, series=tuple(series)),)

    return draw


def _crossing(metric: str, target: str) -> Callable[[MeasuredTables], ClaimFinding]:
    """Whether kNN is ahead at 0.1 to 0.4 and MF at 0.6 to 0.9."""

    def check(measured: MeasuredTables) -> ClaimFinding:
        knn, mf = (curve(measured, system, metric, target=target) for system in BOTH)
        lead = dict(zip(RATIOS, np.subtract(knn, mf), strict=True))
        words = ", ".join(f"{ratio:g}: {'+' if gap > 0 else '−'}{abs(gap):.4f}" for ratio, gap in lead.items())
        holds = all(lead[ratio] > 0 for ratio in BELOW) and all(lead[ratio] < 0 for ratio in ABOVE)
        return ClaimFinding(holds, f"kNN − MF at {words}")

    return check


def _one_winner(metric: str, target: str) -> Callable[[MeasuredTables], ClaimFinding]:
    """Whether the same system is ahead at every split ratio."""

    def check(measured: MeasuredTables) -> ClaimFinding:
        knn, mf = (curve(measured, system, metric, target=target) for system in BOTH)
        first = {bool(a > b) for a, b in zip(knn, mf, strict=True)}
        return ClaimFinding(len(first) == 1, f"kNN {in_words(knn)}; MF {in_words(mf)}")

    return check


def _peak(measured: MeasuredTables) -> ClaimFinding:
    parts: list[Part] = []
    for system in BOTH:
        top = RATIOS[int(np.argmax(curve(measured, system, NDCG)))]
        parts.append((0.4 <= top <= 0.6, f"{system} at {top:g}"))
    return all_of(parts)


def _tiny_p(metric: str, target: str) -> Callable[[MeasuredTables], ClaimFinding]:
    """Whether p is below 0.001 at every ratio but 0.5."""

    def check(measured: MeasuredTables) -> ClaimFinding:
        p = {ratio: mean(p_value(metric, study=f"{ratio:g}", target=target)(measured)) for ratio in RATIOS}
        words = ", ".join(f"{ratio:g}: {p_number(each)}" for ratio, each in p.items())
        return ClaimFinding(all(each < ZERO for ratio, each in p.items() if ratio != MIDDLE), f"p at {words}")

    return check


def _mostly_unrated(measured: MeasuredTables) -> ClaimFinding:
    least = {system: min(curve(measured, system, "Unrated@10")) for system in BOTH}
    words = ", ".join(f"{system} {percent(share)}" for system, share in least.items())
    return ClaimFinding(all(share >= 0.5 for share in least.values()), f"least shares: {words}")


def _great_majority(measured: MeasuredTables) -> ClaimFinding:
    parts: list[Part] = []
    for system in BOTH:
        shares = curve(measured, system, "Unrated@10")
        parts.append((min(shares[0], shares[-1]) > 2 / 3, f"{system} {percent(shares[0])} and {percent(shares[-1])}"))
    return all_of(parts)


def _steady(measured: MeasuredTables) -> ClaimFinding:
    curves = {system: curve(measured, system, NDCG, target="TestRatings") for system in BOTH}
    words = "; ".join(f"{system} {in_words(values)}" for system, values in curves.items())
    return ClaimFinding(all(rising(values) for values in curves.values()), words)


def _same_lead(target: str) -> Callable[[MeasuredTables], ClaimFinding]:
    """Whether by Prec@10 the system is ahead that is ahead by NDCG@10, at every ratio but 0.5."""

    def check(measured: MeasuredTables) -> ClaimFinding:
        leads = []
        for metric in (P, NDCG):
            knn, mf = (curve(measured, system, metric, target=target) for system in BOTH)
            leads.append(np.subtract(knn, mf))
        words = ", ".join(f"{ratio:g}: {signed(gap, 4)}" for ratio, gap in zip(RATIOS, leads[0], strict=True))
        same = [(a > 0) == (b > 0) for ratio, a, b in zip(RATIOS, *leads, strict=True) if ratio != MIDDLE]
        return ClaimFinding(all(same), f"by Prec@10 kNN − MF at {words}")

    return check


def _alike(words: str, figure: str, target: str) -> Claim:
    return Claim(
        words=words,
        section=figure,
        rule="by Prec@10 the system is ahead that is ahead by NDCG@10, at every ratio but 0.5",
        check=_same_lead(target),
    )


def _p_at_middle(published: float, metric: str, target: str, same: str = "") -> tuple[Expectation, ...]:
    row, pick = "kNN against MF at 0.5", p_value(metric, target=target)
    return (Expectation(row=row, column="p", published=published, pick=pick, kind="p", standing="fitted", same=same),)


def _of(data: NeededData) -> str:
    return "" if data is MOVIELENS_1M else f"-{data.key}"


def _ratio_figures(data: NeededData, neighbours: int, minutes: float) -> tuple[Experiment, ...]:
    """Figures 2 to 4 on a data set."""
    work, here = ratios(neighbours), data is MOVIELENS_1M
    reversal = Claim(
        words="“At a small split value kNN outperforms MF on both datasets, but when the split ratio goes over 0.5 the "
        "ordering is reversed”",
        section="§4, A2",
        rule="kNN ahead at 0.1 to 0.4, MF at 0.6 to 0.9, on one split each",
        check=_crossing(NDCG, "AllItems"),
    )
    return (
        Experiment(
            key=f"fig-2{_of(data)}",
            title="NDCG@10 by split ratio",
            did="Varies the share of ratings that train, all else as in Table 2.",
            data=data,
            minutes=minutes,
            work=work,
            expectations=_p_at_middle(TABLE_2["NDCG@10"][2], NDCG, "AllItems", number_name("NDCG@10", "p")) if here else (),
            claims=(
                reversal,
                Claim(
                    words="“the maximum scores tend to be recorded at around 0.5”",
                    section="§4, A2",
                    rule="the highest value of both at 0.4, 0.5 or 0.6",
                    check=_peak,
                ),
                Claim(
                    words="“The p values … are essentially 0 for all …, except in MovieLens at a 0.5 split ratio”",
                    section="Fig. 2",
                    rule="p below 0.001 at every ratio but 0.5",
                    check=_tiny_p(NDCG, "AllItems"),
                ),
                _alike("“Similar behavior arises with Prec@10”", "Fig. 2", "AllItems"),
            ),
            draw=_by_ratio(NDCG, "AllItems", "NDCG@10"),
        ),
        Experiment(
            key=f"fig-3{_of(data)}",
            title="Unrated items in the top ten by split ratio",
            did="Counts the items of the top ten without a test rating.",
            data=data,
            minutes=minutes,
            work=work,
            expectations=_p_at_middle(0.006, "Unrated@10", "AllItems") if here else (),
            claims=(
                Claim(
                    words="“There is no split point at which the fraction of unrated items … is less than 50%”",
                    section="§4, A2",
                    rule="at least 50% at every ratio, both systems",
                    check=_mostly_unrated,
                    causes=(causes.UNRATED,) if here else (),
                ),
                Claim(
                    words="“for both small and large split points, a great majority of the items … have unknown ratings”",
                    section="§4, A2",
                    rule="more than two thirds at 0.1 and at 0.9, both systems",
                    check=_great_majority,
                    causes=(causes.MAJORITY,) if here else (),
                ),
                Claim(
                    words="“The p values … are essentially 0 for all …, except in MovieLens at a 0.5 split ratio”",
                    section="Fig. 3",
                    rule="p below 0.001 at every ratio but 0.5",
                    check=_tiny_p("Unrated@10", "AllItems"),
                    causes=(causes.CROSSING,) if here else (),
                ),
            ),
            draw=_by_ratio("Unrated@10", "AllItems", "share of unrated items"),
        ),
        Experiment(
            key=f"fig-4{_of(data)}",
            title="NDCG@10 of condensed lists by split ratio",
            did="As Figure 2, over the user’s test items alone.",
            data=data,
            minutes=minutes,
            work=work,
            expectations=_p_at_middle(0.041, NDCG, "TestRatings") if here else (),
            claims=(
                Claim(
                    words="“now there is a steady improvement in scores as more ratings are made available for training”",
                    section="§4, C1",
                    rule="NDCG@10 rises at every step, both systems",
                    check=_steady,
                    causes=(causes.NO_RELEVANT,) if here else (),
                ),
                Claim(
                    words="“the cross-over … remains for MovieLens: kNN gives higher scores than MF when there are more "
                    "Test ratings than Train ratings”",
                    section="§4, C1",
                    rule="kNN ahead at 0.1 to 0.4, MF at 0.6 to 0.9",
                    check=_crossing(NDCG, "TestRatings"),
                )
                if here
                else Claim(
                    words="“in Netflix the qualitative comparison … is no longer sensitive to the split ratio”",
                    section="§4, C1",
                    rule="the same system is ahead at every ratio",
                    check=_one_winner(NDCG, "TestRatings"),
                ),
                Claim(
                    words="“The p values … are essentially 0 for all …, except in MovieLens at a 0.5 split ratio”",
                    section="Fig. 4",
                    rule="p below 0.001 at every ratio but 0.5",
                    check=_tiny_p(NDCG, "TestRatings"),
                    causes=(causes.CROSSING_CONDENSED,) if here else (),
                ),
                _alike("“Somewhat similar behavior arises with Prec@10”", "Fig. 4", "TestRatings"),
            ),
            draw=_by_ratio(NDCG, "TestRatings", "NDCG@10, condensed"),
        ),
    )


RATIO_FIGURES: tuple[Experiment, ...] = (*_ratio_figures(MOVIELENS_1M, 100, 2), *_ratio_figures(NETFLIX, 1000, 2000))
