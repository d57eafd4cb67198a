"""Judging runs that any system produced: a test set and lists in, scores out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from heldout.catalogue.notices import Notice
from heldout.catalogue.suggest import warn_other_pool
from heldout.data.frames import is_frame, log_from_frame, named_runs, run_from_frame
from heldout.data.memory import InMemory
from heldout.data.nested import refuse_ids_outside, refuse_other_shapes
from heldout.data.profile import profile
from heldout.data.read import no_ratings, reader_of
from heldout.data.reader import Reader
from heldout.data.runs import RunFrame, read_run
from heldout.data.side import read_side
from heldout.errors import HeldoutError, InputError, NotApplicableError, SpecError, UnknownNameError, all_of
from heldout.experiment.guessed_relevance import refuse_unserved
from heldout.experiment.judging import Judgement
from heldout.experiment.metric_inputs import background_of, side_tables
from heldout.experiment.metric_notices import about_gains
from heldout.experiment.notices import about_run
from heldout.experiment.outcome import Outcome
from heldout.experiment.pictured import pictured
from heldout.experiment.run_lists import catalogue_size, list_facts, own_lists
from heldout.experiment.run_protocol import evaluation_notices, evaluation_outcome, run_protocol
from heldout.experiment.scoring import UserScores, keeps_denominators, score
from heldout.metrics.judge import judge_rankings
from heldout.metrics.measuring import with_diagnostics
from heldout.metrics.metric import Metric
from heldout.metrics.system import refusal
from heldout.splits.pairs import refuse_overlap
from heldout.study.analysis import Analysis, make_analysis
from heldout.study.applicability import about
from heldout.study.compatibility import Cut, about_cut, cut_lists, refuse_unfit, unfit
from heldout.study.protocol import Protocol
from heldout.tables import Background, Interactions, Log, ProtocolKey, Rankings, Relevance, Side, Split, Vocabulary
from heldout.tables.arrays import Float64, Int32, Int64
from heldout.tables.deferred import Deferred
from heldout.tables.pair_counter import distinct_counts
from heldout.tables.part import Part, Pictured, measured_users, tested_users
from heldout.targets.ranker import split_for
from heldout.targets.relevance_rule import RelevanceRule, refuse_irrelevant
from heldout.targets.runs import rank_run
from heldout.targets.target import Form
from heldout.targets.tie_rule import TieRule

SCORES = ("order", "comparable", "ratings")
"""What the scores of runs may be."""


@dataclass(frozen=True, eq=False)
class Inputs:
    """The test set, the training set if it is known, and the runs, in one vocabulary."""

    test: Interactions
    train: Interactions | None
    runs: dict[str, RunFrame]
    counts: bool = False
    """True if the reader of the test set declares its values as counts."""

    @property
    def parts(self) -> list[Interactions]:
        """The test set, and the training set where it is known."""
        return [self.test] if self.train is None else [self.test, self.train]

    def grades(self) -> tuple[Float64, Int64]:
        """The distinct ratings of all parts, ascending, and how often each occurs."""
        return distinct_counts(np.concatenate([part.value for part in self.parts]))


def evaluation_of(
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
) -> Evaluation:
    """Runs and a test set, read and checked, and how they are to be judged.

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
    for metric in metrics:
        if isinstance(metric, str):
            warn_other_pool(metric)
    inputs = _read(qrels, runs, train)
    protocol = run_protocol(
        InMemory(inputs.test, "test set"),
        inputs.grades,
        relevance=relevance,
        target=target,
        unrated=unrated,
        ties=ties,
        seed=seed,
    )
    keys = {"metrics": metrics, "objectives": objectives, "aggregate": aggregate, "undefined": undefined}
    keys |= {"coverage": coverage, "compare": compare, "seed": seed, "title": title}
    analysis = make_analysis(keys, systems=list(runs), targets=protocol.target)
    refuse_unfit(analysis.metrics, protocol.target, protocol.unrated, protocol.ties)
    test, train_set = inputs.test, inputs.train
    for rule, stated_by in protocol.relevance_rules().items():
        refuse_irrelevant(rule, test, train_set, [metric.tasks for metric in analysis.metrics], stated_by=stated_by)
    refuse_unserved(protocol, analysis.metrics, test, train_set)
    own, tables = side_tables(analysis.metrics, None)
    sides = (read_side(items, of="items") if items is not None else own, tables)
    return Evaluation(protocol=protocol, analysis=analysis, inputs=inputs, sides=sides, scores_are=scores)


