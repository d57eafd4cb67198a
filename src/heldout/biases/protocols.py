"""The protocols that a study can be measured under: plain ones, and those that take popularity's advantage away.

Declared once, for everything that compares protocols; names and defaults are those of Bellogín et al. (2017).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from heldout.catalogue import make
from heldout.catalogue.terms import TERMS
from heldout.errors import SpecError
from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Metric
from heldout.splits.splitter import Splitter
from heldout.targets.target import Target

Role = Literal["plain", "neutral", "metric"]
Estimand = Literal[
    "full ranking",
    "tested items",
    "sampled lists",
    "sampled items",
    "popularity classes",
    "equally tested items",
    "sampled lists of equally tested items",
    "rated items",
    "tail",
]
ESTIMANDS: dict[Estimand, str] = {
    "full ranking": "the metric of the ranking of all items that are not in the user's training set",
    "tested items": "the metric of the ranking of the items that somebody rated in test",
    "sampled lists": "the metric of lists with one relevant item among sampled ones",
    "sampled items": "the metric of the ranking of all relevant test items among sampled ones",
    "popularity classes": "the metric of lists with one relevant item among sampled ones of its popularity class, "
    "every class counting the same",
    "equally tested items": "the metric of the ranking of items that all have the same number of test ratings",
    "sampled lists of equally tested items": "the metric of lists with one relevant item among sampled ones, all items "
    "having the same number of test ratings",
    "rated items": "how the user's rated items are ordered, whatever stands between them",
    "tail": "the metric of lists without the most popular items",
}
"""What a value is of, by the word that protocols declare."""
SPELT_OUT = {name: term.words for name, term in TERMS.items() if name[0] in "A1IS"}
SPELT_OUT |= {
    "P1R": "one relevant, within popularity percentiles",
    "U1R": "one relevant, uniform test set",
    "UAR": "all relevant, uniform test set",
    "bpref": "binary preference",
    "infAP": "inferred average precision",
}
"""Protocol or method → the words that its name abbreviates; the latter are components."""
POOL = 100
"""Depth of the pool of infAP in Bellogín et al. (2017), section 7."""


@dataclass(frozen=True, kw_only=True)
class ProtocolOptions:
    """The sizes that protocols leave open; the defaults are those of Bellogín et al. (2017), Figure 8."""

    sampled: int = 99
    """Items that compete with one relevant item."""
    classes: int = 10
    """Popularity classes of P1R."""
    head: float = 0.1
    """Share of the most popular items that leaves the test."""
    share: float = 0.2
    """Least share of the ratings that tests where all test items have equally many test ratings."""
    keep: float = 0.2
    """Least share of an item's ratings that trains there."""
    gamma: float = 1.0
    """Of stratified recall."""
    plain: str = "AllItems"
    """The target of protocols that differ in their metric alone: AllItems or TestItems."""
    single: bool = False
    """Whether these metrics are taken in lists of one relevant item too."""
    level: int | None = None
    """Sampled items of AR-NN, which levels AR with UAR in what random ranking reaches; None leaves AR-NN out."""

    def __post_init__(self) -> None:
        for name, least in (("sampled", 1), ("classes", 2)):
            if getattr(self, name) < least:
                raise SpecError(where=name, found=getattr(self, name), expected=f"at least {least}")
        if not 0 < self.head < 1:
            raise SpecError(where="head", found=self.head, expected="a share above 0 and below 1")


@dataclass(frozen=True, kw_only=True)
class BiasProtocol:
    """One way to measure systems, in the terms of a study."""

    name: str
    """As in the paper: AR, 1R, P1R, U1R, UAR."""
    summary: str
    role: Role
    """Plain, made to neutralise popularity, or a plain protocol with a metric that allows for missing ratings."""
    target: str
    split: str | None = None
    """The split that it needs instead of the study's; None where the study's own will do."""
    metric: str | None = None
    """The metric that it is measured by, a cut-off left open as {n}; None for whichever is asked for."""
    estimand: Estimand
    estimated: str | None = None
    """Where the estimand is the full ranking and `metric` is fixed: the metric whose value it estimates, {n} left open."""

    def targets(self) -> Target:
        """What competes."""
        target: Target = make("target", self.target)
        return target

    def splitter(self) -> Splitter | None:
        """The split that it needs; None for the study's own."""
        return make("split", self.split) if self.split is not None else None

    def measured_by(self, metric: Metric) -> Metric:
        """The metric that it is measured by where `metric` is asked for."""
        return metric if self.metric is None else _at_depth_of(metric, self.metric)

    def estimates(self, metric: Metric) -> Metric | None:
        """The metric whose value, of the full ranking and with complete relevance, it estimates; None where it has a scale
        of its own."""
        if self.estimand != "full ranking":
            return None
        if self.metric is None:
            return metric
        return None if self.estimated is None else _at_depth_of(metric, self.estimated)


