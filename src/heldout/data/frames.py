"""Tables in memory: anything narwhals knows (polars, pandas, pyarrow, DuckDB) or that speaks Arrow, dicts, matrices, tuples
of arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from heldout.data.column_table import BadRows, FrameOrigin, Table, log_of
from heldout.data.columns import AUTO, Wanted, by_name, repeated_column
from heldout.data.nested import (
    columns_of_dense,
    columns_of_dict,
    columns_of_matrix,
    is_by_user,
    is_dense,
    is_sparse,
    series_of,
)
from heldout.data.runs import RUN_SHAPE, MatrixRun, RunFrame, run_of
from heldout.data.sources import plain_name
from heldout.errors import InputError
from heldout.tables import Interactions, Log, Vocabulary
from heldout.text.phrases import listed

_PAIR = 2
_ONE_TYPE = "make each column one type: ids texts or whole numbers, values numbers"


def log_from_frame(
    frame: Any,
    *,
    user: str = AUTO,
    item: str = AUTO,
    value: str | None = AUTO,
    time: str | None = AUTO,
    utility: str | None = AUTO,
    time_format: str | None = None,
    on_bad_rows: BadRows = "error",
    name: str = "frame",
) -> Log:
    """Ratings of a frame; columns are found by their usual names, and None says that there is none.

    A tuple of arrays is (user, item), (user, item, value) or (user, item, value, time). A dict may hold, for each user,
    values by item or a list of items; of a matrix, sparse or dense, rows are users and columns items. Dates in texts are
    ISO, or as `time_format` says, which also reads dates written as numbers.
    """
    wanted = {"user": user, "item": item, "value": value, "time": time, "utility": utility}
    table = table_of(frame, wanted, ("user", "item", "value", "time"), ("user", "item"), name=name)
    return log_of(replace(table, time_format=time_format), on_bad_rows)


def run_from_frame(
    frame: Any,
    *,
    user: str = AUTO,
    item: str = AUTO,
    score: str | None = AUTO,
    rank: str | None = AUTO,
    name: str = "frame",
    known: Vocabulary | None = None,
) -> RunFrame:
    """A system's scores of a frame; where there is only a rank, the score is −rank.

    A tuple of arrays is (user, item, score). A dict may hold, for each user, scores by item or a list of items, best first.
    """
    wanted = {"user": user, "item": item, "score": score, "rank": rank}
    return run_of(table_of(frame, wanted, RUN_SHAPE.order, ("user", "item"), name=name), known=known)


def run_of_matrix(matrix: Any, name: str) -> RunFrame | MatrixRun:
    """A system's scores of a dense matrix; as rows if it has integers, +∞, or a row or column without a score."""
    return (MatrixRun.of(matrix, name) if matrix.dtype.kind == "f" else None) or run_from_frame(matrix, name=name)


def is_frame(source: Any) -> bool:
    """Whether a source is a table in memory."""
    return isinstance(source, Mapping | tuple) or _is_matrix(source) or _is_native(source)


def named_runs(runs: Any) -> dict[str, Any]:
    """Runs by name: a dict of them, or a single one, which is called after its file, or `run`.

    A dict is a single run where none of its values is a run by itself: they are columns, or what it lists for each user.
    """
    if isinstance(runs, str | Path):
        return {Path(plain_name(runs)).stem: runs}
    _refuse_tensor(runs, "the run")
    if _is_matrix(runs) or is_by_user(runs):  # before other dicts, since a sparse matrix by keys (dok) is one too
        return {"run": runs}
    if isinstance(runs, Mapping):
        for name, run in runs.items():
            if _dimensions(run) > 1:
                _refuse_tensor(run, f"the run {name!r}")
        if not (runs and all(map(_is_column, runs.values()))):
            return {str(name): run for name, run in runs.items()}
    if isinstance(runs, RunFrame) or is_frame(runs):
        return {"run": runs}
    if is_column(runs):
        raise not_a_table(runs).within("the runs")
    raise InputError(
        found=type(runs).__name__,
        expected="a run, or runs by name",
        hint='pass them by name, such as {"A": run_a, "B": run_b}',
    )


