"""HO511: one data set."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject


class OneDataSet(Rule):
    """Everything is measured on one data set.

    Assumes: a claim about a method is meant; for a choice within one catalogue one data set is right.

    Example: data = "ratings.csv"; not data = ["ratings.csv", "others.csv"].
    """

    key = "HO511"
    title = "One data set"
    severity = "advice"
    stage = "data"
    references = ("bellogin2017", "valcarce2018")
    explanation = """
Data sets differ in density, in how popularity is spread and in how ratings came about, and systems are ordered
differently on them (Bellogín, Castells and Cantador 2017; Valcarce, Bellogín, Parapar and Castells 2018 need three to
see what holds generally). A claim about a method, rather than about a catalogue, needs several: `data = ["a.csv",
"b.csv"]`."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        if len(subject.study.data) <= 1:
            yield self.finding("One data set is studied", "add another one to data, or claim nothing beyond this one")
