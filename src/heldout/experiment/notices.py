"""Warnings about data, splits, run files and failures; and all that a run has to say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from heldout.catalogue.notices import Concern, Notice
from heldout.experiment.guessed_relevance import about_guess
from heldout.experiment.metric_notices import about_gains, about_metrics
from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Metric
from heldout.significance.power import MANY_USERS, detectable_effect
from heldout.splits.concerns import FEW_USERS, concerns
from heldout.study.analysis import Analysis
from heldout.study.protocol import Protocol
from heldout.study.spec import Study
from heldout.tables import Judged, Split
from heldout.tables.cell_scores import MeasuredUsers
from heldout.tables.pair_counter import distinct_counts
from heldout.targets.atoms import candidate_set, key_of, shares_decided_by_id
from heldout.targets.relevance.by_scale import are_counts
from heldout.targets.runs import RunCounts
from heldout.targets.target import Target
from heldout.text.numbers import counted
from heldout.text.phrases import listed

if TYPE_CHECKING:
    from heldout.experiment.study_scores import StudyScores

MANY_DECIDED_BY_ID = 0.05
"""The share of a class's test ratings from which on the order of ids matters."""


class TrainingItemsInRun(Concern):
    """A run recommends items that the user rated in train.

    Assumes: the training set is named; such items are dropped and counted.

    Example: a run with item i1 for user u1, who rated i1 in train.
    """

    key = "HO101"
    title = "Training items in a run"
    severity = "warning"
    stage = "recommend"
    change = "filter items of train before writing the run, or leave train unnamed where repeats are the task"
    from_results = "whether runs hold training items"
    explanation = """
A run recommends items that the user rated in the training set. They cannot be test items, so they only push others down,
and systems that filter them are compared with systems that do not. They are dropped from the lists, and counted. Filter
them before writing the run, or, if repeat consumption is the task, evaluate without naming the training set."""


class RunUsersOutsideTest(Concern):
    """A run holds lists of users who have no test rating.

    Assumes: such lists are ignored.

    Example: a run with user u9, of whom the test set knows nothing.
    """

    key = "HO104"
    title = "Run users outside the test set"
    severity = "warning"
    stage = "recommend"
    change = "check that run and test set are of the same split"
    from_results = "whether runs and test set are of the same users"
    explanation = """
A run holds lists of users who have no test rating. They cannot be judged and are ignored. If they are many, the run may
belong to another split."""


class ListsCutShort(Concern):
    """A target takes its candidates from runs that end too early.

    Assumes: more candidates exist than the run holds.

    Example: a run of 10 items, of which 3 are test items, under TestItems and P@10.
    """

    key = "HO105"
    title = "Lists cut short by the target"
    severity = "warning"
    stage = "target"
    change = "write longer runs, or lower the cut-off"
    from_results = "whether runs are long enough for the targets"
    explanation = """
A run was made for all items, and a target takes only its own candidates from it. Where fewer of them are left than the
cut-off asks for, though more exist, what would have stood below the end of the run is not known. Such lists count as
short: read the coverage, lower the cut-off, or write longer runs."""


class SmallPopularityClasses(Concern):
    """A target samples more items than some popularity classes hold.

    Assumes: each relevant item competes with a sample of its own class.

    Example: P1R(99) where a class has 60 candidates.
    """

    key = "HO209"
    title = "Popularity classes too small for the sample"
    severity = "warning"
    stage = "target"
    references = ("bellogin2017",)
    change = "sample fewer items, or cut the items into fewer classes (percentiles)"
    from_results = "whether popularity classes are large enough for the samples"
    explanation = """
Each relevant item competes with a sample of its own popularity class, and some classes hold fewer items than are to be
sampled: their lists are shorter, so that even a random ranking finds the relevant item more often there. Values are then not
comparable with those of full samples. Sample fewer items, cut the items into fewer classes (`percentiles`), or test more
ratings, so that rare items are candidates too."""


class ClassesDecidedById(Concern):
    """A boundary between popularity classes, or of the head, cuts through equally popular items.

    Assumes: a class matters if more than 5 % of its test ratings are of items that are as popular as items of another class.

    Example: 30 items with 5 ratings each, of which 18 still fit into the ninth class of ten.
    """

    key = "HO210"
    title = "Item ids decide popularity classes"
    severity = "warning"
    stage = "target"
    references = ("bellogin2017",)
    change = "cut the items into fewer classes (percentiles), or choose another share of the head"
    from_results = "whether popularity classes are cut between items of different popularity"
    explanation = """
Classes have equally many items, so a boundary may fall among items with the same number of ratings. Of these, the ones with
lower ids are in the more popular class: with other ids the classes, and the values, would be others. Rarely rated items are
affected most, and every class counts the same. Cut the items into fewer classes, and see whether the order of the systems
stays. With `head`, the same holds for the items that leave the test."""


