"""The kinds of component there are: the spine of an experiment, in the order data flows through it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of component and where its members live."""

    name: str
    """What the kind is called in code: "metric"."""
    plural: str
    """The word of `heldout list` and of the entry-point group `heldout.<plural>`."""
    room: str
    """The package whose modules declare the members."""
    stage: str
    """The key of a study file that takes them; empty when they are only parameters of other components."""
    decision: str
    """The letter of the decision in Cañamares, Castells and Moffat (2020)."""
    noun: str = ""
    """How messages call a member, where the name alone would not do."""

    @property
    def word(self) -> str:
        """The word in messages: "metric", "tie rule"."""
        return self.noun or self.name


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(name="reader", plural="readers", room="heldout.data.readers", stage="data", decision="A1"),
        Kind(name="filter", plural="filters", room="heldout.data.filters", stage="filters", decision="A1"),
        Kind(
            name="missingness",
            plural="missingness",
            room="heldout.data.missing",
            stage="",
            decision="A1",
            noun="way for ratings to be missing",
        ),
        Kind(name="split", plural="splits", room="heldout.splits", stage="split", decision="A2"),
        Kind(
            name="users", plural="users", room="heldout.targets.users", stage="users", decision="B1", noun="rule for users"
        ),
        Kind(name="recommender", plural="recommenders", room="heldout.recommenders", stage="recommend", decision=""),
        Kind(name="fallback", plural="fallbacks", room="heldout.recommenders.fallbacks", stage="fallback", decision="B2"),
        Kind(
            name="relevance",
            plural="relevance_rules",
            room="heldout.targets.relevance",
            stage="relevance",
            decision="C2",
            noun="relevance rule",
        ),
        Kind(name="target", plural="targets", room="heldout.targets", stage="target", decision="C1"),
        Kind(name="ties", plural="ties", room="heldout.targets.ties", stage="ties", decision="C1", noun="tie rule"),
        Kind(
            name="estimator",
            plural="estimators",
            room="heldout.targets.estimators",
            stage="",
            decision="C1",
            noun="estimator for sampled targets",
        ),
        Kind(
            name="unrated",
            plural="unrated_rules",
            room="heldout.metrics.unrated",
            stage="unrated",
            decision="C1",
            noun="rule for unrated items",
        ),
        Kind(name="metric", plural="metrics", room="heldout.metrics", stage="metrics", decision="C2"),
        Kind(name="gain", plural="gains", room="heldout.metrics.gains", stage="", decision="C2"),
        Kind(name="discount", plural="discounts", room="heldout.metrics.discounts", stage="", decision="C2"),
        Kind(
            name="utility",
            plural="utilities",
            room="heldout.metrics.utilities",
            stage="",
            decision="C2",
            noun="kind of utility",
        ),
        Kind(
            name="propensity",
            plural="propensities",
            room="heldout.metrics.propensities",
            stage="",
            decision="C2",
            noun="model of propensities",
        ),
        Kind(name="aggregation", plural="aggregations", room="heldout.aggregations", stage="aggregate", decision="C3"),
        Kind(
            name="undefined",
            plural="undefined_rules",
            room="heldout.aggregations.undefined",
            stage="undefined",
            decision="C3",
            noun="rule for undefined values",
        ),
        Kind(
            name="coverage",
            plural="coverage_rules",
            room="heldout.aggregations.coverage",
            stage="coverage",
            decision="C4",
            noun="coverage rule",
        ),
        Kind(name="test", plural="tests", room="heldout.significance", stage="compare", decision="D"),
        Kind(name="correction", plural="corrections", room="heldout.significance.corrections", stage="", decision="D"),
        Kind(name="rule", plural="rules", room="heldout.review.lint", stage="", decision="", noun="code"),
    )
}
