"""What is asked: an experiment as a value, every decision a tuple of options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from heldout.aggregations.aggregation import Aggregation
from heldout.catalogue import make
from heldout.data.frames import is_arrays
from heldout.data.memory import Source
from heldout.errors import HeldoutError, SpecError, UnknownNameError, all_of, for_each
from heldout.metrics.metric import Metric
from heldout.study.analysis import Analysis, OwnAggregations, make_measures, make_objectives, refuse_diagnostics_alone
from heldout.study.comparison import make_comparison, refuse_inapplicable
from heldout.study.compatibility import refuse_unfit, refuse_without_order
from heldout.study.keys import Table, declared_keys, listed, make_options, setting
from heldout.study.protocol import JUDGING, DataTable, Protocol
from heldout.study.relative_paths import located, sources
from heldout.study.systems import make_systems, refuse_engine
from heldout.targets.user_rule import UserRule

TRUTH_DESIGNS = ("halves", "whole")
"""What becomes of a random sample that the observed ratings are part of: it is halved, or used whole."""


def read_engine(value: Any) -> str:
    """Where systems are fitted."""
    refuse_engine(str(value))
    return str(value)


def read_truth_design(value: Any) -> str | None:
    """One of `TRUTH_DESIGNS`, or None."""
    if value is not None and value not in TRUTH_DESIGNS:
        raise UnknownNameError("design of the truth", str(value), TRUTH_DESIGNS, where="truth_design")
    return None if value is None else str(value)


@dataclass(frozen=True, kw_only=True)
class MetaTable(Table):
    """How metrics are tried by the systems of a study."""

    sampling: Literal["all", "user"] | None = field(
        default=None, metadata=setting("what samples are a share of: all test ratings together, or each user's")
    )
    popularity: Literal["all", "train"] | None = field(
        default=None, metadata=setting("the ratings that popularity is counted over: training and test, or training only")
    )
    samples: int | None = field(default=None, metadata=setting("samples of each share of the test ratings"))
    shares: list[float] | None = field(default=None, metadata=setting("shares of the test ratings that are kept"))
    item_shares: list[float] | None = field(default=None, metadata=setting("shares of the items, the least popular"))
    flips: int | None = field(default=None, metadata=setting("sign flips of the permutation test"))
    level: float | None = field(
        default=None, metadata=setting("the p-value below which a pair of systems counts as different")
    )
    rule: list[str] | None = field(
        default=None, metadata=setting("criteria to rank metrics by, such as mean_p and missing_tau")
    )


@dataclass(frozen=True, kw_only=True)
class Study(Analysis, Protocol):
    """One experiment: a protocol that gives scores, and the analysis of these scores. One seed fixes both."""

    truth: Source | None = field(
        default=None,
        compare=False,
        metadata=setting("for `heldout truth`: ratings of items drawn at random, from the same users", str | DataTable),
    )
    """Ratings of items drawn at random, that `heldout truth` holds estimates against."""
    truth_design: str | None = field(
        default=None,
        compare=False,
        metadata=setting(
            "for `heldout truth`: halve the random sample that the ratings are part of (halves), or not (whole)",
            read=read_truth_design,
        ),
    )
    """Whether that sample is halved ("halves") or used whole ("whole") if the ratings are part of it; None: halved if the
    study allows it."""
    engine: str = field(
        default="here",
        compare=False,
        metadata=setting("where systems are fitted: here, or side by side by ray", read=read_engine),
    )
    """Where systems are fitted: here, or side by side by Ray; no result depends on it."""
    meta: Mapping[str, Any] = field(
        default_factory=dict, compare=False, metadata=setting("for `heldout meta`: how metrics are tried", MetaTable)
    )
    """How `heldout meta` tries metrics, by option; what is missing has its default."""
    keys: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The keys as the user wrote them, for the manifest."""

    def options(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Every stage with the full text of its options."""
        yield from self.protocol_options()
        yield from self.analysis_options()


KEYS = declared_keys(Study)
"""What a study decides, by key of its file."""
DEFAULTS = {name: declared.default for name, declared in KEYS.items() if declared.default is not None}
KINDS_OF_STAGE = {name: declared.kind for name, declared in KEYS.items() if declared.kind}
"""Stage → kind of the components that are its options."""
OPTION_STAGES = tuple(stage for stage in KINDS_OF_STAGE if stage not in ("recommend", "metrics", "compare"))
"""The stages whose options are components and nothing else."""
OF_RUNS = tuple(stage for stage in OPTION_STAGES if stage in JUDGING and stage != "fallback")
"""The decisions about judging that runs made elsewhere leave open."""


def make_study(
    keys: Mapping[str, Any],
    *,
    models: Mapping[str, Any] | None = None,
    folder: Path | None = None,
    partial: bool = False,
    refused: Mapping[tuple[Any, ...], HeldoutError] | None = None,
) -> Study:
    """A study from the keys of a study file; every text form is checked, and errors name the key they stand under.

    `models` adds systems that are Python objects; paths are relative to `folder`. Options that do not go together are
    refused, unless the study is `partial`: then whoever runs it leaves such combinations out.
    All problems are raised as one error, with those that `refused` has by place (a place that is missing in `keys`).
    """
    written = {**DEFAULTS, **{k: v for k, v in keys.items() if v is not None}}
    in_part = {place[0] for place in refused or ()}  # of these, what is left is checked, and nothing made of it
    unread = in_part - keys.keys()
    stages: dict[str, Any] = {}
    problems: list[HeldoutError] = []

    @contextmanager
    def gathering(stage: str = "") -> Iterator[None]:
        """Collect the problem of a key, to be raised with all others."""
        try:
            yield
        except HeldoutError as error:
            problems.append(error.within(stage) if stage else error)

    for stage in (stage for stage in OPTION_STAGES if stage not in unread):
        with gathering(stage):
            stages[stage] = _stage(stage, written, folder)
    if "metrics" not in unread:
        with gathering("metrics"):
            entries, aggregate = listed(written["metrics"]), stages.get("aggregate", ())
            stages["metrics"], stages["own_aggregate"] = _measures(entries, aggregate, folder)
    if "recommend" not in unread:
        with gathering("recommend"):
            stages["recommend"] = make_systems(written.get("recommend", []), models or {}, folder)
    if "compare" not in unread:
        with gathering("compare"):
            systems = [s.name for s in stages["recommend"]] if "recommend" in stages and "recommend" not in in_part else None
            stages["compare"] = make_comparison(written["compare"], systems)
    for stage in in_part:
        stages.pop(stage, None)
    others: dict[str, Any] = {}
    for name, declared in KEYS.items():
        if declared.read is not None and name not in unread:
            with gathering(name):
                others[name] = declared.read(written.get(name))
    if written.get("truth") is not None and "truth" not in in_part:
        with gathering("truth"):
            [others["truth"]] = sources([written["truth"]], folder)
    if "metrics" in stages and "objectives" not in unread:
        with gathering():
            others["objectives"] = make_objectives(written.get("objectives", ()), stages["metrics"], folder)
    if {"recommend", "ties"} <= stages.keys():
        with gathering():
            refuse_without_order({s.name: s.recommender for s in stages["recommend"]}, stages["ties"])
    if {"metrics", *JUDGING} <= stages.keys() and not partial:
        with gathering():
            refuse_unfit(stages["metrics"], Protocol(**{stage: stages[stage] for stage in JUDGING}))
    if {"recommend", "compare", "aggregate", "metrics", "target"} <= stages.keys() and not partial:
        with gathering("compare"):
            if len(stages["recommend"]) > 1:
                aggregations = [*stages["aggregate"], *(a for _, own in stages["own_aggregate"] for a in own)]
                refuse_inapplicable(stages["compare"], aggregations, stages["target"])
    if {"data", "split"} <= stages.keys() and not stages["data"] and any(s.needs_data for s in stages["split"]):
        problems.append(SpecError("a study needs data", where="data", hint='such as data = "ratings.csv"'))
    if refused or problems:
        raise all_of([*(refused or {}).values(), *problems]) from None
    return Study(
        **stages,
        **others,
        meta={name: value for name, value in (written.get("meta") or {}).items() if value is not None},
        keys=dict(keys),
    )


def _stage(stage: str, written: Mapping[str, Any], folder: Path | None) -> tuple[Any, ...]:
    """The options of one stage."""
    kind = KINDS_OF_STAGE[stage]
    if stage == "data":
        value = written.get("data", [])
        return sources([value] if is_arrays(value) else listed(value), folder)
    if stage == "filters":
        return _chains(kind, written[stage])
    if stage == "users":
        return tuple(dict.fromkeys(_tested(chain) for chain in _chains(kind, written[stage])))
    options = make_options(kind, _required(stage, written.get(stage)))
    return tuple(located(option, folder) for option in options) if stage in ("split", "aggregate") else options


def _measures(
    entries: Sequence[Any], aggregate: Sequence[Aggregation], folder: Path | None
) -> tuple[tuple[Metric, ...], OwnAggregations]:
    """Metrics and the aggregations of their own, with paths read from `folder`."""
    metrics, own = make_measures(entries, aggregate)
    refuse_diagnostics_alone(metrics)
    moved = {metric: located(metric, folder) for metric in metrics}
    own_moved = tuple((moved[metric], tuple(located(a, folder) for a in aggregations)) for metric, aggregations in own)
    return tuple(moved.values()), own_moved


def _required(stage: str, value: Any) -> Any:
    if value is None:
        examples = {"split": 'split = "ratio(train=0.8)"'}
        raise SpecError("the key is missing", hint=f"such as {examples.get(stage, stage)}")
    return value


def _chains(kind: str, value: Any) -> tuple[tuple[Any, ...], ...]:
    """Alternatives, each a chain: an inner list is one chain, a plain text a chain of one."""

    def chain(option: Any) -> tuple[Any, ...]:
        return tuple(for_each(lambda text: make(kind, text), listed(option)))

    chains = for_each(chain, listed(value))
    if not chains and kind != "filter":
        raise SpecError(found=[], expected="at least one option")
    return tuple(dict.fromkeys(chains)) if chains else ((),)


def _tested(chain: tuple[UserRule, ...]) -> tuple[UserRule, ...]:
    """A chain of user rules with `with_test` before it, unless a rule says itself what becomes of untested users."""
    return chain if any(rule.about_test for rule in chain) else (make("users", "with_test"), *chain)
