"""Precision to be expected, in closed form: of random and of popularity ranking, over splits and given a split.

Equations are those of Bellogín, Castells and Cantador (2017). Over random splits with test share σ:

    AR, random (4)             σ|PR| / (t|U|)                              1/t is the mean of 1/|T_u|
    1R, random (5)             1 / t
    AR, any fixed order (3)    |C| / (n t|U|) Σ_{k ≤ n} mean_u E|PR_te(i_k)|,    E|PR_te(i)| = σ|PR(i)|
    UAR (§6.2)                 the same with E|PR_te(i)| = η|PR(i)| / |R(i)| for the test items, 0 for others

Given the split and a ranking, only the sampled items of 1R, U1R and P1R are left to chance: of a relevant item with `a` of
the M items of its pool above it, rank ≤ n has the hypergeometric chance that at most n − 1 of the N sampled ones are among
the a. Each expectation is put next to what was measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from heldout.biases.findings import ExpectationRow
from heldout.biases.measured import SystemOnFold, values_of
from heldout.biases.prepare import POPULARITY, RANDOM
from heldout.biases.protocols import BiasProtocol
from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.experiment.folds import Fold
from heldout.experiment.judging import Judgement
from heldout.metrics.metric import Metric
from heldout.study.spec import Study
from heldout.tables import Interactions, Split
from heldout.tables.arrays import Bool, Float64, Int64, Ints
from heldout.targets.atoms import candidate_set, key_of
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.target import Target

USERS_AT_ONCE = 1024


NAN = float("nan")


def random_all_relevant(positives: float, sizes: Float64) -> float:
    """Equation 4, σδ: `positives` is σ|PR|, the relevant test ratings to be expected; `sizes` are |T_u| of all users.

    Example: 6 relevant test ratings of 3 users who rank 20 items each: 6/(20 · 3) = 0.1.
    """
    return float(positives * np.mean(1 / sizes) / len(sizes))


def random_one_relevant(sizes: Float64) -> float:
    """Equation 5, 1/t: `sizes` are the items of each list.

    Example: lists of 100 items: 0.01.
    """
    return float(np.mean(1 / sizes))


def fixed_order(positives: Float64, order: Int64, candidates: int, sizes: Float64) -> float:
    """Equation 3: what an order of items that does not depend on the user is to be expected to reach.

    `positives` are the relevant test ratings to be expected of each item, `order` the first n items of each user's list
    (users × n, −1 where there are fewer), `candidates` is |C|, `sizes` are |T_u|.

    Example: both of 2 users get the items 0 and 1 of 4 candidates, with 1 and 0.5 relevant test ratings to be expected,
    and |T_u| = 4: 4/(2 · 4 · 2) · (1 + 0.5) = 0.375.
    """
    users, n = order.shape
    each = np.where(order >= 0, positives[np.maximum(order, 0)], 0.0)
    return float(candidates * np.mean(1 / sizes) / (n * users) * each.mean(axis=0).sum())


def first_items(order: Ints, train: Interactions, users: Ints, n: int) -> Int64:
    """The first n items of an order that are not in each user's training set: users × n, −1 where there are fewer."""
    place = np.full(train.n_items, -1)
    place[order] = np.arange(len(order))
    first = np.full((len(users), n), -1, dtype=np.int64)
    for start in range(0, len(users), USERS_AT_ONCE):
        some = users[start : start + USERS_AT_ONCE]
        free = np.ones((len(some), len(order)), dtype=np.bool_)
        for row, user in enumerate(some.tolist()):
            mine = place[train.item[train.user_indptr[user] : train.user_indptr[user + 1]]]
            free[row, mine[mine >= 0]] = False
        rank = np.cumsum(free, axis=1)
        rows, columns = np.nonzero(free & (rank <= n))
        first[start + rows, rank[rows, columns] - 1] = np.asarray(order)[columns]
    return first


def chance_within(n: int, pool: Ints, above: Ints, sampled: int) -> Float64:
    """The chance that at most n − 1 of N items, sampled without replacement from a pool, are of the `above` ones.

    Example: 1 of 2 pool items is above and 1 is sampled: rank 1 has the chance 1/2.
    """
    from scipy.special import gammaln

    size, high = np.asarray(pool, dtype=np.float64), np.asarray(above, dtype=np.float64)
    drawn = np.minimum(float(sampled), size)

    def log_choose(total: Float64, part: Float64) -> Float64:
        return np.asarray(gammaln(total + 1) - gammaln(part + 1) - gammaln(total - part + 1))

    whole = log_choose(size, drawn)
    chance = np.zeros(np.broadcast_shapes(size.shape, high.shape))
    for k in range(n):
        possible = (k <= high) & (k <= drawn) & (drawn - k <= size - high)
        of_high, of_rest = np.where(possible, high, k), np.where(possible, size - high, drawn)
        rest = np.where(possible, drawn - k, drawn)
        log = log_choose(of_high, np.full_like(chance, k)) + log_choose(of_rest, rest) - whole
        chance += np.where(possible, np.exp(log), 0.0)
    return np.minimum(chance, 1.0)


