"""HO106: which ratings are relevant is not written."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.study.lint.finding import Finding
from heldout.study.lint.rule import Rule
from heldout.study.lint.subject import Subject


class RelevanceUnstated(Rule):
    """The rule for what is relevant was guessed or left to the default.

    Assumes: a target with a rule of its own needs none.

    Example: a study without `relevance` takes threshold(4), which fits ratings of 1 to 5 and no others.
    """

    key = "HO106"
    severity = "warning"
    stage = "relevance"
    references = ("bellogin2017", "bellogin2011")
    from_file = "whether the relevance rule is stated"

    def review(self, subject: Subject) -> Iterator[Finding]:
        study = subject.study
        if subject.measured is not None:
            for notice in subject.measured.noticed(self.key):
                yield self.found(notice.message, subject.replace("relevance", [str(r) for r in study.relevance]))
        used = bool(subject.ranked) and any(t.own_relevance is None for t in study.target)
        if used and not subject.writes("relevance"):
            taken = ", ".join(str(r) for r in study.relevance)
            told = f"relevance is not written, so {taken} is taken"
            yield self.found(told, f'add relevance = "{taken}", or the rule that fits the ratings', severity="advice")
