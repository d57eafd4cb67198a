"""The results folder: one Parquet part per task, named by the digest of all it depends on, and a manifest.

A part is written under a temporary name, flushed and renamed, so a folder is valid at every moment: stop at any time,
run the same study again, and only the missing parts are computed.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from heldout.errors import ResultsError
from heldout.study.outcome import Part, Points
from heldout.tables import Protocol, Scores, Vocabulary
from heldout.tables.arrays import frozen
from heldout.tables.scores import is_count

FORMAT = 1
_BEGUN = ".part-"
"""How the temporary names of files begin; a run that was killed may leave some."""
_PROTOCOL = [f.name for f in fields(Protocol)]
_BESIDE = {"system", "fold", "user_id", "length", "computed", "lists", *_PROTOCOL}


class Ledger:
    """A folder of results, opened for a study."""

    def __init__(self, folder: str | Path) -> None:
        """Accept a folder that does not exist yet, is empty, or holds results; refuse any other."""
        self.folder = Path(folder)
        if self.folder.exists():
            if not self.folder.is_dir():
                raise ResultsError(
                    "is a file, not a folder for results", where=str(self.folder), hint="choose another --out"
                )
            others = [p for p in self.folder.iterdir() if not (p.name.startswith(_BEGUN) and p.suffix == ".tmp")]
            if others and not (self.folder / "manifest.json").exists():
                raise ResultsError(
                    "the folder is not empty and holds no results of Heldout",
                    where=str(self.folder),
                    hint="choose another --out",
                )
            if (self.folder / "manifest.json").exists():
                read_manifest(self.folder)
        self._announced: dict[str, Any] = {}

    def announce(self, manifest: dict[str, Any]) -> None:
        """What is about to be run: told with the first part, so that a run that fails before leaves no folder."""
        self._announced = manifest
        nearest = next(p for p in (self.folder, *self.folder.absolute().parents) if p.exists())
        if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
            why = "no permission" if nearest.is_dir() else f"{nearest} is a file"
            raise ResultsError(f"cannot write there ({why})", where=str(self.folder), hint="choose another --out")
        if (self.folder / "manifest.json").exists():
            self.write_manifest(manifest)

    def has(self, key: str) -> bool:
        """Whether a part is there."""
        return self._path(key).exists()

    def save(self, key: str, part: Part) -> None:
        """Write a part; afterwards it is there whole, or not at all."""
        frame = pl.concat([s.to_polars(part.users) for s in part.scores])
        if not (self.folder / "manifest.json").exists():
            self.write_manifest(self._announced)
        if part.curves:
            text = json.dumps([asdict(points) for points in part.curves], ensure_ascii=False) + "\n"
            self.write_text(f"scores/{self._path(key).stem}.curves.json", text)
        self._atomically(self._path(key), lambda name: frame.write_parquet(name, compression="zstd", statistics=False))

    def load(self, key: str) -> Part:
        """Read a part back."""
        path = self._path(key)
        try:
            return replace(part_of(pl.read_parquet(path)), curves=_curves_of(path.with_suffix(".curves.json")))
        except Exception as error:
            why = next(iter(str(error).strip().splitlines()), "no more is known")
            raise ResultsError(
                f"this part of the results cannot be read ({type(error).__name__}: {why})",
                where=str(path),
                hint="delete this file and run the study again",
            ) from error

    def write_manifest(self, manifest: dict[str, Any]) -> None:
        """Write what was run, from what, by what."""
        self.write_text("manifest.json", json.dumps({"heldout": FORMAT, **manifest}, indent=2, ensure_ascii=False) + "\n")

    def write_text(self, name: str, text: str) -> None:
        """Write a text file of the folder, whole or not at all."""
        self._atomically(self.folder / name, lambda temporary: Path(temporary).write_text(text, encoding="utf-8"))

    def _path(self, key: str) -> Path:
        return self.folder / "scores" / f"{key[:32]}.parquet"

    def _atomically(self, path: Path, write: Any) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=_BEGUN, suffix=".tmp")
        except OSError as error:
            raise ResultsError(f"cannot write there ({error.strerror})", where=str(path.parent)) from None
        os.close(handle)
        try:
            write(temporary)
            with open(temporary, "rb") as written:  # noqa: PTH123 - a descriptor is needed to flush to disk
                os.fsync(written.fileno())
            os.chmod(temporary, 0o644)  # noqa: PTH101
            os.replace(temporary, path)  # noqa: PTH105
        except OSError as error:
            raise ResultsError(f"could not be written ({error.strerror})", where=str(path)) from None
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)  # noqa: PTH108


def _curves_of(path: Path) -> tuple[Points, ...]:
    """The curves of a part, written before the part itself; none where no metric has one."""
    if not path.exists():
        return ()
    made = []
    for one in json.loads(path.read_text(encoding="utf-8")):
        protocol = Protocol(**one.pop("protocol"))
        made.append(Points(**{**one, "protocol": protocol, "x": tuple(one["x"]), "y": tuple(one["y"])}))
    return tuple(made)


def part_of(frame: pl.DataFrame) -> Part:
    """Scores from the rows of a part."""
    users = Vocabulary.of(frame["user_id"])
    counts = [c for c in frame.columns if is_count(c)]
    metrics = tuple(c for c in frame.columns if c not in _BESIDE and c not in counts)
    scores = []
    for keys, rows in frame.group_by(["system", "fold", *_PROTOCOL], maintain_order=True):
        system, fold, *choices = keys
        scores.append(
            Scores(
                str(system),
                Protocol(*(str(c) for c in choices)),
                int(fold),
                frozen(users.encode(rows["user_id"]), np.int32),
                metrics,
                frozen(np.column_stack([rows[m].to_numpy() for m in metrics]), np.float64),
                frozen(rows["length"].to_numpy(), np.float64),
                frozen(rows["computed"].to_numpy(), np.float64),
                frozen(rows["lists"].to_numpy(), np.int32),
                {name: frozen(rows[name].to_numpy(), np.float64) for name in counts},
            )
        )
    return Part(tuple(scores), users)


def read_manifest(folder: str | Path) -> dict[str, Any]:
    """The manifest of a results folder; ResultsError when it is none, damaged, or of a newer format."""
    path = Path(folder) / "manifest.json"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        what = "no results are there (manifest.json is missing)" if Path(folder).is_dir() else "no such folder"
        raise ResultsError(what, where=str(folder), hint="name the folder that a run was told by --out") from None
    except (NotADirectoryError, PermissionError) as error:
        raise ResultsError(f"cannot be read ({error.strerror})", where=str(folder)) from None
    except ValueError as error:
        raise ResultsError(
            f"the manifest is damaged ({error})", where=str(path), hint="delete the folder, and run the study again"
        ) from None
    if not isinstance(manifest, dict) or not isinstance(manifest.get("heldout"), int):
        raise ResultsError("this is another program's manifest", where=str(path), hint="name another folder")
    if manifest["heldout"] > FORMAT:
        raise ResultsError(
            f"the results are of format {manifest['heldout']}, this version reads up to {FORMAT}",
            where=str(path),
            hint="upgrade heldout",
        )
    return manifest
