"""Data sources and components whose paths are relative to the study file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from heldout.catalogue import make, parameters
from heldout.data.file_patterns import is_pattern
from heldout.data.frames import is_arrays, is_frame
from heldout.data.memory import InMemory, Source
from heldout.data.paths import is_there
from heldout.data.read import is_text_form, reader_of
from heldout.data.reader import Reader
from heldout.errors import SpecError, for_each
from heldout.metrics.metric import Propensity
from heldout.tables import Interactions


def sources(values: Sequence[Any], folder: Path | None) -> tuple[Source, ...]:
    """All sources, each once; tables in memory are numbered where there are several, so that results tell them apart."""
    distinct = tuple(dict.fromkeys(for_each(lambda value: _source(value, folder), values)))
    if sum(isinstance(s, InMemory) for s in distinct) < 2:
        return distinct
    return tuple(replace(s, name=f"{s.name} {n}") if isinstance(s, InMemory) else s for n, s in enumerate(distinct, start=1))


def _source(value: Any, folder: Path | None) -> Source:
    if isinstance(value, Interactions) or _in_memory(value):
        return InMemory(value)
    if isinstance(value, Mapping) and (isinstance(value.get("path"), Interactions) or _in_memory(value.get("path"))):
        return InMemory(value["path"], columns={name: column for name, column in value.items() if name != "path"})
    source: Source = located(_reader(value, folder), folder)
    return source


def _in_memory(value: Any) -> bool:
    """Whether a value is a frame or arrays."""
    return is_arrays(value) or (not isinstance(value, str | Path | Reader | Mapping | None) and is_frame(value))


def located(component: Any, folder: Path | None) -> Any:
    """The component with its relative paths read from `folder`."""
    if folder is None or folder == Path():
        return component
    changes: dict[str, Any] = {
        field.name: located(getattr(component, field.name), folder)
        for field in parameters(type(component))
        if isinstance(getattr(component, field.name), Propensity)
    }
    for name in ("path", "train", "test", "table"):
        value = getattr(component, name, None)
        if isinstance(value, str):
            changes[name] = _located_text(value, folder)
        elif isinstance(value, tuple) and all(isinstance(v, str) for v in value):
            changes[name] = tuple(_located_text(v, folder) for v in value)
    return component.replace(**changes) if changes else component


def _located_text(value: str, folder: Path) -> str:
    """A path from `folder` on, or a reader's text form with its path so."""
    if is_text_form(value) and not is_there(str(folder / value)):
        return str(located(make("reader", value), folder))
    return str(folder / Path(value).expanduser())


def _reader(value: Any, folder: Path | None) -> Reader:
    if isinstance(value, Reader):
        return value
    if isinstance(value, Mapping):
        columns = dict(value)
        path = columns.pop("path", None)
        if path is None:
            raise SpecError(
                found=dict(value), expected="a table with 'path'", hint='such as { path = "ratings.csv", user = "uid" }'
            )
        return _from_folder(str(path), folder, columns)
    if not isinstance(value, str | Path):
        raise SpecError(found=value, expected="a path, a text form or a table")
    return _from_folder(str(value), folder, {})


def _from_folder(source: str, folder: Path | None, columns: dict[str, Any]) -> Reader:
    """The reader of a path or text form; its path stays relative, as `located` expects."""
    beside = folder / Path(source).expanduser() if folder is not None and folder != Path() else None
    if beside is None or not (is_there(str(beside)) or (is_pattern(beside) and not is_text_form(source))):
        return reader_of(source, **columns)
    return reader_of(beside, **columns).replace(path=source)
