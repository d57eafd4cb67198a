"""Every way to a number that is held against the truth: protocol × metric × how ratings are weighed, with its estimand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from heldout.biases.protocols import ESTIMANDS, BiasProtocol, ProtocolOptions, declared_protocols
from heldout.catalogue import make, make_all
from heldout.errors import SpecError, UnknownNameError
from heldout.metrics.metric import Metric
from heldout.metrics.unrated_rule import UnratedRule
from heldout.splits.splitter import Splitter
from heldout.study.applicability import protocol_refusal
from heldout.study.protocol import JudgingChoices
from heldout.tables import Split
from heldout.tables.arrays import Bool
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.target import Target
from heldout.targets.user_rule import UserRule, chosen

METRICS = ("P@10", "Recall@10", "DCG(gain=binary)@10", "nDCG(gain=binary)@10")
"""What is held against the truth where nothing else is named."""
TABLE = "propensities"
"""What the table of propensities is called in the text form of metrics."""
SAMPLING = "sampling rate"
"""The column of that table that weighs a sampled truth in means over all users."""
PROPENSITIES = {
    "known": "the chances of the simulated world, or those that the data set comes with",
    "estimated": "|R(u)| |R(i)| / |R|, at most 1: activity of the user times popularity of the item",
    "flat": "wrong on purpose: |R| / (|U| |I|), the same for all pairs",
    "steep": "wrong on purpose: the squares of the estimated ones, scaled to the same sum",
}
"""How likely a pair was to be rated; the propensity of a test rating, given that it is not in train, follows from it."""


@dataclass(frozen=True, kw_only=True)
class TruthEstimator:
    """One way to a number, and the true number that it is held against."""

    protocol: str
    """What is done, in short: AI-AR, P1R, IPS (known)."""
    metric: str
    """The metric that was asked for, and whose complete or sampled truth decides."""
    target: Target
    split: Splitter | None
    """The split that it needs instead of the study's."""
    unrated: UnratedRule
    measured: Metric
    """The metric as it is measured on test ratings."""
    estimand: str
    """What the value is of, in words."""
    same_scale: bool
    """Whether estimand and scale are those of the truth, so that a bias means something."""
    propensities: str = ""
    """Which propensities weigh ratings; empty where none do."""

    @property
    def name(self) -> str:
        """Protocol and metric, which together no two share."""
        return f"{self.protocol} by {self.metric}"

    @property
    def estimate(self) -> str:
        """Whether ratings are weighed: plain, ips or snips."""
        return getattr(self.measured, "estimate", "plain") if self.propensities else "plain"

    @property
    def is_ratio(self) -> bool:
        """True if a weighed sum is divided by the weights of all relevant items."""
        return bool(self.propensities) and getattr(self.measured, "is_weighed_ratio", False)

    def averages(self, *, undefined_as_zero: bool) -> AveragedUsers:
        """The users that its mean is over."""
        if self.estimate == "ips" and not self.is_ratio:
            return AveragedUsers(SAMPLING)
        left_out = self.measured.skips_undefined or not undefined_as_zero
        skips = self.is_ratio or (left_out and not self.measured.undefined.startswith("never"))
        if not skips:
            return AveragedUsers(f"{SAMPLING} among tested users", tested=True)
        rel: float | None = getattr(self.measured, "rel", None)
        column = f"{SAMPLING} among users with relevant test ratings{'' if rel is None else f' from {rel:g}'}"
        return AveragedUsers(column, tested=True, relevant=True, rel=rel)


@dataclass(frozen=True)
class AveragedUsers:
    """The users that a mean is over, and the column of sampling rates that weighs the truth of these users."""

    column: str
    tested: bool = False
    """True if only users are counted whom the study's rules test."""
    relevant: bool = False
    """True if only users are counted who have a relevant test rating."""
    rel: float | None = None
    """The rating from which the metric calls a rating relevant; None for the study's rule."""

    def counted(self, split: Split, rules: Sequence[UserRule], relevance: RelevanceRule) -> Bool:
        """A mask over all users of the vocabulary."""
        users = chosen(rules, split, relevance) if self.tested else np.ones(split.test.n_users, np.bool_)
        if not self.relevant:
            return users
        test = split.test
        good = relevance.of_test(test, split.train) if self.rel is None else test.value >= self.rel
        return users & (np.bincount(test.user, good, test.n_users) > 0)


def base_metrics(names: Sequence[str] | str | None) -> tuple[Metric, ...]:
    """The metrics that are held against the truth; each has one value per user, higher being better."""
    texts = METRICS if names is None else [names] if isinstance(names, str) else names
    metrics: dict[Metric, None] = dict.fromkeys(metric for text in texts for metric in make_all("metric", str(text)))
    if not metrics:
        raise SpecError("no metric is named", where="metrics", hint=f"such as {', '.join(METRICS[:2])}")
    for metric in metrics:
        if not metric.per_user or metric.direction != "higher" or metric.weighs_items:
            raise SpecError(
                "this metric cannot be held against the truth",
                where="metrics",
                found=str(metric),
                expected="a plain metric of users, of which more is better",
                hint=f"such as {', '.join(METRICS[:2])}",
            )
    return tuple(metrics)


