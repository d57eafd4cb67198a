"""One split by itself, outside a study."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from heldout.catalogue import classes, make
from heldout.data.paths import is_there
from heldout.errors import SpecError
from heldout.experiment.folds import look
from heldout.splits.carve import with_groups, with_validation
from heldout.tables import Interactions, Split


@dataclass(frozen=True, eq=False)
class Divided:
    """The folds of one split, the data they divide (none where files bring their own) and how it was made."""

    text: str
    summary: str
    splits: tuple[Split, ...]
    data: Interactions | None
    skipped: tuple[tuple[str, int], ...] = ()


def divide(
    splitter: str,
    source: str | None,
    filters: Sequence[str] = (),
    *,
    validation: str | None = None,
    development: float | None = None,
    seed: int = 1,
    on_bad_rows: str = "error",
    overlap_allowed: bool = False,
) -> Divided:
    """Read, filter and split; `overlap_allowed` takes files with pairs in both parts, which an audit tells of."""
    _refuse_swapped(splitter, source)
    by = make("split", splitter)
    if on_bad_rows != "error" and hasattr(by, "on_bad_rows"):
        by = by.replace(on_bad_rows=on_bad_rows)
    if source is None and by.needs_data:
        raise SpecError(f"{by} divides a data set, and none is named", hint=f'such as heldout split "{by}" ratings.csv')
    if source is not None and not by.needs_data:
        raise SpecError(f"{by} brings its own ratings, so {source} plays no part", hint="leave the data out")
    looked = look(source, filters, seed=seed, on_bad_rows=on_bad_rows) if source is not None else None
    data = looked.data if looked is not None else None
    made = by.unchecked(data, seed=seed) if overlap_allowed else by.split(data, seed=seed)
    splits = []
    for split in made:
        if validation is not None:
            split = with_validation(split, make("split", validation), seed=seed)
        if development is not None:
            split = with_groups(split, development, seed=seed)
        splits.append(split)
    return Divided(str(by), by.summary(), tuple(splits), data, looked.skipped if looked is not None else ())


def _refuse_swapped(splitter: str, source: str | None) -> None:
    """SpecError where the data stand in the place of the split."""
    known = {name.casefold() for cls in classes("split") for name in (cls.key, *cls.aliases)}
    first, second = (text.partition("(")[0].strip().casefold() for text in (splitter, source or ""))
    if first in known:
        return
    if second in known or (source is None and is_there(splitter)):
        right = f"heldout split {shlex.quote(source or 'ratio')} {shlex.quote(splitter)}"
        raise SpecError(f"the split comes first, then the data; found {splitter} first", hint=f"such as {right}")
