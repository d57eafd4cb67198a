"""What is asked: an experiment as a value, every decision a tuple of options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heldout.aggregations.aggregation import Aggregation
from heldout.catalogue import make, make_all
from heldout.data.frames import is_arrays
from heldout.data.memory import Source
from heldout.errors import HeldoutError, SpecError, all_of, for_each
from heldout.metrics.metric import Metric
from heldout.recommenders.foreign import as_recommender
from heldout.recommenders.recommender import Recommender
from heldout.study.analysis import DEFAULT_TITLE, Analysis, make_objectives, refuse_diagnostics_alone
from heldout.study.comparison import make_comparison, refuse_inapplicable
from heldout.study.compatibility import refuse_unfit, refuse_without_order
from heldout.study.measures import OwnAggregations, make_measures
from heldout.study.protocol import Protocol, System
from heldout.study.relative_paths import located, sources
from heldout.study.resources import RESOURCES, read_resources
from heldout.study.single_values import SETTINGS
from heldout.study.stages import DEFAULTS, KINDS_OF_STAGE, listed, make_options
from heldout.study.tuned import read_tuned
from heldout.targets.user_rule import UserRule


@dataclass(frozen=True, kw_only=True)
class Study(Protocol, Analysis):
    """One experiment: a protocol that gives scores, and the analysis of these scores. One seed fixes both."""

    engine: str = field(default="here", compare=False)
    """Where systems are fitted: here, or side by side by Ray; no result depends on it."""
    truth: Source | None = field(default=None, compare=False)
    """Ratings of items drawn at random, that `heldout truth` holds estimates against."""
    truth_design: str | None = field(default=None, compare=False)
    """Whether that sample is halved ("halves") or used whole ("whole") if the ratings are part of it; None: halved if the
    study allows it."""
    meta: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """How `heldout meta` tries metrics, by option; what is missing has its default."""
    keys: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The keys as the user wrote them, for the manifest."""

    def options(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Every stage with the full text of its options."""
        yield from self.protocol_options()
        yield from self.analysis_options()


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

    for stage in (stage for stage in KINDS_OF_STAGE if stage not in ("metrics", *unread)):
        with gathering(stage):
            stages[stage] = _stage(stage, written, folder)
    if "metrics" not in unread:
        with gathering("metrics"):
            entries, aggregate = listed(written["metrics"]), stages.get("aggregate", ())
            stages["metrics"], stages["own_aggregate"] = _measures(entries, aggregate, folder)
    if "recommend" not in unread:
        with gathering("recommend"):
            stages["recommend"] = _systems(written.get("recommend", []), models or {}, folder)
    if "compare" not in unread:
        with gathering("compare"):
            systems = [s.name for s in stages["recommend"]] if "recommend" in stages and "recommend" not in in_part else None
            stages["compare"] = make_comparison(written["compare"], systems)
    for stage in in_part:
        stages.pop(stage, None)
    others: dict[str, Any] = {}
    for key, make_other in SETTINGS.items():
        if key not in unread:
            with gathering():
                others[key] = make_other(written.get(key))
    if written.get("truth") is not None and "truth" not in in_part:
        with gathering("truth"):
            [others["truth"]] = sources([written["truth"]], folder)
    if "metrics" in stages and "objectives" not in unread:
        with gathering():
            others["objectives"] = make_objectives(written.get("objectives", ()), stages["metrics"], folder)
    if {"recommend", "ties"} <= stages.keys():
        with gathering():
            refuse_without_order({s.name: s.recommender for s in stages["recommend"]}, stages["ties"])
    if {"metrics", "target", "unrated", "ties"} <= stages.keys() and not partial:
        with gathering():
            refuse_unfit(stages["metrics"], stages["target"], stages["unrated"], stages["ties"])
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
        title=str(written.get("title", DEFAULT_TITLE)),
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


def own_system(name: str, model: Any) -> System:
    """A Python object as a system of a study."""
    return System(name, model if isinstance(model, Recommender) else as_recommender(name, model))


def _systems(value: Any, models: Mapping[str, Any], folder: Path | None) -> tuple[System, ...]:
    def of_entry(entry: Any) -> list[System]:
        if isinstance(entry, Mapping):
            return [_named_system(entry, folder)]
        return [System(str(model), located(model, folder)) for model in make_all("recommender", entry)]

    def of_model(name: str) -> list[System]:
        return [own_system(name, models[name])]

    makers = [*((of_entry, entry) for entry in listed(value)), *((of_model, name) for name in models)]
    systems = [system for several in for_each(lambda pair: pair[0](pair[1]), makers) for system in several]
    if not systems:
        raise SpecError(
            found=[], expected="at least one recommender", hint='such as recommend = ["Popularity", "UserKNN(k=100)"]'
        )
    names = [s.name for s in systems]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        raise SpecError(
            "two systems have the same name", found=twice, hint='rename one of them: { name = "…", model = "…" }'
        )
    return tuple(systems)


def _named_system(entry: Mapping[str, Any], folder: Path | None) -> System:
    """A system from a table: a model, or the folder where a search left one, and perhaps a name and what it needs."""
    table = {key: value for key, value in entry.items() if value is not None}
    if not set(table) <= {"name", "model", "tuned", *RESOURCES} or len({"model", "tuned"} & set(table)) != 1:
        raise SpecError(
            found=sorted(table),
            expected=f"a table with 'model' or 'tuned', and perhaps 'name', {', '.join(map(repr, RESOURCES))}",
        )
    tuning = None
    if "tuned" in table:
        path = Path(table["tuned"]).expanduser()
        tuning = read_tuned(folder / path if folder is not None else path)
    model = make("recommender", tuning.model if tuning is not None else table["model"])
    return System(str(table.get("name") or model), located(model, folder), tuning, read_resources(table))
