"""From data to folds: read once, filter once, split once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from heldout.catalogue.notices import Notice
from heldout.data.filter import Filter, leaves_counts
from heldout.data.memory import Source
from heldout.data.profile import DataSteps, Profile, profile
from heldout.errors import HeldoutError, InputError
from heldout.experiment.clock import Clock
from heldout.experiment.guessed_relevance import FilteredSource, refuse_unserved
from heldout.experiment.notices import ABOUT_VALUES, about_fold
from heldout.splits.audit import audit
from heldout.splits.carve import with_groups, with_validation
from heldout.splits.pairs import rows_among
from heldout.splits.sizes import SplitCounts
from heldout.splits.splitter import Splitter
from heldout.storage.deferred import Deferred
from heldout.study.protocol import chain_text
from heldout.study.spec import Study
from heldout.tables import Dropped, Interactions, Keep, Log, Split
from heldout.tables.arrays import Bool, Int32, digest_of
from heldout.tables.interactions import release
from heldout.tables.log import CodedRows, MergedTime, coded_rows, merge_pairs
from heldout.tables.mapped import Waiting, set_aside
from heldout.targets.ranker import split_for
from heldout.targets.relevance_rule import RelevanceRule, refuse_irrelevant
from heldout.targets.target import Target
from heldout.targets.user_rule import chosen, left_by

Steps = Sequence[tuple[str, Deferred[Profile]]]
"""Label and profile of a data set as read and after each filter."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Fold:
    """One fold ready to be measured."""

    data: str
    filter: str
    split_text: str
    split: Split
    users: Int32
    """Everyone who is tested under some users chain and relevance rule."""
    masks: dict[tuple[str, str, float], Bool]
    """(users chain, relevance rule, head that the target leaves out) → who of `users` is tested."""
    top_grade: float
    refused: dict[tuple[str, str, str], str] = field(default_factory=dict)
    """(metric, target, relevance rule) → why the data leave it without a value, such as a column that they lack."""

    @property
    def digest(self) -> str:
        """sha256 of the ratings of both parts and their names."""
        return digest_of(self.data, self.filter, self.split_text, self.split.digest)


@dataclass
class Prepared:
    """Facts about the data and the splits that were collected while the folds were prepared."""

    data: list[Deferred[DataSteps]] = field(default_factory=list)
    """Profiles of each data set, before its filters and after each."""
    splits: list[SplitCounts] = field(default_factory=list)
    equal_ratings: list[str] = field(default_factory=list)
    """Data sets whose ratings are all equal after their filters."""
    waiting: Waiting = field(default_factory=Waiting)
    """Ratings and judged lists that are kept for profiles and pictures."""
    fold_notices: list[tuple[str, Notice]] = field(default_factory=list)
    """Warnings about folds, each with its split, or with its data set if it is about the values."""
    skipped: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    """Bad rows that were left out of each source, by the reason."""

    def profiles(self) -> tuple[DataSteps, ...]:
        """The profiles; those that nobody has read yet are computed now."""
        return tuple(steps.value for steps in self.data)

    def distinct_profiles(self) -> tuple[DataSteps, ...]:
        """The profiles, each data set under each chain of filters once: other seeds read and filter it again."""
        return tuple({(steps.name, steps.filter): steps for steps in reversed(self.profiles())}.values())[::-1]

    def note_data(self, name: str, filters: str, steps: Steps, last: Interactions) -> None:
        """Note a data set, with the label and the profile of each step; `last` are its ratings after all filters."""
        self.data.append(Deferred(lambda: DataSteps.of(name, filters, [(label, of_step.value) for label, of_step in steps])))
        if len(last) and last.value.min() == last.value.max():
            self.equal_ratings.append(name)


def split_folds(
    study: Study, prepared: Prepared, clock: Clock, sources: Iterable[FilteredSource] | None = None
) -> Iterator[tuple[str, Iterator[Fold]]]:
    """The folds of every split of every filtered data set, with the text of the split.

    Profiles and counts are noted in `prepared`. `sources` are those of `filtered_sources`, where they were read before.
    """
    for name, chain, filtering in filtered_sources(study, prepared, clock) if sources is None else sources:
        data = filtering(study.seed)
        for splitter in study.split:
            yield str(splitter), folds_of(study, name, data, chain, splitter, prepared, clock)


class RowsRead:
    """The rows of a source, which are let go when they are taken for the last time: large data then need half the memory."""

    def __init__(self, log: Log) -> None:
        self.source, self.count, self.skipped, self.columns_read = log.source, len(log), log.skipped, log.columns_read
        self._columns = log.columns()
        self._coded: CodedRows | None = None

    def coded(self) -> CodedRows:
        """The rows with ids as numbers, before repeated pairs are made one."""
        if self._coded is None:
            self._coded = coded_rows(self._columns, self.source)
        return self._coded

    def interactions(self, keep: Keep, merged: MergedTime | None, *, last: bool) -> Interactions:
        """One row per pair, as `Log.interactions`; after the last time there are no rows left."""
        if self._coded is not None:
            return (self._coded if last else self._coded.copy()).merged(keep, merged)
        return merge_pairs(self._columns if last else dict(self._columns), self.source, keep, merged=merged)


