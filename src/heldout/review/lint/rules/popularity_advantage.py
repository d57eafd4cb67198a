"""HO203: popular items have more test ratings, and nothing in the study tells what that is worth."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.evidence import Evidence
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject


class PopularityAdvantage(Rule):
    """Test ratings are drawn at random, which rewards popular items, and no protocol without that advantage is measured.

    Assumes: neutral are P1R, uniform_test with UAR or U1R, targets(head=…), drop_head, StratifiedRecall and estimates by
    propensity. TestRatings alone ranks nothing that an advantage could count against, and settles nothing beside other
    targets. Systems called Popularity are looked up in results.

    Example: ratio(train=0.8) with AllItems and P@10; adding target = ["AllItems", "P1R(99)"] settles it.
    """

    key = "HO203"
    title = "Popular items have an advantage"
    severity = "warning"
    stage = "target"
    references = ("bellogin2017", "cremonesi2010")
    from_results = "how near to the best system popularity comes"
    explanation = """
Where test ratings are drawn at random from all ratings, an item has as many test ratings as it is popular, so
recommending popular items to everyone is rewarded whether or not it serves anyone (Bellogín, Castells and Cantador
2017). Personal systems that lean on popularity share in it. Add a protocol in which popularity gains nothing: `target =
"P1R(99)"` ranks each relevant item among items of its own popularity; `split = "uniform_test"` with `UAR` or `U1R(99)`
gives every test item the same number of test ratings; `targets(head=0.1)` leaves the most popular tenth out of the test
(Cremonesi, Koren and Turrin 2010). If an order of systems holds there too, it is not popularity's doing."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        if not subject.random_splits or not subject.ranked or self._neutral(subject):
            return
        message = f"{subject.random_splits[0].full_text} gives popular items most of the test ratings"
        if subject.evidence is not None:
            message += _popularity_share(subject.evidence, {str(m) for m in subject.ranked})
        others = 'Or use "P1R(99)" if popularity classes are larger, or split = "uniform_test" with target = "UAR".'
        yield self.finding(message, f"{subject.add('target', 'targets(head=0.1)')}\n{others}")

    def _neutral(self, subject: Subject) -> bool:
        study = subject.study
        forms = [t.form for t in study.target]
        return (
            any(f.percentiles > 1 or f.uniform or f.head > 0 for f in forms)
            or all(f.own for f in forms)
            or any(s.uniform for s in study.split)
            or any(step.drops_popular for chain in study.filters for step in chain)
            or any(m.offsets_popularity or m.weighs_items for m in study.metrics)
        )


def _popularity_share(evidence: Evidence, ranked: set[str]) -> str:
    """How near popularity comes to the best value, where both are known."""
    for line in evidence.systems:
        if line.system.startswith("Popularity") and line.value is not None and line.metric in ranked:
            same = [x.value for x in evidence.systems if x.setting == line.setting and x.value is not None]
            best = max(same)
            if best > 0:
                return f"; {line.system} reaches {line.value / best:.0%} of the best {line.metric}"
    return ""