@dataclass(frozen=True, kw_only=True)
class OneRelevantBounds:
    """Equation 2: 1RP@n lies between two sums over the lists with all relevant items and the same sampled ones."""

    lower: float
    upper: float


def one_relevant_bounds(together: Judgement, n: int) -> OneRelevantBounds:
    """The bounds of 1RP@n from lists that hold all relevant items of a user with the sampled ones.

    Lower: Σ_u hits within n ÷ (n |PR_te|); upper: Σ_u hits within n + |PR_te(u)| − 1 ÷ (n |PR_te|).
    """
    judged, tested = together.judged, together.tested[0][1]
    targets = judged.relevant_targets.astype(np.int64)
    counted = judged.relevant() & tested[judged.owner[judged.list_of]]
    deep = n + targets[judged.list_of] - 1
    total = float(targets[tested[judged.owner]].sum())
    if total == 0:
        raise NotApplicableError("no tested user has a relevant test item", where="relevance")
    lower = float((counted & (judged.rank <= n)).sum())
    upper = float((counted & (judged.rank <= deep)).sum())
    return OneRelevantBounds(lower=lower / (n * total), upper=upper / (n * total))


def expected_one_relevant(alone: Judgement, n: int, sampled: int) -> float:
    """P@n to be expected of lists with one relevant item and N sampled ones, given the split and the ranking.

    `alone` holds each relevant item among all of its pool. Lists count the same; with popularity classes, they are averaged
    within each class first.
    """
    judged, tested = alone.judged, alone.tested[0][1]
    value = np.zeros(len(judged.owner))
    ranked = np.diff(judged.indptr) > 0
    value[ranked] = chance_within(n, judged.targets[ranked] - 1, judged.rank - 1, sampled) / n
    counted = tested[judged.owner]
    if judged.stratum is None:
        return float(value[counted].mean())
    return _mean_of_classes(value[counted], judged.stratum[counted])


def _mean_of_classes(values: Float64, classes: Ints) -> float:
    lists = np.bincount(classes)
    sums = np.bincount(classes, values)
    some: Bool = lists > 0
    return float((sums[some] / lists[some]).mean())


def whole_pool(target: Target) -> Target | None:
    """Of lists with sampled items, the same with the whole pool, which tells how many of it are above; None for others."""
    form = target.form
    if not form.single or form.sample is None or form.pool != "nonrelevant" or form.corrected is not None:
        return None
    classes = f", percentiles={form.percentiles}" if form.percentiles > 1 else ""
    head = f", head={form.head:g}" if form.head else ""
    text = f"targets(candidates={form.candidates}, relevant=one{classes}{head}, average={form.average})"
    pool: Target = make("target", text)
    return pool


def bounding(target: Target) -> Target | None:
    """Of 1R over one class, the lists that bound it: all relevant items of a user with the same sampled ones."""
    form = target.form
    if whole_pool(target) is None or form.percentiles > 1 or form.average != "rating":
        return None
    head = f", head={form.head:g}" if form.head else ""
    together: Target = make("target", f"targets(candidates={form.candidates}, nonrelevant={form.sample}{head})")
    return together


def helper_targets(protocols: Sequence[BiasProtocol]) -> tuple[Target, ...]:
    """The targets that expectations are worked out from, in addition to those of the protocols."""
    targets = [protocol.targets() for protocol in protocols if protocol.metric is None]
    both = [helper for target in targets for helper in (whole_pool(target), bounding(target)) if helper is not None]
    return tuple(dict.fromkeys(both))


