"""HO602: users with nothing to find count as 0."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule
from heldout.review.lint.subject import Subject, grouped

MUCH = 0.05


class UndefinedAsZero(Rule):
    """Users for whom a metric is undefined count as 0.

    Assumes: `with_relevant` under users leaves none of them; up to 5 % of the users are no finding.

    Example: users = "with_test" and Recall@10, where some users have no relevant test rating.
    """

    key = "HO602"
    severity = "warning"
    stage = "undefined"
    references = ("treceval", "canamares2020")
    from_results = "how many users have nothing to find"

    def review(self, subject: Subject) -> Iterator[Finding]:
        study = subject.study
        if any(str(u) != "zero" for u in study.undefined):
            return
        open_ = [m for m in subject.ranked if m.undefined != "never" and m.per_user]
        safe = all(any(rule.key == "with_relevant" for rule in chain) for chain in study.users)
        if not open_ or safe:
            return
        change = 'add users = [["with_train", "with_relevant"]], or undefined = "skip"'
        named = grouped(open_)
        if subject.measured is None:
            return
        shares = [x.undefined / x.users for x in subject.measured.lines if x.users and x.undefined]
        if shares and max(shares) > MUCH:
            yield self.found(f"up to {max(shares):.0%} of the users have no value in {named} and count as 0", change)
