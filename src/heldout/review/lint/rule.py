"""What a rule of the review is: it looks at a study, and at results where there are any, and says what it finds."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from heldout.catalogue import Component
from heldout.review.lint.finding import Finding, Severity
from heldout.review.lint.subject import Subject


class Rule(Component, kind="rule"):
    """A rule; its key is the code under which `heldout.catalogue.notices` explains it."""

    severity: ClassVar[Severity] = "warning"
    stage: ClassVar[str] = ""
    """The key of the study file that findings stand under."""
    change: ClassVar[str] = ""
    """What to do, where the finding itself says nothing more exact."""
    from_results: ClassVar[str] = ""
    """What only results can tell, as a question; empty where the study file says all."""
    from_file: ClassVar[str] = ""
    """What only the study file can tell, as a question; empty where results say it too."""

    @classmethod
    def definition(cls) -> list[tuple[str, str]]:
        """What `heldout describe` says besides."""
        facts = [("Severity", cls.severity), ("Stands under", cls.stage)]
        if cls.change:
            facts.append(("Change", cls.change))
        if cls.from_results:
            facts.append(("Only results tell", cls.from_results))
        if cls.from_file:
            facts.append(("Only the study file tells", cls.from_file))
        return facts

    @abstractmethod
    def review(self, subject: Subject) -> Iterator[Finding]:
        """The findings, none where all is well."""

    def unanswered(self, subject: Subject) -> bool:
        """Whether what only results can tell is not known here."""
        return bool(self.from_results) and subject.measured is None

    def found(self, message: str, change: str = "", *, severity: Severity | None = None) -> Finding:
        """A finding of this rule."""
        return Finding(self.key, severity or self.severity, self.stage, message, change or self.change)


class Noticed(Rule):
    """A rule whose finding the run itself works out and keeps among its notices."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        if subject.measured is not None:
            for notice in subject.measured.noticed(self.key):
                yield self.found(notice.message)
