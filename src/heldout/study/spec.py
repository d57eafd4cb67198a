"""What is asked: an experiment as a value, every decision a tuple of options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import product
from pathlib import Path
from typing import Any

from heldout.aggregate.aggregation import Aggregation
from heldout.aggregate.coverage_rule import CoverageRule
from heldout.aggregate.undefined_rule import UndefinedRule
from heldout.catalogue import make, make_all
from heldout.data.filter import Filter
from heldout.data.frames import is_arrays
from heldout.data.memory import Source
from heldout.errors import HeldoutError, SpecError, UnknownNameError, all_of, shown
from heldout.measure.metric import Metric
from heldout.measure.unrated_rule import UnratedRule
from heldout.recommend.fallback import Fallback
from heldout.recommend.foreign import as_recommender
from heldout.recommend.recommender import Recommender
from heldout.rng import refuse_seed
from heldout.split.splitter import Splitter
from heldout.study.comparison import DEFAULT_TESTS, Comparison, make_comparison, refuse_inapplicable
from heldout.study.fitness import refuse_unfit, refuse_without_order
from heldout.study.located import located, sources
from heldout.study.measures import OwnAggregations, make_measures
from heldout.study.tuned import Tuned, read_tuned
from heldout.target.relevance.by_scale import ByScale, ScaleGuess
from heldout.target.relevance_rule import RelevanceRule
from heldout.target.target import Target
from heldout.target.tie_rule import TieRule
from heldout.target.user_rule import UserRule

TASKS = ("predict_ratings", "some_good_items", "all_good_items", "utility", "fixed_list")


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
) -> Study:
    """A study from the keys of a study file; every text form is checked, and errors name the key they stand under.

    `models` adds systems that are Python objects; paths are relative to `folder`. Options that do not go together are
    refused, unless the study is `partial`: then whoever runs it leaves such combinations out.
    """
    given = {**DEFAULTS, **{k: v for k, v in keys.items() if v is not None}}
    stages: dict[str, Any] = {}
    problems: list[HeldoutError] = []
    for stage, kind in KINDS_OF_STAGE.items():
        try:
            if stage == "data":
                asked = given.get("data", [])
                stages[stage] = sources([asked] if is_arrays(asked) else _listed(asked), folder)
            elif stage in ("filter", "users"):
                stages[stage] = _chains(kind, given[stage])
                if stage == "users":
                    stages[stage] = tuple(dict.fromkeys(_tested(chain) for chain in stages[stage]))
            elif stage == "measure":
                continue
            else:
                stages[stage] = _options(kind, _required(stage, given.get(stage)))
            if stage in ("split", "aggregate"):
                stages[stage] = tuple(located(s, folder) for s in stages[stage])
        except HeldoutError as error:
            problems.append(error.within(stage))
    try:
        entries, aggregate = _listed(given["measure"]), stages.get("aggregate", ())
        stages["measure"], stages["own_aggregate"] = _measures(entries, aggregate, folder)
    except HeldoutError as error:
        problems.append(error.within("measure"))
    try:
        stages["recommend"] = _systems(given.get("recommend", []), models or {}, folder)
        stages["compare"] = make_comparison(given["compare"], [s.name for s in stages["recommend"]])
        if len(stages["recommend"]) > 1 and not partial and not problems:
            aggregations = [*stages["aggregate"], *(a for _, own in stages["own_aggregate"] for a in own)]
            refuse_inapplicable(stages["compare"], aggregations, stages["target"])
    except HeldoutError as error:
        problems.append(error.within("compare" if "recommend" in stages else "recommend"))
    if problems:
        raise all_of(problems) from None
    objectives = make_objectives(given.get("objectives", ()), stages["measure"], folder)
    refuse_without_order({s.name: s.recommender for s in stages["recommend"]}, stages["ties"])
    if not partial:
        refuse_unfit(stages["measure"], stages["target"], stages["unrated"], stages["ties"])
    if not stages["data"] and any(s.needs_data for s in stages["split"]):
        raise SpecError("a study needs data", where="data", hint='such as data = "ratings.csv"')
    task = str(given.get("task", "some_good_items"))
    if task not in TASKS:
        raise UnknownNameError("task", task, TASKS, where="task")
    seed = given.get("seed", 1)
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise SpecError(f"the seed must be a whole number, found {shown(seed)}", where="seed")
    refuse_seed(seed)
    return Study(
        **stages,
        task=task,
        seed=seed,
        title=str(given.get("title", "Comparison of recommenders")),
        objectives=objectives,
        validation=_validation(given.get("validation")),
        development=_development(given.get("development")),
        engine=str(given.get("engine", "here")),
        workers=given.get("workers"),
        given=dict(keys),
    )


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


def _validation(value: Any) -> Splitter | None:
    try:
        made: Splitter | None = None if value is None else make("split", value)
        if made is not None and (made.folds_made != 1 or not made.needs_data):
            raise SpecError(f"{made} does not divide the training part once", hint="such as ratio(train=0.9, by=user)")
    except HeldoutError as error:
        raise error.within("validation") from None
    return made


def _development(value: Any) -> float | None:
    if value is None:
        return None
    number = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 2**31
    if not number or (value > 1 and value != int(value)):
        raise SpecError(f"a share below 1 or a whole number of users is expected, found {shown(value)}", where="development")
    return float(value)


def _required(stage: str, value: Any) -> Any:
    if value is None:
        examples = {"split": 'split = "ratio(train=0.8)"'}
        raise SpecError("the key is missing", hint=f"such as {examples.get(stage, stage)}")
    return value


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _options(kind: str, value: Any) -> tuple[Any, ...]:
    made = [component for text in _listed(value) for component in make_all(kind, text)]
    if not made:
        raise SpecError("the list of options is empty")
    return tuple(dict.fromkeys(made))


def _chains(kind: str, value: Any) -> tuple[tuple[Any, ...], ...]:
    """Alternatives, each a chain: an inner list is one chain, a plain text a chain of one."""
    chains = [tuple(make(kind, text) for text in _listed(option)) for option in _listed(value)]
    if not chains and kind != "filter":
        raise SpecError("the list of options is empty")
    return tuple(dict.fromkeys(chains)) if chains else ((),)


def _tested(chain: tuple[UserRule, ...]) -> tuple[UserRule, ...]:
    """A chain of user rules with `with_test` before it, unless a rule says itself what becomes of untested users."""
    return chain if any(rule.about_test for rule in chain) else (make("users", "with_test"), *chain)


def _systems(value: Any, models: Mapping[str, Any], folder: Path | None) -> tuple[System, ...]:
    systems: list[System] = []
    for entry in _listed(value):
        if isinstance(entry, Mapping):
            systems.append(_named_system(entry, folder))
        else:
            systems += [System(str(made), located(made, folder)) for made in make_all("recommender", entry)]
    for name, model in models.items():
        systems.append(System(name, model if isinstance(model, Recommender) else as_recommender(name, model)))
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
