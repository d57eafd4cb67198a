"""HO417: each setting is tested as if it were the only one."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject
from heldout.study.spec import OPTION_STAGES

MANY = 10


class ManySettings(Rule):
    """The study has many settings, and corrections count the pairs of one.

    Assumes: ten settings or more; the first option of every stage is the primary setting.

    Example: 4 metrics at 5 cut-offs under 2 targets are 40 settings.
    """

    key = "HO417"
    title = "Each setting is a family of its own"
    severity = "advice"
    stage = "compare"
    references = ("gunawardana2009",)
    explanation = """
p-values are corrected for the pairs of one setting, and the study has many: metrics, cut-offs, targets, aggregations.
Whoever picks the setting in which a difference is significant makes as many comparisons as there are settings. Name the
primary setting beforehand (it is the first of each list), read the others as a check whether it holds, or use `heldout
multiverse`, which counts in how many of them it does."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        study = subject.study
        if subject.seeds:
            return
        metrics = [m for m in study.contests if m.per_user]
        ways = prod(max(1, len(getattr(study, stage))) for stage in OPTION_STAGES)
        settings = ways * len(metrics)
        if settings >= MANY and len(study.recommend) != 1:
            message = f"About {settings:,} settings are compared, and p-values are corrected within each"
            yield self.finding(message, "name the primary setting beforehand, or count them all: heldout multiverse")
