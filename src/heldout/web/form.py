"""The form of a study, made of the JSON schema of study files, and the study file that a filled form says."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from heldout import schema
from heldout.errors import SpecError

GROUPS = {
    "What is asked": ("title", "task", "data", "filters", "truth", "truth_design"),
    "Systems": ("recommend", "fallback"),
    "Split and users": ("split", "validation", "development", "users"),
    "Ranking": ("target", "relevance", "unrated", "ties"),
    "Metrics": ("metrics", "objectives", "aggregate", "undefined", "coverage"),
    "Comparison": ("compare",),
    "Multiverse": ("multiverse",),
    "Running": ("seed", "engine"),
}
"""The keys of a study file as the form groups them; a key of the schema that is not listed here comes last."""
OPEN = ("What is asked", "Systems", "Split and users", "Ranking", "Metrics")
"""Groups that are unfolded."""
CHAINED = ("filters", "users")
"""Keys whose options are chains: parts of a line are joined by ` + `."""
NAMED_SYSTEM = re.compile(r"\s*([^(=\n]+?)\s*=\s*(.+)")


@dataclass(frozen=True, kw_only=True)
class FormField:
    """One key of a study file, in the form."""

    key: str
    """As `split`, or `compare.level` of a table."""
    about: str
    kind: str
    """text, integer, number, or lines (an option on each)."""
    choices: tuple[str, ...] = ()
    """Components that can be taken, as they are written."""
    decision: str = ""
    value: str = ""


@dataclass(frozen=True)
class FieldGroup:
    """Keys that belong together."""

    name: str
    fields: tuple[FormField, ...]
    unfolded: bool


@cache
def _fields() -> dict[str, FormField]:
    """All fields, by key."""
    whole = schema()
    by_key: dict[str, FormField] = {}
    for key, entry in whole["properties"].items():
        tables = [o["$ref"].rpartition("/")[2] for o in _alternatives(entry) if "$ref" in o]
        if key in ("compare", "multiverse"):
            for inner, described in whole["$defs"][tables[0]]["properties"].items():
                choices = entry.get("examples", ()) if inner == "tests" else ()
                by_key[f"{key}.{inner}"] = _field(f"{key}.{inner}", described, choices)
        else:
            by_key[key] = _field(key, entry, entry.get("examples", ()))
    return by_key


def _alternatives(entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    return list(entry.get("anyOf", [entry]))


def _field(key: str, entry: Mapping[str, Any], choices: Sequence[str]) -> FormField:
    types = [option.get("type") for option in _alternatives(entry)]
    kind = "lines" if "array" in types or key == "data" else next((t for t in types if t in ("integer", "number")), "text")
    about, _, rest = str(entry.get("description", "")).partition(". Options: ")
    decision = re.search(r"\(decision (\w+)\)\s*$", rest)
    return FormField(key=key, about=about, kind=kind, choices=tuple(choices), decision=decision.group(1) if decision else "")


def field(key: str, value: str) -> FormField:
    """The field of a key with a value; SpecError if the schema has no such key."""
    if key not in _fields():
        raise SpecError("a study has no such key", where=key)
    plain = _fields()[key]
    return FormField(
        key=key, about=plain.about, kind=plain.kind, choices=plain.choices, decision=plain.decision, value=value
    )


def groups(values: Mapping[str, str]) -> list[FieldGroup]:
    """All fields of the form in groups, with their values."""
    grouped = {key for keys in GROUPS.values() for key in keys}
    others = tuple(key for key in _fields() if key.partition(".")[0] not in grouped)
    every = {**GROUPS, **({"Other": others} if others else {})}
    return [
        FieldGroup(
            name,
            tuple(field(key, values.get(key, "")) for key in _fields() if key.partition(".")[0] in keys),
            name in OPEN or any(values.get(key) for key in _fields() if key.partition(".")[0] in keys),
        )
        for name, keys in every.items()
    ]


def keys_of(values: Mapping[str, str]) -> dict[str, Any]:
    """The keys of the study that a filled form says; SpecError if a value is not a number."""
    keys: dict[str, Any] = {}
    for key, plain in _fields().items():
        text = values.get(key, "").strip()
        if text:
            table, dot, inner = key.partition(".")
            (keys.setdefault(table, {}) if dot else keys)[inner if dot else key] = _value(key, plain.kind, text)
    return keys


def _value(key: str, kind: str, text: str) -> Any:
    if kind in ("integer", "number"):
        return _number(key, kind, text)
    if kind == "text":
        return text
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if key in ("multiverse.seeds", "multiverse.cutoffs"):
        return [_number(key, "integer", word) for line in lines for word in line.replace(",", " ").split()]
    if key in CHAINED:
        return [[] if line == "none" else [part.strip() for part in line.split(" + ")] for line in lines]
    if key == "recommend":
        return [_system(line) for line in lines]
    return lines[0] if len(lines) == 1 else lines


def _number(key: str, kind: str, text: str) -> int | float:
    what = SpecError(where=key, found=text[:40], expected="a whole number" if kind == "integer" else "a number")
    try:
        number = int(text) if kind == "integer" else float(text)
    except ValueError:
        raise what from None
    if not math.isfinite(number):
        raise what
    return number


def _system(line: str) -> str | dict[str, str]:
    named = NAMED_SYSTEM.fullmatch(line)
    return {"name": named.group(1), "model": named.group(2)} if named else line


def values_of(keys: Mapping[str, Any]) -> dict[str, str]:
    """The form that says these keys, which is what a study file or the protocol of results holds."""
    values: dict[str, str] = {}
    for key, value in keys.items():
        if isinstance(value, Mapping) and key in ("compare", "multiverse"):
            values |= {f"{key}.{inner}": _lines(inner, entry) for inner, entry in value.items()}
        elif key == "compare":
            values["compare.tests"] = _lines(key, value)
        else:
            values[key] = _lines(key, value)
    return {key: text for key, text in values.items() if key in _fields() and text}


def _lines(key: str, value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, list | tuple):
        return _written(value)
    if key in CHAINED:
        return "\n".join(_chain(entry) for entry in value)
    return "\n".join(_written(entry) for entry in value)


def _chain(entry: Any) -> str:
    return " + ".join(map(str, entry)) or "none" if isinstance(entry, list | tuple) else str(entry)


def _written(entry: Any) -> str:
    if isinstance(entry, Mapping) and "model" in entry:
        return f"{entry['name']} = {entry['model']}" if entry.get("name") else str(entry["model"])
    if isinstance(entry, Mapping) and "metric" in entry:
        return f"{entry['metric']} aggregate={_lines('', entry['aggregate'])}" if entry.get("aggregate") else entry["metric"]
    if isinstance(entry, Mapping):
        inside = ", ".join(f"{name}={json.dumps(value)}" for name, value in entry.items() if name != "path")
        return f"csv({json.dumps(entry.get('path', ''))}{', ' + inside if inside else ''})"
    return f"{entry:g}" if isinstance(entry, float) else str(entry)


def study_text(keys: Mapping[str, Any]) -> str:
    """The study file of keys, as TOML."""
    plain = [f"{key} = {_toml(value)}" for key, value in keys.items() if not isinstance(value, Mapping)]
    for key, table in keys.items():
        if isinstance(table, Mapping):
            plain += ["", f"[{key}]", *(f"{inner} = {_toml(value)}" for inner, value in table.items())]
    text = "\n".join(plain) + "\n"
    tomllib.loads(text)  # never write what cannot be read
    return text


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {_toml(inner)}' for key, inner in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)


def read_values(text: str) -> dict[str, str]:
    """The form of a study file's text; SpecError if it is not TOML."""
    return values_of(read_keys(text))


def read_keys(text: str) -> dict[str, Any]:
    """The keys of a study file's text; SpecError if it is not TOML."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise SpecError(f"this is no study file: {error}") from None


def with_choice(value: str, choice: str) -> str:
    """The lines of a field with one more component; parameters that have defaults are left to them."""
    written = re.fullmatch(r"([^(@]+)(?:\((.*)\))?(@.*)?", choice, re.DOTALL)
    if written is None:
        raise SpecError(f"'{choice[:80]}' is no component")
    name, inside, cut = written.group(1), written.group(2) or "", written.group(3)
    needed = ", ".join(part for part in (part.strip() for part in inside.split(",")) if part and "=" not in part)
    entry = f"{name}{f'({needed})' if needed else ''}{'@10' if cut else ''}"
    return "\n".join([*(line for line in value.splitlines() if line.strip()), entry])


def known_values(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What was sent of the form's own fields."""
    return {key: value for key, value in pairs if key in _fields()}
