"""HO309: metrics that are neither robust nor discriminative in recommendation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heldout.metrics.metric import Metric
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject
from heldout.text.numbers import number


class FragileMetrics(Rule):
    """RR, bpref or infAP is measured, which Valcarce et al. found of low robustness or discriminative power.

    Assumes: a warning where the first metric, on which the verdict rests, is one of them; advice otherwise.

    Example: metrics = ["RR@10"]; not metrics = ["nDCG(gain=binary)@100", "P@100"].
    """

    key = "HO309"
    title = "A metric that was found of low robustness or power"
    severity = "warning"
    stage = "metrics"
    references = ("valcarce2018",)
    explanation = """
Valcarce, Bellogín, Parapar and Castells (2018, section 7 and table 3) found that RR, bpref and infAP do worst in top-n
recommendation. RR was the least robust to missing and to popular ratings. bpref told few pairs of systems apart and was the
least robust to sparsity, and infAP followed it, although both were made for incomplete judgements. nDCG had the highest
discriminative power there, and precision was the most robust. The order depends on data and systems: with 21 systems of ours
on MovieLens 1M, AP was less robust to missing ratings than all three. Conclusions should not rest on these metrics alone;
`heldout meta` tries them on your data."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        fragile = [m for m in subject.ranked if m.fragile]
        if not fragile:
            return
        first = subject.ranked[0].fragile
        message = (
            f"{', '.join(map(str, fragile))}: low robustness or power in the experiments of Valcarce et al. (2018)"
            f"{_tried(subject, fragile)}"
        )
        depth = subject.within_lists(100)
        robust = [f"nDCG(gain=binary)@{depth}", f"P@{depth}"]
        change = subject.replace("metrics", robust) if first else "conclude from the other metrics"
        yield self.finding(message, change, severity="warning" if first else "advice")


def _tried(subject: Subject, metrics: Sequence[Metric]) -> str:
    """Where a trial on the same data puts these metrics."""
    rows = [row for metric in metrics if (row := subject.tried(str(metric))) is not None]
    if not rows:
        return ""
    tried = subject.trials[0].rows
    figures = [
        f"{row.metric} place {tried.index(row) + 1} of {len(tried)}, mean p {number(row.mean_p, 3)}, "
        f"τ {number(row.missing_tau, 2)}"
        for row in rows
        if row in tried
    ]
    return f"; in a trial on the same data (τ with test ratings missing): {'; '.join(figures)}" if figures else ""