def _read(qrels: Any, runs: Mapping[str, Any], train: Any) -> Inputs:
    others = {"training set": train, **{f"run {name}": run for name, run in runs.items()}}
    refuse_other_shapes({"test set": qrels, **others})
    qrels = reader_of(qrels) if isinstance(qrels, str | Path) else qrels
    counts = isinstance(qrels, Reader) and qrels.counts
    test_log = _log(qrels, "test set")
    refuse_ids_outside(others, test_log)
    train_log = _log(train, "training set") if train is not None else None
    frames = {name: _run(source, name) for name, source in runs.items()}
    logs = [log for log in (test_log, train_log) if log is not None]
    users = Vocabulary.of(*(log.user_id for log in logs))
    items = Vocabulary.of(*(log.item_id for log in logs), *(run.item_id for run in frames.values()))
    test = _distinct(test_log, users, items)
    if train_log is None:
        return Inputs(test, None, frames, counts)
    train_set = _distinct(train_log, users, items)
    refuse_overlap(train_set, test, "the training set", "test set")
    return Inputs(test, train_set, frames, counts)


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
    raise no_ratings(source).within(f"the {what}")


def _run(source: Any, name: str) -> RunFrame:
    if isinstance(source, RunFrame):
        return source
    if isinstance(source, str | Path):
        return read_run(source)
    if is_frame(source):
        return run_from_frame(source, name=name)
    raise InputError(f"the run '{name}' is of type {type(source).__name__}", hint="give a path, a frame or arrays")


