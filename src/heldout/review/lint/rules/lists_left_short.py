"""HO604: lists that a system cannot fill are left short."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject

FULL = 0.95


class ListsLeftShort(Rule):
    """A system cannot fill its lists, and no fallback does.

    Assumes: less than 95 % of the first n places, and `none` the only fallback.

    Example: UserKNN(k=2) with fallback = "none"; not fallback = ["none", "popularity"].
    """

    key = "HO604"
    title = "Lists are left short"
    severity = "warning"
    stage = "fallback"
    references = ("canamares2020",)
    from_results = "whether systems can score enough items to fill their lists"
    explanation = """
A system cannot score all candidates, and `fallback = none` leaves its lists short: empty places count as misses. In use
something would be shown there. With a fallback all systems are compared on full lists (Cañamares, Castells and Moffat
2020, decision B2): `fallback = ["none", "popularity"]` shows both."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        if subject.evidence is None or any(f.fills for f in subject.study.fallback):
            return
        own = {t.full_text for t in subject.study.target if t.form.own} | {
            str(t) for t in subject.study.target if t.form.own
        }
        short: dict[str, float] = {}
        for line in subject.evidence.systems:
            # Of the user's own test items there may be fewer than places, whatever a system can score.
            if line.choices.get("target") in own:
                continue
            if line.coverage is not None and line.coverage < FULL:
                short[line.system] = min(short.get(line.system, 1.0), line.coverage)
        if short:
            message = ", ".join(f"{system} {share:.0%}" for system, share in sorted(short.items(), key=lambda p: p[1])[:4])
            change = subject.add("fallback", "popularity") if subject.study.split else "write longer lists"
            yield self.finding(f"Places that systems fill themselves: {message}", change)
