"""HO205: unrated items count as misses, and nothing says how much that may matter."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject
from heldout.study.choices import grouped


class UnratedAsIrrelevant(Rule):
    """Unrated items in the lists count as not relevant, without bounds for what they may be worth.

    Assumes: only metrics that have an interval are asked for one; under TestRatings no item is unrated. How much it matters
    only results tell.

    Example: P@10 under AllItems with unrated = "zero"; not with unrated = ["zero", "interval"].
    """

    key = "HO205"
    title = "Unrated items count as not relevant"
    severity = "advice"
    stage = "unrated"
    references = ("canamares2020", "moffat2008")
    from_results = "how many of the first places hold unrated items"
    explanation = """
In a full ranking most of the first places hold items that the user never rated; they count as misses. On MovieLens 1M
more than half of the top 10 is unrated at every split ratio (Cañamares, Castells and Moffat 2020, Figure 3), so a value
says what is known of a list, not how good it is. Show how far the truth may lie away: `unrated = ["zero", "interval"]`
puts the value with every unrated item at full gain beside it, as a bound that decides no contest; `condense` looks at rated
items alone. Where the bounds of two systems overlap widely, the data do not tell which list is better."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        study = subject.study
        bounded = {str(m): m for m in subject.ranked if m.has_interval}
        if (
            not bounded
            or any(u.full_gain or not u.keeps_lists for u in study.unrated)
            or all(t.form.own for t in study.target)
        ):
            return
        lines = subject.evidence.systems if subject.evidence is not None else ()
        shares = [x.unrated for x in lines if x.unrated and x.metric in bounded]
        if not shares:
            return
        message = f"Every unrated item counts as a miss in {grouped(bounded.values())}"
        message += f"; up to {max(shares):.0%} of the first places are unrated"
        if any(not m.has_interval for m in subject.ranked):
            change = (
                f'bounds are known for {grouped(bounded.values())}: measure them apart with unrated = ["zero", "interval"]'
            )
        else:
            change = subject.replace("unrated", ["zero", "interval"])
        yield self.finding(message, change)
