"""HO411: too few users for the differences that papers claim."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.aggregations.mean import PLAIN
from heldout.review.lint.evidence import PairEvidence
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject
from heldout.significance.power import detectable_effect, users_needed

CLAIMED = 0.05
"""The difference that is planned for, as a share of the better value."""


class TooFewUsers(Rule):
    """A difference of a twentieth of the better value would mostly be missed with these users.

    Assumes: means, a paired t test at the study's level with a power of 0.8, and the spread of differences measured;
    pairs that are significant anyway are left alone.

    Example: values near 0.4 and a spread of 0.2 need users_needed(0.02, deviation=0.2) = 787 users.
    """

    key = "HO411"
    title = "Too few users for a small difference"
    severity = "warning"
    stage = "users"
    references = ("hoenig2001",)
    from_results = "whether there are users enough to find a difference of 5%"
    explanation = """
A difference of a twentieth of the best value, which papers often claim, would mostly be missed with these users; what
is found significant by chance is then exaggerated, and what is not significant is not shown to be equal. The power is
worked out for a difference fixed beforehand, never for the one observed, which would only restate the p-value (Hoenig
and Heisey 2001). Test more users, repeat the split, or claim only what the confidence interval allows; `heldout power`
plans."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        if subject.evidence is None:
            return
        level, plain = subject.study.compare.level, str(PLAIN)
        lacking: dict[tuple[str, str, str], tuple[float, PairEvidence]] = {}
        detectable: dict[int, float] = {}  # users → the least effect that so many find; pairs mostly share their users
        for pair in subject.evidence.pairs:
            wanted = CLAIMED * max(abs(pair.value_a), abs(pair.value_b))
            if (
                pair.aggregate != plain
                or not pair.effect
                or not pair.difference
                or wanted == 0
                or (pair.p is not None and pair.p <= level)
            ):
                continue
            if pair.users not in detectable:
                detectable[pair.users] = detectable_effect(pair.users, level=level) if pair.users > 2 else float("inf")
            effect = wanted / abs(pair.difference / pair.effect)
            if effect < detectable[pair.users]:
                lacking[(pair.setting, pair.a, pair.b)] = (effect, pair)
        if lacking:
            effect, pair = min(lacking.values(), key=lambda row: row[0])
            needed = users_needed(effect, level=level)
            rest = len(lacking) - 1
            more = f"; so it is for {rest:,} more comparison{'' if rest == 1 else 's'}" if rest else ""
            message = f"{pair.a} and {pair.b} are not told apart in {pair.place} by {pair.users:,} users; "
            if pair.p is None:
                message = f"{pair.a} and {pair.b} have {pair.users:,} users in {pair.place}; to find "
            yield self.finding(
                f"{message}a difference of 5% needs {needed:,}{more}", f"test about {needed:,} users, or claim no equality"
            )
