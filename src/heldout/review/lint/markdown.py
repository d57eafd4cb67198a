"""A review as Markdown: for an issue, a pull request or an appendix."""

from __future__ import annotations

import re
from itertools import groupby

from heldout.catalogue.notices import SEVERITIES, concern
from heldout.review.lint.finding import Review

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
