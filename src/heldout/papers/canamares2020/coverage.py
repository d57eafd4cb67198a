"""Figures 7 and 8: items and users that a system cannot serve; and how many items it can score at the start."""

from __future__ import annotations

from collections.abc import Callable

from heldout.papers.canamares2020 import causes
from heldout.papers.canamares2020.studies import (
    FALLBACKS,
    NDCG,
    NEIGHBOURS,
    OVERLAPS,
    SEEDS,
    P,
    fallbacks,
    overlaps,
    starts,
    value,
)
from heldout.papers.data_sets import MOVIELENS_1M, NETFLIX, NeededData
from heldout.papers.findings import Panel, PlotSeries, bar_place
from heldout.papers.paper import Claim, ClaimFinding, Experiment, MeasuredTables, NamedWorks
from heldout.papers.rating_counts import RatingCounts, SplitSizes
from heldout.papers.rules import falling, in_words, mean, plotted, rising
from heldout.words import percent

ALMOST = 0.95
"""What “almost all” is read as: a share above it."""


def _bars(measured: MeasuredTables, fallback: str, column: str = "value", metric: str = NDCG) -> list[float]:
    """A metric, or another column of it, of kNN with few neighbours to many under a fallback."""
    systems = [f"k = {k}" for k in NEIGHBOURS]
    return [mean(measured.numbers("values", column, system=s, metric=metric, fallback=fallback)) for s in systems]


def _figure_7(measured: MeasuredTables) -> tuple[Panel, ...]:
    by_fallback = [_bars(measured, fallback) for fallback in FALLBACKS.values()]
    groups = tuple(float(k) for k in range(len(by_fallback)))
    bars = [
        PlotSeries(name=f"k = {k}", x=groups, y=tuple(values[j] for values in by_fallback), form="bars")
        for j, k in enumerate(NEIGHBOURS)
    ]
    n = len(NEIGHBOURS)
    crosses = PlotSeries(
        name="Coverage@10",
        x=tuple(bar_place(0, j, n) for j in range(n)),
        y=tuple(_bars(measured, "none", "coverage_at_n")),
        form="points",
    )
    return (
        Panel(
            title="",
            x_label="items that cannot be scored",
            y_label="NDCG@10",
            series=(*bars, crosses),
            ticks=tuple(FALLBACKS),
        ),
    )


def _in_words(values: list[float]) -> str:
    return f"k = {', '.join(map(str, NEIGHBOURS))}: {in_words(values)}"


def _none(measured: MeasuredTables) -> ClaimFinding:
    values = _bars(measured, "none")
    return ClaimFinding(rising(values), _in_words(values))


def _coverage(measured: MeasuredTables) -> ClaimFinding:
    values = _bars(measured, "none", "coverage_at_n")
    return ClaimFinding(rising(values), f"Coverage@10, {_in_words(values)}")


def _random(measured: MeasuredTables) -> ClaimFinding:
    plain, filled = _bars(measured, "none"), _bars(measured, "random")
    return ClaimFinding(rising(filled) and filled[-1] - filled[0] < plain[-1] - plain[0], _in_words(filled))


def _not_monotonic(measured: MeasuredTables) -> ClaimFinding:
    curves = {name: _bars(measured, FALLBACKS[name]) for name in ("Popularity", "Average rating")}
    holds = not any(rising(values) or falling(values) for values in curves.values())
    return ClaimFinding(holds, "; ".join(f"{name}, {_in_words(values)}" for name, values in curves.items()))


def _one_is_best(measured: MeasuredTables) -> ClaimFinding:
    values = _bars(measured, "average_rating")
    return ClaimFinding(values[0] == max(values), _in_words(values))


def _alike_by_precision(measured: MeasuredTables) -> ClaimFinding:
    curves = {name: _bars(measured, fallback, metric=P) for name, fallback in FALLBACKS.items()}
    steady = {name: rising(values) or falling(values) for name, values in curves.items()}
    holds = all(rising(curves[name]) for name in ("None", "Random")) and not (
        steady["Popularity"] or steady["Average rating"]
    )
    return ClaimFinding(holds, "; ".join(f"{name}, {_in_words(values)}" for name, values in curves.items()))


def _untrained(measured: MeasuredTables, ratio: float) -> list[int]:
    """Users without a training rating at a split ratio, on each of the splits."""
    users = int(measured.tables["data"]["users"][0])
    split = f"ratio(train={ratio:g})"
    return [users - int(measured.rows(f"{seed} sizes", split=split, part="train")["users"][0]) for seed in SEEDS]


def _little_influence(measured: MeasuredTables) -> ClaimFinding:
    lacking = _untrained(measured, 0.5)
    return ClaimFinding(not any(lacking), f"{in_words(lacking, 0)} users on the five splits")


