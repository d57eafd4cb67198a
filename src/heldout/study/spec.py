"""What is asked: an experiment as a value, every decision a tuple of options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from itertools import product
from pathlib import Path
from typing import Any

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.coverage_rule import CoverageRule
from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.catalogue import make, make_all
from heldout.data.filter import Filter
from heldout.data.frames import is_arrays
from heldout.data.memory import Source
from heldout.errors import HeldoutError, SpecError, all_of, for_each
from heldout.metrics.metric import Metric
from heldout.metrics.unrated_rule import UnratedRule
from heldout.recommenders.fallback import Fallback
from heldout.recommenders.foreign import as_recommender
from heldout.recommenders.recommender import Recommender
from heldout.splits.splitter import Splitter
from heldout.study.comparison import DEFAULT_TESTS, Comparison, make_comparison, refuse_inapplicable
from heldout.study.compatibility import refuse_unfit, refuse_without_order
from heldout.study.located import located, sources
from heldout.study.measures import OwnAggregations, make_measures
from heldout.study.single_values import SETTINGS
from heldout.study.tuned import Tuned, read_tuned
from heldout.targets.relevance.by_scale import ByScale, ScaleGuess
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.target import Target
from heldout.targets.tie_rule import TieRule
from heldout.targets.user_rule import UserRule


@dataclass(frozen=True)
class System:
    """A recommender and the name it goes by in this study."""

    name: str
    recommender: Recommender
    tuning: Tuned | None = field(default=None, compare=False)
    """How its parameters were chosen, where a search chose them."""


@dataclass(frozen=True)
class Study:
    """One experiment. Each field but the last three is a decision; its values are the options that are tried."""

    data: tuple[Source, ...]
    filter: tuple[tuple[Filter, ...], ...]
    split: tuple[Splitter, ...]
    users: tuple[tuple[UserRule, ...], ...]
    recommend: tuple[System, ...]
    fallback: tuple[Fallback, ...]
    relevance: tuple[RelevanceRule, ...]
    target: tuple[Target, ...]
    unrated: tuple[UnratedRule, ...]
    ties: tuple[TieRule, ...]
    measure: tuple[Metric, ...]
    aggregate: tuple[Aggregation, ...]
    undefined: tuple[UndefinedRule, ...]
    coverage: tuple[CoverageRule, ...]
    compare: Comparison
    task: str = "some_good_items"
    seed: int = 1
    title: str = "Comparison of recommenders"
    objectives: tuple[Metric, ...] = ()
    """Descriptive metrics that are compared all the same, because more of them is what is wanted."""
    validation: Splitter | None = None
    """How validation ratings are carved out of every training part, if they are."""
    development: float | None = None
    """Share or number of the test users on whom systems are chosen; the others are for evaluation."""
    engine: str = field(default="here", compare=False)
    """Where systems are fitted: here, or side by side in processes of their own; no result depends on it."""
    workers: int | None = field(default=None, compare=False)
    """How many such processes; None for one on each core."""
    given: dict[str, Any] = field(default_factory=dict, compare=False)
    """The keys as the user wrote them, for the manifest."""
    own_aggregate: OwnAggregations = ()
    """Metrics that are not aggregated as `aggregate` says, with how they are."""
    guess: ScaleGuess | None = field(default=None, compare=False)
    """The relevance rule that was taken from the scale of the ratings, where `by_scale` asked for that."""

    def options(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Every stage with the full text of its options."""
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name in ("filter", "users"):
                yield one.name, tuple(chain_text(c) for c in value)
            elif one.name == "recommend":
                yield one.name, tuple(s.name for s in value)
            elif one.name == "compare":
                yield one.name, tuple(t.full_text for t in value.tests)
            elif one.name == "measure":
                yield one.name, tuple(text for metric in value for text in self._written(metric))
            elif isinstance(value, tuple) and one.name not in ("objectives", "own_aggregate"):
                yield one.name, tuple(v.full_text for v in value)

    def _written(self, metric: Metric) -> Iterator[str]:
        """A metric as a study file would have it, once for each aggregation of its own."""
        own = dict(self.own_aggregate).get(metric)
        if own is None:
            yield metric.full_text
        else:
            yield from (f"{metric.full_text} aggregate={aggregation.full_text}" for aggregation in own)

    def aggregations(self, metric: Metric) -> tuple[Aggregation, ...]:
        """How a metric is aggregated: as it says itself, else as the study says."""
        return dict(self.own_aggregate).get(metric, self.aggregate)

    @property
    def all_aggregations(self) -> tuple[Aggregation, ...]:
        """The study's aggregations and those that only some metrics name."""
        own = [aggregation for _, aggregations in self.own_aggregate for aggregation in aggregations]
        return tuple(dict.fromkeys([*self.aggregate, *own]))

    @property
    def contests(self) -> tuple[Metric, ...]:
        """The metrics by which systems are compared: all but diagnostics and descriptive ones that are no objectives."""
        return tuple(m for m in self.measure if m.direction != "none" and (not m.descriptive or m in self.objectives))

    @property
    def descriptive(self) -> tuple[Metric, ...]:
        """The metrics that describe lists and decide nothing here."""
        return tuple(m for m in self.measure if m.descriptive and m not in self.objectives)

    def guessing(self) -> bool:
        """Whether a relevance rule is still to be taken from the scale of the ratings."""
        return any(isinstance(rule, ByScale) for rule in self.relevance)

    def with_guess(self, guess: ScaleGuess | None) -> Study:
        """The study with `by_scale` replaced by the rule that was guessed."""
        if guess is None:
            return self
        settled = dict.fromkeys(guess.rule if isinstance(rule, ByScale) else rule for rule in self.relevance)
        return replace(self, relevance=tuple(settled), guess=guess)

    def judgements(self) -> Iterator[tuple[Target, RelevanceRule, UnratedRule, Fallback, TieRule]]:
        """The distinct ways of judging one system's scores; a target with a relevance rule of its own has only that."""
        for target, unrated, fallback, ties in product(self.target, self.unrated, self.fallback, self.ties):
            own = target.own_relevance
            for relevance, end in product((own,) if own is not None else self.relevance, unrated.ends()):
                yield target, relevance, end, fallback, ties


