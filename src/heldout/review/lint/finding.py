"""What a reviewer has to say of a study: a code, how grave it is, where it stands and what to change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from heldout.catalogue import classes
from heldout.catalogue.notices import SEVERITIES, Notice, Severity, concern, title_of
from heldout.errors import UnknownNameError
from heldout.words import change_lines, counted, listed, sentence


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One finding of the review."""

    code: str
    severity: Severity
    stage: str
    """The key of the study file that it stands under."""
    message: str
    change: str
    """What to do: sentences, and lines of a study file or options, which begin with - and +."""

    @property
    def title(self) -> str:
        """The title of the page that explains the code."""
        return title_of(self.code)

    def order(self) -> tuple[int, str]:
        """By which findings are sorted: the gravest first, then by code."""
        return -SEVERITIES.index(self.severity), self.code

    @classmethod
    def of(cls, notice: Notice) -> Finding:
        """A notice as a finding: what it does not say itself its code does."""
        declared = concern(notice.code)
        return cls(
            code=notice.code,
            severity=notice.severity or declared.severity,
            stage=declared.stage,
            message=sentence(notice.message),
            change=change_lines(notice.change or declared.change),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain texts, as JSON takes them."""
        return {**asdict(self), "title": self.title}


@dataclass(frozen=True)
class Unchecked:
    """What a rule could not look at, and what would tell it."""

    code: str
    question: str
    needs: Literal["results", "study file"]

    def to_dict(self) -> dict[str, str]:
        """Plain texts, as JSON takes them."""
        return {"code": self.code, "question": self.question, "needs": self.needs}


MEANINGS: dict[Severity, str] = {
    "error": "the conclusion is not safe",
    "warning": "a reviewer would ask",
    "advice": "would make it stronger",
}
"""What each severity says."""
_NOUNS = {
    "error": ("error", "errors"),
    "warning": ("warning", "warnings"),
    "advice": ("piece of advice", "pieces of advice"),
}


@dataclass(frozen=True, repr=False)
class Review:
    """All findings, gravest first, and what could not be checked."""

    subject: str
    """What was reviewed: a path or a title."""
    findings: tuple[Finding, ...]
    unchecked: tuple[Unchecked, ...] = ()
    rules: int = 0
    """Rules that were applied."""

    def at_least(self, severity: Severity) -> tuple[Finding, ...]:
        """Findings of this severity or above."""
        least = SEVERITIES.index(severity)
        return tuple(f for f in self.findings if SEVERITIES.index(f.severity) >= least)

    def without(self, codes: Sequence[str]) -> Review:
        """The review without some codes; UnknownNameError where there is no such code."""
        left_out = {code.upper() for code in codes}
        declared = [cls.key for cls in classes("rule")]
        for code in left_out.difference(declared):
            raise UnknownNameError("code", code, declared)
        findings = tuple(f for f in self.findings if f.code not in left_out)
        return replace(self, findings=findings, unchecked=tuple(u for u in self.unchecked if u.code not in left_out))

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes met, each once, gravest first."""
        return tuple(dict.fromkeys(f.code for f in self.findings))

    @property
    def summary(self) -> str:
        """1 error, 3 warnings and 2 pieces of advice; or that nothing was found."""
        sizes = {severity: len([f for f in self.findings if f.severity == severity]) for severity in SEVERITIES}
        parts = [counted(sizes[s], *_NOUNS[s]) for s in reversed(SEVERITIES) if sizes[s]]
        return listed(parts) or "nothing to object"

    def to_markdown(self) -> str:
        """The review as Markdown: for an issue, a pull request or an appendix."""
        from heldout.review.lint.markdown import review_markdown

        return review_markdown(self)

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def __repr__(self) -> str:
        lines = [f"{self.subject}: {self.summary}"]
        for finding in self.findings:
            lines.append(f"{finding.code} {finding.severity}, {finding.stage}: {finding.message}")
            lines += [f"    {line}" for line in finding.change.splitlines()]
        if self.unchecked:
            lines.append(f"Not checked: {' '.join(question.code for question in self.unchecked)}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON types."""
        return {
            "subject": self.subject,
            "rules": self.rules,
            "findings": [f.to_dict() for f in self.findings],
            "unchecked": [u.to_dict() for u in self.unchecked],
        }
