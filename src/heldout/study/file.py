"""Study files: TOML whose keys are the stage words, checked as a whole before anything runs."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from heldout.catalogue import KINDS, Component, classes, signature
from heldout.catalogue.text import refuse_surrogates
from heldout.data.frames import is_arrays, is_column, is_frame, not_a_table
from heldout.data.paths import near_files
from heldout.errors import HeldoutError, InputError, SpecError, UnknownNameError, all_of, brief, warn_spelling
from heldout.study.comparison import settled_table
from heldout.study.keys import Key, Options, Place, Problem, Table, json_schema, setting, table_problems
from heldout.study.spec import KEYS, Study, make_study
from heldout.tables import Interactions

DEEPEST = 8
"""How many lists and tables may stand inside one another in a study file."""


@dataclass(frozen=True)
class MultiverseTable(Table):
    """What multiplies the options of a study where every combination is tried."""

    seeds: list[int] | None = field(default=None, metadata=setting("seeds; everything random is drawn anew under each"))
    cutoffs: list[int] | None = field(default=None, metadata=setting("depths of every metric that names none itself"))
    gains: Options | None = field(default=None, metadata=setting("gain maps of every graded metric that names none itself"))


_OF_MULTIVERSE = "for `heldout multiverse`: seeds, cut-offs and gain maps that multiply the options"
_KEYS = {**KEYS, "multiverse": Key(about=_OF_MULTIVERSE, written=MultiverseTable)}
FILE_KEYS = {name: _KEYS[name].optional() for name in dict.fromkeys(("title", "task", "seed", *_KEYS))}
"""The keys of a study file; one without a value, which only a dictionary can have, is as one that is left out."""
_EXAMPLES = {
    "data": 'such as data = { path = "ratings.csv", user = "uid" }',
    "recommend": 'such as recommend = ["Popularity", { name = "small", model = "UserKNN(k=10)" }]',
    "metrics": 'such as metrics = ["nDCG@[5, 10]", { metric = "HLU", aggregate = "pooled" }]',
    "target": 'such as target = ["AllItems", "TestItems"]',
    "split": 'such as split = "ratio(train=0.8)"',
    "compare": 'such as compare = { tests = ["t"], correction = "holm", level = 0.05 }',
    "filters": 'such as filters = [["positive(4)", "core(5)"]]',
    "users": 'such as users = [["with_train", "with_relevant"]]',
    "meta": 'such as meta = { sampling = "user", popularity = "train" }',
}


MEANT = {
    "evaluate": "metrics",
    **dict.fromkeys(("model", "models", "system", "systems", "recommender", "recommenders", "algorithms"), "recommend"),
    **dict.fromkeys(("dataset", "datasets", "ratings", "input"), "data"),
    **dict.fromkeys(("significance", "statistics", "test", "tests"), "compare"),
    **dict.fromkeys(("candidates", "targets", "protocol"), "target"),
    **dict.fromkeys(("threshold", "relevant"), "relevance"),
    **dict.fromkeys(("aggregation", "average"), "aggregate"),
    **dict.fromkeys(("preprocess", "preprocessing"), "filters"),
    **dict.fromkeys(("random_seed", "random_state", "seeds"), "seed"),
    **dict.fromkeys(("name", "description"), "title"),
    "workers": "engine",
}
"""Words for a key that others use → the key."""


SPELLINGS = {"measure": "metrics", "measures": "metrics", "metric": "metrics", "filter": "filters"}
"""Other spellings of a key that are read → the key."""


def settled(keys: Mapping[str, Any], file: str | Path = "a study") -> dict[str, Any]:
    """The keys of a study, each in its one spelling; SpecError if a key is written in two.

    Other spellings are read with a SpellingWarning that names the key.
    """
    if not isinstance(keys, Mapping):
        raise SpecError(found=keys, expected="a table with the keys of a study")
    spelt: dict[Any, Any] = {}
    for written in keys:
        key = SPELLINGS.get(written, written)
        if key in spelt:
            raise SpecError(
                "two spellings of one key", where=key, found=[str(spelt[key]), str(written)], hint="keep one of them"
            )
        if key != written:
            warn_spelling(f"{file}: the key '{written}' is read as '{key}'; write {key}")
        spelt[key] = written
    settled_keys = {key: keys[written] for key, written in spelt.items()}
    if isinstance(settled_keys.get("compare"), Mapping):
        settled_keys["compare"] = settled_table(settled_keys["compare"])
    return settled_keys


def read_keys(path: str | Path) -> dict[str, Any]:
    """The keys of a TOML file, each in its one spelling."""
    if not isinstance(path, str | PathLike):
        raise InputError(
            found=type(path).__name__,
            expected="a study: the path of a file, a dict of its keys, or a Study",
            hint='ratings are one of the keys: {"data": ratings, "split": "ratio(train=0.8, by=user)", "recommend": "EASE"}',
        )
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")  # a byte-order mark, as Windows editors write it, is no key
    except FileNotFoundError:
        raise InputError("no such study file", file=path, hint=near_files(path)) from None
    except IsADirectoryError:
        raise InputError("is a folder", file=path, expected="a study file") from None
    except UnicodeDecodeError as error:
        byte = error.object[error.start : error.start + 1]
        raise InputError(f"cannot read byte {error.start + 1:,}", file=path, found=byte, expected="UTF-8 text") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise InputError(f"cannot be read ({getattr(error, 'strerror', None) or error})", file=brief(str(path))) from None
    try:
        keys = tomllib.loads(text)
    except RecursionError:
        raise InputError("nested too deeply", file=path, expected="valid TOML") from None
    except ValueError as error:  # TOMLDecodeError, or a number of thousands of digits
        reason, line = brief(str(error), 300), None
        if place := re.fullmatch(r"(?s)(.+) \(at line (\d+), column (\d+)\)", reason):
            reason, line = f"{place[1]} (character {place[3]})", int(place[2])
        raise InputError(reason, file=path, line=line, expected="valid TOML") from None
    try:
        return settled(keys, path)
    except SpecError as error:
        raise error.within(str(path)) from None


def read_study(path: str | Path, *, models: Mapping[str, Any] | None = None) -> Study:
    """A study from a TOML file; paths in it are relative to the file."""
    keys = read_keys(path)
    try:
        return study_from(keys, folder=Path(path).parent, models=models)
    except (SpecError, InputError) as error:
        raise error.within(str(path)) from None


def study_from(
    keys: Mapping[str, Any],
    *,
    folder: Path | None = None,
    models: Mapping[str, Any] | None = None,
    partial: bool = False,
) -> Study:
    """A study from the keys of a study file, as a dictionary; values may be components, paths and tables in memory too.

    With `partial`, options may go together in some combinations only.
    """
    keys = settled(keys)
    refused = misshapen(keys)
    if keys.get("multiverse") and not partial:
        spans = SpecError(
            "the study spans a multiverse", where="multiverse", hint="use heldout multiverse, or leave this key out"
        )
        refused["multiverse",] = spans
    return make_study(_without(keys, refused), models=models, folder=folder, partial=partial, refused=refused)


def refuse_misshapen(keys: Mapping[str, Any]) -> None:
    """Raise SpecError if a key is unknown, or a value has another type or more nesting than a study file's."""
    refused = misshapen(keys)
    if refused:
        raise all_of(list(refused.values()))


