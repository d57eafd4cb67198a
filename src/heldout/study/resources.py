"""Where systems are fitted, and what each needs of a machine: settings that no result depends on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from heldout.errors import SpecError, UnknownNameError

ENGINES = ("here", "ray")
RESOURCES = ("num_cpus", "num_gpus", "memory")
"""What a table under `recommend` may ask for."""
_BYTES = {"MB": 10**6, "GB": 10**9, "TB": 10**12}


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
