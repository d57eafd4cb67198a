"""A study made ready: one way through its decisions, Random and Popularity added, protocols that its data allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from heldout.aggregations.aggregation import Aggregation
from heldout.biases.measured import Bench
from heldout.biases.options import BiasOptions
from heldout.biases.protocols import BiasProtocol, Estimand, ProtocolOptions, declared_protocols
from heldout.catalogue import make
from heldout.catalogue.notices import title_of
from heldout.errors import HeldoutError, InputError, NotApplicableError, SpecError, all_of
from heldout.experiment.folds import Fold, Prepared, filtered_sources, ready
from heldout.experiment.guessed_relevance import settle
from heldout.experiment.notices import about_classes
from heldout.experiment.preflight import check_fold, checked_folds
from heldout.experiment.ranks import plan_of
from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Metric
from heldout.study.spec import Study
from heldout.study.systems import System
from heldout.tables import Interactions
from heldout.tables.arrays import Int64
from heldout.targets.target import Target
from heldout.text.phrases import listed

DEPTH = 10
"""Where the study's metric has no cut-off."""
RANDOM, POPULARITY = "Random", "Popularity"


@dataclass(frozen=True, eq=False, kw_only=True)
class PreparedStudy:
    """One way through a study, with its folds."""

    study: Study
    """Each decision with one option; targets are those of the protocols."""
    folds: tuple[Fold, ...]
    metrics: tuple[Metric, ...]
    """The study's metric, and precision at its depth."""
    precision: Metric
    depth: int
    reference: BiasProtocol
    protocols: tuple[BiasProtocol, ...]
    """Those that the data allow, of the study's own split and of a uniform one."""
    uniform_share: float
    """Least share of the ratings in the uniform test set of U1R and UAR."""
    baselines: dict[str, str]
    """"Random" and "Popularity" → what they are called in the study."""
    left_out: tuple[str, ...]
    limits: tuple[str, ...]

    @property
    def data(self) -> Interactions:
        """All ratings of the first fold."""
        split = self.folds[0].split
        parts = [split.train, split.test, *([split.validation] if split.validation is not None else [])]
        user, item, value = (np.concatenate([getattr(part, name) for part in parts]) for name in ("user", "item", "value"))
        return Interactions.build(split.train.users, split.train.items, user, item, value)


def prepare(study: Study, options: BiasOptions, bench: Bench) -> PreparedStudy:
    """One way through a study; SpecError or InputError where there is nothing to compare."""
    left_out: list[str] = []
    limits: list[str] = []
    metric = options.metric or next((m for m in study.contests if _ranks(m)), None)
    if metric is None or not _ranks(metric):
        raise SpecError(
            where="metrics",
            found=[str(metric) for metric in study.metrics],
            expected="a metric that ranks systems by each user's list",
            hint="such as metric=P@10",
        )
    depth = depth_of(metric) or DEPTH
    precision: Metric = make("metric", f"P@{depth}")
    study = _one_way(study, limits)
    study, baselines = _with_baselines(study)
    study = replace(study, metrics=tuple(dict.fromkeys((metric, precision))))
    study, sources = settle(study, filtered_sources(study, bench.prepared, bench.clock))
    first = list(checked_folds(study, bench.prepared, bench.clock, sources))
    _refuse_flat(first[0])
    share = _uniform_share(first[0], options, left_out)
    sizes = ProtocolOptions(
        sampled=options.sampled,
        classes=options.classes,
        head=options.head,
        keep=options.keep,
        gamma=options.gamma,
        share=share,
        plain="TestItems" if study.target[0].form.candidates == "test" else "AllItems",
        single=True,
        level=_level(first[0], share, options.keep),
    )
    declared = declared_protocols(sizes)
    own = str(study.target[0])
    reference = next((p for p in declared if p.split is None and p.metric is None and str(p.targets()) == own), None)
    if reference is None:
        reference = _own_protocol(study.target[0])
        declared = (reference, *declared)
    uniform = _allows_uniform(study, left_out)
    if _all_relevant(study, first):
        declared = _judged(declared, metric, left_out)
    protocols = [
        protocol
        for protocol in declared
        if (uniform or protocol.split is None) and _allowed(study, first[0], protocol, left_out)
    ]
    targets = [p.targets() for p in protocols if p.split is None]
    metrics = (*study.metrics, *(p.measured_by(metric) for p in protocols if p.metric is not None))
    study = replace(study, target=tuple(dict.fromkeys(targets)), metrics=tuple(dict.fromkeys(metrics)))
    limits += [f"{n.code} {title_of(n.code)}: {n.message}." for n in about_classes(study.target, first[0].split)]
    return PreparedStudy(
        study=study,
        folds=tuple(remade(study, fold) for fold in first),
        metrics=tuple(dict.fromkeys((metric, precision))),
        precision=precision,
        depth=depth,
        reference=reference,
        protocols=tuple(protocols),
        uniform_share=sizes.share,
        baselines=baselines,
        left_out=tuple(left_out),
        limits=tuple(limits),
    )


