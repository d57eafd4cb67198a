"""Rows in any number of Parquet files, here or in an object store: checked by their schemas, read block by block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from heldout.data.column_table import LARGEST_EXACT, correct_all
from heldout.data.columns import Wanted, by_name
from heldout.data.file_patterns import files_of
from heldout.data.parquet import columnar
from heldout.data.parquet_check import refuse_damaged
from heldout.errors import InputError

ROWS_OF_BLOCK = 1 << 21
"""Rows that are read at a time."""
_REMOTE = ("s3://", "s3a://", "gs://", "gcs://", "az://", "abfs://", "abfss://", "adl://", "http://", "https://", "hf://")
_FILE = "heldout: file"
_IDS = ("user", "item")
_DENIED = ("403", "401", "accessdenied", "access denied", "forbidden", "permission", "unauthorized", "credential")


def is_remote(path: object) -> bool:
    """Whether a path is an address in an object store."""
    return str(path).startswith(_REMOTE)


@dataclass(frozen=True, eq=False, kw_only=True)
class ParquetFiles:
    """Parquet files that hold the same columns; ids are whole numbers in all of them, or texts in all."""

    path: str
    """A file, a pattern of many, or an address such as s3://bucket/runs/*.parquet."""
    files: tuple[str, ...]
    labels: Mapping[str, str]
    """By role (user, item, score, …), the name of the column."""
    storage: Mapping[str, str] | None = None
    """What polars is told of the object store: region, keys, endpoint."""

    def scan(self, *roles: str, file: str | None = None, places: bool = False) -> pl.LazyFrame:
        """The columns of these roles, of all files or of one; `places` adds the file that each row is in."""
        source: Any = list(self.files) if file is None else file
        names = _FILE if places else None
        rows = pl.scan_parquet(
            source, storage_options=self._options, glob=False, extra_columns="ignore", include_file_paths=names,
            cast_options=pl.ScanCastOptions(integer_cast="upcast", float_cast="upcast", missing_struct_fields="raise"),
        )  # fmt: skip
        columns = [pl.col(self.labels[role]).cast(self.kinds[role]).alias(role) for role in roles]
        return rows.select(*columns, *([pl.col(_FILE).alias("file")] if places else []))

    def blocks(self, *roles: str) -> Iterator[tuple[str, pl.DataFrame]]:
        """The rows, some at a time and in their order, with the file they are in; a missing value is an InputError."""
        for file in self.files:
            with parquet_errors(file):
                for rows in self.scan(*roles, file=file).collect_batches(chunk_size=ROWS_OF_BLOCK, maintain_order=True):
                    if rows.height:
                        self._refuse_missing(rows, file)
                        yield file, rows

    def rows(self) -> int:
        """How many rows there are, by what the files say of themselves."""
        with parquet_errors(self.path):
            return int(self._lazy().select(pl.len()).collect().item())

    def files_with(self, user: object, item: object) -> list[str]:
        """The files that hold a pair of user and item, by their ids; a file that holds it twice is there twice."""
        texts = [pl.col(role).cast(pl.String) == str(identifier) for role, identifier in (("user", user), ("item", item))]
        with parquet_errors(self.path):
            return self.scan("user", "item", places=True).filter(*texts).select("file").collect().to_series().to_list()

    @cached_property
    def kinds(self) -> dict[str, pl.DataType]:
        """By role, as what its column is read: ids as int64 or text, numbers as they are."""
        with parquet_errors(self.path):
            schema = self._schema(self.files[0])
        return {role: _kind(schema[label], role, self.files[0], label) for role, label in self.labels.items()}

    @cached_property
    def wide(self) -> frozenset[str]:
        """The roles of numbers that are whole and may have more digits than a float64 holds."""
        schema = self._schema(self.files[0])
        return frozenset(
            role for role, label in self.labels.items() if role not in _IDS and schema[label] in (pl.Int64, pl.UInt64)
        )

    def refuse_other_schemas(self) -> None:
        """InputError that names the first file whose columns are not those of the first file."""
        for file in self.files[1:]:
            with parquet_errors(file):
                schema = self._schema(file)
            for role, label in self.labels.items():
                if label not in schema:
                    raise InputError(
                        f"this column is missing, but {self.files[0]} has it",
                        file=file,
                        column=label,
                        found=list(schema),
                        hint="write all files of one source with the same columns, or leave this file out of the pattern",
                    )
                kind = _kind(schema[label], role, file, label)
                if kind != self.kinds[role]:
                    raise InputError(
                        file=file,
                        column=label,
                        found=_words(kind),
                        expected=f"{_words(self.kinds[role])}, as in {self.files[0]}",
                        hint="write all files of one source with the same types, or leave this file out of the pattern",
                    )

    def _lazy(self) -> pl.LazyFrame:
        return pl.scan_parquet(list(self.files), storage_options=self._options, glob=False, extra_columns="ignore")

    def _schema(self, file: str) -> dict[str, pl.DataType]:
        if not is_remote(file):
            refuse_damaged(file, ())
            return dict(pl.read_parquet_schema(file))
        return dict(pl.scan_parquet(file, storage_options=self._options, glob=False).collect_schema())

    @property
    def _options(self) -> dict[str, str] | None:
        return dict(self.storage) if self.storage else None

    def _refuse_missing(self, rows: pl.DataFrame, file: str) -> None:
        for role in rows.columns:
            column = rows[role]
            wrong = int(column.null_count())
            if not wrong and column.dtype.is_float():
                wrong = int((~column.is_finite()).sum())
            if wrong:
                raise InputError(
                    f"the {role} is missing" + ("" if role in _IDS else ", or not finite"),
                    file=file,
                    column=self.labels[role],
                    expected=f"{'an id' if role in _IDS else 'a finite number'} in each row",
                    hint=correct_all(wrong),
                )
            if role in self.wide and rows.height and float(column.abs().max()) >= LARGEST_EXACT:  # type: ignore[arg-type]
                raise InputError(
                    "larger numbers may be equal in double precision, and would tie",
                    file=file,
                    column=self.labels[role],
                    found=int(column.abs().max()),  # type: ignore[arg-type]
                    expected=f"whole numbers below {LARGEST_EXACT:,}",
                    hint="subtract a constant from all of them, or give ranks",
                )


