"""Study files: TOML whose keys are the stage words, checked as a whole before anything runs."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from heldout.catalogue import KINDS, Component, classes, signature
from heldout.catalogue.text import refuse_surrogates
from heldout.data.frames import is_arrays, is_column, is_frame, not_a_table
from heldout.data.paths import near_files
from heldout.errors import HeldoutError, InputError, SpecError, UnknownNameError, all_of, brief, warn_spelling
from heldout.study.comparison import settled_table
from heldout.study.file_tables import CompareTable, DataTable, MetaTable, MultiverseTable, NamedSystem, Options, OwnMeasure
from heldout.study.single_values import TASKS
from heldout.study.spec import Study, make_study
from heldout.study.stages import KINDS_OF_STAGE
from heldout.tables import Interactions

DEEPEST = 8
"""How many lists and tables may stand inside one another in a study file."""
Chains = str | list[str | list[str]]
Place = tuple[Any, ...]
"""Where something stands in a study file: its key, then numbers of list entries and keys of tables."""


class StudyFile(BaseModel):
    """A Heldout study: each key is a decision of an offline evaluation; a list of values is several options."""

    model_config = ConfigDict(extra="forbid")

    title: str | None = Field(default=None, description="title of the report")
    task: str | None = Field(default=None, description=f"what the system is for: {', '.join(TASKS)}")
    seed: int | None = Field(default=None, description="fixes everything random")
    data: str | DataTable | list[str | DataTable] | None = Field(default=None, description="path, text form or table")
    truth: str | DataTable | None = Field(
        default=None, description="for `heldout truth`: ratings of items drawn at random, from the same users"
    )
    truth_design: str | None = Field(
        default=None,
        description="for `heldout truth`: halve the random sample that the ratings are part of (halves), or not (whole)",
    )
    filters: Chains | None = Field(default=None, description="selection of data; an inner list is one chain")
    split: Options | None = Field(default=None, description="how ratings are divided into train and test")
    validation: str | None = Field(default=None, description="a split that carves validation ratings out of train")
    development: float | None = Field(
        default=None, gt=0, description="share or number of test users for development; the others are for evaluation"
    )
    users: Chains | None = Field(default=None, description="which users are tested; an inner list is one chain")
    recommend: str | list[str | NamedSystem] | None = Field(default=None, description="the systems that are compared")
    fallback: Options | None = Field(default=None, description="what follows when a system cannot score an item")
    relevance: Options | None = Field(default=None, description="which test ratings are relevant")
    target: Options | None = Field(default=None, description="which items compete")
    unrated: Options | None = Field(default=None, description="what an unrated item counts as")
    ties: Options | None = Field(default=None, description="the order of equal scores")
    metrics: str | list[str | OwnMeasure] | None = Field(
        default=None, description="metrics, such as nDCG(gain=exp2)@[5,10], or tables of a metric and its own aggregation"
    )
    objectives: Options | None = Field(
        default=None, description="descriptive metrics, such as ILD@10, by which systems are compared all the same"
    )
    aggregate: Options | None = Field(default=None, description="users' values → one number")
    undefined: Options | None = Field(default=None, description="what an undefined value counts as")
    coverage: Options | None = Field(default=None, description="what a user without recommendations counts as")
    compare: Options | CompareTable | None = Field(default=None, description="significance tests, or a table")
    engine: str | None = Field(default=None, description="where systems are fitted: here, or side by side by ray")
    multiverse: MultiverseTable | None = Field(
        default=None, description="for `heldout multiverse`: seeds, cut-offs and gain maps that multiply the options"
    )
    meta: MetaTable | None = Field(default=None, description="for `heldout meta`: how metrics are tried")


_EXPECTED = {
    "string_type": "a text",
    "list_type": "a list",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "greater_than": "a number above 0",
    "less_than": "a number below 1",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "dict_type": "a table",
}
"""What pydantic's error types ask for, in words."""
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
    try:
        StudyFile.model_validate({key: _written(key, value) for key, value in keys.items() if (key,) not in refused})
    except ValidationError as error:
        refused |= _by_place(error)
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


_TRIED = ("str", DataTable.__name__, NamedSystem.__name__, OwnMeasure.__name__, CompareTable.__name__)
"""Types of which pydantic tells, besides lists, that it tried them."""


def _by_place(error: ValidationError) -> dict[Place, HeldoutError]:
    """What is wrong at each place."""
    tried: dict[Place, list[Any]] = {}
    for problem in error.errors():
        place = tuple(p for p in problem["loc"] if isinstance(p, int) or not (p in _TRIED or p.startswith("list[")))
        tried.setdefault(place, []).append(problem)
    # A value may be a text, a list or a table: what went wrong deepest inside is about the one that was meant.
    outer = {place[:depth] for place in tried for depth in range(1, len(place))}
    strange = {place[:-1] for place, problems in tried.items() if problems[0]["type"] == "extra_forbidden"}
    return {
        place: _problem(place, problems)
        for place, problems in tried.items()
        if place not in outer and not (problems[0]["type"] == "missing" and place[:-1] in strange)  # it is misspelt
    }


def _problem(place: Place, problems: Sequence[Any]) -> SpecError:
    """One error for all types that were tried with the value at one place."""
    first, key = problems[0], str(place[-1])
    if first["type"] == "extra_forbidden":
        table = next((t for t in (CompareTable, NamedSystem, OwnMeasure) if t.__name__ in first["loc"]), StudyFile)
        own_tables: dict[Any, type[BaseModel]] = {"multiverse": MultiverseTable, "meta": MetaTable}
        names = (own_tables.get(place[0], table) if len(place) > 1 else table).model_fields
        meant = MEANT.get(key.casefold(), "")
        where = str(place[0]) if len(place) > 1 else ""
        return UnknownNameError("key", key, list(names), where=where, meant=meant if meant in names else "")
    if first["type"] == "missing":
        hint = _EXAMPLES.get(place[0], "")
        return SpecError(where=str(place[0]), found=first["input"], expected=f"a table with '{key}'", hint=hint)
    where = ", ".join([str(place[0]), *(part for part in place[1:] if isinstance(part, str))])
    words = dict.fromkeys(_EXPECTED.get(p["type"]) or p.get("ctx", {}).get("expected", p["msg"]) for p in problems)
    return SpecError(where=where, found=first["input"], expected=" or ".join(words), hint=_EXAMPLES.get(where, ""))


def schema() -> dict[str, Any]:
    """The JSON schema of study files, for editors: keys, their meaning and every known component as an example."""
    schema_of_file = StudyFile.model_json_schema()
    schema_of_file["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema_of_file["title"] = "Heldout study"
    stages = {**KINDS_OF_STAGE, "recommend": "recommender", "compare": "test"}
    for stage, kind in stages.items():
        components = classes(kind)
        entry = schema_of_file["properties"][stage]
        entry["examples"] = [signature(cls) for cls in components]
        entry["description"] += ". Options: " + "; ".join(f"{cls.key}: {cls.summary()}" for cls in components)
        if KINDS[kind].decision:
            entry["description"] += f" (decision {KINDS[kind].decision})"
    return schema_of_file