def chain_text(chain: Sequence[Any]) -> str:
    """A chain of filters or user rules as one text."""
    return " + ".join(str(c) for c in chain) if chain else "none"


PRIMARY_METRIC = "nDCG(gain=binary)@10"
"""What is measured, and tuned for, where no metric is named."""
DEFAULTS: dict[str, Any] = {
    "filter": [[]],
    "users": ["with_test"],
    "fallback": "none",
    "relevance": "by_scale",
    "target": "AllItems",
    "unrated": "zero",
    "ties": "item",
    "measure": [PRIMARY_METRIC, "P@10", "Recall@10"],
    "aggregate": "mean",
    "undefined": "zero",
    "coverage": "zero",
    "compare": list(DEFAULT_TESTS),
}
KINDS_OF_STAGE = {
    "data": "reader",
    "filter": "filter",
    "split": "split",
    "users": "users",
    "fallback": "fallback",
    "relevance": "relevance",
    "target": "target",
    "unrated": "unrated",
    "ties": "ties",
    "measure": "metric",
    "aggregate": "aggregation",
    "undefined": "undefined",
    "coverage": "coverage",
}


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
    All that is wrong is told at once, with what is `refused` already: problems by their place, which is left out of `keys`.
    """
    given = {**DEFAULTS, **{k: v for k, v in keys.items() if v is not None}}
    in_part = {place[0] for place in refused or ()}  # of these, what is left is checked, and nothing made of it
    unread = in_part - keys.keys()
    stages: dict[str, Any] = {}
    problems: list[HeldoutError] = []

    @contextmanager
    def gathering(stage: str = "") -> Iterator[None]:
        """Have what is wrong with a key told beside all else."""
        try:
            yield
        except HeldoutError as error:
            problems.append(error.within(stage) if stage else error)

    for stage in (stage for stage in KINDS_OF_STAGE if stage not in ("measure", *unread)):
        with gathering(stage):
            stages[stage] = _stage(stage, given, folder)
    if "measure" not in unread:
        with gathering("measure"):
            entries, aggregate = _listed(given["measure"]), stages.get("aggregate", ())
            stages["measure"], stages["own_aggregate"] = _measures(entries, aggregate, folder)
    if "recommend" not in unread:
        with gathering("recommend"):
            stages["recommend"] = _systems(given.get("recommend", []), models or {}, folder)
    if "compare" not in unread:
        with gathering("compare"):
            systems = [s.name for s in stages["recommend"]] if "recommend" in stages and "recommend" not in in_part else None
            stages["compare"] = make_comparison(given["compare"], systems)
    for stage in in_part:
        stages.pop(stage, None)
    others: dict[str, Any] = {}
    for key, make_other in SETTINGS.items():
        if key not in unread:
            with gathering():
                others[key] = make_other(given.get(key))
    if "measure" in stages and "objectives" not in unread:
        with gathering():
            others["objectives"] = make_objectives(given.get("objectives", ()), stages["measure"], folder)
    if {"recommend", "ties"} <= stages.keys():
        with gathering():
            refuse_without_order({s.name: s.recommender for s in stages["recommend"]}, stages["ties"])
    if {"measure", "target", "unrated", "ties"} <= stages.keys() and not partial:
        with gathering():
            refuse_unfit(stages["measure"], stages["target"], stages["unrated"], stages["ties"])
    if {"recommend", "compare", "aggregate", "measure", "target"} <= stages.keys() and not partial:
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
        title=str(given.get("title", "Comparison of recommenders")),
        workers=given.get("workers"),
        given=dict(keys),
    )


def _stage(stage: str, given: Mapping[str, Any], folder: Path | None) -> tuple[Any, ...]:
    """The options of one stage."""
    kind = KINDS_OF_STAGE[stage]
    if stage == "data":
        asked = given.get("data", [])
        return sources([asked] if is_arrays(asked) else _listed(asked), folder)
    if stage == "filter":
        return _chains(kind, given[stage])
    if stage == "users":
        return tuple(dict.fromkeys(_tested(chain) for chain in _chains(kind, given[stage])))
    options = _options(kind, _required(stage, given.get(stage)))
    return tuple(located(option, folder) for option in options) if stage in ("split", "aggregate") else options


def _measures(
    entries: Sequence[Any], aggregate: Sequence[Aggregation], folder: Path | None
) -> tuple[tuple[Metric, ...], OwnAggregations]:
    """Metrics and the aggregations of their own, with paths read from `folder`."""
    metrics, own = make_measures(entries, aggregate)
    if not metrics:
        raise SpecError("the list of options is empty")
    refuse_diagnostics_alone(metrics)
    moved = {metric: located(metric, folder) for metric in metrics}
    own_moved = tuple((moved[metric], tuple(located(a, folder) for a in aggregations)) for metric, aggregations in own)
    return tuple(moved.values()), own_moved


def _required(stage: str, value: Any) -> Any:
    if value is None:
        examples = {"split": 'split = "ratio(train=0.8)"'}
        raise SpecError("the key is missing", hint=f"such as {examples.get(stage, stage)}")
    return value


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _options(kind: str, value: Any) -> tuple[Any, ...]:
    made = [one for several in for_each(lambda text: make_all(kind, text), _listed(value)) for one in several]
    if not made:
        raise SpecError("the list of options is empty")
    return tuple(dict.fromkeys(made))


def _chains(kind: str, value: Any) -> tuple[tuple[Any, ...], ...]:
    """Alternatives, each a chain: an inner list is one chain, a plain text a chain of one."""

    def chain(option: Any) -> tuple[Any, ...]:
        return tuple(for_each(lambda text: make(kind, text), _listed(option)))

    chains = for_each(chain, _listed(value))
    if not chains and kind != "filter":
        raise SpecError("the list of options is empty")
    return tuple(dict.fromkeys(chains)) if chains else ((),)


def _tested(chain: tuple[UserRule, ...]) -> tuple[UserRule, ...]:
    """A chain of user rules with `with_test` before it, unless a rule says itself what becomes of untested users."""
    return chain if any(rule.about_test for rule in chain) else (make("users", "with_test"), *chain)


def _systems(value: Any, models: Mapping[str, Any], folder: Path | None) -> tuple[System, ...]:

    def of_entry(entry: Any) -> list[System]:
        if isinstance(entry, Mapping):
            return [_named_system(entry, folder)]
        return [System(str(made), located(made, folder)) for made in make_all("recommender", entry)]

    def of_model(name: str) -> list[System]:
        model = models[name]
        return [System(name, model if isinstance(model, Recommender) else as_recommender(name, model))]

    makers = [*((of_entry, entry) for entry in _listed(value)), *((of_model, name) for name in models)]
    systems = [system for several in for_each(lambda pair: pair[0](pair[1]), makers) for system in several]
    if not systems:
        raise SpecError("no recommender is named", hint='such as recommend = ["Popularity", "UserKNN(k=100)"]')
    names = [s.name for s in systems]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        raise SpecError(f"'{twice}' is named twice", hint='give one another name: { name = "…", model = "…" }')
    return tuple(systems)


def _named_system(entry: Mapping[str, Any], folder: Path | None) -> System:
    """A system from a table: a model, or the folder where a search left one, and perhaps a name."""
    asked = {key: value for key, value in entry.items() if value is not None}
    if not set(asked) <= {"name", "model", "tuned"} or len({"model", "tuned"} & set(asked)) != 1:
        raise SpecError("a table under recommend has 'model' or 'tuned', and perhaps 'name'", hint=f"found {sorted(asked)}")
    tuning = None
    if "tuned" in asked:
        path = Path(asked["tuned"]).expanduser()
        tuning = read_tuned(folder / path if folder is not None else path)
    made = make("recommender", tuning.model if tuning is not None else asked["model"])
    return System(str(asked.get("name") or made), located(made, folder), tuning)


def make_objectives(value: Any, measured: Sequence[Metric], folder: Path | None = None) -> tuple[Metric, ...]:
    """The metrics that are objectives, which must be among those that are measured and say which value is better."""
    try:
        objectives = [located(m, folder) for text in _listed(value) for m in make_all("metric", text)]
        for metric in objectives:
            if metric not in measured:
                raise SpecError(
                    f"{metric} is not measured", hint=f"name it under measure too: {', '.join(map(str, measured))}"
                )
            if metric.direction == "none":
                raise SpecError(f"{metric} is a diagnostic: neither high nor low values of it are better")
    except HeldoutError as error:
        raise error.within("objectives") from None
    return tuple(dict.fromkeys(objectives))


def refuse_diagnostics_alone(metrics: Sequence[Metric]) -> None:
    """SpecError where no metric says which of two systems is better."""
    if all(metric.direction == "none" for metric in metrics):
        told = f"{', '.join(map(str, metrics))} only describes lists, and no metric tells which system is better"
        raise SpecError(told, hint=f"name one too, such as {PRIMARY_METRIC}")