def _own_protocol(target: Target) -> BiasProtocol:
    """The study's own protocol, where none of the declared ones is."""
    form = target.form
    estimand: Estimand = "rated items" if form.own else "sampled lists" if form.sample is not None else "tested items"
    return BiasProtocol(name="study", summary="as in the study", role="plain", target=target.full_text, estimand=estimand)


def remade(study: Study, fold: Fold) -> Fold:
    """The same ratings made ready for the targets and metrics of another study."""
    problems: list[HeldoutError] = []
    fold = ready(study, fold.data, fold.filter, fold.split_text, fold.split, Prepared())
    fold = check_fold(study, fold, problems, needs_metric=True)
    if problems:
        raise all_of(problems)
    return fold


def allowed_targets(study: Study, fold: Fold, targets: Sequence[Target], left_out: list[str]) -> list[Target]:
    """The targets that the ratings of a fold allow; why others are not among them is noted."""
    allowed = []
    for target in targets:
        try:
            plan_of(replace(study, target=(target,)), fold)
        except NotApplicableError as error:
            left_out.append(f"{target}: {error.problem}")
        else:
            allowed.append(target)
    return allowed


def _one_way(study: Study, limits: list[str]) -> Study:
    """The first option of every decision; what was set aside is noted."""
    stages = ("data", "filters", "split", "users", "fallback", "relevance", "target", "ties", "undefined", "coverage")
    for stage in stages:
        options = getattr(study, stage)
        if len(options) > 1:
            limits.append(f"The study has {len(options)} options under {stage}; this is of the first, {_text(options[0])}.")
    mean: Aggregation = make("aggregation", "mean")
    if study.aggregate != (mean,) or study.own_aggregate:
        named = dict.fromkeys(str(aggregation) for aggregation in study.aggregate if aggregation != mean)
        limits.append(
            f"The study aggregates by {listed(list(named)) or 'rules of single metrics'}; here values are means over users, "
            "since expectations are known of means alone."
        )
    if study.unrated != (make("unrated", "zero"),):
        rules = listed([str(rule) for rule in study.unrated])
        limits.append(f"The study has unrated = {rules}; here unrated items count as not relevant.")
    tests = [test for test in study.compare.tests if not test.one_sided and not test.all_at_once]
    tests = [test for test in tests if not test.refusal(mean, weighted=True)]  # lists of 1R and P1R weigh
    if study.compare.tests and not tests:
        limits.append(f"{study.compare.tests[0]} does not compare single pairs of lists that weigh; the t test is used.")
    compare = replace(study.compare, tests=tuple(tests[:1] or [make("test", "t")]), baseline=None)
    firsts = {stage: getattr(study, stage)[:1] for stage in stages}
    return replace(
        study,
        **firsts,
        unrated=(make("unrated", "zero"),),
        aggregate=(mean,),
        own_aggregate=(),
        objectives=(),
        compare=compare,
    )


def _ranks(metric: Metric) -> bool:
    """Whether a metric has a value for each user's list, whatever its scores mean."""
    return metric.per_user and metric.direction != "none" and not (metric.needs_ratings or metric.needs_all_scores)


