"""What a rule of the review is: it looks at a study, and at results where there are any, and says what it finds.

Warnings that a run gives by itself need no rule: the review shows them as they are.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from heldout.catalogue.notices import Concern, Severity
from heldout.review.lint.finding import Finding
from heldout.review.lint.subject import Subject


class Rule(Concern):
    """A concern that the review itself looks for."""

    @abstractmethod
    def review(self, subject: Subject) -> Iterator[Finding]:
        """The findings, none where all is well."""

    def unanswered(self, subject: Subject) -> bool:
        """Whether what only results can tell is not known here."""
        return bool(self.from_results) and subject.evidence is None

    def finding(self, message: str, change: str = "", *, severity: Severity | None = None) -> Finding:
        """A finding of this rule."""
        return Finding.of(self.notice(message, change, severity=severity))