def _refuse_tensor(run: Any, what: str) -> None:
    """Raise InputError if a run has a shape and is not an array or table: a tensor of torch, JAX or the like.

    Tensors are not read, since they may be on another device.
    """
    if _dimensions(run) and not isinstance(run, np.ndarray) and not is_frame(run) and not is_column(run):
        kind = f"{type(run).__module__.partition('.')[0]} {type(run).__name__}"
        raise InputError(
            f"{what} is a tensor",
            found=f"{kind} of shape {tuple(run.shape)}",
            expected="a NumPy array",
            hint="pass scores.detach().cpu().numpy() of torch, np.asarray(scores) of JAX",
        )


def _dimensions(run: Any) -> int:
    """Number of dimensions of an array or tensor; 0 for anything without a shape."""
    shape = getattr(run, "shape", ())
    return len(shape) if hasattr(shape, "__len__") else 0


def _is_column(held: Any) -> bool:
    """Whether something is a sequence of ids or numbers and so no run by itself, as a tuple of arrays is."""
    if not hasattr(held, "__len__") or isinstance(held, str | Path | Mapping | RunFrame) or _is_matrix(held):
        return False
    if isinstance(held, tuple):
        return not any(hasattr(part, "__len__") and not isinstance(part, str) for part in held)
    return not _is_native(held)


def is_arrays(source: Any) -> bool:
    """Whether a source is a sparse matrix, or a dict or tuple of columns: sequences that are neither texts nor tables."""
    if _is_matrix(source) or is_by_user(source):
        return True
    if not isinstance(source, Mapping | tuple) or len(source) < _PAIR:
        return False
    columns = source.values() if isinstance(source, Mapping) else source
    return all(
        hasattr(c, "__len__") and not isinstance(c, str | Mapping | Path | Interactions) and not _is_native(c)
        for c in columns
    )


def _is_matrix(source: Any) -> bool:
    return is_sparse(source) or is_dense(source)


def _is_native(source: Any) -> bool:
    return _speaks_arrow(source) or narwhals_table(source, pass_through=True) is not source


def narwhals_table(source: Any, name: str = "frame", **options: Any) -> Any:
    """A table of a library that narwhals knows, in its form; InputError if two columns have the same name."""
    import narwhals as nw

    try:
        return nw.from_native(source, **options)
    except nw.exceptions.DuplicateError:
        labels = [str(label) for label in getattr(source, "columns", ())]
        twice = next((label for label in labels if labels.count(label) > 1), None)
        raise repeated_column(twice, labels.count(twice) if twice is not None else 2, name) from None


def is_column(source: Any) -> bool:
    """True for a Series of polars or pandas, or a single column of another library, which is not a table."""
    import narwhals as nw

    return nw.from_native(source, series_only=True, pass_through=True) is not source


def not_a_table(source: Any) -> InputError:
    """The error for a single column in the place of a table."""
    names = [str(name) for name in getattr(getattr(source, "index", None), "names", None) or () if name is not None]
    hint = f"its index holds {listed(names)}: pass series.reset_index()" if names else ""
    return InputError(
        "this is a single column", found=type(source).__name__, expected="a table of users and items", hint=hint
    )


def _speaks_arrow(source: Any) -> bool:
    """Whether a source is a table of `datasets`, or of any library that hands out its columns as Arrow."""
    return _is_hugging_face(source) or (hasattr(source, "__arrow_c_stream__") and not is_column(source))


def _is_hugging_face(source: Any) -> bool:
    """Whether a source is a `datasets.Dataset`, whose Arrow table lacks its selection of rows."""
    return type(source).__module__.startswith("datasets.") and callable(getattr(source, "with_format", None))


def _arrow_frame(source: Any, name: str) -> Any:
    """A table of `datasets` or of any library that speaks Arrow as a polars frame; others as they are."""
    if _is_hugging_face(source):
        if isinstance(source, Mapping):
            parts = [str(part) for part in source]
            raise InputError(
                file=name, found=parts, expected="one table", hint=f'pass one of them, such as data["{parts[0]}"]'
            )
        return pl.from_arrow(source.with_format("arrow")[:])
    if hasattr(source, "__arrow_c_stream__") and narwhals_table(source, name, pass_through=True) is source:
        try:
            return pl.DataFrame(source)
        except pl.exceptions.DuplicateError:
            raise repeated_column(None, 2, name) from None
        except pl.exceptions.SchemaError:
            raise not_a_table(source).within(name) from None
    return source


