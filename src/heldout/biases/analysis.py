"""The findings about the biases of a study: its systems under every protocol, expectations, sweeps and drift."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from heldout.biases.drift import study_drift
from heldout.biases.expectations import expectation_rows, helper_targets
from heldout.biases.findings import BiasFindings, CurvePoint, ExpectationRow
from heldout.biases.measured import Bench, SystemOnFold, each_system, from_kept_ranks
from heldout.biases.options import BiasOptions
from heldout.biases.prepare import PreparedStudy, allowed_targets, prepare, remade
from heldout.biases.protocol_effects import MeasuredProtocol, protocol_effects
from heldout.biases.protocols import BiasProtocol
from heldout.biases.sentences import bias_limits, bias_sentences
from heldout.biases.sweeps import (
    SweepTarget,
    all_relevant,
    one_relevant,
    removal_targets,
    removed_points,
    sweep_points,
    target_sweeps,
    targets_of,
    thinned,
    without_tastes,
)
from heldout.catalogue import make
from heldout.data.simulation_fit import fitted
from heldout.errors import InputError, NotApplicableError
from heldout.experiment.folds import Fold, Prepared
from heldout.experiment.preflight import checked_folds
from heldout.metrics.metric import Metric
from heldout.progress import Progress, WorkBar
from heldout.storage.deferred import Deferred
from heldout.study.spec import Study
from heldout.tables.cell_scores import CellScores
from heldout.text.phrases import listed

FIRST, FURTHER, UNIFORM, SKEWED = "", " on a further fold", " on a uniform test", " on simulated data"
"""Rounds over all systems, which take different times: the first fold has the sweeps."""
SWEPT = 6.0
"""How often the time of other rounds the first takes: on MovieLens 100k 23 s, and 3.4 to 5.8 s."""


@dataclass(eq=False, kw_only=True)
class _Measured:
    """What is measured, as it comes in."""

    parts: dict[str, list[CellScores]] = field(default_factory=dict)
    """Protocol → scores of all systems and folds."""
    splits: dict[str, str] = field(default_factory=dict)
    """Protocol → its split."""
    expectations: list[ExpectationRow] = field(default_factory=list)
    curves: list[CurvePoint] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def bias_findings(study: Study, options: BiasOptions, bench: Bench, progress: Progress | None = None) -> BiasFindings:
    """Everything about the biases of a study; what `bench` keeps is not computed again."""
    prepared = prepare(study, options, bench)
    rounds, systems = _rounds(prepared, options), [system.name for system in prepared.study.recommend]
    ahead = {f"{name}{of}": count for name in systems for of, count in rounds.items()}
    bar = WorkBar(progress, ahead, weights={f"{name}{FIRST}": SWEPT for name in systems})
    bench.bar = bar
    measured = _Measured(left_out=list(prepared.left_out))
    _own_split(prepared, options, bench, measured)
    _uniform_splits(prepared, options, bench, measured)
    if "skew" in options.sweeps:
        _skew(prepared, options, bench, measured)
    measured.left_out += [f"{name}: {reason}" for name, reason in bench.failed.items()]
    protocols = [protocol for protocol in prepared.protocols if protocol.name in measured.parts]
    effects = protocol_effects(
        replace(prepared.study, metrics=prepared.metrics),
        [
            MeasuredProtocol(
                protocol=protocol,
                split=measured.splits[protocol.name],
                metrics=_metrics(protocol, prepared.metrics),
                parts=tuple(measured.parts[protocol.name]),
            )
            for protocol in protocols
        ],
        prepared.reference,
        prepared.precision,
    )
    fold = prepared.folds[0]
    judged = tuple(dict.fromkeys(row.system for row in effects.values))
    findings = BiasFindings(
        protocol=_choices(prepared, fold),
        systems=judged,
        baselines=prepared.baselines,
        metric=str(prepared.metrics[0]),
        precision=str(prepared.precision),
        users=len(fold.users),
        folds=len(prepared.folds),
        level=prepared.study.compare.level,
        effects=effects,
        expectations=tuple(row for row in measured.expectations if row.system in judged),
        curves=tuple(point for point in measured.curves if point.system in judged),
        drift=study_drift(prepared, fold, options, measured.left_out),
        sentences=(),
        limits=(),
        left_out=tuple(dict.fromkeys(measured.left_out)),
        profiles=Deferred(bench.prepared.distinct_profiles),
    )
    bar.end()
    return replace(
        findings, sentences=tuple(bias_sentences(findings)), limits=(*prepared.limits, *bias_limits(findings, options))
    )


def _rounds(prepared: PreparedStudy, options: BiasOptions) -> dict[str, int]:
    """How many rounds of each kind there are, as far as that is known before."""
    uniform = (
        len(_uniform_shares(prepared, options)) if any(protocol.split is not None for protocol in prepared.protocols) else 0
    )
    skewed = len(options.alphas) if "skew" in options.sweeps else 0
    return {FIRST: 1, FURTHER: len(prepared.folds) - 1, UNIFORM: uniform, SKEWED: skewed}


def _uniform_shares(prepared: PreparedStudy, options: BiasOptions) -> list[float]:
    """The sizes of uniform test sets, the study's own first."""
    return list(dict.fromkeys((prepared.uniform_share, *(options.shares if "uniform" in options.sweeps else ()))))


