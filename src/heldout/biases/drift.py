"""Time and exposure, where the data have them: does popularity drift, are test items new, is consumption repeated?"""

from __future__ import annotations

import numpy as np

from heldout import rng
from heldout.biases.findings import Drift, DriftPeriod, Exposure
from heldout.biases.options import BiasOptions
from heldout.biases.prepare import PreparedStudy
from heldout.biases.truth.drawn_data import data_of_draws
from heldout.biases.truth.truth_table import TruthTable
from heldout.errors import InputError, NotApplicableError, SpecError
from heldout.experiment.folds import Fold
from heldout.study.spec import Study
from heldout.tables import Interactions, Log, Split
from heldout.tables.arrays import Bool, Float64, Int64
from heldout.tables.time_units import PER_SECOND

PERIODS = 5


CHANCE_DRAWS = 20
"""Random test sets that drift is compared with."""


def drift(split: Split, relevant: Float64, log: Log | None, *, chance: Float64, exposure: Exposure | None = None) -> Drift:
    """What is known of a split; `relevant` marks its relevant test ratings, `log` is the data as they were read.

    `chance` are distances of test sets of the same size drawn at random.
    """
    train, test = split.train, split.test
    unseen = train.item_counts == 0
    on_unseen = unseen[test.item]
    tested = test.item_counts > 0
    repeated, repeating = repeats(log)
    good = relevant > 0
    return Drift(
        correlation=popularity_correlation(train.item_counts, test.item_counts),
        distance=popularity_distance(train.item_counts, test.item_counts),
        distance_by_chance=float(np.mean(chance)) if len(chance) else float("nan"),
        unseen_items=float((unseen & tested).sum() / tested.sum()),
        unseen_ratings=float(on_unseen.mean()),
        unseen_relevant=float(on_unseen[good].mean()) if good.any() else float("nan"),
        timed=test.time is not None,
        periods=tuple(_periods(train, test)),
        repeated=repeated,
        repeating_users=repeating,
        exposure=exposure,
    )


def exposure(train: Interactions, opinions: TruthTable, relevant: Bool, chances: Float64 | None, head: float) -> Exposure:
    """Liking and chances of the most popular items and of the others.

    `relevant` marks the opinions that are relevant, `chances` are those of their pairs of being rated.

    Example: of 4 opinions on the head 3 are relevant, of 8 on other items 2: liked 75 % and 25 %.
    """
    order = np.argsort(-train.item_counts, kind="stable")
    popular = np.zeros(train.n_items, dtype=np.bool_)
    popular[order[: max(1, round(head * train.n_items))]] = True
    in_head = popular[opinions.ratings.item]
    weight = np.ones(len(in_head)) if opinions.rate is None else 1 / opinions.rate

    def mean(values: Float64 | Bool, among: Bool) -> float:
        return float(np.average(values[among], weights=weight[among])) if among.any() else float("nan")

    met = np.full(len(in_head), np.nan) if chances is None else chances
    return Exposure(
        head=head,
        liked_head=mean(relevant, in_head),
        liked_rest=mean(relevant, ~in_head),
        met_head=mean(met, in_head),
        met_rest=mean(met, ~in_head),
    )


def popularity_distance(first: Int64, second: Int64) -> float:
    """Total variation between two distributions of ratings over items.

    Example: 3 and 1 ratings against 1 and 1: (|3/4 − 1/2| + |1/4 − 1/2|)/2 = 0.25.
    """
    return float(np.abs(first / max(first.sum(), 1) - second / max(second.sum(), 1)).sum() / 2)


def popularity_correlation(first: Int64, second: Int64) -> float:
    """Spearman's ρ between counts of ratings, over items with a rating in either; NaN if one of them is constant."""
    from scipy.stats import rankdata

    either = (first > 0) | (second > 0)
    a, b = rankdata(first[either]), rankdata(second[either])
    if len(a) < 2 or a.std() == 0 or b.std() == 0:
        return float("nan")
    return float(np.corrcoef(a, b)[0, 1])


def _periods(train: Interactions, test: Interactions) -> list[DriftPeriod]:
    if test.time is None or len(test) < PERIODS or test.time.min() == test.time.max():
        return []
    order = np.argsort(test.time, kind="stable")
    periods = []
    for part in np.array_split(order, PERIODS):
        counts = np.bincount(test.item[part], minlength=test.n_items)
        periods.append(
            DriftPeriod(
                ratings=len(part),
                start=float(test.time[part[0]] / PER_SECOND[test.time_unit]),
                correlation=popularity_correlation(train.item_counts, counts),
                unseen=float((train.item_counts[test.item[part]] == 0).mean()),
            )
        )
    return periods


def repeats(log: Log | None) -> tuple[float, float]:
    """The share of rows that repeat an earlier pair, and the share of users who have such a row; NaN without rows."""
    if log is None or len(log) == 0:
        return float("nan"), float("nan")
    import polars as pl

    pairs = pl.DataFrame({"user": log.user_id, "item": log.item_id})
    distinct = pairs.group_by("user").agg(pl.len().alias("rows"), pl.col("item").n_unique().alias("items"))
    repeating = (distinct["rows"] > distinct["items"]).mean()
    return float(1 - distinct["items"].sum() / len(log)), float(str(repeating))


def study_drift(prepared: PreparedStudy, fold: Fold, options: BiasOptions, left_out: list[str]) -> Drift:
    """How popularity in the test set of a fold differs from that in training, and by chance; reasons go to `left_out`."""
    split, rule = fold.split, prepared.study.relevance[0]
    relevant = rule.of_test(split.test, split.train).astype(np.float64)
    item = np.concatenate([split.train.item, split.test.item])
    distances: list[float] = []
    for draw in range(CHANCE_DRAWS):
        order = rng.stream(prepared.study.seed, "drift by chance", draw).permutation(len(item))
        test, train = item[order[: len(split.test)]], item[order[len(split.test) :]]
        counts = [np.bincount(part, minlength=split.test.n_items) for part in (train, test)]
        distances.append(popularity_distance(*counts))
    chance: Float64 = np.array(distances)
    source = prepared.study.data[0] if prepared.study.data else None
    log = source.read() if source is not None else None
    return drift(split, relevant, log, chance=chance, exposure=study_exposure(prepared.study, split, options, left_out))


def study_exposure(study: Study, split: Split, options: BiasOptions, left_out: list[str]) -> Exposure | None:
    """What opinions on items that users did not choose say, where the study has any."""
    try:
        drawn_data = data_of_draws(study, halved=False)(0)
        opinions = drawn_data.truth(study, split)
    except (NotApplicableError, SpecError):
        return None
    except InputError as error:
        left_out.append(f"exposure: {error}")
        return None
    chances = drawn_data.chances(split)
    ratings = opinions.ratings
    return exposure(
        split.train,
        opinions,
        study.relevance[0].of_test(ratings, split.train),
        None if chances is None else chances.of(ratings.user, ratings.item),
        options.head,
    )
