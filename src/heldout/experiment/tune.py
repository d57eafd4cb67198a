"""Choosing hyper-parameters: a search on validation ratings that are carved out of train; test is never looked at."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeGuard, get_args

from heldout import rng, threads
from heldout.analysis.alignment import align
from heldout.analysis.settings import aggregate_settings
from heldout.catalogue import Component, make, parameters
from heldout.catalogue.component import default_of, type_of
from heldout.catalogue.text import parse, parse_value
from heldout.engine.engine import Engine, Sendable, Shared, TaskFailedError
from heldout.errors import HeldoutError, MissingExtraError, NotApplicableError, SpecError, UnknownNameError
from heldout.experiment.cell import measured_part
from heldout.experiment.clock import Clock
from heldout.experiment.failure import SystemFailedError
from heldout.experiment.folds import Fold, Prepared, ready
from heldout.experiment.guessed_relevance import settle_by_split
from heldout.experiment.journal import journal_errors, open_search, searching
from heldout.experiment.ranks import Fitted, plan_of
from heldout.experiment.recommend import fold_of
from heldout.experiment.run import opened
from heldout.progress import Progress
from heldout.recommenders.ranges import Among, Between, Range, Ranges
from heldout.recommenders.recommender import Recommender
from heldout.splits.carve import with_validation
from heldout.splits.splitter import Splitter
from heldout.study.protocol import chain_text
from heldout.study.spec import OPTION_STAGES, Study
from heldout.study.systems import System
from heldout.study.tuned import Trial, Tuned, write_tuned
from heldout.tables import Split
from heldout.tables.arrays import digest_of

_WRITTEN = "such as factors=10..100, l2=0.01..10:log or similarity=cosine,jaccard"
MOST_TRIALS = 100_000
CARVED = "ratio(train=0.8, by=user)"
"""How validation ratings are carved out of train, unless the split has some or the study says how."""


def search_space(model: Any, ranges: Mapping[str, Any]) -> tuple[Recommender, Ranges]:
    """The recommender to start from, and the ranges of the parameters that are looked for.

    Parameters that `model` names keep their value; the others are looked for in `ranges` or, where that is empty, in
    the ranges that the recommender declares.
    """
    start, fixed = _start(model)
    names = _names(type(start))
    space: dict[str, Range] = {}
    for name, value in ranges.items():
        if name.casefold() not in names:
            raise UnknownNameError(f"parameter of {start.key}", name, list(dict.fromkeys(names.values())), where="range")
        if names[name.casefold()] in fixed:
            raise SpecError(f"'{name}' has a value in {model} and a range", where="range", hint="leave one out")
        space[names[name.casefold()]] = range_of(name, value)
    space = space or {name: declared for name, declared in start.ranges.items() if name not in fixed}
    if not space:
        raise SpecError(f"nothing of {model} is to be tuned", where="range", hint=f"give a range, {_WRITTEN}")
    return start, {name: _of_type(start, name, span) for name, span in space.items()}


def _of_type(start: Recommender, name: str, span: Range) -> Range:
    """The range with ends of the parameter's type: `alpha=0..1` means real numbers if alpha is real.

    SpecError if the recommender does not take an end or an option.
    """
    ends = span.options if isinstance(span, Among) else (span.low, span.high)
    taken = [getattr(start.replace(**{name: end}), name) for end in ends]
    if isinstance(span, Among):
        return span
    hint = type_of(type(start), name)
    low, high = map(float, taken) if float in (hint, *get_args(hint)) else taken
    return Between(low, high, span.log)


def _names(cls: type[Component]) -> dict[str, str]:
    """Every casefolded name of a parameter → the parameter."""
    return {name.casefold(): field.name for field in parameters(cls) for name in (field.name, *field.metadata["also"])}


def _start(model: Any) -> tuple[Recommender, set[str]]:
    """The recommender, and the parameters that are named with it."""
    recommender: Recommender
    if isinstance(model, Component):
        recommender = make("recommender", model)
        cls = type(recommender)
        return recommender, {f.name for f in parameters(cls) if getattr(recommender, f.name) != default_of(cls, f)}
    call = parse(str(model))
    recommender = make("recommender", call)
    cls, names = type(recommender), _names(type(recommender))
    by_place = {field.name for field in parameters(cls)[: len(call.args)]}
    return recommender, by_place | {names[key.casefold()] for key in call.kwargs}


def range_of(name: str, value: Any) -> Range:
    """A range from itself, a pair of numbers, a list of values, or text: `10..100`, `0.01..10:log`, `cosine,jaccard`."""
    if isinstance(value, Between | Among):
        return value
    if isinstance(value, tuple) and len(value) == 2 and all(_is_number(end) for end in value):
        return _between(name, *value, log=False)
    if isinstance(value, list | tuple) and value:
        return Among(tuple(value))
    if not isinstance(value, str) or not value.strip():
        raise SpecError(where=f"range of {name}", found=value, expected="a range", hint=_WRITTEN)
    text, colon, how = value.partition(":")
    if ".." in text:
        low, _, high = text.partition("..")
        if how not in ("", "log") or (colon and not how):
            raise SpecError(where=f"range of {name}", found=value, expected="a range", hint=_WRITTEN)
        return _between(name, _number(name, low), _number(name, high), log=how == "log")
    return Among(tuple(parse_value(part) for part in value.split(",")))


def _between(name: str, low: float, high: float, *, log: bool) -> Between:
    if not low < high or (log and low <= 0):
        raise SpecError(
            f"goes from {low:g} to {high:g}",
            where=f"range of {name}",
            hint="the low end must be above 0 for a logarithmic range" if log and low <= 0 else "the low end must be lower",
        )
    return Between(low, high, log)


def _number(name: str, text: str) -> float:
    try:
        value = parse_value(text)
    except SpecError:
        value = None
    if not _is_number(value):
        raise SpecError(where=f"range of {name}", found=text, expected="a number", hint=_WRITTEN)
    return value


def _is_number(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def tune(
    study: Study,
    model: Any,
    *,
    metric: Any = None,
    trials: int = 30,
    ranges: Mapping[str, Any] | None = None,
    validation: Any = None,
    fold: int | None = None,
    out: str | Path | None = None,
    threads_used: int | None = None,
    progress: Progress | None = None,
    batch: int = 1,
    engine: Engine | str | None = None,
    address: str | None = None,
) -> Tuned:
    """Search for the parameters of a model under the study's protocol, on validation ratings carved out of train.

    Where the study has several options of a decision, the first counts. `model` is a text form or a recommender: parameters
    that it names stay, the others are looked for in `ranges`, or where the recommender declares. With `out`, trials are
    kept there, and a search that was stopped goes on; it ends with the same parameters as one that was not. The trials of a
    `batch` are drawn before any of them is measured, so that an engine can make them side by side: what is found depends on
    the batch, and not on the engine.
    """
    optuna = _optuna()
    if not 1 <= trials <= MOST_TRIALS:
        raise SpecError(where="trials", found=trials, expected=f"1 to {MOST_TRIALS:,}")
    if not 1 <= batch <= trials:
        raise SpecError(where="batch", found=batch, expected=f"1 to {trials:,}, the number of trials")
    start, space = search_space(model, ranges or {})
    study = _first(study, make("metric", metric) if metric is not None else study.metrics[0])
    if study.metrics[0].direction == "none":
        raise SpecError(f"{study.metrics[0]} does not say which of two systems is better", where="metric")
    with threads.using(threads_used), searching(out), opened(engine or study.engine, address) as where:
        if progress is not None:
            progress("reading and splitting", 0, 0)
        carver: Splitter = make("split", validation or CARVED) if validation or not study.validation else study.validation
        study, prepared = _validation_fold(study, fold, carver)
        protocol = _protocol(study, prepared, carver) | ({"batch": str(batch)} if batch > 1 else {})
        name = digest_of(prepared.digest, start.full_text, *(f"{k}={v}" for k, v in space.items()), *protocol.values())
        direction = "maximize" if study.metrics[0].direction == "higher" else "minimize"
        with journal_errors(out):
            search = open_search(optuna, out, space, study_name=name[:32], direction=direction)
            _search(optuna, search, study, prepared, start, space, trials, progress, batch=batch, engine=where)
        read = {"data_digest": study.data[0].source_digest()} if study.data else {}
        tuned = _chosen(optuna, search, start, space, trials, str(study.metrics[0]), protocol | read)
        if out is not None:
            write_tuned(tuned, out)
    return tuned


def _optuna() -> Any:
    try:
        import optuna
    except ModuleNotFoundError:
        raise MissingExtraError("optuna", "tune", "a search for hyper-parameters") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna


def _first(study: Study, metric: Any) -> Study:
    """The study with the first option of every decision alone."""
    cut: dict[str, Any] = {stage: getattr(study, stage)[:1] for stage in OPTION_STAGES}
    return replace(study, **cut, metrics=(metric,))


def _validation_fold(study: Study, fold: int | None, carver: Splitter) -> tuple[Study, Fold]:
    """The fold that parameters are chosen on, and the study with its relevance rule settled."""
    split = fold_of(study, fold)
    study = settle_by_split(study, split)  # the scale is a fact of the data set, whichever part a rating is in
    if split.validation is None:
        split = with_validation(split, carver, seed=study.seed)
    if split.validation is None or len(split.validation) == 0:
        raise NotApplicableError("no validation ratings are left", where="validation", hint="keep fewer in train")
    # What tests is validation: the split's own test part is out of reach from here on.
    inner = Split(train=split.train, test=split.validation, fold=split.fold)
    data = str(study.data[0]) if study.data else "given"
    split_text = f"{study.split[0]}, validation"
    return study, ready(study, data, chain_text(study.filters[0]), split_text, inner, Prepared())


def _protocol(study: Study, fold: Fold, carver: Splitter) -> dict[str, str]:
    protocol = {stage: options[0] for stage, options in study.options() if options and stage not in ("recommend", "compare")}
    return {**protocol, "validation": carver.full_text, "fold": str(fold.split.fold + 1), "seed": str(study.seed)}


def _search(
    optuna: Any,
    search: Any,
    study: Study,
    fold: Fold,
    start: Recommender,
    space: Ranges,
    trials: int,
    progress: Progress | None,
    *,
    batch: int,
    engine: Engine,
) -> None:
    """Make the trials that are missing; one that a stop left unfinished is made again with its parameters.

    The parameters of a batch are all drawn before the value of any of them is known to the search.
    """
    finished = (optuna.trial.TrialState.COMPLETE, optuna.trial.TrialState.FAIL)
    shared = {"study": Shared(study), "fold": Shared(fold)}
    while True:
        begun = search.get_trials(deepcopy=False)
        done = sum(t.state in finished for t in begun)
        if done >= trials:
            return
        numbers = range(done, min(done // batch * batch + batch, trials))
        drawn = [_drawn(optuna, search, study, space, begun[n] if n < len(begun) else None, n) for n in numbers]
        tasks = (_task(study, fold, start, parameters, shared) for _, parameters in drawn)
        if progress is not None:
            progress(f"tuning {start.key}", done, trials)
        for (trial, _), measured in zip(drawn, engine.run(tasks), strict=True):
            trial.set_user_attr("cpu_seconds", measured.cpu_seconds)
            trial.set_user_attr("reason", measured.reason or ("the metric has no value" if measured.value is None else ""))
            failed = {} if measured.value is not None else {"state": optuna.trial.TrialState.FAIL}
            search.tell(trial.number, measured.value, **failed)
            done += 1
            if progress is not None:
                progress(f"tuning {start.key}", done, trials)


def _drawn(optuna: Any, search: Any, study: Study, space: Ranges, left: Any, number: int) -> tuple[Any, dict[str, Any]]:
    """A trial and its parameters; `left` is the trial where a stop left it unfinished."""
    # A sampler of its own for every trial: what it draws depends on the batches before, not on when the search stopped.
    search.sampler = optuna.samplers.TPESampler(seed=rng.key(study.seed, "tune", number) % 2**32)
    trial = optuna.trial.Trial(search, left._trial_id) if left is not None else search.ask()
    return trial, {name: _suggested(trial, name, space) for name in space}


@dataclass(frozen=True, kw_only=True)
class TrialValue:
    """What a trial came to."""

    value: float | None
    reason: str = ""
    cpu_seconds: float = 0.0


def _task(
    study: Study, fold: Fold, start: Recommender, parameters: dict[str, Any], shared: dict[str, Any]
) -> Callable[[], TrialValue]:
    """A trial as a task of an engine."""
    try:
        model = start.replace(**parameters)
    except HeldoutError as error:
        refused = TrialValue(value=None, reason=str(error))
        return lambda: refused

    def here() -> TrialValue:
        return measured_trial(study, fold, model)

    def failed(error: TaskFailedError) -> TrialValue:
        lost = not error.unsendable and not error.details
        return TrialValue(value=None, reason=error.reason) if lost else here()

    arguments = {**shared, "model": model}
    return Sendable(
        here=here, function=measured_trial, arguments=arguments, received=lambda measured: measured, failed=failed
    )


def measured_trial(study: Study, fold: Fold, model: Recommender) -> TrialValue:
    """The value of one model on validation, or why it has none, and the time it took."""
    before = time.process_time()
    try:
        value, reason = _measured(study, fold, model), ""
    except HeldoutError as error:
        value, reason = None, str(error)
    return TrialValue(value=value, reason=reason, cpu_seconds=time.process_time() - before)


def _suggested(trial: Any, name: str, space: Ranges) -> Any:
    span = space[name]
    if isinstance(span, Among):
        return trial.suggest_categorical(name, list(span.options))
    if span.whole:
        return trial.suggest_int(name, int(span.low), int(span.high), log=span.log)
    return trial.suggest_float(name, span.low, span.high, log=span.log)


def _measured(study: Study, fold: Fold, model: Recommender) -> float | None:
    """The metric of one model on validation."""
    try:
        fitted = Fitted(system=System(str(model), model), plan=plan_of(study, fold), clock=Clock())
        part = measured_part(study, fold, fitted, fitted.ranks(None))
    except SystemFailedError as error:
        raise error.raised() from None
    left_out: dict[str, None] = {}
    settings = aggregate_settings(study, [align([part], part.scores[0].protocol, [str(model)])], left_out)
    if not settings:
        raise NotApplicableError("; ".join(left_out), where="aggregate")
    return settings[0].tallies[0].value


def _chosen(
    optuna: Any, search: Any, start: Recommender, space: Ranges, trials: int, metric: str, protocol: dict[str, str]
) -> Tuned:
    ended = [_trial(t) for t in search.get_trials(deepcopy=False)[:trials]]
    right = [t for t in ended if t.value is not None]
    if not right:
        raise NotApplicableError(
            f"none of {len(ended)} trials has a value (first: {ended[0].reason})", where=str(start), hint="try other ranges"
        )
    upward = search.direction == optuna.study.StudyDirection.MAXIMIZE
    order: Callable[[Trial], Any] = lambda t: (-(t.value or 0.0) if upward else t.value, t.number)  # noqa: E731
    best = min(right, key=order)
    model = start.replace(**best.parameters)
    return Tuned(
        model=str(model),
        parameters=best.parameters,
        metric=metric,
        value=float(best.value or 0.0),
        number=best.number,
        trials=tuple(ended),
        cpu_seconds=sum(t.cpu_seconds for t in ended),
        ranges={name: str(span) for name, span in space.items()},
        protocol=protocol,
    )


def _trial(frozen: Any) -> Trial:
    """A trial of optuna's as one of ours."""
    return Trial(
        number=frozen.number,
        parameters=dict(frozen.params),
        value=frozen.value,
        cpu_seconds=float(frozen.user_attrs.get("cpu_seconds", 0.0)),
        reason=str(frozen.user_attrs.get("reason", "")),
    )
