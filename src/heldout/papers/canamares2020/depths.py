"""Figures 1, 5 and 6: distributions of ratings, positions of condensed items, depths."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from heldout.papers.canamares2020 import causes
from heldout.papers.canamares2020.studies import (
    DEPTHS,
    POSITIONS,
    beyond_half,
    starts,
    value,
)
from heldout.papers.data_sets import MOVIELENS_1M, NETFLIX, NeededData
from heldout.papers.findings import Panel, PlotSeries
from heldout.papers.paper import Claim, ClaimFinding, Experiment, MeasuredTables
from heldout.papers.rating_counts import RatingCounts
from heldout.papers.rules import Part, all_of, in_words, mean, plotted, rising
from heldout.tables.arrays import Float64
from heldout.words import percent

BOTH = ("kNN", "MF")
SEVERAL = 100
"""Ratings of a user or item, in what is said of Figure 1."""
COUNTED = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


def _figure_1(measured: MeasuredTables) -> tuple[Panel, ...]:
    series = []
    for of in ("users", "items"):
        counts = measured.tables[of]["ratings"].to_numpy()
        share = tuple(float((counts <= n).mean()) for n in COUNTED)
        series.append(PlotSeries(name=f"ratings per {of[:-1]}", x=tuple(map(float, COUNTED)), y=share))
    return (Panel(title="", x_label="at most so many ratings", y_label="share", series=tuple(series), log_x=True),)


def _share_of(of: str, share: float) -> Callable[[MeasuredTables], ClaimFinding]:
    """Whether the users or items of 100 ratings or less are this share, to the nearest 5 %."""

    def check(measured: MeasuredTables) -> ClaimFinding:
        here = float((measured.tables[of]["ratings"].to_numpy() <= SEVERAL).mean())
        return ClaimFinding(round(here * 20) / 20 == share, percent(here))

    return check


def _long_tails(measured: MeasuredTables) -> ClaimFinding:
    parts: list[Part] = []
    for of in ("users", "items"):
        counts = measured.tables[of]["ratings"].to_numpy()
        average, half = float(counts.mean()), float(np.median(counts))
        parts.append((average > half, f"{of}: mean {average:,.0f}, median {half:,.0f}"))
    return all_of(parts)


def _by_depth(
    measured: MeasuredTables, metric: str, depths: tuple[int, ...], study: str = "start"
) -> tuple[PlotSeries, ...]:
    """Both systems by a metric at several depths, means over splits."""
    x = tuple(map(float, depths))
    return tuple(
        PlotSeries(
            name=system, x=x, y=tuple(plotted(value(system, metric.format(d), study=study)(measured)) for d in depths)
        )
        for system in BOTH
    )


def _positions(measured: MeasuredTables, system: str) -> list[float]:
    """Mean rank in the full list of the items of the condensed list, over splits."""
    return [mean(value(system, f"FullPosition@{d}")(measured)) for d in POSITIONS]


def _figure_5(measured: MeasuredTables) -> tuple[Panel, ...]:
    series = _by_depth(measured, "FullPosition@{}", POSITIONS)
    return (Panel(title="", x_label="position in the condensed list", y_label="position in the full list", series=series),)


def _three_of_ten(measured: MeasuredTables) -> ClaimFinding:
    parts: list[Part] = []
    for system in BOTH:
        third, fourth = _positions(measured, system)[2:4]
        parts.append((third <= 10 < fourth, f"{system}: third at {third:.1f}, fourth at {fourth:.1f}"))
    return all_of(parts)


def _fifty(measured: MeasuredTables) -> ClaimFinding:
    tenth = {system: _positions(measured, system)[-1] for system in BOTH}
    return ClaimFinding(all(place > 50 for place in tenth.values()), ", ".join(f"{s} {p:.1f}" for s, p in tenth.items()))


def _mf_deeper(measured: MeasuredTables) -> ClaimFinding:
    knn, mf = (_positions(measured, system) for system in BOTH)
    return ClaimFinding(
        rising([b - a for a, b in zip(knn, mf, strict=True)]), f"kNN {in_words(knn, 1)}; MF {in_words(mf, 1)}"
    )


def _figure_6(study: str = "start") -> Callable[[MeasuredTables], tuple[Panel, ...]]:
    def draw(measured: MeasuredTables) -> tuple[Panel, ...]:
        series = _by_depth(measured, "nDCG(gain=binary)@{}", DEPTHS, study)
        return (Panel(title="", x_label="depth d", y_label="NDCG@d", series=series, log_x=True),)

    return draw


def _lead_by_depth(measured: MeasuredTables, study: str = "start") -> Float64:
    """kNN − MF at each depth."""
    knn, mf = (
        np.array([mean(value(system, f"nDCG(gain=binary)@{d}", study=study)(measured)) for d in DEPTHS]) for system in BOTH
    )
    lead: Float64 = knn - mf
    return lead


def _overtakes(study: str = "start") -> Callable[[MeasuredTables], ClaimFinding]:
    """Whether kNN leads at the smallest depth, MF at the largest, and the lead changes once."""

    def check(measured: MeasuredTables) -> ClaimFinding:
        lead = _lead_by_depth(measured, study)
        changes = int((np.diff(lead > 0)).sum())
        words = ", ".join(f"{d}: {'+' if gap > 0 else '−'}{abs(gap):.4f}" for d, gap in zip(DEPTHS, lead, strict=True))
        return ClaimFinding(bool(lead[0] > 0 > lead[-1] and changes == 1), f"kNN − MF at {words}")

    return check


def _insensitive(measured: MeasuredTables) -> ClaimFinding:
    lead = _lead_by_depth(measured)
    return ClaimFinding(bool((lead < 0).all()), f"kNN − MF: {in_words(lead.tolist())}")


def _right_panel(key: str, data: NeededData, minutes: float, *notes: str, why: tuple[str, ...] = ()) -> Experiment:
    return Experiment(
        key=key,
        title="NDCG@d by depth at a split ratio of 0.8",
        did="As Figure 6, with k = 100, at a split ratio of 0.8; one split.",
        data=data,
        minutes=minutes,
        work=beyond_half(),
        claims=(
            Claim(
                words="“we can easily find a similar crossover in [Netflix]: … just taking k = 100 neighbors instead of "
                "1000, yields a different outcome to the base kNN configuration at a 0.8 split ratio”",
                section="§4, C2",
                rule="kNN ahead at 1, MF at 100, and the lead changes once",
                check=_overtakes("0.8"),
                causes=why,
            ),
        ),
        draw=_figure_6("0.8"),
        notes=notes,
        extension=data is MOVIELENS_1M,
    )


def _figure_1_of(data: NeededData, *claims: Claim) -> Experiment:
    return Experiment(
        key="fig-1" if data is MOVIELENS_1M else f"fig-1-{data.key}",
        title="Ratings per user and per item",
        did="Draws the cumulative distributions.",
        data=data,
        minutes=0.1 if data is MOVIELENS_1M else 3,
        work=RatingCounts(positive=4),
        claims=(
            *claims,
            Claim(
                words="Figure 1 “illustrates the long tail effect for both items and users”",
                section="§2",
                rule="the mean number of ratings is above the median, of users and of items",
                check=_long_tails,
            ),
        ),
        draw=_figure_1,
    )


def _figure_5_of(data: NeededData, neighbours: int, minutes: float, *claims: Claim, why: tuple[str, ...] = ()) -> Experiment:
    return Experiment(
        key="fig-5" if data is MOVIELENS_1M else f"fig-5-{data.key}",
        title="Positions of condensed items in the full list",
        did="Finds the first ten items of the condensed list in the full list, over users with ten of them in both systems.",
        data=data,
        minutes=minutes,
        work=starts(neighbours),
        claims=(
            *claims,
            Claim(
                words="“the depth required to form the condensed MF list grows much faster than the depth required for kNN”",
                section="§4, C1",
                rule="MF − kNN grows at every step",
                check=_mf_deeper,
                causes=why,
            ),
        ),
        draw=_figure_5,
    )


DEPTH_FIGURES: tuple[Experiment, ...] = (
    _figure_1_of(
        MOVIELENS_1M,
        Claim(
            words="“around 50% of the users in MovieLens have each contributed 100 ratings or less”",
            section="§2",
            rule="50% to the nearest 5%",
            check=_share_of("users", 0.5),
        ),
        Claim(
            words="“about 45% of the items each have 100 ratings or less”",
            section="§2",
            rule="45% to the nearest 5%",
            check=_share_of("items", 0.45),
        ),
    ),
    _figure_5_of(
        MOVIELENS_1M,
        100,
        1.3,
        Claim(
            words="“only the top three items in the condensed list are, on average, present in the top ten full list”",
            section="§4, C1",
            rule="the mean rank of the third is at most 10, of the fourth above it, both systems",
            check=_three_of_ten,
        ),
        Claim(
            words="“by depth ten in the condensed list, more than fifty items in the full list have been covered”",
            section="§4, C1",
            rule="the mean rank of the tenth is above 50, both systems",
            check=_fifty,
        ),
        why=(causes.FIRST_TWO,),
    ),
    Experiment(
        key="fig-6",
        title="NDCG@d by depth",
        did="Measures the lists of Table 2 at several depths.",
        data=MOVIELENS_1M,
        minutes=1.3,
        work=starts(),
        claims=(
            Claim(
                words="“when d is small, kNN provides superior performance, but as d increases, MF overtakes it”",
                section="§4, C2",
                rule="kNN ahead at 1, MF at 100, and the lead changes once; means over splits",
                check=_overtakes(),
            ),
        ),
        draw=_figure_6(),
    ),
    _right_panel(
        "fig-6-right",
        MOVIELENS_1M,
        0.1,
        "An extension: the paper has this panel of Netflix alone. There 100 neighbours are fewer than at its start, on "
        "MovieLens as many.",
        why=(causes.NEIGHBOURS,),
    ),
    Experiment(
        key="fig-6-netflix",
        title="NDCG@d by depth",
        did="As Figure 6, with k = 1000.",
        data=NETFLIX,
        minutes=900,
        work=starts(1000),
        claims=(
            Claim(
                words="“In Netflix (center), the comparison is not sensitive to the metric depth”",
                section="§4, C2",
                rule="MF ahead at every depth; means over splits",
                check=_insensitive,
            ),
        ),
        draw=_figure_6(),
    ),
    _right_panel("fig-6-right-netflix", NETFLIX, 900),
    _figure_1_of(NETFLIX),
    _figure_5_of(NETFLIX, 1000, 900),
)
