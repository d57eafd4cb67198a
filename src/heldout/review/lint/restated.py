"""A study from what results keep of it: good for looking at its choices, not for running it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heldout.catalogue import make, make_all
from heldout.data.memory import InMemory
from heldout.errors import HeldoutError
from heldout.recommenders.foreign import as_recommender
from heldout.recommenders.recommender import Recommender
from heldout.study.analysis import make_objectives
from heldout.study.comparison import KEYS, make_comparison
from heldout.study.measures import make_measures
from heldout.study.protocol import System
from heldout.study.spec import DEFAULTS, KINDS_OF_STAGE, Study
from heldout.study.tuned import Tuned

CHAINS = ("filter", "users")


def restated(kept: Mapping[str, Any], systems: Sequence[str]) -> Study:
    """The study that a manifest keeps in words; `systems` are those of the results, where it names none.

    A source or a model that only existed in memory is there by its name alone.
    """
    stages: dict[str, Any] = {}
    for stage, kind in KINDS_OF_STAGE.items():
        texts = [str(text) for text in kept.get(stage, ())]
        if stage == "data":
            stages[stage] = tuple(_source(text) for text in texts)
        elif stage in CHAINS:
            stages[stage] = tuple(_chain(kind, text) for text in texts) or ((),)
        elif stage == "measure":
            stages[stage] = ()
        else:
            stages[stage] = tuple(dict.fromkeys(c for text in texts for c in make_all(kind, text)))
        if not stages[stage] and stage in ("fallback", "relevance", "unrated", "ties", "aggregate", "undefined", "coverage"):
            stages[stage] = (make(kind, DEFAULTS[stage]),)
    stages["measure"], stages["own_aggregate"] = make_measures(kept.get("measure", ()), stages["aggregate"])
    named = [one for one in kept.get("recommend", ()) if isinstance(one, Mapping)]
    stages["recommend"] = tuple(_system(one) for one in named) or tuple(_stand_in(name) for name in systems)
    asked = kept.get("compare") or {}
    table = {key: asked[key] for key in KEYS if key in asked} if isinstance(asked, Mapping) else {"tests": asked}
    return Study(
        **stages,
        compare=make_comparison(table, [s.name for s in stages["recommend"]] or list(systems)),
        task=str(kept.get("task", "some_good_items")),
        seed=int(kept.get("seed", 1)),
        title=str(kept.get("title", "Comparison of recommenders")),
        objectives=make_objectives(kept.get("objectives", ()), stages["measure"]),
        validation=make("split", kept["validation"]) if kept.get("validation") else None,
        development=float(kept["development"]) if kept.get("development") else None,
    )


def _source(text: str) -> Any:
    try:
        return make("reader", text)
    except HeldoutError:
        return InMemory(None, text)


def _chain(kind: str, text: str) -> tuple[Any, ...]:
    return () if text == "none" else tuple(make(kind, one) for one in text.split(" + "))


def _system(one: Mapping[str, Any]) -> System:
    name, tuning = str(one["name"]), one.get("tuning")
    kept = None
    if isinstance(tuning, Mapping):
        kept = Tuned(
            str(one["model"]),
            dict(tuning.get("parameters", {})),
            str(tuning.get("metric", "")),
            float(tuning.get("value", 0.0)),
            0,
            (),
            float(tuning.get("cpu_seconds", 0.0)),
            dict(tuning.get("ranges", {})),
            dict(tuning.get("protocol", {})),
        )
    try:
        recommender: Recommender = make("recommender", str(one["model"]))
    except HeldoutError:
        return System(name, _stand_in(name).recommender, kept)
    return System(name, recommender, kept)


def _stand_in(name: str) -> System:
    """A system of which only the name is known."""

    def absent(train: Any, users: Any) -> Any:
        raise NotImplementedError(f"{name} is known by its results alone")

    return System(name, as_recommender(name, absent))