def _metrics(protocol: BiasProtocol, metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    return tuple(metrics) if protocol.metric is None else (protocol.measured_by(metrics[0]),)


def _own_split(prepared: PreparedStudy, options: BiasOptions, bench: Bench, measured: _Measured) -> None:
    """All protocols of the study's own split, on every fold; expectations and sweeps on the first."""
    protocols = [protocol for protocol in prepared.protocols if protocol.split is None]
    first = prepared.folds[0]
    sweeps = [of for of in target_sweeps(options) if _allowed(prepared.study, first, of, measured.left_out)]
    removals = _allowed_removals(prepared.study, first, options, measured.left_out) if "removed" in options.sweeps else []
    helpers = allowed_targets(prepared.study, first, helper_targets(protocols), measured.left_out)
    whole = replace(prepared.study, target=tuple(dict.fromkeys((*prepared.study.target, *targets_of(sweeps), *helpers))))
    for number, fold in enumerate(prepared.folds):
        study = whole if number == 0 else prepared.study
        place = f", fold {number + 1}" if len(prepared.folds) > 1 else ""

        def measure(system: SystemOnFold, of_first: bool = number == 0) -> None:
            _protocol_parts(system, protocols, prepared, measured)
            if of_first:
                _expectations(system, protocols, prepared, measured)
                measured.curves += _kept_points(system, sweeps, prepared)
                if removals:
                    key = (options.sampled, *removals, str(prepared.precision))
                    sizes = (removals, options.sampled)
                    compute = partial(removed_points, system, *sizes, prepared.precision, prepared.depth)
                    measured.curves += system.rows("test ratings removed", key, CurvePoint, compute)

        each_system(study, remade(study, fold), bench, measure, place=place, of=FURTHER if number else FIRST)
    _unfittable(prepared, protocols, bench, measured)


def _unfittable(prepared: PreparedStudy, protocols: Sequence[BiasProtocol], bench: Bench, measured: _Measured) -> None:
    """Systems that cannot be fitted again, under the protocols that kept ranks answer for; where else, they are left out."""
    under: dict[str, dict[str, None]] = {s.name: {} for s in prepared.study.recommend if not s.recommender.fittable}
    for fold in prepared.folds if under else ():
        for system in from_kept_ranks(prepared.study, fold, bench):
            answered = [protocol for protocol in protocols if protocol.targets() == system.study.target[0]]
            _protocol_parts(system, answered, prepared, measured)
            under[system.name] |= dict.fromkeys(protocol.name for protocol in answered)
    for name, names in under.items():
        measured.left_out.append(
            f"{name}: the model is not kept and cannot be fitted again; "
            + (
                f"kept ranks answer for {listed(list(names))} alone"
                if names
                else "there are no ranks of it either, which are kept of models that have a version"
            )
        )


def _allowed(study: Study, fold: Fold, of: SweepTarget, left_out: list[str]) -> bool:
    """True if the data allow a place of a sweep; why not is noted."""
    reasons: list[str] = []
    allowed = allowed_targets(study, fold, targets_of([of]), reasons)
    left_out += [f"{of.sweep} at {of.x:g}: {reason.rpartition(': ')[2]}" for reason in reasons[:1]]
    return len(allowed) == len(targets_of([of]))


def _allowed_removals(study: Study, fold: Fold, options: BiasOptions, left_out: list[str]) -> list[float]:
    """The shares of the test ratings that can be removed; why others cannot is noted."""
    shares = []
    for removed in options.removed:
        left = thinned(fold, removed, study.seed)
        reasons: list[str] = []
        allowed_targets(study, left, removal_targets(options.sampled), reasons)
        if not study.relevance[0].of_test(left.split.test, left.split.train).any():
            reasons.append("no relevant test rating is left")
        if reasons:
            left_out.append(f"removed at {removed:g}: {reasons[0].rpartition(': ')[2]}")
        else:
            shares.append(removed)
    return shares


def _protocol_parts(
    system: SystemOnFold, protocols: Sequence[BiasProtocol], prepared: PreparedStudy, measured: _Measured
) -> None:
    """A system's scores under the protocols of one split."""
    plain = [protocol for protocol in protocols if protocol.metric is None]
    own = [protocol for protocol in protocols if protocol.metric is not None]
    for group, metrics in (
        (plain, prepared.metrics),
        (own, tuple(dict.fromkeys(protocol.measured_by(prepared.metrics[0]) for protocol in own))),
    ):
        if group:
            part = system.part(tuple(dict.fromkeys(protocol.targets() for protocol in group)), metrics)
            for protocol in group:
                measured.parts.setdefault(protocol.name, []).append(part)
                measured.splits[protocol.name] = system.fold.split_text


def _expectations(
    system: SystemOnFold, protocols: Sequence[BiasProtocol], prepared: PreparedStudy, measured: _Measured
) -> None:
    role = next((role for role, name in prepared.baselines.items() if name == system.name), "")
    names = tuple(protocol.name for protocol in protocols)
    measured.expectations += system.rows(
        "expectations",
        (*names, str(prepared.precision), role),
        ExpectationRow,
        lambda: expectation_rows(system, protocols, prepared.precision, prepared.depth, role),
    )


def _uniform_splits(prepared: PreparedStudy, options: BiasOptions, bench: Bench, measured: _Measured) -> None:
    """The protocols of equally tested items, and precision for uniform test sets of several sizes."""
    protocols = [protocol for protocol in prepared.protocols if protocol.split is not None]
    if not protocols:
        return
    test_sets: set[str] = set()
    for share in _uniform_shares(prepared, options):
        main = share == prepared.uniform_share
        split = make("split", f"uniform_test(share={share:g}, keep={options.keep:g})")
        study = replace(prepared.study, split=(split,), target=(make("target", "UAR"),), metrics=prepared.metrics)
        try:
            fold = next(iter(checked_folds(study, Prepared(), bench.clock)))
        except InputError as error:
            measured.left_out.append(error.problem)
            bench.skip(study.recommend, UNIFORM)
            continue
        if fold.split.test.digest in test_sets:
            bench.skip(study.recommend, UNIFORM)
            continue  # the share is the least one: where all items have many ratings, several give the same test set
        test_sets.add(fold.split.test.digest)
        actual = round(len(fold.split.test) / (len(fold.split.test) + len(fold.split.train)), 3)
        protocols_here = protocols if main else [protocol for protocol in protocols if protocol.targets().form.uniform]
        protocols_here = [p for p in protocols_here if allowed_targets(study, fold, [p.targets()], measured.left_out)]
        helpers = allowed_targets(study, fold, helper_targets(protocols_here) if main else (), measured.left_out)
        targets = tuple(dict.fromkeys((*(p.targets() for p in protocols_here), *helpers)))
        study = replace(study, target=targets)
        ways = [
            SweepTarget(sweep="uniform", x=actual, protocol=protocol.name, target=protocol.targets())
            for protocol in protocols_here
            if protocol.targets().form.uniform and "uniform" in options.sweeps
        ]

        full = protocols_here if main else []
        measure = partial(_measure_elsewhere, protocols=full, ways=ways, prepared=prepared, measured=measured)
        each_system(study, remade(study, fold), bench, measure, place=f", uniform test of {share:.0%}", of=UNIFORM)


def _measure_elsewhere(
    system: SystemOnFold,
    *,
    protocols: Sequence[BiasProtocol],
    ways: Sequence[SweepTarget],
    prepared: PreparedStudy,
    measured: _Measured,
) -> None:
    if protocols:
        _protocol_parts(system, protocols, prepared, measured)
        _expectations(system, protocols, prepared, measured)
    measured.curves += _kept_points(system, ways, prepared)


def _kept_points(system: SystemOnFold, ways: Sequence[SweepTarget], prepared: PreparedStudy) -> list[CurvePoint]:
    key = (*(f"{of.sweep} {of.x} {of.target}" for of in ways), str(prepared.precision))
    compute = partial(sweep_points, system, ways, prepared.precision, prepared.depth)
    return system.rows("sweeps", key, CurvePoint, compute) if ways else []


def _skew(prepared: PreparedStudy, options: BiasOptions, bench: Bench, measured: _Measured) -> None:
    """Precision on simulated data of the same size whose popularity is more or less steep (Figure 5)."""
    split = prepared.folds[0].split
    test_share = len(split.test) / (len(split.test) + len(split.train))
    try:
        like = fitted(prepared.data, seed=prepared.study.seed)
    except InputError as error:
        measured.left_out.append(f"skew: {error.problem}")
        return
    for alpha in options.alphas:
        data = without_tastes(like, alpha)
        ways = [
            SweepTarget(sweep="skew", x=alpha, protocol="AR", target=all_relevant()),
            SweepTarget(sweep="skew", x=alpha, protocol="1R", target=one_relevant(options.sampled)),
        ]
        study = replace(
            prepared.study,
            data=(data,),
            filters=((),),
            split=(make("split", f"ratio(train={1 - test_share:.4f})"),),
            target=tuple(way.target for way in ways),
            metrics=(prepared.precision,),
        )
        try:
            fold = next(iter(checked_folds(study, Prepared(), bench.clock)))
        except (InputError, NotApplicableError) as error:
            measured.left_out.append(f"skew {alpha:g}: {error.problem}")
            bench.skip(study.recommend, SKEWED)
            continue

        measure = partial(_measure_elsewhere, protocols=(), ways=ways, prepared=prepared, measured=measured)
        each_system(study, fold, bench, measure, place=f", simulated with α = {alpha:g}", of=SKEWED)


def _choices(prepared: PreparedStudy, fold: Fold) -> dict[str, str]:
    study = prepared.study
    return {
        "data": fold.data,
        "filters": fold.filter,
        "split": fold.split_text,
        "users": " + ".join(map(str, study.users[0])),
        "relevance": str(study.relevance[0]),
        "target": prepared.reference.target,
        "fallback": str(study.fallback[0]),
        "ties": str(study.ties[0]),
    }