def misshapen(keys: Mapping[str, Any]) -> dict[Place, HeldoutError]:
    """What is unknown, or has another type or more nesting than a study file's: its place → what is wrong with it."""
    refused: dict[Place, HeldoutError] = {}
    for key, value in keys.items():
        try:
            if not isinstance(key, str):
                raise SpecError(found=key, expected="a text as the name of a key")
            _refuse_unwritable(key, value, DEEPEST)
        except SpecError as error:
            refused[key,] = error
    written = {key: _written(key, value) for key, value in keys.items() if (key,) not in refused}
    refused |= _by_place(table_problems(written, FILE_KEYS))
    for place, problem in list(refused.items()):
        if len(place) == 1 and isinstance(problem, UnknownNameError):  # the key that is likely to be meant is not missing
            refused |= {(key,): problem for key in problem.near[:1] if key not in keys}
    return refused


def _without(keys: Mapping[str, Any], refused: Iterable[Place]) -> dict[str, Any]:
    """The keys without what is refused, so that the rest can be checked: keys, entries of lists, keys of `compare`."""
    inner: dict[Any, set[Any]] = {}
    for key, *deeper in refused:
        inner.setdefault(key, set()).add(deeper[0] if deeper else None)
    sound = {key: value for key, value in keys.items() if key not in inner}
    for key, places in inner.items():
        value = keys.get(key)
        if None not in places and isinstance(value, list | tuple):
            sound[key] = [entry for number, entry in enumerate(value) if number not in places]
        elif None not in places and isinstance(value, Mapping) and key == "compare":
            sound[key] = {name: setting for name, setting in value.items() if name not in places}
    return {key: value for key, value in sound.items() if key not in inner or value}


