"""What a reviewer has to say of a study: findings with a code, a severity and what to change; as text and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import Any, Literal

from heldout.catalogue import classes
from heldout.catalogue.notices import SEVERITIES, Notice, Severity, concern, title_of
from heldout.errors import UnknownNameError
from heldout.text.numbers import counted
from heldout.text.phrases import change_lines, listed, sentence


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
        """The review without some codes; UnknownNameError if there is no such code."""
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


HEADS = {"error": "Errors", "warning": "Warnings", "advice": "Advice"}


def review_markdown(review: Review) -> str:
    """The findings by severity, the pages of their codes below, and what could not be checked."""
    lines = ["# Review", "", f"{_prose(review.subject)}: {review.summary}, by {review.rules} rules.", ""]
    for severity in reversed(SEVERITIES):
        findings = [f for f in review.findings if f.severity == severity]
        if not findings:
            continue
        lines += [f"## {HEADS[severity]}", ""]
        for finding in findings:
            lines.append(f"- **{finding.code} {finding.title}** (`{finding.stage}`): {_prose(finding.message)}")
            lines += _change(finding.change)
        lines.append("")
    explained = [page for code in sorted(review.codes) if (page := concern(code)).explanation]
    if explained:
        lines += ["## What the codes mean", ""]
        for page in explained:
            lines += [f"### {page.key} {page.title}", "", " ".join(page.explanation.split()), ""]
    if review.unchecked:
        lines += ["## Not checked", ""]
        lines += [f"- {u.code}: {u.question} (needs the {u.needs})" for u in review.unchecked]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _change(text: str) -> list[str]:
    """Sentences as text, and lines of a difference in a block of their own."""
    lines: list[str] = []
    for differing, group in groupby(text.splitlines(), key=lambda line: line[:2] in ("- ", "+ ", "  ")):
        own = list(group)
        block = ["```diff", *own, "```"] if differing else list(map(_prose, own))
        lines += ["", *(f"  {line}" for line in block)]
    return lines


def _prose(text: str) -> str:
    """Text that Markdown leaves as it is; what is written in a study file stands as code."""
    coded = re.sub(r"(\b[a-z]+ = (?:\"[^\"]*\"|\[[^\n]*?\](?=[,.;]| by |$)|\{[^}]*\}))", r"`\1`", text)
    pieces = re.split(r"(`[^`]*`)", coded)
    return "".join(p if p.startswith("`") else re.sub(r"([*_<\\\[\]])", r"\\\1", p) for p in pieces)
