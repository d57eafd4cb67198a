"""HO312: exponential gain of ratings that are not grades."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.metrics.metric import Gain
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject

LARGEST = 10
"""The highest value that a scale of grades may have."""


class ExponentialGain(Rule):
    """Exponential gain is taken of ratings that are all alike, or of a wide scale.

    Assumes: scales of grades end at 10 or below. HO315 tells of counts.

    Example: nDCG(gain=exp2)@10 of ratings of 1 to 20: 2^20 is a million times 2^0.
    """

    key = "HO312"
    title = "Exponential gain of single-valued ratings or of a wide scale"
    severity = "warning"
    stage = "metrics"
    references = ("jarvelin2002", "chapelle2009")
    from_results = "whether ratings are grades"
    explanation = """
Exponential gain (2^r − 1) is made for a few grades of relevance. Of ratings that are all alike it is the same as binary
gain. On a scale of 1 to 20 it leaves only each user's highest ratings of any weight, since 2^20 is a million times 2^0. Use
`gain=binary`, `gain=linear` or a table of gains."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        gains = {str(m): getattr(m, "gain", None) for m in subject.study.metrics}
        exponential = {name: str(gain) for name, gain in gains.items() if isinstance(gain, Gain) and gain.exponential}
        alike, wide = self._alike(subject), self._wide(subject)
        if exponential and (alike or wide):
            change = f"replace gain={next(iter(exponential.values()))} by gain=binary"
            yield self.finding(f"{', '.join(exponential)} of {alike or wide}", change)

    def _alike(self, subject: Subject) -> str:
        """Which ratings are all alike, or 0 and 1; empty if they differ."""
        binarising = next((f for chain in subject.study.filters for f in chain if f.binary), None)
        if binarising is not None:
            return f"ratings that {binarising.key} made 0 and 1"
        extremes = [data.extremes() for data in subject.evidence.data] if subject.evidence is not None else []
        return next((f"ratings that are all {pair[0]:g}" for pair in extremes if pair and pair[0] == pair[1]), "")

    def _wide(self, subject: Subject) -> str:
        """Values on a scale that is too wide for powers; of counts HO315 tells."""
        if subject.evidence is None or any(subject.noticed("HO315")):
            return ""
        highest = [pair[1] for data in subject.evidence.data if (pair := data.extremes())]
        return next((f"values up to {high:,.10g}" for high in highest if high > LARGEST), "")