def _refuse_unwritable(key: str, value: Any, deepest: int) -> None:
    """Raise SpecError if a value is nested too deeply, or a text contains characters that a file cannot."""
    if key in ("data", "truth"):
        if is_column(value):
            raise not_a_table(value).within(key)
        if is_arrays(value):
            return
    if deepest == 0:
        raise SpecError("nested too deeply", where=key, expected=f"at most {DEEPEST} levels of lists and tables")
    if isinstance(value, str):
        refuse_surrogates(value, key)
        if "\x00" in value:
            raise SpecError(where=key, found=value, expected="text without NUL characters")
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            _refuse_unwritable(key, str(name), 1)
            _refuse_unwritable(key, inner, deepest - 1)
    elif isinstance(value, list | tuple):
        for inner in value:
            _refuse_unwritable(key, inner, deepest - 1)


def _written(key: str, value: Any) -> Any:
    """A value as a study file would have it, for checking the shape of the whole."""
    if key in ("data", "truth") and is_arrays(value):
        return "frame"
    if isinstance(value, list | tuple):
        return [_written(key, v) for v in value]
    if isinstance(value, Mapping):
        return {k: _written(key, v) for k, v in value.items()}
    if isinstance(value, Component | Path):
        return str(value)
    if isinstance(value, type) and issubclass(value, Component):
        return value.key
    if isinstance(value, str | int | float | None):
        return value
    return "frame" if isinstance(value, Interactions) or is_frame(value) else value


def _by_place(found: Iterable[Problem]) -> dict[Place, HeldoutError]:
    """What is wrong at each place."""
    tried: dict[Place, list[Problem]] = {}
    for problem in found:
        tried.setdefault(problem.place, []).append(problem)
    # A value may be a text, a list or a table: what went wrong deepest inside is about the one that was meant.
    outer = {place[:depth] for place in tried for depth in range(1, len(place))}
    strange = {place[:-1] for place, (first, *_) in tried.items() if first.known}
    return {
        place: _error(place, problems)
        for place, problems in tried.items()
        if place not in outer and not (problems[0].missing and place[:-1] in strange)  # it is misspelt
    }


def _error(place: Place, problems: Sequence[Problem]) -> SpecError:
    """One error for all types that were tried with the value at one place."""
    first, key = problems[0], str(place[-1])
    if first.known:
        meant = MEANT.get(key.casefold(), "")
        where = str(place[0]) if len(place) > 1 else ""
        return UnknownNameError("key", key, first.known, where=where, meant=meant if meant in first.known else "")
    if first.missing:
        hint = _EXAMPLES.get(place[0], "")
        return SpecError(where=str(place[0]), found=first.found, expected=f"a table with '{key}'", hint=hint)
    where = ", ".join([str(place[0]), *(part for part in place[1:] if isinstance(part, str))])
    words = dict.fromkeys(problem.expected for problem in problems)
    return SpecError(where=where, found=first.found, expected=" or ".join(words), hint=_EXAMPLES.get(where, ""))


def schema() -> dict[str, Any]:
    """The JSON schema of study files, for editors: keys, their meaning and every known component as an example."""
    tables: dict[str, Any] = {}
    whole = json_schema(FILE_KEYS, tables)
    for name, declared in FILE_KEYS.items():
        entry = whole["properties"][name]
        if declared.kind:
            components = classes(declared.kind)
            entry["examples"] = [signature(cls) for cls in components]
            entry["description"] += ". Options: " + "; ".join(f"{cls.key}: {cls.summary()}" for cls in components)
            if KINDS[declared.kind].decision:
                entry["description"] += f" (decision {KINDS[declared.kind].decision})"
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Heldout study",
        "description": "Each key is a decision of an offline evaluation; a list of values is several options.",
        **whole,
        "additionalProperties": False,
        "$defs": tables,
    }


TABLES = ("compare", "multiverse", "meta")
"""Keys that hold a table whose own keys are listed one by one."""


def written_keys(keys: Mapping[str, Any]) -> list[str]:
    """The keys that are written, sorted, those of tables as `compare.level`; a list of tests is `compare.tests`."""
    written = {key for key, value in keys.items() if value is not None and key not in TABLES}
    for table in TABLES:
        value = keys.get(table)
        if isinstance(value, Mapping):
            written |= {f"{table}.{key}" for key, inner in value.items() if inner is not None}
        elif value is not None:
            written.add(f"{table}.tests")
    return sorted(written)
