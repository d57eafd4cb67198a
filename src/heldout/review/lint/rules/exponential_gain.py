"""HO312: exponential gain where ratings are no grades."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule
from heldout.review.lint.subject import Subject

EXPONENTIAL = ("exp2", "chapelle", "chapelle_scaled")
COUNTS = ("lastfm", "tafeng", "fimi")
"""Readers of data sets that hold counts or baskets."""
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
    stage = "measure"
    references = ("jarvelin2002", "chapelle2009")
    from_results = "whether ratings are grades or counts"
    explanation = """
Exponential gain (2^r − 1) is made for a few grades of relevance. Of ratings that are all alike it is the same as binary
gain, and of play counts or quantities it leaves only each user's largest count of any weight, since 2^20 is a million
times 2^0. Use `gain=binary`, `gain=linear` or a table of gains, or turn counts into ratings first (`filter =
[["playcounts_to_ratings"]]`)."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        graded = [str(m) for m in subject.study.measure if getattr(getattr(m, "gain", None), "key", "") in EXPONENTIAL]
        if not graded:
            return
        why = self._by_data(subject) if subject.evidence is not None else self._by_study(subject)
        if why:
            change = 'replace gain=exp2 by gain=binary, or turn counts into ratings: filter = [["playcounts_to_ratings"]]'
            yield self.finding(f"{', '.join(graded)} of {why}", change)

    def _by_study(self, subject: Subject) -> str:
        for chain in subject.study.filter:
            if any(one.key == "binarise" for one in chain):
                return "ratings that binarise made 0 and 1"
            if any(one.key == "playcounts_to_ratings" for one in chain):
                return ""
        counted = [str(s) for s in subject.study.data if getattr(s, "key", "") in COUNTS]
        return f"counts ({counted[0]})" if counted else ""

    def _by_data(self, subject: Subject) -> str:
        for data in subject.evidence.data if subject.evidence is not None else ():
            low, high = data.extremes() or (0.0, 1.0)
            if low == high:
                return f"ratings that are all {low:g}"
            if high > LARGEST:
                return f"values up to {high:,.10g}"
        return ""
