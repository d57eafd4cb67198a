"""Evaluate runs that any system produced: a test set and lists in, scores with notices and a manifest out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.catalogue.notices import Notice
from heldout.catalogue.suggest import warn_other_pool
from heldout.data.frames import named_runs
from heldout.data.profile import DataSteps, Profile, profile
from heldout.data.runs import MatrixRun, RunFrame
from heldout.errors import SpecError, all_of
from heldout.experiment.judging import UserScores, keeps_denominators
from heldout.experiment.notices import about_results
from heldout.experiment.pictured import pictured
from heldout.experiment.provenance import machine, versions
from heldout.experiment.run_judging import ListJudge, encode, run_protocol
from heldout.experiment.study_scores import StudyScores
from heldout.splits.sizes import SplitCounts
from heldout.storage.deferred import Deferred
from heldout.study.analysis import Analysis, make_analysis
from heldout.study.protocol import JUDGING, Protocol
from heldout.study.record import analysis_record, guess_record, protocol_record
from heldout.tables import Rankings
from heldout.tables.arrays import Int64, Ints
from heldout.tables.cell_scores import CellScores, Pictured
from heldout.targets.tie_rule import TieRule

if TYPE_CHECKING:
    from heldout.analysis.stored_scores import StoredScores

_versions = cache(versions)  # reading what is installed takes longer than judging a run


def evaluation_of(
    qrels: Any,
    runs: Any,
    metrics: Sequence[Any],
    *,
    train: Any = None,
    seed: int = 1,
    title: str = "Evaluation of runs",
    scores: str = "order",
    items: Any = None,
    for_report: bool = True,
    **choices: Any,
) -> Evaluation:
    """Runs and a test set, read and checked, and how they are to be judged.

    `qrels`, `train` and each run are paths, frames, arrays or dicts by user; `runs` may be a single run. `scores` says what
    the runs' scores are: "order" puts items in order and no more, "comparable" means the same for all users, "ratings" are
    predicted ratings. `items` is a table of items for metrics that look at their features. `choices` are keys of a study
    file about judging and analysis, with the defaults of a study. A target takes from a run what it asks for: AllItems takes
    the run as it is, others say what it lacks. `for_report` measures diagnostics and keeps what pictures need.
    """
    runs = named_runs(runs)
    if not runs:
        raise SpecError("no run is given", where="runs")
    for metric in metrics:
        if isinstance(metric, str):
            warn_other_pool(metric)
    ratings, frames = encode(qrels, runs, train)
    judging = {stage: choices.pop(stage) for stage in JUDGING if stage in choices}
    protocol = run_protocol(lambda: ratings.grades, seed=seed, **judging)
    keys = {**choices, "metrics": metrics, "seed": seed, "title": title}
    analysis = make_analysis(keys, systems=list(runs), targets=protocol.target)
    evaluation = Evaluation(
        protocol=protocol,
        metrics=analysis.metrics,
        qrels=ratings,
        items=items,
        scores_are=scores,
        diagnostics=for_report,
        pictures=for_report,
        pooling=keeps_denominators(analysis),
        analysis=analysis,
        runs=frames,
    )
    evaluation.check()
    return evaluation


@dataclass(eq=False, kw_only=True)
class Evaluation(ListJudge):
    """What runs are judged by, and the analysis of their scores."""

    analysis: Analysis
    runs: dict[str, RunFrame | MatrixRun] = field(default_factory=dict)
    lists: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Run → what a review needs to know of its lists, if they are reported."""

    def rankings(self, name: str, run: RunFrame, ties: TieRule) -> Rankings:
        """The lists of a run in order; facts about them are noted once."""
        rankings = super().rankings(name, run, ties)
        if self.pictures and name not in self.lists:
            self.lists[name] = list_facts(rankings)
        return rankings

    def parts(self) -> tuple[CellScores, ...]:
        """The scores of all runs; NotApplicableError if no metric has a value of any."""
        parts = tuple(self.part(name, run) for name, run in self.runs.items())
        if not any(part.scores for part in parts):
            raise all_of(list(self.reasons.values()))
        return parts

    def part(self, name: str, run: RunFrame | MatrixRun) -> CellScores:
        """The scores and curves of one run."""
        user_scores: list[UserScores] = []
        depicted = Deferred.known(Pictured())
        for number, judgement in enumerate(self.judged(name, run)):
            user_scores += self.measured(judgement)
            if number == 0 and user_scores and self.pictures:
                depicted = pictured(judgement, self.metrics)
        curves = tuple(curve for scores in user_scores for curve in scores.curves)
        return CellScores(tuple(scores.scores for scores in user_scores), self.qrels.test.users, curves, depicted)

    def study_scores(self) -> StudyScores:
        """The scores of all runs, for a report."""
        parts, test, train = self.parts(), self.qrels.test, self.qrels.train
        return evaluation_scores(
            self.protocol,
            self.analysis,
            parts,
            profile=lambda: profile(test),
            train=len(train) if train is not None else 0,
            test=len(test),
            users=len(self.qrels.users),
            left_out=tuple(self.reasons),
            noticed=self.noticed(),
            equal_ratings=self.qrels.equal_ratings,
            lists=self.lists,
        )


