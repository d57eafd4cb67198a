"""Readers of real formats, and choosing among them."""

from __future__ import annotations

import gzip
from pathlib import Path

import polars as pl
import pytest

from heldout.catalogue import make
from heldout.data.read import read, reader_of
from heldout.data.recognise import reader_for
from heldout.errors import InputError, SpecError, UnknownNameError

ROWS = [(1, 1193, 5.0), (2, 661, 3.0)]


@pytest.mark.parametrize(
    ("name", "text", "key"),
    [
        ("u.data", "1\t1193\t5\t978300760\n2\t661\t3\t978302109\n", "movielens"),
        ("ratings.dat", "1::1193::5::978300760\n2::661::3::978302109\n", "movielens"),
        ("ratings.csv", "userId,movieId,rating,timestamp\n1,1193,5.0,978300760\n2,661,3.0,978302109\n", "csv"),
        ("u1.base", "1\t1193\t5\t978300760\n2\t661\t3\t978302109\n", "csv"),
        ("judged.txt", "1 0  1193\t5\n2  0 661 3\n", "trec_qrels"),
        ("test.qrels", "1 1 1193 5\n2 1 661 3\n", "trec_qrels"),
    ],
)
def test_the_reader_is_chosen_by_name_and_first_lines(tmp_path: Path, name: str, text: str, key: str) -> None:
    plain, packed = tmp_path / name, tmp_path / f"{name}.gz"
    plain.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    for path in (plain, packed):
        reader = reader_for(path)
        assert reader.key == key
        assert list(read(path).to_polars().select("user_id", "item_id", "value").iter_rows()) == ROWS
    assert reader_for(plain).source_digest() != reader_for(packed).source_digest()


@pytest.mark.parametrize("name", ["u.data", "ratings.dat", "ratings.csv", "ratings.dat.gz"])
def test_movielens_finds_the_ratings_in_a_folder(tmp_path: Path, name: str) -> None:
    text = {"u": "1\t5\t3\t9\n", "ratings.d": "1::5::3::9\n", "ratings.c": "userId,movieId,rating,timestamp\n1,5,3,9\n"}
    data = next(v for k, v in text.items() if name.startswith(k)).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    found = read(f'movielens("{tmp_path}")')
    assert (found.users.ids.tolist(), found.items.ids.tolist(), found.value.tolist()) == ([1], [5], [3.0])
    assert read(tmp_path).digest == found.digest


def test_a_folder_without_movielens_says_what_it_expects(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected one of u\.data, ratings\.dat, ratings\.csv"):
        read(f'movielens("{tmp_path}")')
    with pytest.raises(InputError, match="this folder is no data set that a reader knows; it is empty"):
        read(tmp_path)
    (tmp_path / "notes.txt").write_text("none")
    with pytest.raises(InputError, match=r"no data set that a reader knows; found notes\.txt; name a file in it"):
        read(tmp_path)


@pytest.mark.parametrize("ending", ["parquet", "feather", "arrow"])
def test_columnar_files(tmp_path: Path, ending: str) -> None:
    frame = pl.DataFrame(
        {
            "extra": [0, 0],
            "user_id": ["007", "8"],
            "item_id": [3, 4],
            "rating": [5, 4],
            "timestamp": pl.Series([1_000_000_000_000, 0]).cast(pl.Datetime("ms")),
        }
    )
    path = tmp_path / f"r.{ending}"
    frame.write_parquet(path) if ending == "parquet" else frame.write_ipc(path)
    found = read(path)
    assert found.users.ids.tolist() == ["007", "8"]
    assert found.value.tolist() == [5.0, 4.0]
    assert found.time is not None and found.time.tolist() == [1_000_000_000, 0]
    with pytest.raises(InputError, match="no column 'who' for the user; found extra, user_id"):
        read(path, user="who")


def test_a_parquet_file_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "r.parquet").write_text("user,item\n1,2\n")
    with pytest.raises(InputError, match="not a readable Parquet file"):
        read(tmp_path / "r.parquet")


def test_text_forms_readers_and_paths_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "log.tsv"
    path.write_text("a\tx\t1\na\tx\t2\n")
    assert str(reader_of(f'tsv("{path}")')) == f'csv(path="{path}")'
    assert reader_of("simulate").key == "simulate"
    with pytest.raises(UnknownNameError, match="did you mean movielens"):
        read('movielenz("x")')
    with pytest.raises(InputError, match="no such file"):
        read("nowhere.csv")
    with pytest.raises(InputError, match="a int is no source"):
        read(3)
    with pytest.raises(SpecError, match="has its own columns"):
        read(make("reader", f'csv("{path}")'), user="a")


def test_repeated_pairs(tmp_path: Path) -> None:
    path = tmp_path / "log.tsv"
    path.write_text("a\tx\t3\t20\na\tx\t4\t10\n")
    with pytest.raises(InputError, match=r"log\.tsv: 1 repeated \(user, item\) pairs"):
        read(path)
    assert read(path, duplicates="latest").value.tolist() == [3.0]
    assert read(path, duplicates="sum").value.tolist() == [7.0]
    assert read(path, duplicates="max").value.tolist() == [4.0]
    with pytest.raises(SpecError, match="latest, sum, max, error"):
        read(path, duplicates="first")  # type: ignore[arg-type]