def expectation_rows(
    system: SystemOnFold, protocols: Sequence[BiasProtocol], precision: Metric, depth: int, role: str
) -> list[ExpectationRow]:
    """The rows of one system; `role` is "Random" or "Popularity" where it is one of them."""
    plain_protocols = [protocol for protocol in protocols if protocol.metric is None]
    targets = tuple(dict.fromkeys(protocol.targets() for protocol in plain_protocols))
    study = replace(system.study, metrics=(precision,))
    measured = {row.target: row for row in values_of(study, [system.scores(targets, (precision,))], [system.name])}
    helpers = {str(j.choices.target): j for j in system.judgements(helper_targets(plain_protocols), (precision,))}
    plain = {str(j.choices.target): j for j in system.judgements(targets, (precision,))}
    rows = []
    for protocol in plain_protocols:
        target = protocol.targets()
        row = measured.get(str(target))
        if row is None:
            continue
        judgement = plain[str(target)]
        formula, expected = closed_form(system.study, system.fold, judgement, role, depth)
        pool, together = helpers.get(str(whole_pool(target))), helpers.get(str(bounding(target)))
        bounds = one_relevant_bounds(together, depth) if together is not None else None
        exact = NAN
        if role == RANDOM:
            exact = given_split(judgement, depth)
        elif pool is not None:
            exact = expected_one_relevant(pool, depth, int(target.form.sample or 0))
        elif role == POPULARITY and target.form.sample is None:
            exact = row.value  # the split fixes it: nothing is drawn
        rows.append(
            ExpectationRow(
                protocol=protocol.name,
                system=system.name,
                formula=formula,
                expected=expected,
                lower=bounds.lower if bounds is not None else NAN,
                upper=bounds.upper if bounds is not None else NAN,
                exact=exact,
                measured=row.value,
                low=row.low,
                high=row.high,
            )
        )
    return rows


def given_split(judgement: Judgement, depth: int) -> float:
    """What a random ranking is expected to reach on these targets: ρ@n, averaged as the target averages lists."""
    judged, tested = judgement.judged, judgement.tested[0][1]
    sizes = judged.targets.astype(np.float64)
    relevant = judged.relevant_targets
    rho = np.divide(np.minimum(sizes, depth) * relevant, depth * sizes, out=np.zeros(len(sizes)), where=sizes > 0)
    counted = tested[judged.owner]
    if judged.stratum is not None:
        lists, sums = np.bincount(judged.stratum[counted]), np.bincount(judged.stratum[counted], rho[counted])
        return float((sums[lists > 0] / lists[lists > 0]).mean())
    if judged.only is not None and judgement.choices.target.form.average == "user":
        users = np.bincount(judged.owner[counted])
        return float((np.bincount(judged.owner[counted], rho[counted])[users > 0] / users[users > 0]).mean())
    return float(rho[counted].mean())


def closed_form(study: Study, fold: Fold, judgement: Judgement, role: str, depth: int) -> tuple[str, float]:
    """Which closed form gives the expectation over splits, and its value; nothing for other systems and protocols."""
    judged, tested = judgement.judged, judgement.tested[0][1]
    form, split = judgement.choices.target.form, fold.split
    sizes = judged.targets[tested[judged.owner]].astype(np.float64)
    if form.own or (form.pool != "nonrelevant"):
        return "", NAN
    if form.single:
        if role != RANDOM:
            return "", NAN
        if form.percentiles > 1:
            return "1/t in each class", given_split(judgement, depth)
        return "1/t (eq. 5)", random_one_relevant(sizes)
    uniform = study.split[0].uniform
    positives = expected_positives(judgement.choices.relevance, split, uniform=uniform)
    member = candidate_set(split, key_of(form)).member
    inside: Float64 = np.where(member, positives, 0.0)
    if role == RANDOM:
        return ("σδ (eq. 4)", random_all_relevant(float(inside.sum()), sizes))
    if role == POPULARITY and form.sample is None:
        order = popular_first(split.train, member)
        first = first_items(order, split.train, fold.users[tested], depth)
        return ("§6.2" if uniform else "eq. 3", fixed_order(inside, first, int(member.sum()), sizes))
    return "", NAN


def expected_positives(rule: RelevanceRule, split: Split, *, uniform: bool) -> Float64:
    """Relevant test ratings of each item to be expected over splits: σ|PR(i)|, or η|PR(i)|/|R(i)| in uniform test sets."""
    train, test = split.train, split.test
    positives = rule.positives(train, test).astype(np.float64)
    if not uniform:
        return positives * (len(test) / (len(train) + len(test)))
    ratings = (train.item_counts + test.item_counts).astype(np.float64)
    share = np.divide(test.item_counts, ratings, out=np.zeros(len(ratings)), where=ratings > 0)
    return positives * share


def popular_first(train: Interactions, member: Bool) -> Int64:
    """Candidates by descending number of training ratings, equal ones by item order."""
    items = np.flatnonzero(member)
    return items[np.argsort(-train.item_counts[items], kind="stable")]
