"""The systems of a study: what a file says of them, what they need of a machine, and where they are fitted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from heldout.catalogue import make, make_all
from heldout.errors import SpecError, UnknownNameError, for_each
from heldout.recommenders.foreign import as_recommender
from heldout.recommenders.recommender import Recommender
from heldout.study.keys import Table, declared_keys, listed, setting
from heldout.study.relative_paths import located
from heldout.study.tuned import Tuned, read_tuned

ENGINES = ("here", "ray")
RESOURCES = ("num_cpus", "num_gpus", "memory")
"""What a table under `recommend` may ask for."""
_BYTES = {"MB": 10**6, "GB": 10**9, "TB": 10**12}


@dataclass(frozen=True)
class System:
    """A recommender and the name it goes by in this study."""

    name: str
    recommender: Recommender
    tuning: Tuned | None = field(default=None, compare=False)
    """How its parameters were chosen, where a search chose them."""
    resources: Mapping[str, float] = field(default_factory=dict, compare=False)
    """What its fit needs of a node of a cluster: `num_cpus`, `num_gpus`, `memory` in bytes."""

    @property
    def full_text(self) -> str:
        """How reports name it."""
        return self.name


@dataclass(frozen=True)
class NamedSystem(Table):
    """A recommender under a name of one's own."""

    one_of: ClassVar[tuple[str, ...]] = ("model", "tuned")

    name: str | None = field(default=None, metadata=setting("what reports call it"))
    model: str | None = field(default=None, metadata=setting("a recommender, such as UserKNN(k=50)"))
    tuned: str | None = field(default=None, metadata=setting("instead of a model: a folder that `heldout tune` made"))
    num_cpus: float | None = field(
        default=None, metadata=setting("with engine = ray: CPUs for its fit, and so threads", above=0)
    )
    num_gpus: float | None = field(
        default=None, metadata=setting("with engine = ray: GPUs for its fit, or a share of one", above=0)
    )
    memory: str | None = field(default=None, metadata=setting("with engine = ray: memory for its fit, such as 8 GB"))


def own_system(name: str, model: Any) -> System:
    """A Python object as a system of a study."""
    return System(name, model if isinstance(model, Recommender) else as_recommender(name, model))


def make_systems(value: Any, models: Mapping[str, Any], folder: Path | None) -> tuple[System, ...]:
    """The systems under `recommend`, and `models`, which are Python objects; paths are relative to `folder`."""

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
    if not set(table) <= declared_keys(NamedSystem).keys() or len(set(NamedSystem.one_of) & set(table)) != 1:
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


def refuse_engine(engine: Any, address: str | None = None) -> None:
    """Raise SpecError if the engine does not exist, or takes no address and was given one."""
    if engine == "processes":
        hint = 'use engine = "ray", on this machine or a cluster (pip install "heldout[ray]")'
        raise SpecError("this engine was replaced by Ray", where="engine", found=engine, hint=hint)
    if isinstance(engine, str) and engine not in ENGINES:
        raise UnknownNameError("engine", engine, ENGINES, where="engine")
    if address is not None and engine != "ray":
        raise SpecError(
            "only Ray takes an address", where="address", found=address, hint="add --engine ray, or leave --address out"
        )


def read_resources(table: Mapping[str, Any]) -> dict[str, float]:
    """What a system needs of a node, from its table; memory in bytes."""
    resources: dict[str, float] = {}
    for key in ("num_cpus", "num_gpus"):
        if (value := table.get(key)) is not None:
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not 0 < value <= 1024 or (value > 1 and value != int(value)):
                raise SpecError(where=key, found=value, expected="a whole number up to 1,024, or a share of one")
            resources[key] = value
    if (value := table.get("memory")) is not None:
        written = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,3})?) ?([MGT]B)", value) if isinstance(value, str) else None
        if written is None:
            raise SpecError(where="memory", found=value, expected='a text such as "8 GB"')
        resources["memory"] = int(float(written[1]) * _BYTES[written[2]])
    return resources