Filtering = Callable[[int], Interactions | None]
"""From a seed to the filtered data; None if only a split is given."""


def filtered_sources(study: Study, prepared: Prepared, clock: Clock) -> Iterator[FilteredSource]:
    """Every data set, read once, with every chain of filters: its name, the chain, and what filters it."""
    drawn = any(step.draws for chain in study.filters for step in chain)  # asked again, for another seed, in any order
    for source in study.data or (None,):
        rows = RowsRead(clock.time("data", source.read)) if source is not None else None
        for number, chain in enumerate(study.filters, start=1):
            filtering = _filtering(source, rows, chain, prepared, clock, last=number == len(study.filters) and not drawn)
            yield str(source) if source is not None else "given", chain, filtering


def profiled_data(study: Study) -> list[DataSteps]:
    """The data sets of a study before and after each chain of filters."""
    prepared = Prepared()
    for _, _, filtering in filtered_sources(study, prepared, Clock()):
        filtering(study.seed)
    return list(prepared.profiles())


def _filtering(
    source: Source | None, rows: RowsRead | None, chain: tuple[Filter, ...], prepared: Prepared, clock: Clock, *, last: bool
) -> Filtering:
    """What filters the data under a seed; chains that draw nothing filter once, and profiles are noted once.

    After the last chain of a source its rows are let go.
    """
    by_seed: dict[int, Interactions] = {}
    drawn = any(step.draws for step in chain)

    def under(seed: int) -> Interactions | None:
        if source is None or rows is None:
            return None
        key = seed if drawn else 0
        if key not in by_seed:
            noted = prepared if not by_seed else Prepared()
            by_seed.clear()
            by_seed[key] = filtered(source, rows, chain, seed, noted, clock, last=last)
        return by_seed[key]

    return under


def folds_of(
    study: Study,
    name: str,
    data: Interactions | None,
    chain: tuple[Filter, ...],
    splitter: Splitter,
    prepared: Prepared,
    clock: Clock,
) -> Iterator[Fold]:
    """The folds of one split of filtered data."""
    splits = splitter.split(data, seed=study.seed)
    if data is not None and chain and splitter.predefined:
        splits = (within_filtered(split, data) for split in splits)
    for split in map(_set_aside_parts, _timed(_carved(study, splits), clock)):
        if data is not None:
            release(data)
        if data is None and split.fold == 0:
            prepared.note_data(str(splitter), "none", _given_steps(split, chain), split.test)
        yield ready(study, name, chain_text(chain), str(splitter), split, prepared)


def _set_aside_parts(split: Split) -> Split:
    """The split with its large parts on disk: a training set that is not being fitted to takes no memory."""
    validation = split.validation
    return replace(
        split,
        train=set_aside(split.train),
        test=set_aside(split.test),
        validation=set_aside(validation) if validation is not None else None,
    )


def within_filtered(split: Split, data: Interactions) -> Split:
    """A given test set without the pairs that the filters took out of the data, and over what is left of users and items."""
    kept = rows_among(split.test, data.recode(split.test.users, split.test.items)) >= 0
    lost = Dropped("test pairs that the filtered data lack", int((~kept).sum()))
    test = split.test.select(kept).recode(data.users, data.items)
    train = split.train.recode(data.users, data.items)
    return replace(split, train=train, test=test, dropped=(*split.dropped, *([lost] if lost.count else [])))


def _carved(study: Study, splits: Iterator[Split]) -> Iterator[Split]:
    """The splits with the validation part and the user groups that the study asks for."""
    for split in splits:
        if study.validation is not None:
            split = with_validation(split, study.validation, seed=study.seed)
        if study.development is not None:
            split = with_groups(split, study.development, seed=study.seed)
        yield split


def _timed(splits: Iterator[Split], clock: Clock) -> Iterator[Split]:
    while (split := clock.time("split", partial(next, splits, None))) is not None:
        yield split


def filtered(
    source: Source,
    rows: RowsRead,
    chain: Sequence[Filter],
    seed: int,
    prepared: Prepared,
    clock: Clock,
    *,
    last: bool = True,
) -> Interactions:
    """The rows as ratings, after each filter of a chain; profiles are noted in `prepared`, and rows are let go if `last`."""
    merging = next((f for f in chain if f.merging is not None), None)
    keep, time = merging.merging if merging is not None and merging.merging is not None else ("error", None)
    data = prepared.waiting.keep(clock.time("data", partial(rows.interactions, keep, time, last=last)))
    if rows.skipped:
        prepared.skipped[str(source)] = tuple((s.reason, s.count) for s in rows.skipped)
    # Pairs are made one while the data are read: there is no profile of the rows before.
    first = "as read" if merging is None else f"{merging}: {rows.count - len(data):,} of {rows.count:,} rows merged"
    steps = [(first, Deferred(partial(profile, data)))]
    for step in chain:
        if step.merging is not None:
            continue
        try:
            data = prepared.waiting.keep(clock.time("filter", partial(step.apply, data, seed=seed)))
        except HeldoutError as error:
            raise error.within("filters") from None
        steps.append((str(step), Deferred(partial(profile, data))))
    prepared.note_data(str(source), chain_text(chain), steps, data)
    return data


