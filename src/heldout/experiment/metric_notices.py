"""Notices about metrics that say less on these data than their names promise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from heldout.analysis.part import Part
from heldout.catalogue.notices import Notice
from heldout.experiment.outcome import Outcome
from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Gain, Metric
from heldout.study.applicability import CUT
from heldout.study.spec import Study


def about_metrics(study: Study, outcome: Outcome) -> Iterator[Notice]:
    """Notices that the metrics call for on these data."""
    yield from _without_nonrelevant(study, outcome)
    yield from _ungraded(study, outcome)
    yield from _too_deep(study, outcome)
    errors = [str(m) for m in study.measure if m.direction == "lower" and m.undefined != "never" and m.per_user]
    if errors and any(u.as_zero for u in study.undefined):
        yield Notice("HO305", f"users whose {', '.join(errors)} is undefined are left out, not counted as 0")


def _without_nonrelevant(study: Study, outcome: Outcome) -> Iterator[Notice]:
    asked = [str(m) for m in study.measure if m.needs_nonrelevant]
    if not asked:
        return
    for part in outcome.parts:
        for scores in part.scores:
            if "test" in scores.counts and (scores.counts["test"] == scores.counts["relevant"]).all():
                told = f"under {scores.protocol.relevance} all test ratings are relevant"
                yield Notice("HO302", f"{told}: {', '.join(asked)} cannot tell unrated items from disliked ones")
                return


def _ungraded(study: Study, outcome: Outcome) -> Iterator[Notice]:
    graded = [str(m) for m in study.measure if _is_graded(m)]
    for data in outcome.data:
        used = [n for n in data.steps[-1][1].values.counts if n] if data.steps else []
        if graded and len(used) == 1:
            yield Notice("HO303", f"all ratings of {data.name} are equal: {', '.join(graded)} cannot grade")
            return


def _is_graded(metric: Metric) -> bool:
    gain = getattr(metric, "gain", None)
    return isinstance(gain, Gain) and gain.graded


def _too_deep(study: Study, outcome: Outcome) -> Iterator[Notice]:
    """Cut-offs beyond the longest list of all systems under a target."""
    longest: dict[str, float] = {}
    for part in outcome.parts:
        for scores in part.scores:
            found = float(np.max(scores.length, initial=0))
            longest[scores.protocol.target] = max(longest.get(scores.protocol.target, 0.0), found)
    for target, most in longest.items():
        deep = [str(m) for m in study.measure if (depth_of(m) or 0) > most > 0]
        if deep:
            told = f"under {target} no list is longer than {most:,.0f}"
            yield Notice("HO304", f"{told}: {', '.join(deep)} look{'s' if len(deep) == 1 else ''} beyond the candidates")


def about_cut_lists(study: Study, parts: Sequence[Part]) -> Iterator[str]:
    """Which metrics of the whole order were not measured of run files that end early, a sentence for each metric."""
    early = [s.name for s in study.recommend if s.recommender.ends_early]
    own = {name: [scores for part in parts for scores in part.scores if scores.system == name] for name in early}
    for metric in (m for m in study.measure if m.needs_whole_lists):
        cut = [name for name in early if any(str(metric) not in scores.metrics for scores in own[name])]
        if cut:
            yield f"{metric} of {', '.join(cut)}: {'its' if len(cut) == 1 else 'their'} {CUT}"
