"""Notices about metrics that say less on these data than their names promise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from heldout.catalogue.notices import Concern, Notice
from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Gain, Metric
from heldout.study.applicability import about_cut_metric
from heldout.study.spec import Study
from heldout.tables.arrays import Float64, Int64
from heldout.tables.cell_scores import CellScores, MeasuredUsers
from heldout.targets.relevance.by_scale import exceed_scales
from heldout.text.phrases import listed


class NoNonrelevantItems(Concern):
    """All test ratings are relevant, so metrics of judged non-relevant items say nothing.

    Assumes: bpref or infAP is measured.

    Example: ratings of 4 and 5 only, threshold(4) and bpref.
    """

    key = "HO302"
    title = "No judged non-relevant items"
    severity = "warning"
    stage = "relevance"
    references = ("buckley2004", "yilmaz2006")
    change = "replace bpref and infAP by nDCG and P, or keep low ratings in the test"
    from_results = "whether any test rating is not relevant"
    explanation = """
All test ratings are relevant under the study's rule. Then bpref is 1 for every relevant item met, and infAP infers
precision from relevant items alone: both reduce to a kind of recall."""


class EqualRatings(Concern):
    """All ratings are equal, so a graded gain grades nothing.

    Assumes: a metric with a gain other than binary is measured.

    Example: clicks, all of value 1, and nDCG(gain=linear)@10.
    """

    key = "HO303"
    title = "All ratings are equal"
    severity = "advice"
    stage = "metrics"
    references = ("jarvelin2002",)
    change = "replace gain=linear or exp2 by gain=binary"
    from_results = "whether ratings differ at all"
    explanation = """
All test ratings have one value, so a graded gain tells no items apart: nDCG with gain=linear equals nDCG with
gain=binary, if the value counts as relevant."""


class CutOffBeyondCandidates(Concern):
    """A cut-off is deeper than the longest list.

    Assumes: lists are those that the target allows.

    Example: Recall@50 where users have at most 30 test items to rank under TestRatings.
    """

    key = "HO304"
    title = "Cut-off beyond the candidates"
    severity = "warning"
    stage = "metrics"
    change = "choose a smaller cut-off, or a target with more candidates"
    from_results = "whether lists are as long as the cut-offs"
    explanation = """
No list is as long as the metric looks. Every list then holds all that can be recommended, so recall is 1 wherever the
system scores everything, precision counts empty places as misses, and HitRate tells only who has a relevant item at all.
Choose a smaller cut-off, or a target with more candidates."""


class UndefinedErrors(Concern):
    """Users without a rating error are left out, since 0 would be the best error.

    Assumes: undefined = zero is asked for together with RMSE, MAE, MSE or NMAE.

    Example: RMSE of a system that predicts nothing for a user.
    """

    key = "HO305"
    title = "Undefined errors are left out"
    severity = "advice"
    stage = "undefined"
    references = ("herlocker2004",)
    change = 'add undefined = "skip", which says what is done anyway'
    from_results = "whether errors are undefined for some users"
    explanation = """
Where lower values are better, as with RMSE, an undefined value counted as 0 would be the best possible one, and a system
that predicts nothing would win. Under `undefined = zero` such users are left out for these metrics, and counted; the share
of ratings that was predicted stands beside."""


def about_gains(
    metrics: Sequence[Metric], grades: Callable[[], tuple[Float64, Int64]], *, declared: bool = False
) -> Iterator[Notice]:
    """HO315 of the metrics whose gains grow with values that are counts.

    `grades` gives the distinct values of test and training, ascending, and how often each occurs. Values `declared` as
    counts are counts, however low, if they differ; others if their distribution is not that of ratings.
    """
    gains = {str(metric): gain for metric in metrics if (gain := growing_gain(metric)) is not None}
    if not gains:
        return
    values, counts = grades()
    highest = float(values[-1])
    named = [name for name, gain in gains.items() if highest <= gain.highest_grade]
    if named and (exceed_scales(values, counts) or (declared and len(values) > 1 and highest > 1)):
        verb = "takes" if len(named) == 1 else "take"
        yield Notice(
            "HO315", f"Values up to {highest:,.10g} are counts, and {listed(named)} {verb} them as gains: use gain=binary"
        )


def growing_gain(metric: Metric) -> Gain | None:
    """The metric's gain if it grows with the rating."""
    gain = getattr(metric, "gain", None)
    return gain if isinstance(gain, Gain) and gain.grows_with_rating else None


def about_metrics(
    metrics: Sequence[Metric], measured: Sequence[MeasuredUsers], equal_ratings: Iterable[str], *, as_zero: bool
) -> Iterator[Notice]:
    """Notices that the metrics call for.

    `equal_ratings` are the data sets all of whose ratings are equal; `as_zero` is True if undefined values count as 0.
    """
    yield from _without_nonrelevant(metrics, measured)
    yield from _ungraded(metrics, equal_ratings)
    yield from _too_deep(metrics, measured)
    errors = [str(m) for m in metrics if m.direction == "lower" and m.undefined != "never" and m.per_user]
    if errors and as_zero:
        yield UndefinedErrors.notice(f"Users whose {', '.join(errors)} is undefined are left out, not counted as 0")


def _without_nonrelevant(metrics: Sequence[Metric], measured: Sequence[MeasuredUsers]) -> Iterator[Notice]:
    names = [str(m) for m in metrics if m.needs_nonrelevant]
    if not names:
        return
    for counts in measured:
        if counts.all_relevant:
            message = f"Under {counts.protocol.relevance} all test ratings are relevant"
            yield NoNonrelevantItems.notice(f"{message}: {', '.join(names)} cannot tell unrated items from disliked ones")
            return


def _ungraded(metrics: Sequence[Metric], equal_ratings: Iterable[str]) -> Iterator[Notice]:
    graded = [str(m) for m in metrics if _is_graded(m)]
    name = next(iter(equal_ratings), None) if graded else None
    if name is not None:
        yield EqualRatings.notice(f"All ratings of {name} are equal: {', '.join(graded)} cannot grade")


def _is_graded(metric: Metric) -> bool:
    gain = getattr(metric, "gain", None)
    return isinstance(gain, Gain) and gain.graded


def _too_deep(metrics: Sequence[Metric], measured: Sequence[MeasuredUsers]) -> Iterator[Notice]:
    """Cut-offs beyond the longest list of all systems under a target."""
    longest: dict[str, float] = {}
    for counts in measured:
        longest[counts.protocol.target] = max(longest.get(counts.protocol.target, 0.0), counts.longest)
    for target, most in longest.items():
        deep = [str(m) for m in metrics if (depth_of(m) or 0) > most > 0]
        if deep:
            message = f"Under {target} no list is longer than {most:,.0f}"
            yield CutOffBeyondCandidates.notice(
                f"{message}: {', '.join(deep)} look{'s' if len(deep) == 1 else ''} beyond the candidates"
            )


def about_cut_lists(study: Study, parts: Sequence[CellScores]) -> Iterator[str]:
    """Which metrics of the whole order were not measured of run files that end early, a sentence for each metric."""
    early = [s.name for s in study.recommend if s.recommender.ends_early]
    own = {name: [scores for part in parts for scores in part.scores if scores.system == name] for name in early}
    for metric in (m for m in study.metrics if m.needs_whole_lists):
        cut = [name for name in early if any(str(metric) not in scores.metrics for scores in own[name])]
        if cut:
            yield about_cut_metric(metric, cut)