class BadRowsLeftOut(Concern):
    """Rows that could not be read were left out.

    Assumes: the reader was told on_bad_rows = skip.

    Example: a row without an item id.
    """

    key = "HO502"
    title = "Bad rows were left out"
    severity = "warning"
    stage = "data"
    change = "mend the file, or say how many rows were left out"
    from_results = "whether rows were skipped"
    explanation = """
The reader was told `on_bad_rows = skip`, so rows that lack an id, or hold no number or time where there must be one, are not
in the data. A few are usual in crawled data; many mean that the separator, the encoding or a column is not what it is taken
to be. Say how many were skipped when you report results."""


class CountsAsRatings(Concern):
    """Values are counts, and some systems take them for ratings.

    Assumes: values are counts where the highest of the training values is more than 10 times their median and none is
    below 0, as in by_scale. Models of your own and runs are not looked into.

    Example: ItemKNN on play counts; not after binarise(1), and not EASE, which takes every value as a 1.
    """

    key = "HO513"
    title = "Counts are taken for ratings"
    severity = "warning"
    stage = "recommend"
    references = ("hu2008",)
    change = "add binarise(1) or playcounts_to_ratings to the filters, or values=binary to systems that have it"
    from_results = "whether values are counts that systems take for ratings"
    explanation = """
The values are counts of plays, purchases or clicks: their highest is more than 10 times their median. Neighbour methods and
others that weigh by ratings take them as they are, so that a few items with thousands of plays decide who is alike and what
is recommended, and such systems look far worse than they are beside those that ask only whether there is a value. Take each
as a 1, by the filter `binarise(1)` or by `values=binary` where a recommender has it, or make ratings of them by
`playcounts_to_ratings`. WRMF is not meant here: its confidence 1 + α r is made for counts. What models of your own do with
values is not known."""


ABOUT_VALUES = ("HO315", CountsAsRatings.key)
"""Codes of notices about the values of a data set, however it is split."""


class UncoveredUsers(Concern):
    """A system recommends nothing to some tested users.

    Assumes: coverage is counted after fallback.

    Example: a user without training ratings, under a neighbourhood model and fallback = none.
    """

    key = "HO103"
    title = "Users without recommendations"
    severity = "advice"
    stage = "fallback"
    references = ("canamares2020",)
    change = 'add fallback = "popularity", or report user coverage beside every value'
    from_results = "whether every system recommends to every tested user"
    explanation = """
Some tested users have no list from a system. Under `coverage = zero` they count as 0, under `forgive` they are left out.
The share of users covered stands beside every value."""


class ManyUsers(Concern):
    """With thousands of users tiny differences are significant.

    Assumes: 2,000 users or more are tested.

    Example: 6,040 users show d = 0.036 four times in five.
    """

    key = "HO401"
    title = "Many users"
    severity = "advice"
    stage = "compare"
    references = ("ihemelandu2023",)
    change = "report the difference, its interval and the effect size beside every p-value"
    from_results = "whether so many users are tested that any difference is significant"
    explanation = """
With thousands of users tiny differences are significant. Read the difference, its interval and the effect size first;
a small p-value only says that the difference is not 0."""


class FewUsers(Concern):
    """Fewer than 50 users are tested.

    Assumes: the smallest setting counts.

    Example: 30 users miss most effects below d = 0.53.
    """

    key = "HO402"
    title = "Few users"
    severity = "warning"
    stage = "users"
    references = ("gunawardana2009",)
    change = "test more users, and read the confidence interval instead of the p-value"
    from_results = "whether enough users are tested"
    explanation = """
With so few users only large differences can be detected, and a p-value above the level does not show that two systems
are equal. Read the confidence interval."""


def about_results(
    protocol: Protocol,
    analysis: Analysis,
    study_scores: StudyScores,
    *,
    equal_ratings: Iterable[str],
    noticed: Iterable[Notice] = (),
) -> Iterator[Notice]:
    """Notices that the scores of a run or an evaluation call for, and between them those that were `noticed` before.

    `equal_ratings` are the data sets all of whose ratings are equal.
    """
    measured = study_scores.measured()
    yield from about_guess(protocol, analysis.metrics, measured)
    yield from noticed
    yield from about_scores(analysis, measured, study_scores.tested_users())
    as_zero = any(rule.as_zero for rule in analysis.undefined)
    yield from about_metrics(analysis.metrics, measured, equal_ratings, as_zero=as_zero)


def about_scores(analysis: Analysis, measured: Sequence[MeasuredUsers], tested: Sequence[int]) -> Iterator[Notice]:
    """Notices about coverage and, if systems are compared, about the number of users: it says what a test can find.

    `tested` are the users that each protocol tests.
    """
    yield from about_coverage(measured, forgiving=any(rule.per_system for rule in analysis.coverage))
    if len({counts.system for counts in measured}) > 1:
        yield from about_users(tested)