def open_files(
    path: str | Path, wanted: Wanted, required: tuple[str, ...], *, storage: Mapping[str, str] | None = None
) -> ParquetFiles:
    """The Parquet files that a path, a pattern or an address means; their schemas are checked before any row is read."""
    files = _remote_files(str(path), storage) if is_remote(path) else tuple(str(file) for file in files_of(path))
    unnamed = ParquetFiles(path=str(path), files=files, labels={}, storage=storage)
    with parquet_errors(files[0]):
        names = list(unnamed._schema(files[0]))
    places = by_name(names, wanted, required, file=files[0])
    opened = ParquetFiles(
        path=str(path), files=files, labels={role: names[k] for role, k in places.items()}, storage=storage
    )
    opened.refuse_other_schemas()
    for file in files:
        if not is_remote(file):
            refuse_damaged(file, opened.labels.values())
    return opened


def _remote_files(address: str, storage: Mapping[str, str] | None) -> tuple[str, ...]:
    """The files of an address, by name: polars lists the object store."""
    options = dict(storage) if storage else None
    with parquet_errors(address):
        listed = pl.scan_parquet(address, storage_options=options, include_file_paths=_FILE, extra_columns="ignore")
        files = listed.select(pl.col(_FILE).unique().sort()).collect().to_series().to_list()
    if not files:
        raise InputError(file=address, found=0, expected="at least one matching file")
    return tuple(files)


@contextmanager
def parquet_errors(file: object) -> Iterator[None]:
    """Make an InputError of what polars says of a file that cannot be read, with what to do."""
    if not is_remote(file):
        with columnar(Path(str(file))):
            yield
        return
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        why = next(iter(str(error).strip().splitlines()), type(error).__name__)[:200]
        if any(word in str(error).casefold() for word in _DENIED):
            hint = "pass the key and region of an account that may read it (--storage aws_region=…, or the environment)"
            raise InputError(f"the object store denies access ({why})", file=file, hint=hint) from None
        hint = "check the address, the network and --storage (such as aws_endpoint_url=…)"
        raise InputError(f"cannot read the object store ({why})", file=file, hint=hint) from None


def _kind(dtype: pl.DataType, role: str, file: str, label: str) -> pl.DataType:
    """As what a column of this type is read."""
    if role in _IDS:
        if dtype.is_integer() and dtype != pl.UInt64:
            return pl.Int64()
        if dtype in (pl.String, pl.Categorical, pl.Enum):
            return pl.String()
        raise InputError(file=file, column=label, found=dtype, expected="whole numbers or texts as ids")
    if dtype.is_integer() or dtype in (pl.Float32, pl.Float64):
        return pl.Float64()
    raise InputError(file=file, column=label, found=dtype, expected="numbers", hint="write the column as Float64")


def _words(kind: pl.DataType) -> str:
    return {pl.Int64: "whole numbers", pl.String: "texts"}.get(type(kind), "numbers")
