"""How runs made elsewhere are judged, and what is recorded of their scores: the same in memory and in pieces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from heldout.catalogue import make
from heldout.catalogue.notices import Notice
from heldout.data.memory import Source
from heldout.data.profile import DataSteps, Profile
from heldout.experiment.guessed_relevance import about_guess
from heldout.experiment.metric_notices import about_metrics
from heldout.experiment.notices import about_scores
from heldout.experiment.outcome import Outcome
from heldout.experiment.provenance import machine, versions
from heldout.splits.sizes import SplitCounts
from heldout.study.analysis import Analysis, error_within
from heldout.study.protocol import Protocol
from heldout.study.record import analysis_record, guess_record, protocol_record
from heldout.study.stages import DEFAULTS, KINDS_OF_STAGE, make_options
from heldout.tables.arrays import Float64, Int64
from heldout.tables.deferred import Deferred
from heldout.tables.part import MeasuredUsers, Part
from heldout.targets.relevance.by_scale import guess_of_grades

if TYPE_CHECKING:
    from heldout.analysis.merged_settings import MergedScores

_versions = cache(versions)  # reading what is installed takes longer than judging a run


def run_protocol(
    test: Source,
    grades: Callable[[], tuple[Float64, Int64]],
    *,
    relevance: Any,
    target: Any,
    unrated: Any,
    ties: Any,
    seed: int,
) -> Protocol:
    """How runs are judged; data were read and split, and lists made, elsewhere.

    `grades` tells the distinct ratings of test and training, and how often each was given.
    """

    def options(stage: str, value: Any) -> tuple[Any, ...]:
        with error_within(stage):
            return make_options(KINDS_OF_STAGE[stage], value)

    protocol = Protocol(
        data=(test,),
        filters=((),),
        users=((make("users", "with_test"),),),
        fallback=(make("fallback", "none"),),
        relevance=options("relevance", relevance or DEFAULTS["relevance"]),
        target=options("target", target),
        unrated=options("unrated", unrated),
        ties=options("ties", ties),
        seed=seed,
    )
    if not protocol.guessing():
        return protocol
    return protocol.with_guess(guess_of_grades(*grades()))


def as_given(profile: Profile) -> DataSteps:
    """A test set that runs are judged by: nothing filters it."""
    return DataSteps.of("test set", "none", [("test", profile)])


def evaluation_notices(
    protocol: Protocol,
    analysis: Analysis,
    measured: Sequence[MeasuredUsers],
    tested: Sequence[int],
    *,
    noticed: Sequence[Notice],
    equal_ratings: bool,
) -> tuple[Notice, ...]:
    """Warnings about runs, of which `noticed` are known, and about their scores.

    `tested` are the users that each protocol tests, `equal_ratings` is True if all test ratings are equal.
    """
    return (
        *about_guess(protocol, analysis.metrics, measured),
        *noticed,
        *about_scores(analysis, measured, tested),
        *about_metrics(analysis, measured, ["test set"] if equal_ratings else []),
    )


def evaluation_outcome(
    protocol: Protocol,
    analysis: Analysis,
    parts: tuple[Part, ...],
    *,
    profile: Callable[[], Profile],
    train: int,
    test: int,
    users: int,
    left_out: tuple[str, ...],
    notices: tuple[Notice, ...],
    merged: MergedScores | None = None,
    lists: Mapping[str, Mapping[str, Any]] | None = None,
) -> Outcome:
    """The scores of runs and where they come from.

    `lists` are facts of their lists by run; runs that are read in pieces have none.
    """
    counts = SplitCounts(data="test set", filter="none", split="given", fold=0, train=train, test=test, users=users)
    return Outcome(
        parts=parts,
        merged=merged,
        data=Deferred(lambda: (as_given(profile()),)),
        splits=(counts,),
        notices=notices,
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
