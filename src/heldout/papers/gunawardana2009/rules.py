"""Rules of what Gunawardana and Shani say: errors, precision by length, profits, sizes, and popularity of films."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from heldout.papers.gunawardana2009.works import HLU
from heldout.papers.paper import ClaimFinding, MeasuredTables
from heldout.papers.rules import Part, ahead, all_of, in_words, middle, rising
from heldout.text.numbers import exact_p

EACH = "ratings of a user"
EQUATIONS = "as the equations stand"
BINS = 10
"""Bins of mean ratings in Figure 1."""


def value(
    measured: MeasuredTables, system: str, metric: str, *, study: str = "curves", aggregate: str = "mean"
) -> list[float]:
    """A system's value, of Figures 2 and 3 unless another study is named."""
    return measured.numbers("values", "value", system=system, metric=metric, study=study, aggregate=aggregate)


def rmse(measured: MeasuredTables, system: str, study: str = "errors") -> list[float]:
    """RMSE of a system over all ratings that it predicts; of the study `equations`, over all."""
    return value(measured, system, "RMSE", study=study, aggregate="pooled")


def common_rmse(measured: MeasuredTables, system: str) -> list[float]:
    """RMSE of a system over the ratings that both predict."""
    return measured.numbers("common errors", "value", system=system)


def hlu(measured: MeasuredTables, system: str, metric: str = HLU) -> list[float]:
    """Half-life utility of a system, a ratio of sums over users."""
    return value(measured, system, metric, aggregate="pooled")


def profit_ratio(measured: MeasuredTables) -> list[float]:
    """What item-item reaches of the half-life utility of expected profit."""
    return [a / b for a, b in zip(hlu(measured, "Item-Item"), hlu(measured, "Exp. Profit"), strict=True)]


def size(measured: MeasuredTables, of: str, nearest: float = 1) -> list[float]:
    """A size of the data, rounded to the nearest so many."""
    data = measured.tables["data"].row(0, named=True)
    number = data["ratings"] / data["users"] if of == EACH else data[of]
    return [float(nearest * round(number / nearest))]


def ahead_at(measured: MeasuredTables, first: str, second: str, metrics: Sequence[str]) -> ClaimFinding:
    """Whether the first system is above the second by each metric."""
    parts: list[Part] = []
    for metric in metrics:
        holds, words = ahead(
            partial(value, system=first, metric=metric), partial(value, system=second, metric=metric), measured
        )
        parts.append((holds, f"{metric} {words}"))
    return all_of(parts)


def significant(
    measured: MeasuredTables,
    first: str,
    second: str,
    metrics: Sequence[str],
    level: float,
    *,
    study: str = "curves",
    aggregate: str = "mean",
) -> ClaimFinding:
    """Whether by each metric the median p over splits is below a level and the first system the better for more users."""
    holds, words = True, []
    for metric in metrics:
        rows = measured.rows("pairs", metric=metric, study=study, aggregate=aggregate)
        p = middle(rows["p"].to_list())
        sides = [1 if a == first else -1 for a in rows["a"]]
        lead = middle([s * (w - n) for s, w, n in zip(sides, rows["wins"], rows["losses"], strict=True)])
        holds &= p < level and lead > 0
        better = "" if lead > 0 else f" ({second} the better for more users)"
        words.append(f"{metric.partition('(')[0]}: {exact_p(p)}{better}")
    return ClaimFinding(holds, f"p by {', '.join(words)}")


def less_error(measured: MeasuredTables) -> ClaimFinding:
    """Whether RMSE of cosine is above that of Pearson, of what each predicts; the other readings are told."""
    holds, words = ahead(partial(rmse, system="Cosine"), partial(rmse, system="Pearson"), measured)
    _, printed = ahead(
        partial(rmse, system="Cosine", study="equations"), partial(rmse, system="Pearson", study="equations"), measured
    )
    _, common = ahead(partial(common_rmse, system="Cosine"), partial(common_rmse, system="Pearson"), measured)
    return ClaimFinding(holds, f"{words}; of ratings that both predict {common}; {EQUATIONS} {printed}")


def passes_sign_test(measured: MeasuredTables) -> ClaimFinding:
    """Whether the sign test has Pearson ahead, of what each predicts; the equations are told."""
    each, printed = (
        significant(measured, "Pearson", "cosine", ["RMSE"], 1e-4, study=study, aggregate="pooled")
        for study in ("errors", "equations")
    )
    return ClaimFinding(each.holds, f"{each.figures}; {EQUATIONS}: {printed.figures}")


def popularity_by_rating(measured: MeasuredTables) -> tuple[list[float], list[float]]:
    """Mean ratings in bins of equal width, and the mean number of ratings of the films in each that is not empty."""
    items = measured.tables["items"]
    rating, count = items["mean"].to_numpy(), items["ratings"].to_numpy()
    edges = np.linspace(rating.min(), rating.max(), BINS + 1)
    bins = np.clip(np.digitize(rating, edges) - 1, 0, BINS - 1)
    filled = [b for b in range(BINS) if (bins == b).any()]
    return [float((edges[b] + edges[b + 1]) / 2) for b in filled], [float(count[bins == b].mean()) for b in filled]


def not_always_more(measured: MeasuredTables) -> ClaimFinding:
    """Whether the mean number of ratings does not rise at every step of the mean rating."""
    x, y = popularity_by_rating(measured)
    return ClaimFinding(not rising(y), f"ratings at {in_words(x, 1)}: {in_words(y, 0)}")


def mostly_positive(measured: MeasuredTables) -> ClaimFinding:
    """Whether more than half of the ratings are positive."""
    share = float(measured.tables["users"]["positive"].sum() / measured.tables["data"]["ratings"][0])
    return ClaimFinding(share > 0.5, f"{share:.1%}")


def sparser(measured: MeasuredTables, items: int, each: int) -> ClaimFinding:
    """Whether there are more items and fewer ratings of a user than these."""
    data = measured.tables["data"].row(0, named=True)
    here = data["ratings"] / data["users"]
    words = f"{data['items']:,} items, {here:.1f} ratings of a user"
    return ClaimFinding(data["items"] > items and here < each, words)


def small_fraction(measured: MeasuredTables) -> ClaimFinding:
    """Whether most users rated less than a tenth of the films."""
    films = measured.tables["data"]["items"][0]
    share = float((measured.tables["users"]["ratings"] < films / 10).mean())
    return ClaimFinding(share > 0.5, f"{share:.1%} of the users")
