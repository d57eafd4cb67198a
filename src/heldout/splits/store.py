"""A split as a folder of files, so that others can use exactly it.

split.json               how it was made, what was dropped, digests of every fold
users.parquet, items.parquet    all ids, in the order of their codes
fold-1/train.parquet, test.parquet, validation.parquet, development.parquet
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from heldout.data.parquet_check import read_checked
from heldout.errors import InputError
from heldout.storage.files import write_file, write_folder, write_text
from heldout.tables import Dropped, Interactions, Split, Vocabulary
from heldout.tables.arrays import frozen
from heldout.tables.time_units import time_series, times_of_series

FORMAT = "heldout split 1"
_PARTS = ("train", "test", "validation")


def save_split(folder: str | Path, splits: Iterable[Split], *, made_by: str, seed: int, data: str = "") -> Path:
    """Write all folds; the folder is there whole or not at all. InputError when it holds anything already."""

    def fill(place: Path) -> None:
        folds: list[dict[str, Any]] = []
        for split in splits:
            if not folds:
                for name, vocabulary in (("users", split.train.users), ("items", split.train.items)):
                    _write_table(pl.DataFrame({"id": vocabulary.series}), place / f"{name}.parquet")
            folds.append(_write_fold(place / f"fold-{split.fold + 1}", split))
        about = {"format": FORMAT, "split": made_by, "seed": seed, "data": data, "folds": folds}
        write_text(place / "split.json", json.dumps(about, indent=1, ensure_ascii=False) + "\n")

    return write_folder(new_folder(folder), fill)


def new_folder(folder: str | Path) -> Path:
    """The folder, if a split can be saved there; InputError when it is a file or holds anything already."""
    place = Path(folder)
    if place.exists() and not place.is_dir():
        raise InputError("is a file", file=place, expected="a new or empty folder")
    if place.is_dir() and any(place.iterdir()):
        raise InputError("is not empty", file=place, expected="a new or empty folder")
    if place.is_dir() and place.samefile(Path.cwd()):
        raise InputError("cannot replace the current folder", file=place, expected="another folder")
    return place


def saved_splits(folder: str | Path) -> Iterator[Split]:
    """The folds of a saved split, the same to the last bit; InputError when a file is missing or was changed."""
    place = Path(folder).expanduser()
    manifest = saved_manifest(place)
    users, items = (_vocabulary(place / f"{name}.parquet") for name in ("users", "items"))
    for number, entry in enumerate(manifest["folds"]):
        fold = place / f"fold-{number + 1}"
        parts = {name: _part(fold / f"{name}.parquet", users, items) for name in _PARTS if name in entry["parts"]}
        development = None
        if entry["development"]:
            development = np.zeros(len(users), dtype=np.bool_)
            development[users.encode(_frame(fold / "development.parquet")["id"])] = True
            development = frozen(development, np.bool_)
        dropped = tuple(Dropped(reason, count) for reason, count in entry["dropped"])
        split = Split(
            train=parts["train"],
            test=parts["test"],
            validation=parts.get("validation"),
            fold=number,
            dropped=dropped,
            development=development,
        )
        if split.digest != entry["digest"]:
            raise InputError(
                "the ratings were modified after they were saved",
                file=fold,
                found=split.digest,
                expected=f"the digest {entry['digest']}",
                hint="save the split again",
            )
        yield split


def saved_manifest(folder: Path) -> dict[str, Any]:
    """What split.json tells."""
    file = folder / "split.json"
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError("split.json is missing", file=folder, expected="a saved split") from None
    except (ValueError, OSError) as error:
        raise InputError(f"cannot be read ({error})", file=file) from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        found = manifest.get("format") if isinstance(manifest, dict) else manifest
        raise InputError("this version cannot read it", file=file, found=found, expected=f"the format '{FORMAT}'")
    return manifest


def _write_fold(fold: Path, split: Split) -> dict[str, Any]:
    parts = {name: getattr(split, name) for name in _PARTS if getattr(split, name) is not None}
    for name, part in parts.items():
        _write_table(_columns(part), fold / f"{name}.parquet")
    if split.development is not None:
        chosen = split.train.users.decode(np.flatnonzero(split.development))
        _write_table(pl.DataFrame({"id": chosen}), fold / "development.parquet")
    return {
        "parts": {name: len(part) for name, part in parts.items()},
        "dropped": [[d.reason, d.count] for d in split.dropped],
        "development": split.development is not None,
        "digest": split.digest,
    }


def _columns(part: Interactions) -> pl.DataFrame:
    """A part with the other end in time of merged pairs, so that the audit of a saved split knows of them."""
    frame = part.to_polars()
    if part.merged_time is None:
        return frame
    return frame.with_columns(merged_time=time_series(part.merged_time, part.time_unit))


def _write_table(frame: pl.DataFrame, file: Path) -> None:
    write_file(file, lambda temporary: frame.write_parquet(temporary), make_folder=True)


def _vocabulary(file: Path) -> Vocabulary:
    ids = _frame(file)["id"]
    restored = Vocabulary.of(ids)
    if len(restored) != len(ids):
        raise InputError("an id occurs twice", file=file, found=ids.filter(ids.is_duplicated())[0])
    return restored


def _part(file: Path, users: Vocabulary, items: Vocabulary) -> Interactions:
    frame = _frame(file)
    time, merged_time = (times_of_series(frame[name]) if name in frame.columns else None for name in ("time", "merged_time"))
    return Interactions.build(
        users,
        items,
        users.encode(frame["user_id"]),
        items.encode(frame["item_id"]),
        frame["value"].to_numpy(),
        time=time[0] if time is not None else None,
        utility=frame["utility"].to_numpy() if "utility" in frame.columns else None,
        merged_time=merged_time[0] if merged_time is not None else None,
        time_unit=time[1] if time is not None else "s",
    )


def _frame(file: Path) -> pl.DataFrame:
    try:
        return read_checked(file)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(f"cannot be read ({str(error).splitlines()[0]})", file=file) from None
