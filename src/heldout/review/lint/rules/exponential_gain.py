"""HO312: exponential gain where ratings are no grades."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.metrics.metric import Gain
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule
from heldout.review.lint.subject import Subject

LARGEST = 10
"""The highest value that a scale of grades may have."""


class ExponentialGain(Rule):
    """Exponential gain is taken of counts, or of ratings that are all alike.

    Assumes: scales of grades end at 10 or below; known are data sets of counts by their reader, others from results.

    Example: nDCG(gain=exp2)@10 of play counts: 2^20 is a million times 2^0.
    """

    key = "HO312"
    title = "Exponential gain of counts or single-valued ratings"
    severity = "warning"
    stage = "metrics"
    references = ("jarvelin2002", "chapelle2009")
    from_results = "whether ratings are grades or counts"
    explanation = """
Exponential gain (2^r − 1) is made for a few grades of relevance. Of ratings that are all alike it is the same as binary
gain, and of play counts or quantities it leaves only each user's largest count of any weight, since 2^20 is a million
times 2^0. Use `gain=binary`, `gain=linear` or a table of gains, or turn counts into ratings first (`filter =
[["playcounts_to_ratings"]]`)."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        gains = {str(m): getattr(m, "gain", None) for m in subject.study.metrics}
        exponential = {name: str(gain) for name, gain in gains.items() if isinstance(gain, Gain) and gain.exponential}
        alike, counts = self._alike(subject), self._counts(subject)
        if exponential and (alike or counts):
            change = f"replace gain={next(iter(exponential.values()))} by gain=binary"
            if not alike:
                change += ', or turn counts into ratings: filters = [["playcounts_to_ratings"]]'
            yield self.finding(f"{', '.join(exponential)} of {alike or counts}", change)

    def _alike(self, subject: Subject) -> str:
        """Which ratings are all alike, or 0 and 1; empty where they are grades or counts."""
        binarising = next((f for chain in subject.study.filters for f in chain if f.binary), None)
        if binarising is not None:
            return f"ratings that {binarising.key} made 0 and 1"
        extremes = [data.extremes() for data in subject.evidence.data] if subject.evidence is not None else []
        return next((f"ratings that are all {pair[0]:g}" for pair in extremes if pair and pair[0] == pair[1]), "")

    def _counts(self, subject: Subject) -> str:
        """Which values are counts: by their range, or by their reader where there are no results."""
        if subject.evidence is not None:
            highest = [pair[1] for data in subject.evidence.data if (pair := data.extremes())]
            return next((f"values up to {high:,.10g}" for high in highest if high > LARGEST), "")
        if any(f.from_counts for chain in subject.study.filters for f in chain):
            return ""
        return next((f"counts ({source})" for source in subject.study.data if getattr(source, "counts", False)), "")
