"""HO207: how lists of one relevant item are averaged is not written."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject


class AverageOfSingleLists(Rule):
    """Lists of one relevant item are averaged by user or by rating, and the study does not say which.

    Assumes: the text of the target states `average`; P1R has one average only.

    Example: OnePlusRandom(99) averages by user, U1R(99) by rating, and neither name tells.
    """

    key = "HO207"
    title = "Lists of one relevant item are averaged in an unstated way"
    severity = "advice"
    stage = "target"
    references = ("bellogin2017", "bellogin2011")
    from_file = "whether the average over lists of one relevant item is stated"
    explanation = """
With one list for each relevant item there are two averages: every list counts the same, so that users with many
relevant items weigh more (Bellogín, Castells and Cantador 2017, equation 1), or lists are averaged per user first, and
users count the same (Bellogín, Castells and Cantador 2011, section 2.5). They can order systems differently. Say which
one is meant: `average=user` or `average=rating` in the target."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        if subject.keys is None:
            return
        written = str(subject.keys.get("target", ""))
        for target in subject.study.target:
            if target.single and hasattr(target, "average") and "average" not in written:
                by = target.form.average
                other = "rating" if by == "user" else "user"
                stated = f"{str(target)[:-1]}, average={by})" if str(target).endswith(")") else f"{target}(average={by})"
                yield self.finding(
                    f"{target} averages lists by {by}, which is not written; by {other} is usual too",
                    f"replace {target} by {stated}",
                )