def _at_depth_of(metric: Metric, text: str) -> Metric:
    depth = depth_of(metric)
    at_depth: Metric = make("metric", text.replace("@{n}", "" if depth is None else f"@{depth}"))
    return at_depth


def spelt_out(protocol: str) -> str:
    """The protocol with what it abbreviates: AR (all relevant), IPS (known: inverse propensity scoring)."""
    if protocol in SPELT_OUT:
        return f"{protocol} ({SPELT_OUT[protocol]})"
    name, bracket, inside = protocol.partition(" (")
    return f"{name} ({inside.removesuffix(')')}: {SPELT_OUT[name]})" if bracket and name in SPELT_OUT else protocol


def abbreviations(protocols: Iterable[str]) -> dict[str, str]:
    """Abbreviation → words for it, each once: IPS of "IPS (known)" and "IPS (flat)"."""
    names = (name if name in SPELT_OUT else name.partition(" (")[0] for name in protocols)
    return {name: SPELT_OUT[name] for name in names if name in SPELT_OUT}


def declared_protocols(options: ProtocolOptions | None = None) -> tuple[BiasProtocol, ...]:
    """All protocols, the plain ones first."""
    o = options or ProtocolOptions()
    return (*_plain(o), *_neutral(o), *_of_metrics(o))


def _plain(o: ProtocolOptions) -> Iterator[BiasProtocol]:
    declared = partial(BiasProtocol, role="plain")
    everything = "all items that are not in the user's training set compete"
    yield declared(name="AI-AR", target="AllItems", estimand="full ranking", summary=everything)
    tested = "the items that somebody rated in test compete"
    yield declared(name="AR", target="TestItems", estimand="tested items", summary=tested)
    if o.level is not None:
        sampled = f"all relevant test items among {o.level} sampled test items"
        target = f"targets(candidates=test, nonrelevant={o.level})"
        yield declared(name="AR-NN", target=target, estimand="sampled items", summary=sampled)
    alone = f"each relevant test item among {o.sampled} sampled test items"
    yield declared(name="1R", target=_one_relevant(o), estimand="sampled lists", summary=alone)


def _neutral(o: ProtocolOptions) -> Iterator[BiasProtocol]:
    declared = partial(BiasProtocol, role="neutral")
    tail = f"1R without the most popular {o.head:.0%} of the items"
    yield declared(name="1R-head", target=_one_relevant(o, f"head={o.head:g}"), estimand="tail", summary=tail)
    within = f"1R within each of {o.classes} popularity classes"
    classes = f"P1R(nonrelevant={o.sampled}, percentiles={o.classes})"
    yield declared(name="P1R", target=classes, estimand="popularity classes", summary=within)
    equal = partial(declared, split=f"uniform_test(share={o.share:g}, keep={o.keep:g})")
    for name, target, plain, estimand in (
        ("U1R", f"U1R(nonrelevant={o.sampled})", "1R", "sampled lists of equally tested items"),
        ("UAR", "UAR", "AR", "equally tested items"),
        ("AI-UAR", "AllItems", "AI-AR", "equally tested items"),
    ):
        summary = f"{plain}, every test item having equally many test ratings"
        yield equal(name=name, target=target, estimand=estimand, summary=summary)


def _of_metrics(o: ProtocolOptions) -> Iterator[BiasProtocol]:
    """Figure 9: the target stays plain, and the metric allows for missing ratings; bpref is constant in 1R."""
    declared = partial(BiasProtocol, role="metric")
    plain: Estimand = "full ranking" if o.plain == "AllItems" else "tested items"
    inferred, stratified = f"infAP(pool_depth={POOL})", f"StratifiedRecall(gamma={o.gamma:g})@{{n}}"
    seldom = "how seldom items that the user rated low stand above relevant ones"
    yield declared(name="bpref", target=o.plain, metric="bpref(count=all)", estimand="rated items", summary=seldom)
    precise = f"average precision, inferred from the rated items in a pool of {POOL}"
    weighed = f"recall in which items count the less the more users like them (γ = {o.gamma:g})"
    for name, metric, estimated, summary in (
        ("infAP", inferred, "AP", precise),
        ("stratified recall", stratified, "Recall@{n}", weighed),
    ):
        own = partial(declared, metric=metric, estimated=estimated)
        yield own(name=name, target=o.plain, estimand=plain, summary=summary)
        if o.single:
            yield own(name=f"1R {name}", target=_one_relevant(o), estimand="sampled lists", summary=f"1R by {summary}")


def _one_relevant(o: ProtocolOptions, more: str = "") -> str:
    choices = ["candidates=test", "relevant=one", f"nonrelevant={o.sampled}", *([more] if more else []), "average=rating"]
    return f"targets({', '.join(choices)})"