def _text(option: object) -> str:
    return " + ".join(map(str, option)) or "none" if isinstance(option, tuple) else str(option)


def _with_baselines(study: Study) -> tuple[Study, dict[str, str]]:
    """The study with Random and Popularity, and what they are called."""
    names = {}
    systems = list(study.recommend)
    for key in (RANDOM, POPULARITY):
        same = next((s for s in systems if s.recommender.full_text == make("recommender", key).full_text), None)
        if same is None:
            taken = {s.name for s in systems}
            same = System(key if key not in taken else f"{key} (added)", make("recommender", key))
            systems.append(same)
        names[key] = same.name
    return replace(study, recommend=tuple(systems)), names


def _refuse_flat(fold: Fold) -> None:
    """InputError where all items are equally popular: there is no popularity to be biased to."""
    counts = _counts(fold)
    if len(set(counts[counts > 0].tolist())) == 1:
        raise InputError(
            "all items are equally popular, and the data have no popularity bias to look for",
            found=f"{int(counts.max())} ratings of every item",
            expected="items with different numbers of ratings",
        ).within("data")


def _counts(fold: Fold) -> Int64:
    """Ratings of each item in training and test together."""
    return fold.split.train.item_counts + fold.split.test.item_counts


def _level(fold: Fold, share: float, keep: float) -> int | None:
    """How many items compete in UAR, which AR-NN samples; None where that is all test items, or there is no UAR."""
    items = make("split", f"uniform_test(share={share:g}, keep={keep:g})").items_tested(_counts(fold))
    return int(items) if 0 < items < np.count_nonzero(fold.split.test.item_counts) else None


def _uniform_share(fold: Fold, options: BiasOptions, left_out: list[str]) -> float:
    """The test share of the uniform split: that of the study's split, or the largest that the data allow."""
    split = fold.split
    whole = len(split.train) + len(split.test) + (len(split.validation) if split.validation is not None else 0)
    wanted = options.share if options.share is not None else round(len(split.test) / whole, 2)
    largest = make("split", f"uniform_test(keep={options.keep:g})").largest_share(_counts(fold))
    most = float(np.floor(100 * largest) / 100)
    if wanted <= most or most <= 0:
        return max(wanted, 0.01)
    left_out.append(
        f"uniform_test(share={wanted:g}) cannot be drawn, popularity is too steep for it: in U1R and UAR the test set has "
        f"{most:g} of the ratings"
    )
    return most


def _allows_uniform(study: Study, left_out: list[str]) -> bool:
    if study.data:
        return True
    left_out.append("U1R, UAR and AI-UAR: train and test are given, and there are no data to split anew")
    return False


def _all_relevant(study: Study, folds: Sequence[Fold]) -> bool:
    """True if no fold has a test rating that is not relevant."""
    return all(study.relevance[0].of_test(fold.split.test, fold.split.train).all() for fold in folds)


def _judged(declared: Sequence[BiasProtocol], metric: Metric, left_out: list[str]) -> tuple[BiasProtocol, ...]:
    """The protocols that say something if all test ratings are relevant: bpref is then 1 for every full ranking."""
    why = "all test ratings are relevant, and the metric compares them with judged items that are not"
    if metric.needs_nonrelevant:
        raise NotApplicableError(f"{metric}: {why}", where="metrics", hint="metric=P@10 needs no such items")
    needing = [p.name for p in declared if p.metric is not None and p.measured_by(metric).needs_nonrelevant]
    left_out += [f"{name}: {why}" for name in needing]
    return tuple(p for p in declared if p.name not in needing)


def _allowed(study: Study, fold: Fold, protocol: BiasProtocol, left_out: list[str]) -> bool:
    """Whether the data allow a protocol; those of another split are checked once that is made."""
    if protocol.split is not None:
        return True
    reasons: list[str] = []
    if allowed_targets(study, fold, [protocol.targets()], reasons):
        return True
    left_out += [f"{protocol.name}: {reason.partition(': ')[2]}" for reason in reasons]
    return False
