"""HO201: relevant items compete with a sample."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding, Severity
from heldout.review.lint.rule import Rule
from heldout.review.lint.subject import Subject


class SampledTargets(Rule):
    """Relevant items are ranked among sampled ones, and the values are not corrected.

    Assumes: an error where nothing else is measured, a warning where the sample is drawn so that popularity gains nothing,
    advice beside a full ranking.

    Example: target = "OnePlusRandom(99)" alone; not targets(relevant=one, nonrelevant=99, corrected=cls).
    """

    key = "HO201"
    severity = "error"
    stage = "target"
    references = ("krichene2020", "bellogin2011", "cremonesi2010")

    def review(self, subject: Subject) -> Iterator[Finding]:
        targets = subject.study.target
        full = any(not t.sample_size and not t.form.own for t in targets)
        for target in targets:
            form = target.form
            if not target.sample_size or form.corrected is not None:
                continue
            neutral = form.percentiles > 1 or form.uniform
            severity: Severity = "advice" if full else "warning" if neutral else "error"
            what = "each relevant item" if target.single else "relevant items"
            told = f"{target} ranks {what} among {target.sample_size} sampled ones"
            if full:
                change = f"conclude from the full ranking, and read {target} beside it"
            elif neutral:
                change = subject.replace("target", ["AllItems", *map(str, targets)])
            else:
                change = f"{subject.replace('target', 'AllItems')}, or correct the estimate (corrected=bv(gamma=0.1))"
            yield self.found(told, change, severity=severity)
