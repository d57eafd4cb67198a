"""Judging runs that any system produced: judgements and lists in, the outcome of a study out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from heldout.analysis.part import Part, Points
from heldout.catalogue import make, make_all
from heldout.catalogue.notices import Notice
from heldout.data.frames import is_frame, log_from_frame, named_runs, run_from_frame
from heldout.data.memory import InMemory
from heldout.data.profile import profile
from heldout.data.read import reader_of
from heldout.data.reader import Reader
from heldout.data.runs import RunFrame, read_run
from heldout.data.side import read_side
from heldout.errors import HeldoutError, InputError, NotApplicableError, SpecError, UnknownNameError, all_of
from heldout.experiment.guessed_relevance import about_guess, refuse_unserved
from heldout.experiment.judging import Judgement
from heldout.experiment.metric_inputs import background_of, side_tables
from heldout.experiment.metric_notices import about_metrics
from heldout.experiment.notices import about_run, about_scores
from heldout.experiment.outcome import DataSteps, Outcome, SplitCounts
from heldout.experiment.provenance import machine, versions
from heldout.experiment.run_lists import catalogue_size, own_lists
from heldout.experiment.scoring import UserScores, keeps_denominators, score
from heldout.metrics.judge import judge_rankings
from heldout.metrics.measuring import with_diagnostics
from heldout.metrics.metric import Metric
from heldout.metrics.system import refusal
from heldout.splits.pairs import refuse_overlap
from heldout.study.analysis import make_objectives, refuse_diagnostics_alone
from heldout.study.applicability import about
from heldout.study.comparison import DEFAULT_TESTS, make_comparison, refuse_inapplicable
from heldout.study.compatibility import Cut, about_cut, cut_lists, refuse_unfit, unfit
from heldout.study.measures import make_measures
from heldout.study.record import guess_record, study_record
from heldout.study.spec import DEFAULTS, Study
from heldout.tables import Interactions, Log, ProtocolKey, Relevance, Side, Split, Vocabulary
from heldout.tables.arrays import Int32
from heldout.targets.ranker import split_for
from heldout.targets.relevance.by_scale import guess_relevance
from heldout.targets.relevance_rule import refuse_irrelevant
from heldout.targets.runs import rank_run
from heldout.targets.target import Form
from heldout.targets.user_rule import UserRule

OPTIONS = (
    *("train", "relevance", "unrated", "ties", "aggregate", "undefined", "coverage"),
    *("compare", "seed", "title", "scores", "items", "target", "objectives"),
)
"""What may be chosen besides judgements, runs and metrics."""
SCORES = ("order", "comparable", "ratings")
"""What the scores of runs may be."""
_versions = cache(versions)  # reading what is installed takes longer than judging a run


@dataclass(frozen=True, eq=False)
class Judgements:
    """The test set, and the training set where it is known, in one vocabulary with the runs."""

    test: Interactions
    train: Interactions | None
    runs: dict[str, RunFrame]
    scores: str = "order"
    sides: tuple[Side | None, dict[str, Side]] = (None, {})
    """The table of items, and those that metrics name."""


def evaluate_runs(
    qrels: Any,
    runs: Any,
    metrics: Sequence[Any],
    *,
    train: Any = None,
    relevance: Any = None,
    unrated: Any = "zero",
    ties: Any = "item",
    target: Any = "AllItems",
    aggregate: Any = "mean",
    undefined: Any = "zero",
    coverage: Any = "zero",
    compare: Any = None,
    seed: int = 1,
    title: str = "Evaluation of runs",
    scores: str = "order",
    items: Any = None,
    objectives: Any = (),
) -> tuple[Study, Outcome]:
    """Judge runs against a test set.

    `qrels`, `train` and each run are paths, frames, arrays or dicts by user; `runs` may be a single run. `relevance` is a
    rule; when none is given, `by_scale` takes the one that fits the scale of the ratings, as in a study.
    `target` is what competes: AllItems takes a run as it is, the others take from it what they ask for, or say what it
    lacks. `scores` says what the runs' scores are: "order" puts items in order and no more, "comparable" means the same
    for all users, "ratings" are predicted ratings. `items` is a table of items for metrics that look at their features,
    `objectives` names the descriptive metrics by which runs are compared all the same.
    """
    runs = named_runs(runs)
    if not runs:
        raise SpecError("no run is given", where="runs")
    if scores not in SCORES:
        raise UnknownNameError("kind of scores", scores, SCORES, where="scores")
    judgements = _read(qrels, runs, train)
    test = judgements.test
    parts = [part.value for part in (test, judgements.train) if part is not None]
    top = max(float(part.max()) for part in parts)
    study = _study(
        test,
        list(runs),
        metrics,
        relevance or DEFAULTS["relevance"],
        target=target,
        unrated=unrated,
        ties=ties,
        aggregate=aggregate,
        undefined=undefined,
        coverage=coverage,
        compare=compare,
        seed=seed,
        title=title,
        objectives=objectives,
    )
    if study.guessing():
        study = study.with_guess(guess_relevance(np.concatenate(parts)))
    own, tables = side_tables(study.measure, None)
    judgements = replace(
        judgements, scores=scores, sides=(read_side(items, of="items") if items is not None else own, tables)
    )
    notices: list[Notice] = []
    for rule in study.relevance:
        refuse_irrelevant(rule, test, judgements.train, [m.tasks for m in study.measure])
    refuse_unserved(study, study.measure, test, judgements.train)
    judged_parts = []
    users = np.flatnonzero(test.user_counts).astype(np.int32)
    left_out: dict[str, NotApplicableError] = {}
    cut: Cut = {}
    for name, run in judgements.runs.items():
        judged_parts.append(_judged(study, judgements, name, run, users, top, notices, left_out, cut))
    left_out |= about_cut(cut)
    if not any(part.scores for part in judged_parts):
        raise all_of(list(left_out.values()))
    train_size = len(judgements.train) if judgements.train is not None else 0
    manifest = {"complete": True, "title": title, "seed": seed, "versions": dict(_versions()), "machine": machine()}
    outcome = Outcome(
        tuple(judged_parts),
        (DataSteps("test set", "none", (("test", profile(test)),)),),
        (SplitCounts("test set", "none", "given", 0, train_size, len(test), len(users)),),
        (),
        manifest | {"study": study_record(study)} | guess_record(study.guess),
    )
    notices = [
        *about_guess(study, study.measure, outcome),
        *notices,
        *about_scores(study, outcome),
        *about_metrics(study, outcome),
    ]
    return study, replace(outcome, notices=tuple(notices), left_out=tuple(left_out))


def _study(
    test: Interactions,
    systems: list[str],
    metrics: Sequence[Any],
    relevance: Any,
    *,
    target: Any,
    unrated: Any,
    ties: Any,
    aggregate: Any,
    undefined: Any,
    coverage: Any,
    compare: Any,
    seed: int,
    title: str,
    objectives: Any,
) -> Study:
    def options(kind: str, value: Any) -> tuple[Any, ...]:
        listed = value if isinstance(value, list | tuple) else [value]
        return tuple(dict.fromkeys(c for text in listed for c in make_all(kind, text)))

    if not metrics:
        raise SpecError("no metric is named", where="measure", hint="such as nDCG@10")
    aggregations = options("aggregation", aggregate)
    measures, own = make_measures(metrics, aggregations)
    refuse_diagnostics_alone(measures)
    targets = options("target", target)
    refuse_unfit(measures, targets, options("unrated", unrated), options("ties", ties))
    comparison = make_comparison(list(DEFAULT_TESTS) if compare is None else compare, systems)
    if len(systems) > 1:
        refuse_inapplicable(comparison, [*aggregations, *(a for _, found in own for a in found)], targets)
    users: UserRule = make("users", "with_test")
    return Study(
        data=(InMemory(test, "test set"),),
        filter=((),),
        users=((users,),),
        fallback=(make("fallback", "none"),),
        relevance=options("relevance", relevance),
        target=targets,
        unrated=options("unrated", unrated),
        ties=options("ties", ties),
        measure=measures,
        aggregate=aggregations,
        undefined=options("undefined", undefined),
        coverage=options("coverage", coverage),
        compare=comparison,
        seed=seed,
        title=title,
        objectives=make_objectives(objectives, measures),
        own_aggregate=own,
    )


def _read(qrels: Any, runs: Mapping[str, Any], train: Any) -> Judgements:
    test_log = _log(qrels, "test set")
    train_log = _log(train, "training set") if train is not None else None
    frames = {name: _run(source, name) for name, source in runs.items()}
    logs = [log for log in (test_log, train_log) if log is not None]
    users = Vocabulary.of(*(log.user_id for log in logs))
    items = Vocabulary.of(*(log.item_id for log in logs), *(run.item_id for run in frames.values()))
    test = _distinct(test_log, users, items)
    if train_log is None:
        return Judgements(test, None, frames)
    train_set = _distinct(train_log, users, items)
    refuse_overlap(train_set, test, "the training set", "test set")
    return Judgements(test, train_set, frames)


def _distinct(log: Log, users: Vocabulary, items: Vocabulary) -> Interactions:
    try:
        return log.interactions(users=users, items=items)
    except InputError as error:
        error.hint = "keep one row for each pair"  # there are no filters here that could choose one
        raise


def _log(source: Any, what: str) -> Log:
    if isinstance(source, Interactions):
        return InMemory(source, what).read()
    if isinstance(source, str | Path | Reader):
        return reader_of(source).read()
    if is_frame(source):
        return log_from_frame(source, name=what)
    raise InputError(f"the {what} is of type {type(source).__name__}", hint="give a path, a reader, a frame or arrays")


def _run(source: Any, name: str) -> RunFrame:
    if isinstance(source, RunFrame):
        return source
    if isinstance(source, str | Path):
        return read_run(source)
    if is_frame(source):
        return run_from_frame(source, name=name)
    raise InputError(f"the run '{name}' is of type {type(source).__name__}", hint="give a path, a frame or arrays")


def _judged(
    study: Study,
    judgements: Judgements,
    name: str,
    run: RunFrame,
    users: Int32,
    top: float,
    notices: list[Notice],
    left_out: dict[str, NotApplicableError],
    cut: Cut,
) -> Part:
    test, train = judgements.test, judgements.train
    everything = with_diagnostics(study.measure)
    relevances: dict[tuple[str, float], Relevance] = {}
    targets = np.full(len(users), catalogue_size(test, train, run.item_id), np.int32)
    if train is not None:
        targets = targets - train.user_counts[users].astype(np.int32)
    scores = []
    curves: list[Points] = []
    for ties in study.ties:
        try:
            rankings, counts = rank_run(
                run.user_id,
                run.item_id,
                run.score,
                users=test.users,
                items=test.items,
                ties=ties,
                train=train,
                tested=test.user_counts > 0,
                name=run.source,
            )
        except HeldoutError as error:
            raise error if run.source == name else error.within(name) from None
        if ties == study.ties[0]:
            notices += about_run(name, counts)
        own = partial(own_lists, study, test, train, rankings, users, ties, name)
        for target, rule, unrated, _, of_ties in study.judgements():
            if of_ties != ties:
                continue
            key = (str(rule), target.form.head)
            if key not in relevances:
                part = split_for(Split(train, test), target).test if train is not None else test
                background = background_of(everything, rule, part, train, *judgements.sides)
                relevances[key] = rule.judge(part, users, top, train=train, background=background)
            relevance = relevances[key]
            if target.form == Form():
                lists = judge_rankings(
                    rankings,
                    relevance,
                    n_items=len(test.items),
                    targets=targets,
                    keep_lists=any(m.needs_lists or m.needs_all_scores for m in everything),
                    expected=ties.expects,
                )
            else:
                lists = own(target, rule, relevance, notices)
            lists = replace(lists, predicts_ratings=judgements.scores == "ratings", comparable=judgements.scores != "order")
            protocol = ProtocolKey(
                "test set", "none", "given", "with_test", "none", str(rule), str(target), str(unrated), str(ties)
            )
            judgement = Judgement(
                system=name,
                fold=0,
                users=users,
                tested=((protocol, relevance.rated > 0),),
                target=target,
                relevance_rule=rule,
                unrated=unrated,
                ties=ties,
                judged=unrated.apply(lists),
                train=train,
            )
            for user_scores in _measured(study, judgement, left_out, cut):
                scores.append(user_scores.scores)
                curves += user_scores.curves
    return Part(tuple(scores), test.users, tuple(curves))


def _measured(study: Study, judgement: Judgement, left_out: dict[str, NotApplicableError], cut: Cut) -> list[UserScores]:
    """The values of the metrics that have one of these lists; why others have none is noted in `left_out`, and in `cut`
    where lists end early."""
    judged, target = judgement.judged, judgement.target
    refused = {
        metric: error
        for metric in study.measure
        if (error := unfit(metric, target, judgement.unrated, judgement.ties)) is not None
    }
    ended: set[Metric] = set()
    for metric in study.measure:
        other_reason = metric in refused or (metric.needs_all_scores and not judged.comparable)
        if metric.needs_whole_lists and not other_reason and (why := cut_lists(judged, judgement.system)):
            under = f" under {target}" if len(study.target) > 1 else ""
            cut.setdefault(f"{metric}{under}", {})[judgement.system] = why
            ended.add(metric)

    def scored() -> list[UserScores]:
        metrics = [metric for metric in study.measure if metric not in refused and metric not in ended]
        return list(score(judgement, with_diagnostics(metrics), None, pooling=keeps_denominators(study))) if metrics else []

    try:
        parts = scored()
    except NotApplicableError:
        ((_, tested),) = judgement.tested
        for metric in study.measure:
            error = None if metric in refused or metric in ended else refusal([metric], judged, tested, None, target=target)
            if error is not None:
                refused[metric] = error
        parts = scored()
    left_out |= {about(metric, error): error for metric, error in refused.items()}
    return parts
