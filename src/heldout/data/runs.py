"""Runs: the scored lists that systems produced, in the formats that other tools write and read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from heldout.data.column_table import Table, correct_all, joined_hints
from heldout.data.columns import AUTO, Wanted
from heldout.data.delimited import Shape, parse_table
from heldout.data.dialect import WHITESPACE, is_number, split_blanks
from heldout.data.parquet import SUFFIXES, read_columns
from heldout.data.sniffing import first_lines, refuse_binary
from heldout.data.sources import enough_memory, plain_name, read_bytes
from heldout.data.write import not_trec, write_delimited
from heldout.errors import InputError, SpecError
from heldout.storage.files import write_file
from heldout.tables import Vocabulary
from heldout.tables.arrays import Bool, Float64, Floats, Int32, Int64, frozen, pointers
from heldout.tables.ordering import counted, order_of
from heldout.tables.vocabulary import coded

RUN_SHAPE = Shape(("user", "item", "score"), ("user", "item"), "score")
_TREC: Wanted = {"user": "1", "item": "3", "score": "5"}


@dataclass(frozen=True, eq=False)
class RunFrame:
    """A run as it was written: its users and items in codes, and finite scores, higher is better; each pair once."""

    users: Vocabulary
    """The users of the run, each of whom has a row."""
    user: Int32
    items: Vocabulary
    item: Int32
    score: Float64
    source: str = "run"

    @classmethod
    def of(cls, user_id: pl.Series, item_id: pl.Series, score: Float64, source: str = "run") -> RunFrame:
        """A run of ids and scores; that no pair comes twice is for the caller to check."""
        return cls(*coded(user_id), *coded(item_id), frozen(score, np.float64), source)

    @property
    def user_id(self) -> pl.Series:
        """The user of every row."""
        return self.users.decode(self.user)

    @property
    def item_id(self) -> pl.Series:
        """The item of every row."""
        return self.items.decode(self.item)

    def __len__(self) -> int:
        return len(self.score)


@dataclass(frozen=True, eq=False, kw_only=True)
class MatrixRun:
    """A run as a matrix of users × items, both numbered from 0; NaN and −∞ are no scores.

    No row or column is without a score. Ranks can be counted in it; a `RunFrame` of all its cells is made when it is needed.
    """

    matrix: Float64
    users: Vocabulary
    items: Vocabulary
    item: Int32
    """Code of the item of each column."""
    source: str = "run"

    @classmethod
    def of(cls, matrix: Floats, source: str) -> MatrixRun | None:
        """A run of a matrix; None if a cell is +∞ or a row or column has no score."""
        from heldout.kernels.lists import scan_cells

        scores = np.ascontiguousarray(matrix, np.float64)
        n_users, n_items = scores.shape
        length, listed = np.empty(n_users, np.int64), np.zeros(n_items, np.bool_)
        if scan_cells(scores, length, listed) or not length.all() or not listed.all():
            return None
        users, items = Vocabulary.numbered(n_users), Vocabulary.numbered(n_items)
        return cls(matrix=scores, users=users, items=items, item=np.arange(n_items, dtype=np.int32), source=source)

    def frame(self) -> RunFrame:
        """All cells as rows."""
        user, column = np.nonzero(np.isfinite(self.matrix))
        score = frozen(self.matrix[user, column], np.float64)
        return RunFrame(self.users, frozen(user, np.int32), self.items, self.item[column], score, self.source)


def read_run(
    path: str | Path,
    *,
    user: str = AUTO,
    item: str = AUTO,
    score: str | None = AUTO,
    rank: str | None = AUTO,
    separator: str | None = None,
    header: bool | None = None,
) -> RunFrame:
    """A run of a TREC file, delimited text or Parquet.

    TREC lines are `user Q0 item rank score tag` and are ordered by score, whatever the rank says. Text without a header
    is user, item, score; where the third column holds 1…n for every user it is a rank, and where it may be either, an
    error. A rank becomes the score −rank.
    """
    wanted: Wanted = {"user": user, "item": item, "score": score, "rank": rank}
    with enough_memory(path):
        return _read_run(path, wanted, separator, header)


def _read_run(path: str | Path, wanted: Wanted, separator: str | None, header: bool | None) -> RunFrame:
    name = str(path)
    if Path(plain_name(path)).suffix.lower() in SUFFIXES:
        return run_of(read_columns(path, wanted, RUN_SHAPE.required))
    text = read_bytes(path)
    refuse_binary(text[:4096], file=name)
    if _is_qrels(text):
        raise InputError(
            "these are judgements (user 0 item grade)",
            file=name,
            expected="a run",
            hint="a run is `user Q0 item rank score tag`, or has columns user, item and score",
        )
    columns_named = any(w != AUTO for w in wanted.values()) or separator is not None or header is not None
    if not columns_named and _is_trec(text):
        return run_of(parse_table(text, _TREC, name=name, shape=RUN_SHAPE, separator=WHITESPACE, header=False))
    table = parse_table(text, wanted, name=name, shape=RUN_SHAPE, separator=separator, header=header)
    return run_of(table, third_may_be_rank=table.guessed)


def run_of(table: Table, *, third_may_be_rank: bool = False, known: Vocabulary | None = None) -> RunFrame:
    """A run of columns by role; InputError when there is neither score nor rank, or a pair comes twice.

    If all its items are among `known`, they have the codes that they have there.
    """
    users, user = coded(table.ids("user"))
    items, item = _coded(table.ids("item"), known)
    if "score" in table.columns:
        score = table.numbers("score")
        if third_may_be_rank and holds_ranks(user, score, file=table.origin.name):
            score = -score
    elif "rank" in table.columns:
        score = -table.numbers("rank")
    else:
        raise InputError(
            file=table.origin.name,
            found=list(table.header or table.labels.values()),
            expected="a column score or rank",
        )
    if _repeats(user, item, len(users), len(items)):
        pair = user.astype(np.int64) * len(items) + item
        order = np.argsort(pair, kind="stable")
        repeated = order[1:][np.diff(pair[order]) == 0]
        row, n = int(repeated.min()), len(repeated)
        raise table.origin.error(
            f"user {users.ids[user[row]]} has this item more than once",
            row=row,
            column=table.labels["item"],
            found=items.ids[item[row]],
            hint=joined_hints("keep one row for each pair", correct_all(n)),
        )
    return RunFrame(users, user, items, item, frozen(score, np.float64), table.origin.name)


def _coded(ids: pl.Series, known: Vocabulary | None) -> tuple[Vocabulary, Int32]:
    if known is not None and known.is_text != ids.dtype.is_integer():
        codes = known.encode(ids)
        if codes.min() >= 0:
            return known, codes
    return coded(ids)


_HIGHEST = 10_000_000
"""Ranks are below this: there is no catalogue of so many items that lists are told by their place in it."""
_PLAIN = 10
"""Pairs of neighbouring rows that all fall, or all do not, before their order is believed."""


def holds_ranks(user: Int32, third: Float64, *, file: str) -> bool:
    """Whether the third column ranks each user's items; InputError when it may as well score them.

    Ranks are the whole numbers 1…n (or 0…n−1) in every user's rows, in any order but n…1, which may be points. Whole
    numbers with gaps, and ranks that tie, may be either. Fractions, negative numbers, other repeated numbers and numbers
    that fall from row to row, best first, are scores. Where no user has two rows, nothing depends on it.
    """
    if len(third) == 0 or third.min() < 0 or third.max() >= _HIGHEST or np.any(third != np.floor(third)):
        return False
    order = np.lexsort((third, user))
    starts = pointers(user, int(user.max()) + 1)
    place = np.arange(len(user)) - starts[user[order]]
    ranks = third[order]
    same = place[1:] > 0
    if not same.any():
        return False
    rise = np.diff(ranks)[same]
    if not rise.any():
        return False
    falls = _falls(user, third)
    full = any(bool((ranks == place + first).all()) for first in (0, 1))
    if full and not falls.all():
        return True
    if not full and (falls.all() and len(falls) >= _PLAIN):
        return False
    if not full and not rise.all() and not _tied_ranks(ranks, place, same):
        return False
    raise InputError(
        "the third column may be scores or ranks",
        file=file,
        found=[f"{third[0]:.0f}", f"{third[-1]:.0f}"],
        expected="a header that names it",
        hint="add a first line: user, item, score; or user, item, rank",
    )


def _falls(user: Int32, third: Float64) -> Bool:
    """Of every two neighbouring rows of one user, in the order of the file, whether the second is below the first."""
    order = np.argsort(user, kind="stable")
    same = np.diff(user[order]) == 0
    return np.asarray(np.diff(third[order])[same] < 0)


def _tied_ranks(ranks: Float64, place: Int64, same: Bool) -> bool:
    """Whether sorted numbers are ranks of which some tie: 1, 2, 2, 4 or, from three different ones on, 1, 2, 2, 3."""
    new = np.ones(len(ranks), dtype=np.bool_)
    new[1:] = (np.diff(ranks) != 0) | ~same
    first = place == 0
    lowest = ranks[first]
    if not ((lowest == 0).all() or (lowest == 1).all()):
        return False
    above = ranks - lowest[np.cumsum(first) - 1]
    if ranks.max() - lowest[0] < 2:
        return False
    dense = np.cumsum(new) - 1
    dense = dense - dense[first][np.cumsum(first) - 1]
    begin = np.maximum.accumulate(np.where(new, np.arange(len(ranks)), 0))
    shared = place[begin]
    return bool((above == shared).all() or (above == dense).all())


def _repeats(user: Int32, item: Int32, n_users: int, n_items: int) -> bool:
    """Whether a pair comes twice."""
    from heldout.kernels.lists import first_repeat

    starts = counted(user, n_users)
    if (user[1:] < user[:-1]).any():
        item = item[order_of(user, starts)]
    return bool(first_repeat(starts, item, n_items) >= 0)


def _is_qrels(text: bytes) -> bool:
    """Whether the first lines are `user 0 item grade`, also with a time: as a run they would all name the item 0."""
    rows = [split_blanks(line) for line in first_lines(text, 20)]
    return len(rows) > 1 and all(len(r) in (4, 5) and r[1] == "0" and is_number(r[3]) for r in rows)


def _is_trec(text: bytes) -> bool:
    """Whether the first line is `user Q0 item rank score tag`."""
    row = next((split_blanks(line) for line in first_lines(text, 1)), [])
    return len(row) == 6 and is_number(row[3]) and (is_number(row[4]) or row[1] == "Q0")


FORMATS = {".parquet": "Parquet", ".csv": "CSV", ".tsv": "TSV", ".txt": "TREC", ".run": "TREC", ".trec": "TREC"}
"""Name endings, and what is written under them."""


def format_of(path: str | Path) -> str:
    """The format that a file's name asks for; SpecError when it asks for none."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        found, endings = suffix or Path(path).name, ", ".join(FORMATS)
        raise SpecError("cannot write a run in this format", where=str(path), found=found, expected=f"one of {endings}")
    return FORMATS[suffix]