def table_of(frame: Any, wanted: Wanted, order: tuple[str, ...], required: tuple[str, ...], *, name: str) -> Table:
    """The wanted columns of a frame by role; InputError when one is missing or there are no rows."""
    if isinstance(frame, tuple):
        if not 2 <= len(frame) <= len(order):
            raise InputError(file=name, found=len(frame), expected=f"a tuple of 2 or more of {', '.join(order)}")
        frame = dict(zip(order, frame, strict=False))
    numeric = order[_PAIR]
    if is_column(frame):
        raise not_a_table(frame).within(name)
    frame = _arrow_frame(frame, name)
    if is_sparse(frame):
        frame = columns_of_matrix(frame, numeric, name=name)
    if is_dense(frame):
        frame = columns_of_dense(frame, numeric, name=name)
    if isinstance(frame, Mapping):
        frame = columns_of_dict(frame, wanted, numeric, name=name)
        frame = _from_arrays({str(k): v for k, v in frame.items()}, name)
    columns, labels, names = _selected(frame, wanted, required, name)
    if len(columns["user"]) == 0:
        raise InputError("the frame is empty", file=name, expected="at least one row")
    return Table(columns=columns, labels=labels, origin=FrameOrigin(name), header=names)


def _selected(
    frame: Any, wanted: Wanted, required: tuple[str, ...], name: str
) -> tuple[dict[str, pl.Series], dict[str, str], tuple[str, ...]]:
    import narwhals as nw

    try:
        wrapped = narwhals_table(frame, name)
        names = [str(c) for c in wrapped.collect_schema().names()]
    except TypeError:
        raise InputError(
            file=name,
            found=type(frame).__name__,
            expected="a polars, pandas, pyarrow or DuckDB table, a dict, a matrix or a tuple of arrays",
        ) from None
    try:
        places = by_name(names, wanted, required, file=name)
    except InputError as error:
        indexed = [str(level) for level in getattr(getattr(frame, "index", None), "names", None) or () if level is not None]
        if not indexed:
            raise
        error.hint = f"its index holds {listed(indexed)}: pass frame.reset_index()"
        raise
    labels = {role: names[k] for role, k in places.items()}
    part = wrapped.select(*dict.fromkeys(labels.values()))
    if part.implementation.is_pandas():
        _refuse_mixed(part.to_native(), name)
    try:
        columns_read = part.collect(backend="polars").to_polars() if isinstance(part, nw.LazyFrame) else part.to_polars()
    except (
        TypeError,
        ValueError,
        ArithmeticError,
        NotImplementedError,
        pl.exceptions.PolarsError,
        pl.exceptions.PanicException,  # over types that polars lacks, such as decimals of 256 bits
    ) as error:  # also pyarrow's
        raise InputError(
            f"a column contains values of several types, or of one that is not read ({str(error).splitlines()[0]})",
            file=name,
            hint=_ONE_TYPE,
        ) from error
    return {role: columns_read[label] for role, label in labels.items()}, labels, tuple(names)


def _refuse_mixed(frame: Any, name: str) -> None:
    """InputError where a pandas column holds objects of several types, some of which make pyarrow end the process."""
    from pandas.api.types import infer_dtype

    for label in frame.columns:
        column = frame[label]
        if column.dtype == object and infer_dtype(column, skipna=True) in ("mixed", "mixed-integer"):
            raise InputError(
                "this column contains values of several types",
                file=name,
                column=str(label),
                hint=_ONE_TYPE,
            )


def _from_arrays(arrays: dict[str, Any], name: str) -> pl.DataFrame:
    lengths = {k: len(v) for k, v in arrays.items() if hasattr(v, "__len__")}
    if len(set(lengths.values())) > 1:
        found = [f"{k} {n}" for k, n in lengths.items()]
        raise InputError(file=name, found=found, expected="arrays of the same length")
    columns = {label: series_of(label, values, name) for label, values in arrays.items()}
    try:
        return pl.DataFrame(columns)
    except pl.exceptions.PolarsError as error:
        raise InputError(f"cannot make a table of these arrays ({str(error).splitlines()[0]})", file=name) from error
