"""Which reader a file is for, by its name and its first lines."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from heldout.data.read import read
from heldout.data.recognise import reader_for

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
