"""Study files: TOML whose keys are the stage words, checked as a whole before anything runs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from heldout.catalogue import KINDS, Component, classes, signature
from heldout.data.frames import is_frame
from heldout.errors import InputError, SpecError, UnknownNameError
from heldout.study.spec import KINDS_OF_STAGE, TASKS, Study, make_study
from heldout.tables import Interactions

Options = str | list[str]
Chains = str | list[str | list[str]]


class DataTable(BaseModel):
    """Data with named columns."""

    model_config = ConfigDict(extra="allow")

    path: str = Field(description="file or folder, relative to the study file")


class NamedSystem(BaseModel):
    """A recommender under a name of one's own."""

    model_config = ConfigDict(extra="forbid")

    name: str
    model: str


class CompareTable(BaseModel):
    """How systems are compared."""

    model_config = ConfigDict(extra="forbid")

    tests: Options = Field(default=["t", "permutation"], description="significance tests; all of them are run")
    correction: str = Field(default="holm", description="correction for many comparisons")
    level: float = Field(default=0.05, gt=0, lt=1, description="the level of significance")
    baseline: str | None = Field(default=None, description="compare only with this system, instead of all pairs")


class StudyFile(BaseModel):
    """A Heldout study: each key is a decision of an offline evaluation; a list of values is several options."""

    model_config = ConfigDict(extra="forbid")

    title: str | None = Field(default=None, description="title of the report")
    task: str | None = Field(default=None, description=f"what the system is for: {', '.join(TASKS)}")
    seed: int | None = Field(default=None, description="fixes everything random")
    data: str | DataTable | list[str | DataTable] | None = Field(default=None, description="path, text form or table")
    filter: Chains | None = Field(default=None, description="selection of data; an inner list is one chain")
    split: Options | None = Field(default=None, description="how ratings are divided into train and test")
    users: Chains | None = Field(default=None, description="which users are tested; an inner list is one chain")
    recommend: str | list[str | NamedSystem] | None = Field(default=None, description="the systems that are compared")
    fallback: Options | None = Field(default=None, description="what follows when a system cannot score an item")
    relevance: Options | None = Field(default=None, description="which test ratings are relevant")
    target: Options | None = Field(default=None, description="which items compete")
    unrated: Options | None = Field(default=None, description="what an unrated item counts as")
    ties: Options | None = Field(default=None, description="the order of equal scores")
    measure: Options | None = Field(default=None, description="metrics, such as nDCG(gain=exp2)@[5,10]")
    aggregate: Options | None = Field(default=None, description="users' values → one number")
    undefined: Options | None = Field(default=None, description="what an undefined value counts as")
    coverage: Options | None = Field(default=None, description="what a user without recommendations counts as")
    compare: Options | CompareTable | None = Field(default=None, description="significance tests, or a table")


def read_study(path: str | Path, *, models: Mapping[str, Any] | None = None) -> Study:
    """A study from a TOML file; paths in it are relative to the file."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError("no such study file", file=path) from None
    except IsADirectoryError:
        raise InputError("is a folder, not a study file", file=path) from None
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 text (byte {error.start})", file=path) from None
    try:
        keys = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is not valid TOML: {error}", file=path) from None
    try:
        return study_from(keys, folder=path.parent, models=models)
    except (SpecError, InputError) as error:
        raise error.within(str(path)) from None


def study_from(keys: Mapping[str, Any], *, folder: Path | None = None, models: Mapping[str, Any] | None = None) -> Study:
    """A study from the keys of a study file, as a dictionary; values may be components, paths and tables in memory too."""
    try:
        StudyFile.model_validate({key: _written(value) for key, value in keys.items()})
    except ValidationError as error:
        raise _first(error) from None
    return make_study(keys, models=models, folder=folder)


def _written(value: Any) -> Any:
    """A value as a study file would have it, for checking the shape of the whole."""
    if isinstance(value, list | tuple):
        return [_written(v) for v in value]
    if isinstance(value, Mapping):
        return {k: _written(v) for k, v in value.items()}
    if isinstance(value, Component | Path):
        return str(value)
    if isinstance(value, str | int | float | None):
        return value
    return "frame" if isinstance(value, Interactions) or is_frame(value) else value


def _first(error: ValidationError) -> SpecError:
    problems = error.errors()
    strange = next((p for p in problems if p["type"] == "extra_forbidden"), None)
    if strange is not None:
        *outer, key = [str(part) for part in strange["loc"]]
        known = CompareTable.model_fields if "compare" in outer else StudyFile.model_fields
        return UnknownNameError("key", key, list(known), where=outer[0] if outer else "")
    first = problems[0]
    key = str(first["loc"][0])
    wanted = StudyFile.model_fields[key].description or ""
    return SpecError(f"found {first['input']!r}, expected {wanted}", where=key)


def schema() -> dict[str, Any]:
    """The JSON schema of study files, for editors: keys, their meaning and every known component as an example."""
    made = StudyFile.model_json_schema()
    made["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    made["title"] = "Heldout study"
    stages = {**KINDS_OF_STAGE, "recommend": "recommender", "compare": "test"}
    for stage, kind in stages.items():
        components = classes(kind)
        entry = made["properties"][stage]
        entry["examples"] = [signature(cls) for cls in components]
        entry["description"] += ". Options: " + "; ".join(f"{cls.key}: {cls.summary()}" for cls in components)
        if KINDS[kind].decision:
            entry["description"] += f" (decision {KINDS[kind].decision})"
    return made
