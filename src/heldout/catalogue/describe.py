"""What the catalogue knows of a component, as data: for `heldout describe`, definition cards and reference pages."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from heldout.catalogue.component import REQUIRED, Component, default_of, describe_type, parameters, signature, type_of
from heldout.catalogue.prose import docstring_of
from heldout.catalogue.text import write_value
from heldout.text.numbers import value_range


@dataclass(frozen=True)
class Parameter:
    """One parameter of a component."""

    name: str
    type: str
    default: str
    doc: str


@dataclass(frozen=True, kw_only=True)
class Description:
    """A component in words."""

    key: str
    aliases: tuple[str, ...]
    kind: str
    decision: str
    signature: str
    summary: str
    formula: str
    assumes: str
    example: str
    parameters: tuple[Parameter, ...]
    facts: tuple[tuple[str, str], ...]
    """Further declared facts, such as range and undefined rule, as (word, text)."""
    references: tuple[str, ...]


def describe(cls: type[Component], component: Component | None = None) -> Description:
    """All that a component's file declares; with a component of the class, the range is that of its parameters."""
    paragraphs = [re.sub(r"\s*\n\s*", " ", p) for p in docstring_of(cls).split("\n\n")]
    sections = {head: _section(paragraphs, head) for head in ("Assumes", "Example")}
    return Description(
        key=cls.key,
        aliases=cls.aliases,
        kind=cls.kind.name,
        decision=cls.kind.decision,
        signature=signature(cls),
        summary=cls.summary(),
        formula=cls.formula,
        assumes=sections["Assumes"],
        example=sections["Example"],
        parameters=tuple(_parameter(cls, f) for f in parameters(cls)),
        facts=tuple(_facts(cls, component)),
        references=cls.references,
    )


def _section(paragraphs: list[str], head: str) -> str:
    text = next((p for p in paragraphs if p.startswith(f"{head}:")), "")
    return text.removeprefix(f"{head}:").strip()


def _parameter(cls: type[Component], field: Any) -> Parameter:
    default = "required" if field.default is REQUIRED else write_value(default_of(cls, field))
    name = "@n" if field.metadata["cutoff"] else field.name
    doc = str(field.metadata["doc"])
    if field.metadata["also"]:
        doc += f" (also {', '.join(field.metadata['also'])})"
    return Parameter(name, describe_type(type_of(cls, field.name)), default, doc)


def _facts(cls: type[Component], component: Component | None) -> list[tuple[str, str]]:
    facts: list[tuple[str, str]] = []
    claims = getattr(cls, "claims", ())
    values: Any = getattr(cls, "range", None)
    if isinstance(values, tuple):
        low, high = values if component is None else getattr(component, "limits", values)
        if component is not None and not (math.isfinite(low) and math.isfinite(high)):
            claims = tuple(claim for claim in claims if claim != "bounded")
        other = getattr(cls, "other_range", "") if component is None else ""
        facts.append(("Range", value_range(low, high) + (f"; {other}" if other else "")))
    direction = getattr(cls, "direction", None)
    if direction in ("higher", "lower"):
        as_objective = "neither; as an objective, " if getattr(cls, "descriptive", False) else ""
        facts.append(("Better", f"{as_objective}{direction} values"))
    undefined = getattr(cls, "undefined", None)
    if isinstance(undefined, str):
        facts.append(("Undefined", undefined))
    definition = getattr(cls, "definition", None)
    if definition is not None:
        facts += definition()
    tasks = getattr(cls, "tasks", ())
    if tasks:
        facts.append(("Suits", ", ".join(tasks)))
    if claims:
        facts.append(("Holds", "; ".join(claims)))
    libraries = getattr(cls, "libraries", {})
    facts += [(f"In {name}", text) for name, text in libraries.items()]
    if _by_default(cls, "predicts_ratings"):
        facts.append(("Scores", "on the rating scale"))
    lacks = getattr(cls, "lacks", "")
    if lacks:
        facts.append(("Not for runs", lacks))
    return facts


def _by_default(cls: type[Component], fact: str) -> bool:
    """Whether a fact holds of the class or, where its parameters decide, of the component with default parameters."""
    value = getattr(cls, fact, False)
    if isinstance(value, property):
        return all(f.default is not REQUIRED for f in parameters(cls)) and bool(getattr(cls(), fact))
    return bool(value)