def as_given(profile: Profile) -> DataSteps:
    """A test set that runs are judged by: nothing filters it."""
    return DataSteps.of("test set", "none", [("test", profile)])


def evaluation_scores(
    protocol: Protocol,
    analysis: Analysis,
    parts: tuple[CellScores, ...],
    *,
    profile: Callable[[], Profile],
    train: int,
    test: int,
    users: int,
    left_out: tuple[str, ...],
    noticed: Sequence[Notice],
    equal_ratings: bool,
    stored: tuple[StoredScores, ...] = (),
    lists: Mapping[str, Mapping[str, Any]] | None = None,
) -> StudyScores:
    """The scores of runs, where they come from, and warnings about them after those that were `noticed` before.

    `equal_ratings` is True if all test ratings are equal. `lists` are facts of the runs' lists; runs that are read in
    pieces have none.
    """
    counts = SplitCounts(data="test set", filter="none", split="given", fold=0, train=train, test=test, users=users)
    study_scores = StudyScores(
        parts=parts,
        stored=stored,
        data=Deferred(lambda: (as_given(profile()),)),
        splits=(counts,),
        manifest={
            "complete": True,
            "title": analysis.title,
            "seed": analysis.seed,
            "study": {**protocol_record(protocol), **analysis_record(analysis)},
            **guess_record(protocol.guess),
            "versions": dict(_versions()),
            "machine": machine(),
            **({"lists": lists} if lists is not None else {}),
        },
        left_out=left_out,
    )
    equal = ["test set"] if equal_ratings else []
    notices = about_results(protocol, analysis, study_scores, equal_ratings=equal, noticed=noticed)
    return replace(study_scores, notices=tuple(notices))


_LISTS_FIRST = 200
"""Lists that are looked at first: those of a personal system mostly disagree among so few."""


def list_facts(rankings: Rankings) -> dict[str, Any]:
    """What a review needs to know of a run: how long its longest list is, and whether all users get the same order."""
    return {"longest": int(rankings.length.max(initial=0)), "same_for_all": is_same_for_all(rankings)}


def is_same_for_all(rankings: Rankings) -> bool:
    """True if all lists follow one order of items, from which each leaves some out, as popularity leaves out what is known.

    Neighbours in the lists must form no cycle, and must be the same pairs again and again: each occurs twice on average.

    Example: a b c, a c and b c follow one order; a b and b a do not.
    """
    if len(rankings) < 2:
        return False
    n_items = int(rankings.item.max(initial=0)) + 1
    # Lists that hold all items must be equal, and then their neighbours need not recur.
    complete = np.count_nonzero(np.bincount(rankings.item)) == rankings.length.max()
    if not complete and not _is_one_order(_neighbours(rankings, _LISTS_FIRST, n_items)[0], n_items):
        return False
    pairs, count = _neighbours(rankings, len(rankings), n_items)
    return (complete or 0 < 2 * len(pairs) <= count) and _is_one_order(pairs, n_items)


def _neighbours(rankings: Rankings, lists: int, n_items: int) -> tuple[Int64, int]:
    """The distinct pairs of an item and the next one in the first lists, item × n_items + next, and how many there are."""
    end = int(rankings.indptr[min(lists, len(rankings))])
    item: Ints = rankings.item[:end].astype(np.int64 if n_items**2 > np.iinfo(np.int32).max else np.int32)
    inside = np.ones(max(0, end - 1), dtype=np.bool_)
    ends = rankings.indptr[1:] - 1
    inside[ends[(ends >= 0) & (ends < len(inside))]] = False
    pairs = (item[:-1] * n_items + item[1:])[inside]
    return np.unique(pairs).astype(np.int64), len(pairs)


def _is_one_order(pairs: Int64, n_items: int) -> bool:
    """True if pairs of neighbours form no cycle: taking away items that follow no other leaves none."""
    first, second = np.divmod(pairs, n_items)
    starts = np.searchsorted(first, np.arange(n_items + 1))
    before = np.bincount(second, minlength=n_items)
    ready, taken = np.flatnonzero(before == 0), 0
    while len(ready):
        taken += len(ready)
        following = np.concatenate([second[starts[item] : starts[item + 1]] for item in ready])
        np.subtract.at(before, following, 1)
        candidates = np.unique(following)
        ready = candidates[before[candidates] == 0]
    return taken == n_items