def _given_steps(split: Split, chain: Sequence[Filter]) -> Steps:
    if chain:
        raise InputError(
            "filters cannot change a split whose train and test are both given",
            hint="filter the files, or name the data under `data` and only the test set in given(…)",
        ).within("filters")
    return [(name, Deferred(partial(profile, getattr(split, name)))) for name in ("train", "test")]


def ready(study: Study, data: str, filters: str, split_text: str, split: Split, prepared: Prepared) -> Fold:
    """A fold with its tested users; InputError when nobody is left to be tested."""
    if len(split.test) == 0:
        raise InputError("the test set is empty", hint="hide more ratings").within(f"split {split_text}")
    if len(split.train) == 0:
        raise InputError("the training set is empty", hint="keep more ratings").within(f"split {split_text}")
    masks: dict[tuple[str, str, float], Bool] = {}
    ways: dict[tuple[str, float], tuple[Target, RelevanceRule]] = {
        (str(c.relevance), c.target.form.head): (c.target, c.relevance) for c in study.judgements()
    }
    for rule, stated_by in study.relevance_rules().items():
        refuse_irrelevant(rule, split.test, split.train, [m.tasks for m in study.metrics], stated_by=stated_by)
    refuse_unserved(study, study.metrics, split.test, split.train)
    for chain in study.users:
        for (text, head), (target, rule) in ways.items():
            masks[chain_text(chain), text, head] = chosen(chain, split_for(split, target), rule)
    union = np.logical_or.reduce(list(masks.values()))
    users = np.flatnonzero(union).astype(np.int32)
    if len(users) == 0:
        raise InputError("no user is left to be tested", hint="loosen the rules under `users`, or change the split").within(
            f"users {chain_text(study.users[0])}"
        )
    for (chain_name, rule_name, _), mask in masks.items():
        if not mask.any():
            raise InputError(
                f"no user is left to be tested under relevance {rule_name}",
                hint="loosen the rules, or lower the relevance threshold",
            ).within(f"users {chain_name}")
    _refuse_without_lists(study, split, masks)
    earlier = {(place, notice.code) for place, notice in prepared.fold_notices}
    for notice in about_fold(study, split, counts=_known_counts(study, data, filters)):
        place = data if notice.code in ABOUT_VALUES and study.data else split_text
        if (place, notice.code) not in earlier:
            prepared.fold_notices.append((place, notice))
    prepared.splits.append(
        SplitCounts(
            data=data,
            filter=filters,
            split=split_text,
            fold=split.fold,
            train=len(split.train),
            test=len(split.test),
            users=len(users),
            dropped=tuple((d.reason, d.count) for d in split.dropped),
            validation=len(split.validation) if split.validation is not None else 0,
            development=_development(split),
            audit=audit(split).to_dict(),
            chosen=tuple(
                (f"{text}, head={head:g}" if head else text, left_by(chain, split_for(split, target), rule))
                for chain in study.users
                for (text, head), (target, rule) in ways.items()
            ),
        )
    )
    release(split.train)
    top = max(float(part.value.max()) for part in (split.train, split.test))
    release(split.train)
    return Fold(
        data=data,
        filter=filters,
        split_text=split_text,
        split=split,
        users=users,
        masks={key: mask[users] for key, mask in masks.items()},
        top_grade=top,
    )


def _known_counts(study: Study, data: str, filters: str) -> bool:
    """True if a data set, given by its text, is known to hold counts after a chain of filters."""
    source = next((source for source in study.data if str(source) == data), None)
    chain = next((chain for chain in study.filters if chain_text(chain) == filters), ())
    return leaves_counts(source, chain)


def _development(split: Split) -> int:
    """How many tested users are of the development group."""
    return 0 if split.development is None else int((split.development & (split.test.user_counts > 0)).sum())


def _refuse_without_lists(study: Study, split: Split, masks: dict[tuple[str, str, float], Bool]) -> None:
    """Raise InputError if a target that makes a list for each relevant item would make none."""
    for choices in study.judgements():
        target, rule = choices.target, choices.relevance
        if not target.single:
            continue
        test = split_for(split, target).test
        relevant = np.bincount(test.user, rule.of_test(test, split.train), test.n_users) > 0
        for chain in study.users:
            if not (masks[chain_text(chain), str(rule), target.form.head] & relevant).any():
                raise InputError(
                    f"no tested user has a relevant test rating under {rule}, so there is no list to judge",
                    hint="lower the threshold",
                ).within(f"target {target}")
