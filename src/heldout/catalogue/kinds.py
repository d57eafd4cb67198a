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
    package: str
    """The package whose modules declare the members."""
    stage: str
    """The key of a study file that takes them; empty when they are only parameters of other components."""
    decision: str
    """The letter of the decision in Cañamares, Castells and Moffat (2020)."""
    noun: str = ""
    """How messages call a member, if the name alone would not do."""

    @property
    def word(self) -> str:
        """The word in messages: "metric", "tie rule"."""
        return self.noun or self.name


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(name="reader", plural="readers", package="heldout.data.readers", stage="data", decision="A1"),
        Kind(name="filter", plural="filters", package="heldout.data.filters", stage="filters", decision="A1"),
        Kind(
            name="missingness",
            plural="missingness",
            package="heldout.data.missing",
            stage="",
            decision="A1",
            noun="way for ratings to be missing",
        ),
        Kind(name="split", plural="splits", package="heldout.splits", stage="split", decision="A2"),
        Kind(
            name="users",
            plural="users",
            package="heldout.targets.users",
            stage="users",
            decision="B1",
            noun="rule for users",
        ),
        Kind(name="recommender", plural="recommenders", package="heldout.recommenders", stage="recommend", decision=""),
        Kind(name="fallback", plural="fallbacks", package="heldout.recommenders.fallbacks", stage="fallback", decision="B2"),
        Kind(
            name="relevance",
            plural="relevance_rules",
            package="heldout.targets.relevance",
            stage="relevance",
            decision="C2",
            noun="relevance rule",
        ),
        Kind(name="target", plural="targets", package="heldout.targets", stage="target", decision="C1"),
        Kind(name="ties", plural="ties", package="heldout.targets.ties", stage="ties", decision="C1", noun="tie rule"),
        Kind(
            name="estimator",
            plural="estimators",
            package="heldout.targets.estimators",
            stage="",
            decision="C1",
            noun="estimator for sampled targets",
        ),
        Kind(
            name="unrated",
            plural="unrated_rules",
            package="heldout.metrics.unrated",
            stage="unrated",
            decision="C1",
            noun="rule for unrated items",
        ),
        Kind(name="metric", plural="metrics", package="heldout.metrics", stage="metrics", decision="C2"),
        Kind(name="gain", plural="gains", package="heldout.metrics.gains", stage="", decision="C2"),
        Kind(name="discount", plural="discounts", package="heldout.metrics.discounts", stage="", decision="C2"),
        Kind(
            name="utility",
            plural="utilities",
            package="heldout.metrics.utilities",
            stage="",
            decision="C2",
            noun="kind of utility",
        ),
        Kind(
            name="propensity",
            plural="propensities",
            package="heldout.metrics.propensities",
            stage="",
            decision="C2",
            noun="model of propensities",
        ),
        Kind(name="aggregation", plural="aggregations", package="heldout.aggregations", stage="aggregate", decision="C3"),
        Kind(
            name="undefined",
            plural="undefined_rules",
            package="heldout.aggregations.undefined",
            stage="undefined",
            decision="C3",
            noun="rule for undefined values",
        ),
        Kind(
            name="coverage",
            plural="coverage_rules",
            package="heldout.aggregations.coverage",
            stage="coverage",
            decision="C4",
            noun="coverage rule",
        ),
        Kind(name="test", plural="tests", package="heldout.significance", stage="compare", decision="D"),
        Kind(name="correction", plural="corrections", package="heldout.significance.corrections", stage="", decision="D"),
        Kind(name="rule", plural="rules", package="heldout.review.lint", stage="", decision="", noun="code"),
    )
}