@dataclass(eq=False, kw_only=True)
class Evaluation:
    """What runs are judged by, and what was noticed on the way."""

    protocol: Protocol
    analysis: Analysis
    inputs: Inputs
    sides: tuple[Side | None, dict[str, Side]]
    """The table of items, and those that metrics name."""
    scores_are: str
    """One of `SCORES`."""
    notices: list[Notice] = field(default_factory=list)
    left_out: dict[str, NotApplicableError] = field(default_factory=dict)
    """Why metrics have no value of some run."""
    cut: Cut = field(default_factory=dict)
    """Metrics of the whole order, and the runs whose lists end too early for them."""
    reported: bool = False
    """True if the scores go into a report, which also needs lists for its pictures."""
    lists: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Run → what a review needs to know of its lists, if they are reported."""

    @cached_property
    def users(self) -> Int32:
        """The users with test ratings."""
        return np.flatnonzero(self.inputs.test.user_counts).astype(np.int32)

    @cached_property
    def top_grade(self) -> float:
        """The highest rating of test and training."""
        return max(float(part.value.max()) for part in self.inputs.parts)

    @property
    def measured_metrics(self) -> tuple[Metric, ...]:
        """The metrics that lists are measured by."""
        return self.analysis.metrics

    @property
    def reasons(self) -> dict[str, NotApplicableError]:
        """Why metrics have no value of some run, among those that were measured so far."""
        return self.left_out | about_cut(self.cut)

    def parts(self) -> tuple[Part, ...]:
        """The scores of all runs; NotApplicableError if no metric has a value of any."""
        parts = tuple(self.part(name, run) for name, run in self.inputs.runs.items())
        if not any(part.scores for part in parts):
            raise all_of(list(self.reasons.values()))
        return parts

    def notices_of(self, parts: Sequence[Part]) -> tuple[Notice, ...]:
        """Warnings about the runs and their scores."""
        test = self.inputs.test
        return evaluation_notices(
            self.protocol,
            self.analysis,
            measured_users(parts),
            list(tested_users(parts)),
            noticed=[
                *about_gains(self.analysis.metrics, self.inputs.grades, declared=self.inputs.counts),
                *self.notices,
            ],
            equal_ratings=bool((test.value == test.value[0]).all()),
        )

    def outcome(self) -> Outcome:
        """The scores of all runs, for a report."""
        self.reported = True
        parts, test, train = self.parts(), self.inputs.test, self.inputs.train
        return evaluation_outcome(
            self.protocol,
            self.analysis,
            parts,
            profile=lambda: profile(test),
            train=len(train) if train is not None else 0,
            test=len(test),
            users=len(self.users),
            left_out=tuple(self.reasons),
            notices=self.notices_of(parts),
            lists=self.lists,
        )

    def part(self, name: str, run: RunFrame) -> Part:
        """The scores and curves of one run."""
        user_scores: list[UserScores] = []
        depicted = Deferred.known(Pictured())
        for number, judgement in enumerate(self.judged(name, run)):
            user_scores += self.measured(judgement)
            if number == 0 and user_scores and self.reported:
                depicted = pictured(judgement, self.analysis.metrics)
        curves = tuple(curve for scores in user_scores for curve in scores.curves)
        return Part(tuple(scores.scores for scores in user_scores), self.inputs.test.users, curves, depicted)

    def judged(self, name: str, run: RunFrame) -> Iterator[Judgement]:
        """The lists of a run under every tie rule, target, relevance rule and rule for unrated items."""
        test, train, users = self.inputs.test, self.inputs.train, self.users
        everything = with_diagnostics(self.analysis.metrics)
        relevances: dict[tuple[str, float], Relevance] = {}
        # Lists are at hand, and pictures of the first way of judging show how popular they are.
        keep_lists = any(m.needs_lists or m.needs_all_scores for m in everything) or (self.reported and train is not None)
        targets = np.full(len(users), self.catalogue_size(name, run), np.int32)
        if train is not None:
            targets = targets - train.user_counts[users].astype(np.int32)
        for ties in self.protocol.ties:
            rankings = self.rankings(name, run, ties)
            own = partial(own_lists, self.protocol, self.analysis.metrics, test, train, rankings, users, ties, name)
            for target, rule, unrated, _, of_ties in self.protocol.judgements():
                if of_ties != ties:
                    continue
                key = (str(rule), target.form.head)
                if key not in relevances:
                    part = split_for(Split(train=train, test=test), target).test if train is not None else test
                    background = self.background(everything, rule, part)
                    relevances[key] = rule.judge(part, users, self.top_grade, train=train, background=background)
                relevance = relevances[key]
                if target.form == Form():
                    lists = judge_rankings(
                        rankings,
                        relevance,
                        n_items=len(test.items),
                        targets=targets,
                        keep_lists=keep_lists,
                        expected=ties.expects,
                    )
                else:
                    lists = own(target, rule, relevance, self.notices)
                lists = replace(lists, predicts_ratings=self.scores_are == "ratings", comparable=self.scores_are != "order")
                key_of_scores = ProtocolKey(
                    data="test set",
                    filter="none",
                    split="given",
                    users="with_test",
                    fallback="none",
                    relevance=str(rule),
                    target=str(target),
                    unrated=str(unrated),
                    ties=str(ties),
                )
                yield Judgement(
                    system=name,
                    fold=0,
                    users=users,
                    tested=((key_of_scores, relevance.rated > 0),),
                    target=target,
                    relevance_rule=rule,
                    unrated=unrated,
                    ties=ties,
                    judged=unrated.apply(lists),
                    train=train,
                )

    def catalogue_size(self, name: str, run: RunFrame) -> int:
        """Items that a run could have listed."""
        return catalogue_size(self.inputs.test, self.inputs.train, run.item_id)

    def background(self, metrics: Sequence[Metric], rule: RelevanceRule, test: Interactions) -> Background:
        """What metrics may know besides lists and test ratings."""
        return background_of(metrics, rule, test, self.inputs.train, *self.sides)

    def rankings(self, name: str, run: RunFrame, ties: TieRule) -> Rankings:
        """The lists of a run in order; what of it could not be used is noticed once."""
        test, train = self.inputs.test, self.inputs.train
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
        if ties == self.protocol.ties[0]:
            self.notices += about_run(name, counts)
            if self.reported:
                self.lists[name] = list_facts(rankings)
        return rankings

    def measured(self, judgement: Judgement) -> list[UserScores]:
        """The values of the metrics that have one of these lists; why others have none is noted in `left_out`, and in `cut`
        where lists end early."""
        judged, target, metrics = judgement.judged, judgement.target, self.measured_metrics
        refused = {
            metric: error
            for metric in metrics
            if (error := unfit(metric, target, judgement.unrated, judgement.ties)) is not None
        }
        ended: set[Metric] = set()
        for metric in metrics:
            other_reason = metric in refused or (metric.needs_all_scores and not judged.comparable)
            if metric.needs_whole_lists and not other_reason and (why := cut_lists(judged, judgement.system)):
                under = f" under {target}" if len(self.protocol.target) > 1 else ""
                self.cut.setdefault(f"{metric}{under}", {})[judgement.system] = why
                ended.add(metric)

        def scored() -> list[UserScores]:
            applying = [metric for metric in metrics if metric not in refused and metric not in ended]
            pooling = keeps_denominators(self.analysis)
            return list(score(judgement, with_diagnostics(applying), None, pooling=pooling)) if applying else []

        try:
            parts = scored()
        except NotApplicableError:
            ((_, tested),) = judgement.tested
            for metric in metrics:
                if metric in refused or metric in ended:
                    continue
                reason = refusal([metric], judged, tested, None, target=target)
                if reason is not None:
                    refused[metric] = reason
            parts = scored()
        self.left_out |= {about(metric, error): error for metric, error in refused.items()}
        return parts