def declared_estimators(
    metrics: Sequence[Metric],
    options: ProtocolOptions,
    choices: JudgingChoices,
    *,
    knows_propensities: bool,
    only: Sequence[str] | None = None,
) -> tuple[list[TruthEstimator], list[str]]:
    """All estimators of these metrics, and those that do not apply, with the reason.

    `choices` are the study's; estimators have their own target and rule for unrated items. Where propensities are not known,
    no estimator is weighed by them. `only` names the protocols that are wanted.
    """
    estimators: dict[str, TruthEstimator] = {}
    refused: list[str] = []
    every = [
        estimator for metric in metrics for estimator in _of_metric(metric, options, knows_propensities=knows_propensities)
    ]
    if only is not None:
        usual = [
            estimator for metric in base_metrics(None) for estimator in _of_metric(metric, options, knows_propensities=True)
        ]
        names = list(dict.fromkeys(estimator.protocol for estimator in (*every, *usual)))
        for name in only:
            if name not in names:
                raise UnknownNameError("protocol", name, names, where="protocols")
            if all(estimator.protocol != name for estimator in every):
                refused.append(f"{name}: it does not apply to these metrics, or needs propensities that are not known")
    for estimator in every:
        if only is None or estimator.protocol in only:
            own = replace(choices, target=estimator.target, unrated=estimator.unrated)
            why = protocol_refusal(estimator.measured, own)
            if why:
                refused.append(f"{estimator.name}: {why}")
            else:
                estimators.setdefault(estimator.name, estimator)
    return list(estimators.values()), list(dict.fromkeys(refused))


def _of_metric(metric: Metric, options: ProtocolOptions, *, knows_propensities: bool) -> Iterator[TruthEstimator]:
    zero, condense = make("unrated", "zero"), make("unrated", "condense")
    for protocol in declared_protocols(options):
        yield _of_protocol(protocol, metric, zero)
    everything: Target = make("target", "AllItems")
    yield TruthEstimator(
        protocol="condensed",
        metric=str(metric),
        target=everything,
        split=None,
        unrated=condense,
        measured=metric,
        estimand=ESTIMANDS["rated items"],
        same_scale=False,
    )
    yield TruthEstimator(
        protocol="AI-AR-head",
        metric=str(metric),
        target=make("target", f"targets(head={options.head:g})"),
        split=None,
        unrated=zero,
        measured=metric,
        estimand=ESTIMANDS["tail"],
        same_scale=False,
    )
    for correction in ("", "cls", "bv(gamma=0.1)"):
        by = f", corrected={correction}" if correction else ""
        yield TruthEstimator(
            protocol=f"sampled{f' ({correction})' if correction else ''}",
            metric=str(metric),
            target=make("target", f"targets(relevant=one, nonrelevant={options.sampled}{by})"),
            split=None,
            unrated=zero,
            measured=metric,
            estimand="the mean over relevant items of the metric of a list with that item and all that are not relevant"
            if correction
            else ESTIMANDS["sampled lists"],
            same_scale=False,
        )
    yield from _weighted(metric, everything, zero, knows_propensities=knows_propensities)


def _of_protocol(protocol: BiasProtocol, metric: Metric, unrated: UnratedRule) -> TruthEstimator:
    measured, estimated = protocol.measured_by(metric), protocol.estimates(metric)
    # bpref, on a scale of its own, was made to order systems as AP does
    judged_by = metric if protocol.metric is None else estimated or make("metric", "AP")
    return TruthEstimator(
        protocol=protocol.name,
        metric=str(judged_by),
        target=protocol.targets(),
        split=protocol.splitter(),
        unrated=unrated,
        measured=measured,
        estimand=ESTIMANDS[protocol.estimand],
        same_scale=estimated is not None and estimated == judged_by,
    )


def _weighted(metric: Metric, target: Target, unrated: UnratedRule, *, knows_propensities: bool) -> Iterator[TruthEstimator]:
    """The same metric by inverse propensities, in each way that it knows, with each kind of propensities."""
    for estimate in ("ips", "snips"):
        for kind in PROPENSITIES:
            if kind == "known" and not knows_propensities:
                continue
            measured = weighed_by(metric, estimate, kind)
            if measured is None:
                continue
            scaled = estimate == "ips" or metric.self_normalised
            yield TruthEstimator(
                protocol=f"{estimate.upper()} ({kind})",
                metric=str(metric),
                target=target,
                split=None,
                unrated=unrated,
                measured=measured,
                estimand=ESTIMANDS["full ranking"] if scaled else "the metric per relevant item, of the full ranking",
                same_scale=scaled,
                propensities=kind,
            )


def weighed_by(metric: Metric, estimate: str, column: str) -> Metric | None:
    """The metric by inverse propensities of a column of the table; None where it knows no such estimate."""
    if getattr(metric, "estimate", None) != "plain":
        return None
    try:
        weighed: Metric = metric.replace(estimate=estimate, propensity=make("propensity", f'column("{column}", "{TABLE}")'))
    except SpecError:
        return None
    return weighed


def true_metric(metric: Metric, *, sampled: bool, column: str = SAMPLING) -> tuple[Metric, bool] | None:
    """How the truth of a metric is measured, and whether on its own scale; None where a sample cannot tell.

    `column` of the table of propensities has the sampling rates.

    Complete relevance is measured by the metric itself. Of a random sample, P and DCG are weighed by one over the sampling
    rate, Recall and AP by the same in numerator and denominator, and nDCG, whose ideal a sample does not tell, is stood for
    by DCG.
    """
    if not sampled:
        return metric, True
    if metric.unnormalised:
        dcg = make("metric", metric.unnormalised).replace(
            **{name: getattr(metric, name) for name in ("gain", "discount", "rel", "n") if hasattr(metric, name)}
        )
        weighed = weighed_by(dcg, "ips", column)
        return None if weighed is None else (weighed, False)
    for estimate in ("ips", "snips"):
        weighed = weighed_by(metric, estimate, column)
        if weighed is not None:
            return weighed, True
    return None