def _only_small(measured: MeasuredTables) -> ClaimFinding:
    lacking = {ratio: _untrained(measured, ratio) for ratio in (0.1, 0.5)}
    words = "; ".join(f"at {ratio:g}: {in_words(users, 0)} users" for ratio, users in lacking.items())
    return ClaimFinding(min(lacking[0.1]) > 0 and not any(lacking[0.5]), words)


def _almost_all(measured: MeasuredTables) -> ClaimFinding:
    shares = {system: mean(value(system, "Predicted")(measured)) for system in ("kNN", "MF")}
    words = ", ".join(f"{system} {percent(share)}" for system, share in shares.items())
    return ClaimFinding(min(shares.values()) > ALMOST, words)


def _numbers(measured: MeasuredTables, overlap: int, coverage: str, column: str) -> list[float]:
    return measured.numbers("values", column, system=f"overlap {overlap}", metric=P, coverage=coverage)


def _by_overlap(measured: MeasuredTables, coverage: str, column: str = "value") -> list[float]:
    """P@10, or another column, of kNN by the overlap that it asks for."""
    return [mean(_numbers(measured, n, coverage, column)) for n in OVERLAPS]


def _mf(measured: MeasuredTables, coverage: str = "zero") -> float:
    return mean(measured.numbers("values", "value", system="MF", metric=P, coverage=coverage))


def _figure_8(measured: MeasuredTables) -> tuple[Panel, ...]:
    def line(name: str, coverage: str, column: str = "value", *, dashes: bool = False, right: bool = False) -> PlotSeries:
        y = tuple(plotted(_numbers(measured, n, coverage, column)) for n in OVERLAPS)
        return PlotSeries(name=name, x=x, y=y, form="dashes" if dashes else "line", right=right)

    x = tuple(map(float, OVERLAPS))
    series = (
        line("kNN, full average", "zero"),
        line("kNN, forgiven average", "forgive", dashes=True),
        PlotSeries(name="MF", x=x, y=(_mf(measured),) * len(x)),
        line("user coverage", "zero", "user_coverage", dashes=True, right=True),
    )
    return (
        Panel(title="", x_label="minimum overlap", y_label="Prec@10", right_label="user coverage of kNN", series=series),
    )


def _surrenders(measured: MeasuredTables) -> ClaimFinding:
    covered = _by_overlap(measured, "zero", "user_coverage")
    forgiven, full = _by_overlap(measured, "forgive"), _by_overlap(measured, "zero")
    words = f"coverage {in_words(covered)}; forgiven {in_words(forgiven)}; full {in_words(full)}"
    return ClaimFinding(falling(covered) and rising(forgiven) and falling(full), words)


def _above(overlap: int) -> Callable[[MeasuredTables], ClaimFinding]:
    """Whether forgiven kNN is above MF where it asks for more than this overlap, and not below."""

    def check(measured: MeasuredTables) -> ClaimFinding:
        forgiven, mf = _by_overlap(measured, "forgive"), _mf(measured)
        holds = all((value > mf) == (n > overlap) for n, value in zip(OVERLAPS, forgiven, strict=True))
        return ClaimFinding(holds, f"kNN {in_words(forgiven)} at {', '.join(map(str, OVERLAPS))}; MF {in_words([mf])}")

    return check


def _no_gain(measured: MeasuredTables) -> ClaimFinding:
    full = _by_overlap(measured, "zero")
    return ClaimFinding(max(full) == full[0], f"at {', '.join(map(str, OVERLAPS))}: {in_words(full)}")


def _difficult(measured: MeasuredTables) -> ClaimFinding:
    covered, every = _mf(measured, "intersection"), _mf(measured)
    words = f"MF {in_words([covered])} over the users whom kNN serves at every overlap, {in_words([every])} over all"
    return ClaimFinding(covered > every, words)