def about_coverage(measured: Sequence[MeasuredUsers], *, forgiving: bool) -> Iterator[Notice]:
    """Notices about users without recommendations; the target is named where another one leaves fewer of them without."""
    uncovered: dict[str, dict[str, int]] = {}
    covered: dict[str, set[bytes]] = {}
    for counts in measured:
        by_target = uncovered.setdefault(counts.system, {})
        by_target[counts.protocol.target] = max(by_target.get(counts.protocol.target, 0), counts.empty)
        covered.setdefault(f"{counts.protocol} {counts.fold}", set()).add(counts.covered)
    for system, by_target in uncovered.items():
        most = max(by_target.values())
        targets = [target for target, users in by_target.items() if users == most]
        under = f" under {listed(targets)}" if len(targets) < len(by_target) else ""
        if most:
            yield UncoveredUsers.notice(f"{system} recommends nothing to {counted(most, 'tested user')}{under}")
    if forgiving and any(len(masks) > 1 for masks in covered.values()):
        yield Notice("HO102", "coverage = forgive averages different users in different systems")


def about_users(sizes: Sequence[int]) -> Iterator[Notice]:
    """Notices about the number of users tested, by protocol."""
    if sizes and max(sizes) >= MANY_USERS:
        smallest = detectable_effect(max(sizes))
        yield ManyUsers.notice(
            f"{max(sizes):,} users are tested: an effect of d = {smallest:.3f} is significant 4 times in 5"
        )
    if sizes and min(sizes) < FEW_USERS:
        missed = detectable_effect(min(sizes)) if min(sizes) > 2 else float("inf")
        but = f": an effect below d = {missed:.2f} mostly stays undetected" if missed < 10 else ""
        few = "user is" if min(sizes) == 1 else "users are"
        yield FewUsers.notice(f"Only {min(sizes):,} {few} tested{but}")


def about_fold(study: Study, split: Split, *, counts: bool) -> Iterator[Notice]:
    """Notices about one fold, under the targets and systems of a study; `counts` if its values are known to be such."""
    yield from concerns(split)
    yield from _small_classes(study, split)
    yield from about_classes(study.target, split)
    yield from _counts_as_ratings(study, split)
    values = partial(np.concatenate, [split.train.value, split.test.value])
    yield from about_gains(study.metrics, lambda: distinct_counts(values()), declared=counts)


def _small_classes(study: Study, split: Split) -> Iterator[Notice]:
    """HO209 of targets whose samples some popularity class is too small for."""
    for target in study.target:
        form = target.form
        if form.sample is None or form.percentiles == 1 or form.own:
            continue
        sizes = candidate_set(split, key_of(form)).size
        short = int((sizes < form.sample).sum())
        if short:
            message = f"{target} samples {form.sample} items, and {short} of {len(sizes)} popularity classes have fewer"
            yield SmallPopularityClasses.notice(f"{message} (the smallest {int(sizes.min())})")


def about_classes(targets: Sequence[Target], split: Split) -> Iterator[Notice]:
    """HO210 of targets whose classes or head depend on the ids of equally popular items."""
    for target in targets:
        form = target.form
        if form.own or (form.percentiles == 1 and not form.head):
            continue
        shares = shares_decided_by_id(split, key_of(form))
        many = int((shares > MANY_DECIDED_BY_ID).sum())
        if many:
            parts = "classes" if form.percentiles > 1 else "parts (head and rest)"
            held = f"more than {MANY_DECIDED_BY_ID:.0%} of the test ratings (at most {shares.max():.0%})"
            yield ClassesDecidedById.notice(
                f"{target} assigns equally popular items to different {parts} by the order of their ids; in {many} of "
                f"{len(shares)} these items have {held}"
            )


def _counts_as_ratings(study: Study, split: Split) -> Iterator[Notice]:
    """HO513 of the systems that weigh by values where these are counts."""
    systems = [system for system in study.recommend if system.recommender.uses_values]
    if systems and are_counts(split.train.value):
        own = [system.name for system in systems if hasattr(system.recommender, "values")]
        option = f", or values=binary in {', '.join(own)}" if own else ""
        yield CountsAsRatings.notice(
            f"Values up to {split.train.value.max():,.10g} are counts, and they are taken for ratings by "
            f"{', '.join(system.name for system in systems)}: add binarise(1) or playcounts_to_ratings to the filters"
            f"{option}"
        )


def about_run(name: str, counts: RunCounts) -> Iterator[Notice]:
    """Notices about what a run holds beside candidates of tested users."""
    if counts.training == 1:
        yield TrainingItemsInRun.notice(f"{name} ranks 1 training item, which was dropped")
    elif counts.training:
        yield TrainingItemsInRun.notice(f"{name} ranks {counts.training:,} training items; they were dropped")
    if counts.unknown_users:
        single = counts.unknown_users == 1
        lists = "a list of 1 user who is" if single else f"lists of {counts.unknown_users:,} users who are"
        yield RunUsersOutsideTest.notice(f"{name} has {lists} not tested")


def about_short_lists(metrics: Sequence[Metric], name: str, target: Target, judged: Judged) -> Iterator[Notice]:
    """HO105 where lists of a run hold fewer candidates than the metrics look at, though more exist."""
    deepest = max((n for m in metrics if (n := depth_of(m)) is not None), default=0)
    short = (judged.length < np.minimum(deepest, judged.targets)) & (judged.length > 0)
    if short.any():
        message = f"Under {target} lists of {name} hold fewer than {deepest} candidates"
        yield ListsCutShort.notice(f"{message} ({int(short.sum()):,} of {len(judged):,})")
