"""The kinds of component there are: the spine of an experiment, in the order data flows through it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
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
        Kind("reader", "readers", "heldout.data.readers", "data", "A1"),
        Kind("filter", "filters", "heldout.data.filters", "filter", "A1"),
        Kind("split", "splits", "heldout.splits", "split", "A2"),
        Kind("users", "users", "heldout.targets", "users", "B1", "rule for users"),
        Kind("recommender", "recommenders", "heldout.recommenders", "recommend", ""),
        Kind("fallback", "fallbacks", "heldout.recommenders", "fallback", "B2"),
        Kind("relevance", "relevance_rules", "heldout.targets", "relevance", "C2", "relevance rule"),
        Kind("target", "targets", "heldout.targets", "target", "C1"),
        Kind("ties", "ties", "heldout.targets", "ties", "C1", "tie rule"),
        Kind("estimator", "estimators", "heldout.targets", "", "C1", "estimator for sampled targets"),
        Kind("unrated", "unrated_rules", "heldout.metrics", "unrated", "C1", "rule for unrated items"),
        Kind("metric", "metrics", "heldout.metrics", "measure", "C2"),
        Kind("gain", "gains", "heldout.metrics", "", "C2"),
        Kind("discount", "discounts", "heldout.metrics", "", "C2"),
        Kind("utility", "utilities", "heldout.metrics", "", "C2", "kind of utility"),
        Kind("propensity", "propensities", "heldout.metrics", "", "C2", "model of propensities"),
        Kind("aggregation", "aggregations", "heldout.aggregations", "aggregate", "C3"),
        Kind("undefined", "undefined_rules", "heldout.aggregations", "undefined", "C3", "rule for undefined values"),
        Kind("coverage", "coverage_rules", "heldout.aggregations", "coverage", "C4", "coverage rule"),
        Kind("test", "tests", "heldout.significance", "compare", "D"),
        Kind("correction", "corrections", "heldout.significance", "", "D"),
        Kind("rule", "rules", "heldout.review.lint", "", "", "code"),
    )
}
