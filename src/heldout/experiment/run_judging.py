"""Lists that any system produced: encoded with a test set over shared vocabularies, then judged and measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from heldout.catalogue import make
from heldout.catalogue.notices import Notice
from heldout.data.frames import is_frame, log_from_frame, run_from_frame, run_of_matrix
from heldout.data.nested import is_dense, refuse_ids_outside, refuse_other_shapes
from heldout.data.read import no_ratings, reader_of
from heldout.data.reader import Reader
from heldout.data.runs import MatrixRun, RunFrame, read_run
from heldout.data.side import read_side
from heldout.errors import HeldoutError, InputError, NotApplicableError, UnknownNameError
from heldout.experiment.guessed_relevance import refuse_unserved
from heldout.experiment.judging import Judgement, Relevances, UserScores, background_of, judged_by, score, side_tables
from heldout.experiment.metric_notices import about_gains
from heldout.experiment.notices import about_classes, about_run, about_short_lists
from heldout.metrics.judge import judge_matrix, judge_rankings, judge_ranks
from heldout.metrics.measuring import list_depth, pictured_depth, with_diagnostics
from heldout.metrics.metric import Metric
from heldout.metrics.system import refusal
from heldout.splits.pairs import refuse_overlap
from heldout.study.analysis import error_within
from heldout.study.applicability import about
from heldout.study.compatibility import Cut, about_cut, cut_lists, refuse_unfit, unfit
from heldout.study.keys import make_options
from heldout.study.protocol import JUDGING, Protocol
from heldout.study.record import RecordedSource
from heldout.study.spec import DEFAULTS, KINDS_OF_STAGE
from heldout.tables import Background, Interactions, Judged, ProtocolKey, Rankings, Relevance, Side, Split, Vocabulary
from heldout.tables.arrays import Bool, Float64, Int32, Int64
from heldout.tables.interactions import grades_of
from heldout.tables.vocabulary import codes_among, recoded
from heldout.targets.ranker import split_for
from heldout.targets.relevance.by_scale import guess_of_grades
from heldout.targets.relevance_rule import RelevanceRule, refuse_irrelevant
from heldout.targets.runs import RunCounts, none_tested, rank_lists_of_run, rank_run, refuse_lacking
from heldout.targets.target import Form, Target
from heldout.targets.tie_rule import TieRule

SCORES = ("order", "comparable", "ratings")
"""What the scores of runs may be."""
TEST_SET = RecordedSource("test set")


@dataclass(frozen=True, eq=False)
class Qrels:
    """The test set and, if it is known, the training set. They are encoded once and can judge any number of runs."""

    test: Interactions
    train: Interactions | None = None
    counts: bool = False
    """True if the reader of the test set declares its values as counts."""

    @property
    def parts(self) -> list[Interactions]:
        """The test set and, if it is known, the training set."""
        return [self.test] if self.train is None else [self.test, self.train]

    @cached_property
    def users(self) -> Int32:
        """The users with test ratings."""
        return np.flatnonzero(self.test.user_counts).astype(np.int32)

    @cached_property
    def grades(self) -> tuple[Float64, Int64]:
        """The distinct ratings of all parts, ascending, and how often each occurs."""
        if self.train is None:
            return grades_of(self.test)
        (test, of_test), (train, of_train) = grades_of(self.test), grades_of(self.train)
        grades, place = np.unique(np.concatenate([test, train]), return_inverse=True)
        return grades, np.bincount(place, np.concatenate([of_test, of_train])).astype(np.int64)

    @cached_property
    def top_grade(self) -> float:
        """The highest rating of all parts."""
        return max(float(part.value.max()) for part in self.parts)

    @cached_property
    def equal_ratings(self) -> bool:
        """True if all test ratings are equal."""
        return bool((self.test.value == self.test.value[0]).all())

    @cached_property
    def rated(self) -> Bool:
        """Which items have a rating."""
        return np.asarray(sum(part.item_counts for part in self.parts) > 0)

    def catalogue_size(self, run: RunFrame | MatrixRun) -> int:
        """Number of items known to exist: those with a rating and those of the run, whatever other runs hold."""
        exists = self.rated.copy()
        if not exists.all():
            exists[run.item] = True
        return int(exists.sum())


def encode(qrels: Any, runs: Mapping[str, Any], train: Any = None) -> tuple[Qrels, dict[str, RunFrame | MatrixRun]]:
    """The ratings and the runs, each a path, a frame, arrays or a dict by user, over shared vocabularies.

    Ratings that are `Interactions` are not encoded again: a loop over runs then encodes only the runs.
    """
    others = {"training set": train, **{f"run {name}": run for name, run in runs.items()}}
    refuse_other_shapes({"test set": qrels, **others})
    qrels = reader_of(qrels) if isinstance(qrels, str | Path) else qrels
    test = _ratings(qrels, "test set")
    refuse_ids_outside(others, test.users, test.items)
    ratings = Qrels(test, counts=isinstance(qrels, Reader) and qrels.counts)
    if train is not None:
        ratings = _with_training(ratings, _ratings(train, "training set"))
    return _over_shared_items(ratings, {name: as_run(source, name, test.items) for name, source in runs.items()})


def _ratings(source: Any, what: str) -> Interactions:
    if isinstance(source, Interactions):
        if not len(source):
            raise InputError(file=what, found=0, expected="at least one rating")
        return source.compact()
    if isinstance(source, str | Path | Reader):
        log = reader_of(source).read()
    elif is_frame(source):
        log = log_from_frame(source, name=what)
    else:
        raise no_ratings(source).within(f"the {what}")
    try:
        return log.interactions()
    except InputError as error:
        error.hint = "keep one row for each pair"  # there are no filters here that could choose one
        raise


def _with_training(ratings: Qrels, train: Interactions) -> Qrels:
    """The test and training set over vocabularies that hold the ids of both."""
    users = Vocabulary.of(ratings.test.users.series, train.users.series)
    items = Vocabulary.of(ratings.test.items.series, train.items.series)
    test, train = ratings.test.recode(users, items), train.recode(users, items)
    refuse_overlap(train, test, "the training set", "test set")
    return replace(ratings, test=test, train=train)


def as_run(source: Any, name: str, items: Vocabulary | None = None) -> RunFrame | MatrixRun:
    """A run of a path, a frame, arrays or a dict by user; its items have the codes of `items` if these hold all of them."""
    if isinstance(source, RunFrame):
        return source
    if isinstance(source, str | Path):
        return read_run(source)
    if is_dense(source):
        return run_of_matrix(source, name)
    if is_frame(source):
        return run_from_frame(source, name=name, known=items)
    raise InputError(f"the run '{name}' is of type {type(source).__name__}", hint="give a path, a frame or arrays")


def _over_shared_items(
    ratings: Qrels, runs: Mapping[str, RunFrame | MatrixRun]
) -> tuple[Qrels, dict[str, RunFrame | MatrixRun]]:
    """Ratings and runs over a vocabulary of the items of all of them."""
    items = ratings.test.items
    codes = {name: codes_among(items, run.items) for name, run in runs.items()}
    if any((of_run < 0).any() for of_run in codes.values()):
        items = Vocabulary.of(items.series, *(run.items.series for run in runs.values()))
        codes = {name: codes_among(items, run.items) for name, run in runs.items()}
        test, *train = (part.recode(part.users, items) for part in ratings.parts)
        ratings = replace(ratings, test=test, train=train[0] if train else None)
    return ratings, {name: replace(run, items=items, item=recoded(run.item, codes[name])) for name, run in runs.items()}


def run_protocol(grades: Callable[[], tuple[Float64, Int64]], *, seed: int, **choices: Any) -> Protocol:
    """How runs are judged; data were read and split, and lists made, elsewhere.

    `choices` are options by decision; None and a decision that is missing have the default of a study. `grades` gives the
    distinct ratings of test and training, and how often each occurs.
    """
    judging: dict[str, Any] = {}
    for stage in JUDGING:
        written = choices.pop(stage, None)
        with error_within(stage):
            judging[stage] = make_options(KINDS_OF_STAGE[stage], DEFAULTS[stage] if written is None else written)
    if choices:
        raise TypeError(f"these are no decisions about judging: {', '.join(choices)}")
    with_test = (make("users", "with_test"),)
    protocol = Protocol(data=(TEST_SET,), filters=((),), users=(with_test,), seed=seed, **judging)
    return protocol.with_guess(guess_of_grades(*grades())) if protocol.guessing() else protocol


@dataclass(frozen=True, eq=False, kw_only=True)
class _Cells:
    """The scores of a run as a matrix, NaN for training items."""

    matrix: Float64
    item: Int32
    """Code of the item of each column."""
    row_of: Int32
    """Row of each evaluated user, or −1."""
    column_of: Int32
    """Column of each item, or −1."""
    items: Vocabulary

    def judged(self, relevance: Relevance, targets: Int32, ties: TieRule) -> Judged:
        """The lists that the rows are in descending order, judged without sorting them."""
        return judge_matrix(
            self.matrix,
            relevance,
            row_of=self.row_of,
            column_of=self.column_of,
            tie=ties.keys(self.items)[self.item],
            targets=targets,
            expected=ties.expects,
        )


@dataclass(eq=False, kw_only=True)
class ListJudge:
    """Judges runs under every protocol and measures them; what was noticed on the way is kept."""

    protocol: Protocol
    metrics: tuple[Metric, ...]
    qrels: Qrels
    items: Any = None
    """A table of items for metrics that look at their features, as `read_side` takes it."""
    scores_are: str = "order"
    """One of `SCORES`."""
    diagnostics: bool = False
    """True if what is reported next to the metrics, such as coverage and ties, is measured too."""
    pictures: bool = False
    """True if lists are kept for the pictures of a report."""
    pooling: bool = False
    """True if what metrics divide by is kept, for ratios of sums."""
    notices: list[Notice] = field(default_factory=list)
    left_out: dict[str, NotApplicableError] = field(default_factory=dict)
    """Why metrics have no value of some run."""
    cut: Cut = field(default_factory=dict)
    """Metrics of the whole order, and the runs whose lists end too early for them."""
    _relevances: Relevances = field(default_factory=dict, init=False)

    def check(self) -> None:
        """Raise an error if the ratings cannot tell systems apart by these metrics under the protocol."""
        if self.scores_are not in SCORES:
            raise UnknownNameError("kind of scores", self.scores_are, SCORES, where="scores")
        protocol, test, train = self.protocol, self.qrels.test, self.qrels.train
        refuse_unfit(self.metrics, protocol)
        for rule, stated_by in protocol.relevance_rules().items():
            refuse_irrelevant(rule, test, train, [metric.tasks for metric in self.metrics], stated_by=stated_by)
        refuse_unserved(protocol, self.metrics, test, train)

    @cached_property
    def _judged_for(self) -> tuple[Metric, ...]:
        """The metrics that judged lists must serve."""
        return with_diagnostics(self.metrics) if self.diagnostics else self.metrics

    @property
    def reasons(self) -> dict[str, NotApplicableError]:
        """Why metrics have no value of some run, among those that were measured so far."""
        return self.left_out | about_cut(self.cut)

    def judged(self, name: str, run: RunFrame | MatrixRun) -> Iterator[Judgement]:
        """The lists of a run under every tie rule, target, relevance rule and rule for unrated items."""
        test, train, users = self.qrels.test, self.qrels.train, self.qrels.users
        keep_lists = any(m.needs_lists or m.needs_all_scores for m in self._judged_for)
        # The pictures of a report show how popular the items of lists are.
        keep_lists |= self.pictures and train is not None
        cells = None
        if isinstance(run, MatrixRun):
            cells = None if keep_lists or self.pictures else self._cells(name, run)
            run = run.frame() if cells is None else run
        targets = np.full(len(users), self.qrels.catalogue_size(run), np.int32)
        if train is not None:
            targets = targets - train.user_counts[users].astype(np.int32)
        for ties in self.protocol.ties:
            rankings = self.rankings(name, run, ties) if isinstance(run, RunFrame) else None
            for choices in self.protocol.judgements():
                if choices.ties != ties:
                    continue
                target, rule = choices.target, choices.relevance
                relevance = self._relevance(rule, target)
                if rankings is None:
                    assert cells is not None
                    lists = cells.judged(relevance, targets, ties)
                elif target.form == Form():
                    lists = judge_rankings(
                        rankings,
                        relevance,
                        n_items=len(test.items),
                        targets=targets,
                        keep_lists=keep_lists,
                        expected=ties.expects,
                    )
                else:
                    lists = self._judged_under(target, rule, ties, name, rankings, relevance)
                given = {"data": "test set", "filter": "none", "split": "given", "users": "with_test"}
                yield Judgement(
                    system=name,
                    fold=0,
                    users=users,
                    tested=((ProtocolKey(**given, **choices.texts()), relevance.rated > 0),),
                    choices=choices,
                    judged=judged_by(
                        choices,
                        lists,
                        predicts_ratings=self.scores_are == "ratings",
                        comparable=self.scores_are != "order",
                    ),
                    train=train,
                )

    def _cells(self, name: str, run: MatrixRun) -> _Cells | None:
        """The scores of a matrix that ranks are counted in; None if the protocol or a message needs its lists."""
        targets, rules = self.protocol.target, self.protocol.ties
        if any(target.form != Form() for target in targets) or any(
            ties.casts or ties.from_file or ties.draws(0) for ties in rules
        ):
            return None
        test, train = self.qrels.test, self.qrels.train
        user = codes_among(test.users, run.users)
        tested = np.flatnonzero(np.append(test.user_counts > 0, False)[user])
        if not len(tested):
            return None
        row_of = np.full(len(test.users), -1, np.int32)
        row_of[user[tested]] = tested
        column_of = np.full(len(test.items), -1, np.int32)
        column_of[run.item] = np.arange(len(run.item), dtype=np.int32)
        matrix, training = run.matrix, 0
        if train is not None:
            row, column = row_of[train.user], column_of[train.item]
            seen = (row >= 0) & (column >= 0)
            row, column, matrix = row[seen], column[seen], matrix.copy()
            training = int(np.isfinite(matrix[row, column]).sum())
            matrix[row, column] = np.nan
        self.notices += about_run(name, RunCounts(len(user) - len(tested), training))
        return _Cells(matrix=matrix, item=run.item, row_of=row_of[self.qrels.users], column_of=column_of, items=test.items)

    def _relevance(self, rule: RelevanceRule, target: Target) -> Relevance:
        """The relevance of test ratings, the same for all runs."""
        key = (str(rule), target.form.head)
        if key not in self._relevances:
            test, train = self.qrels.test, self.qrels.train
            if train is not None:
                test = split_for(Split(train=train, test=test), target).test
            background = self.background(rule, test)
            self._relevances[key] = rule.judge(
                test, self.qrels.users, self.qrels.top_grade, train=train, background=background
            )
        return self._relevances[key]

    def background(self, rule: RelevanceRule, test: Interactions) -> Background:
        """What metrics may know besides lists and test ratings."""
        return background_of(self._judged_for, rule, test, self.qrels.train, *self.sides)

    @cached_property
    def sides(self) -> tuple[Side | None, dict[str, Side]]:
        """The table of items, if there is one, and those that metrics name."""
        own, tables = side_tables(self.metrics, None)
        return own if self.items is None else read_side(self.items, of="items"), tables

    def rankings(self, name: str, run: RunFrame, ties: TieRule) -> Rankings:
        """The lists of a run in order; what of it could not be used is noticed once."""
        try:
            if not len(run):
                raise InputError("contains no recommendations", file=run.source)
            rankings, counts = self.ranked(run, ties)
            if not len(rankings.users) and not counts.training:
                raise none_tested(counts.unknown_users, run.users.ids[run.user[0]], run.source)
        except HeldoutError as error:
            raise error if run.source == name else error.within(name) from None
        if ties == self.protocol.ties[0]:
            self.notices += about_run(name, counts)
        return rankings

    def ranked(self, run: RunFrame, ties: TieRule) -> tuple[Rankings, RunCounts]:
        """The lists of a run in order, and what of it could not be used."""
        test = self.qrels.test
        user = codes_among(test.users, run.users)
        user = np.where(np.append(test.user_counts > 0, False)[user], user, np.int32(-1))  # −1 takes the False at the end
        rankings, training = rank_run(
            recoded(run.user, user),
            run.item,
            run.score,
            users=test.users,
            items=test.items,
            ties=ties,
            train=self.qrels.train,
            name=run.source,
        )
        return rankings, RunCounts(int((user < 0).sum()), training)

    def _judged_under(
        self, target: Target, rule: RelevanceRule, ties: TieRule, name: str, rankings: Rankings, relevance: Relevance
    ) -> Judged:
        """A run's lists under a target other than AllItems; NotApplicableError says what the run lacks for it."""
        test, train = self.qrels.test, self.qrels.train
        depth = list_depth(self.metrics, len(test.items))
        if train is not None:  # pictures show how popular the items of lists are
            depth = max(depth, pictured_depth(self.metrics))
        plan, ranked = rank_lists_of_run(
            rankings,
            test,
            train,
            self.qrels.users,
            target,
            ties,
            relevances=self.protocol.relevance,
            seed=self.protocol.seed,
            depth=depth,
        )
        ranks = ranked.of(target, rule, "none", ties)
        refuse_lacking(ranks, plan, relevance.relevant, rankings, name)
        judged = judge_ranks(ranks, relevance)
        noticed = [*about_short_lists(self.metrics, name, target, judged), *about_classes([target], plan.split)]
        self.notices += (notice for notice in noticed if notice not in self.notices)
        return judged

    def noticed(self) -> list[Notice]:
        """Notices about the gains of the metrics and about the runs that were judged so far."""
        gains = about_gains(self.metrics, lambda: self.qrels.grades, declared=self.qrels.counts)
        return [*gains, *self.notices]

    def measured(self, judgement: Judgement, metrics: Sequence[Metric] | None = None) -> list[UserScores]:
        """The values of the metrics that have one of these lists; why others have none is noted in `left_out`, and in `cut`
        if lists end early."""
        judged, target = judgement.judged, judgement.choices.target
        metrics = self.metrics if metrics is None else metrics
        refused = {metric: error for metric in metrics if (error := unfit(metric, judgement.choices)) is not None}
        ended: set[Metric] = set()
        for metric in metrics:
            other_reason = metric in refused or (metric.needs_all_scores and not judged.comparable)
            if metric.needs_whole_lists and not other_reason and (why := cut_lists(judged, judgement.system)):
                under = f" under {target}" if len(self.protocol.target) > 1 else ""
                self.cut.setdefault(f"{metric}{under}", {})[judgement.system] = why
                ended.add(metric)

        def scored() -> list[UserScores]:
            applying = [metric for metric in metrics if metric not in refused and metric not in ended]
            every = with_diagnostics(applying) if self.diagnostics else applying
            return list(score(judgement, every, None, pooling=self.pooling)) if applying else []

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
