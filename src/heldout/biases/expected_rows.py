"""Expectations beside measurements: precision in closed form, given the split, and as measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from heldout.biases.expectations import (
    expected_one_relevant,
    first_items,
    fixed_order,
    one_relevant_bounds,
    random_all_relevant,
    random_one_relevant,
)
from heldout.biases.measured import SystemOnFold, values_of
from heldout.biases.prepare import POPULARITY, RANDOM
from heldout.biases.protocols import BiasProtocol
from heldout.catalogue import make
from heldout.experiment.folds import Fold
from heldout.experiment.judging import Judgement
from heldout.metrics.metric import Metric
from heldout.study.spec import Study
from heldout.tables import Interactions, Split
from heldout.tables.arrays import Bool, Float64, Int64
from heldout.targets.atoms import candidate_set, key_of
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.target import Target

NAN = float("nan")


@dataclass(frozen=True, kw_only=True)
class ExpectationRow:
    """Precision of one system under one protocol: expected and measured."""

    protocol: str
    system: str
    formula: str
    """Which closed form; empty where there is none for this system."""
    expected: float
    """By the closed form, over splits; NaN where there is none."""
    lower: float
    """Of 1R and U1R, the bound by equation 2, from lists of all relevant items; NaN elsewhere."""
    upper: float
    exact: float
    """Given the split and the ranking: what is left to chance is the sample, or the order of a random ranking."""
    measured: float
    low: float
    """Of the interval over users."""
    high: float

    @property
    def gap(self) -> float:
        """Measured by the closed form."""
        return self.measured / self.expected if self.expected > 0 else NAN


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
    """The targets that expectations are worked out from, beside those of the protocols."""
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
    helpers = {str(j.target): j for j in system.judgements(helper_targets(plain_protocols), (precision,))}
    plain = {str(j.target): j for j in system.judgements(targets, (precision,))}
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
    if judged.only is not None and judgement.target.form.average == "user":
        users = np.bincount(judged.owner[counted])
        return float((np.bincount(judged.owner[counted], rho[counted])[users > 0] / users[users > 0]).mean())
    return float(rho[counted].mean())


def closed_form(study: Study, fold: Fold, judgement: Judgement, role: str, depth: int) -> tuple[str, float]:
    """Which closed form gives the expectation over splits, and its value; nothing for other systems and protocols."""
    judged, tested = judgement.judged, judgement.tested[0][1]
    form, split = judgement.target.form, fold.split
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
    positives = expected_positives(judgement.relevance_rule, split, uniform=uniform)
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
