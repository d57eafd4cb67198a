"""HO507: filters remove users and items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heldout.data.filter import Filter
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject
from heldout.study.choices import toml
from heldout.study.protocol import chain_text

MUCH = 0.9
"""A filter that leaves less than this share of users or ratings makes another data set."""


class DataFiltered(Rule):
    """Filters remove users, items or ratings, and the study does not look at the data without them.

    Assumes: core, min_ratings, drop_head, sample and positive remove; others change values. A warning where less than nine
    tenths of users or ratings are left.

    Example: filters = [["core(20)"]]; not filters = [["core(20)"], []].
    """

    key = "HO507"
    title = "The data were filtered"
    severity = "warning"
    stage = "filters"
    references = ("canamares2020",)
    from_results = "how much of the data the filters leave"
    explanation = """
Filters leave another data set than the one that is named: users and items with few ratings, the difficult ones, are
gone, and the density is higher. Values are not comparable with those on the whole data, and which system wins can
depend on the filter (Cañamares, Castells and Moffat 2020, decision A1). State the filter and the sizes before and after
it (`heldout methods` does), and try the study without it: `filters = [["core(5)"], []]`."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        chains = subject.study.filters
        removing = [c for c in chains if any(step.removes for step in c)]
        if len(removing) < len(chains) or not removing:
            return
        change = f"report sizes before and after, and add the data as they are: {_beside(removing)}"
        if subject.evidence is None:
            message = f"{chain_text(removing[0])} removes ratings, and the data are not studied without it"
            yield self.finding(message, change, severity="advice")
            return
        for data in subject.evidence.data:
            users, ratings = data.kept("users"), data.kept("ratings")
            if data.filter != "none" and min(users, ratings) < 1:
                message = f"{data.filter} leaves {users:.0%} of the users and {ratings:.0%} of the ratings of {data.name}"
                yield self.finding(message, change, severity="warning" if min(users, ratings) < MUCH else "advice")


def _beside(chains: Sequence[Sequence[Filter]]) -> str:
    """The chains and, behind them, what is left of the first without the filters that remove: rows may still repeat."""
    whole = [step for step in chains[0] if not step.removes]
    return f"filters = {toml([[str(step) for step in chain] for chain in (*chains, whole)])}"
