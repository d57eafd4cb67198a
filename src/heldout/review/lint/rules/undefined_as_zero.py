"""HO602: users with nothing to find count as 0."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject
from heldout.study.choices import grouped

MUCH = 0.05


class UndefinedCountedAsZero(Rule):
    """Users for whom a metric is undefined count as 0.

    Assumes: `with_relevant` under users leaves none of them; up to 5 % of the users are no finding.

    Example: users = "with_test" and Recall@10, where some users have no relevant test rating.
    """

    key = "HO602"
    title = "Undefined values count as 0"
    severity = "warning"
    stage = "undefined"
    references = ("treceval", "canamares2020")
    from_results = "how many users have nothing to find"
    explanation = """
Users without a relevant test item have no recall, average precision or nDCG. Under `undefined = zero` they count as 0,
as in trec_eval: all values shrink by the share of such users, and are not comparable with those of tools that leave
them out. The order of systems stays, differences and effect sizes shrink. Test only users who have something to find,
`users = [["with_train", "with_relevant"]]`, or choose `undefined = skip`, and say so."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        study = subject.study
        if any(not u.as_zero for u in study.undefined):
            return
        open_ = [m for m in subject.ranked if m.undefined != "never" and m.per_user and not m.skips_undefined]
        safe = all(any(rule.by_relevance for rule in chain) for chain in study.users)
        if not open_ or safe:
            return
        change = 'add users = [["with_train", "with_relevant"]], or undefined = "skip"'
        named = grouped(open_)
        if subject.evidence is None:
            return
        counted = {str(metric) for metric in open_}
        shares = [x.undefined / x.users for x in subject.evidence.systems if x.metric in counted and x.users and x.undefined]
        if shares and max(shares) > MUCH:
            yield self.finding(f"Up to {max(shares):.0%} of the users have no value in {named} and count as 0", change)
