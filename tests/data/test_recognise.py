"""Which reader a file is for, by its name and its first lines."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tests.data.files import log_of, rows, write

from heldout import read
from heldout.data.recognise import reader_for
from heldout.data.runs import read_run
from heldout.errors import InputError

ROWS = [(1, 1193, 5.0), (2, 661, 3.0)]


@pytest.mark.parametrize(
    ("name", "text", "key"),
    [
        ("u.data", "1\t1193\t5\t978300760\n2\t661\t3\t978302109\n", "movielens"),
        ("ratings.dat", "1::1193::5::978300760\n2::661::3::978302109\n", "movielens"),
        ("ratings.csv", "userId,movieId,rating,timestamp\n1,1193,5.0,978300760\n2,661,3.0,978302109\n", "csv"),
        ("u1.base", "1\t1193\t5\t978300760\n2\t661\t3\t978302109\n", "csv"),
        ("judged.txt", "1 0  1193\t5\n2  0 661 3\n", "trec_qrels"),
        ("timed.txt", "1 Q0 1193 5 881250949\n2 Q0 661 3 881250950\n", "trec_qrels"),
        ("timed.csv", "1\t0\t1193\t5\t1998-01-02\n2\t0\t661\t3\t1998-01-03\n", "trec_qrels"),
        ("timed.tsv", "1 Q0 1193 5 881250949\n2 Q0 661 3 881250950\n", "trec_qrels"),
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


@pytest.mark.parametrize("name", ["r.txt", "r.csv", "r.tsv"])
def test_judgements_with_a_fifth_column(tmp_path: Path, name: str) -> None:
    assert rows(log_of(tmp_path, "7 Q0 10 1 881250949\n", name)) == [(7, 10, 1.0)]
    for fifth in ("0.9", "3", "tag"):
        text = f"7 Q0 10 1 {fifth}\n8 Q0 11 1 {fifth}\n"
        with pytest.raises(InputError, match=r"judgements .* or a run without a tag .*say trec_qrels\("):
            log_of(tmp_path, text, name)
        assert rows(log_of(tmp_path, text, "r.qrels")) == [(7, 10, 1.0), (8, 11, 1.0)]
    for separator in (",", ";", "\t"):
        text = "7 Q0 10 1 881250949\n8 Q0 11 1 881250949\n".replace(" ", separator)
        with pytest.raises(InputError, match=r"the second column is Q0.*user=1, item=3, value=4"):
            log_of(tmp_path, text if separator != "\t" else text.replace("\t881250949", ""), name, value="auto")
        assert rows(log_of(tmp_path, text, name, user="1", item="3", value="4", time=None)) == [(7, 10, 1.0), (8, 11, 1.0)]
    for text in ("7 0 10 1 881250949\n8 0 11 1 881250950\n", "7 Q0 10 1 881250949\n8 Q0 11 1 881250950\n"):
        with pytest.raises(InputError, match=r"these are judgements|the second column is Q0.*score=5"):
            read_run(write(tmp_path / name, text))


def test_ratings_of_one_item_with_times_are_not_judgements(tmp_path: Path) -> None:
    assert rows(log_of(tmp_path, "7 0 4 881250949\n8 0 5 881250950\n", "r.txt")) == [(7, 0, 4.0), (8, 0, 5.0)]