def _figures(data: NeededData, limit: int, minutes: float) -> tuple[Experiment, ...]:
    here = data is MOVIELENS_1M
    suffix = "" if here else f"-{data.key}"
    return (
        Experiment(
            key=f"fig-7{suffix}",
            title="Items that cannot be scored",
            did=f"kNN with 1 to 100 neighbours{', half of the ratings' if here else ''}, condensed lists, all users, "
            "four fallbacks.",
            data=data,
            minutes=minutes,
            work=fallbacks(half=here),
            claims=(
                Claim(
                    words="None: “considering more neighbors results in better performance”",
                    section="§4, B1, B2",
                    rule="NDCG@10 rises with every k",
                    check=_none,
                ),
                Claim(
                    words="“the smaller the number of neighbors, the greater the number of NC items”",
                    section="§4, B1, B2",
                    rule="Coverage@10 rises with every k",
                    check=_coverage,
                ),
                Claim(
                    words="“The same shift occurs with the Random approach, but to a lesser extent”",
                    section="§4, B1, B2",
                    rule="NDCG@10 rises with every k, by less from 1 to 100 than under None",
                    check=_random,
                ),
                Claim(
                    words="Popularity and Average rating: “the change is not monotonic”",
                    section="§4, B1, B2",
                    rule="NDCG@10 neither rises nor falls with every k, under both",
                    check=_not_monotonic,
                ),
                Claim(
                    words="“in the Average rating approach, the best performance is obtained when k = 1”",
                    section="§4, B1, B2",
                    rule="the highest NDCG@10 is that of k = 1",
                    check=_one_is_best,
                ),
                Claim(
                    words="“Prec@10 behaves similarly”",
                    section="§4, B1, B2",
                    rule="Prec@10 rises with every k under None and Random, and neither rises nor falls with every k under "
                    "Popularity and Average rating",
                    check=_alike_by_precision,
                ),
            ),
            draw=_figure_7,
        ),
        Experiment(
            key=f"fig-8{suffix}",
            title="Users that cannot be served",
            did="kNN of 10 neighbours who share a number of items, and MF; over all users and over those served.",
            data=data,
            minutes=minutes,
            work=overlaps(),
            claims=(
                Claim(
                    words="“as the overlap requirement increases …, kNN surrenders user coverage and … improves in terms of "
                    "the ‘forgiving average’, while dropping in terms of the full average”",
                    section="§4, C4",
                    rule="at every step coverage falls, the forgiven average rises and the full average falls",
                    check=_surrenders,
                    causes=(causes.BINARIZED,) if here else (),
                ),
                Claim(
                    words="“If a parameter "
                    + ("greater than 10 is chosen in MovieLens …" if here else "… greater than 20 in Netflix,")
                    + " this particular experiment ‘confirms’ that kNN is superior to MF”",
                    section="§4, C4",
                    rule=f"the forgiven average is above that of MF at overlaps above {limit} and at no others",
                    check=_above(limit),
                    causes=(causes.MORE_NEIGHBOURS,) if here else (),
                ),
                Claim(
                    words="“a high overlap requirement is desirable for kNN. But in truth no real improvement is achieved "
                    "by doing that, with user coverage being degraded without recommendation gain arising”",
                    section="§4, C4",
                    rule="the full average of kNN is at no overlap above that at 1 (rule mended after a review: it tested "
                    "that the full average of kNN is below that of MF)",
                    check=_no_gain,
                ),
                Claim(
                    words="“the excluded users are the ‘difficult’ ones … for whom precision tends to be low (for any "
                    "algorithm)”",
                    section="§4, C4",
                    rule="MF has a higher Prec@10 over the users whom kNN serves at every overlap than over all",
                    check=_difficult,
                ),
            ),
            draw=_figure_8,
            notes=(
                "“Binarized ratings” is read as a cosine over what users rated; neighbours still vote with their ratings.",
            ),
        ),
    )


SCORED: Experiment = Experiment(
    key="scored-items",
    title="Items that can be scored",
    did="Counts the test items to which the systems of Table 2 give a score.",
    data=MOVIELENS_1M,
    minutes=1.3,
    work=starts(),
    claims=(
        Claim(
            words="“in practice both kNN and MF can compute internal scores for almost all items”",
            section="§4, B1, B2",
            rule=f"more than {percent(ALMOST, 0)} of a user’s test items have a score, in the mean over users and splits, "
            "both systems",
            check=_almost_all,
        ),
    ),
)
UNTRAINED: Experiment = Experiment(
    key="untrained-users",
    title="Users without training ratings",
    did="Counts the users of the five splits of Table 2 who have no training rating, and of splits at 0.1.",
    data=MOVIELENS_1M,
    minutes=0.1,
    work=NamedWorks(
        {"": RatingCounts(positive=4)}
        | {f"{seed}": SplitSizes(("ratio(train=0.1)", "ratio(train=0.5)"), seed=seed) for seed in SEEDS}
    ),
    claims=(
        Claim(
            words="“When working with the MovieLens dataset, in which all users have more than 20 ratings, and a split "
            "ratio of 0.5, this restriction [to users with Train ratings] has little influence on the experimental "
            "outcomes”",
            section="§4, B1, B2",
            rule="all users have a Train rating on each of the five splits, so that nobody is left out",
            check=_little_influence,
        ),
        Claim(
            words="“Only for small split ratios was a lack of Train ratings an issue”",
            section="§4, B1, B2",
            rule="on each split some users have no Train rating at 0.1, and none at 0.5",
            check=_only_small,
        ),
    ),
)
COVERAGE: tuple[Experiment, ...] = (*_figures(MOVIELENS_1M, 10, 0.1), *_figures(NETFLIX, 20, 900), SCORED, UNTRAINED)
