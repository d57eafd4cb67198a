"""How runs made elsewhere are judged, and what is recorded of their scores: the same in memory and in pieces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from heldout.analysis.merged_settings import MergedScores
from heldout.analysis.part import Part
from heldout.catalogue import make
from heldout.catalogue.notices import Notice
from heldout.data.memory import Source
from heldout.data.profile import Profile
from heldout.experiment.guessed_relevance import about_guess
from heldout.experiment.metric_notices import about_metrics
from heldout.experiment.notices import about_scores
from heldout.experiment.outcome import DataSteps, Outcome, SplitCounts
from heldout.experiment.provenance import machine, versions
from heldout.study.analysis import Analysis, error_within
from heldout.study.protocol import Protocol
from heldout.study.record import analysis_record, guess_record, protocol_record
from heldout.study.stages import DEFAULTS, KINDS_OF_STAGE, make_options
from heldout.tables.arrays import Float64, Int64
from heldout.targets.relevance.by_scale import guess_of_grades

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
    return DataSteps("test set", "none", (("test", profile),))


def evaluation_outcome(
    protocol: Protocol,
    analysis: Analysis,
    parts: tuple[Part, ...],
    *,
    profile: Profile,
    train: int,
    users: int,
    left_out: tuple[str, ...],
    noticed: Sequence[Notice],
    merged: MergedScores | None = None,
    lists: Mapping[str, Mapping[str, Any]] | None = None,
) -> Outcome:
    """The scores of runs with what is known of how they came about.

    `noticed` are warnings about the runs. `lists` are facts of their lists by run; runs that are read in pieces have none.
    """
    counts = SplitCounts(
        data="test set", filter="none", split="given", fold=0, train=train, test=profile.ratings, users=users
    )
    outcome = Outcome(
        parts=parts,
        merged=merged,
        data=(as_given(profile),),
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
    notices = [*about_guess(protocol, analysis.metrics, outcome), *noticed, *about_scores(analysis, outcome)]
    return replace(outcome, notices=(*notices, *about_metrics(analysis, outcome)))