def frame_of(run: RunFrame) -> pl.DataFrame:
    """Columns user_id, item_id, rank and score of a run whose rows stand by user, best item first."""
    new = np.ones(len(run), bool)
    if len(run):
        new[1:] = (run.user_id[1:] != run.user_id[:-1]).to_numpy()
    first = np.flatnonzero(new)
    rank = np.arange(len(run)) - np.repeat(first, np.diff(np.append(first, len(run)))) + 1
    return pl.DataFrame(
        {
            "user_id": run.user_id,
            "item_id": run.item_id,
            "rank": pl.Series(rank.astype(np.int32)),
            "score": pl.Series(_shortest(run.score)),
        }
    )


def _shortest(score: Float64) -> Floats:
    """Scores as float32 where all of them are such numbers, so that text shows no digits that the model did not give."""
    with np.errstate(over="ignore"):
        single = score.astype(np.float32)
    return single if np.array_equal(single, score) else score


def write_run(run: RunFrame, path: str | Path, *, tag: str = "heldout") -> None:
    """Write a run whose rows stand by user, best item first; afterwards the file is there whole, or not at all.

    Columns of Parquet, CSV and TSV are user_id, item_id, rank and score; TREC lines are `user Q0 item rank score tag`.
    """
    kind, frame = format_of(path), frame_of(run)
    if kind == "TREC":
        _refuse_spaces(frame, path)
        name = "_".join(tag.split()) or "heldout"
        frame = frame.select("user_id", pl.lit("Q0").alias("q"), "item_id", "rank", "score", pl.lit(name).alias("tag"))
    write_file(path, lambda temporary: _write(frame, temporary, kind))


def _write(frame: pl.DataFrame, temporary: Path, kind: str) -> None:
    if kind == "Parquet":
        frame.write_parquet(temporary, compression="zstd")
    elif kind == "TREC":
        frame.write_csv(temporary, include_header=False, separator=" ", quote_style="never")
    else:
        write_delimited(frame, temporary, "\t" if kind == "TSV" else ",")


def _refuse_spaces(frame: pl.DataFrame, path: str | Path) -> None:
    for column in ("user_id", "item_id"):
        if frame[column].dtype == pl.String:
            spaced = frame.filter(not_trec(frame[column]))
            if spaced.height:
                raise SpecError(
                    "TREC runs cannot contain ids with spaces",
                    where=str(path),
                    found=spaced[column][0],
                    hint="write .csv or .parquet",
                )
