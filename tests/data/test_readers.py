"""Readers of published data sets and formats, and how a file's reader is recognised."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import strategies as st
from tests.data.files import log_of, rows, write
from tests.refusals import refused

from heldout import InputError, SpecError, Split, UnknownNameError, make, read, read_log, read_side
from heldout.data.read import reader_for, reader_of
from heldout.data.runs import read_run
from heldout.errors import UNKNOWN


def test_text_forms_readers_and_paths_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "log.tsv"
    path.write_text("a\tx\t1\na\tx\t2\n")
    assert str(reader_of(f'tsv("{path}")')) == f'csv(path="{path}")'
    assert reader_of("simulate").key == "simulate"
    with refused(UnknownNameError, hint="did you mean movielens?"):
        read('movielenz("x")')
    with refused(InputError, file="nowhere.csv", found=UNKNOWN):
        read("nowhere.csv")
    with refused(InputError, found="int", expected="a path"):
        read(3)
    with refused(InputError, found="Split", hint="split.train or split.test"):
        read(Split(train=read({"user": [1], "item": [2]}), test=read({"user": [1], "item": [3]})))
    for source in (f'csv("{path}")', make("reader", f'csv("{path}")')):
        with refused(SpecError, where=f'csv(path="{path}")', found=["user"]):
            read(source, user="a")


def test_repeated_pairs(tmp_path: Path) -> None:
    path = tmp_path / "log.tsv"
    path.write_text("a\tx\t3\t20\na\tx\t4\t10\n")
    with refused(InputError, file="log.tsv", found=["a", "x"], expected="each pair once", hint='duplicates="latest"'):
        read(path)
    assert read(path, duplicates="latest").value.tolist() == [3.0]
    assert read(path, duplicates="sum").value.tolist() == [7.0]
    assert read(path, duplicates="max").value.tolist() == [4.0]
    with refused(SpecError, where="duplicates", found="first", expected="one of latest, sum, max, error"):
        read(path, duplicates="first")  # type: ignore[arg-type]


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
        with refused(InputError, file=name, line=1, found=text.splitlines()[0], hint="if they are judgements"):
            log_of(tmp_path, text, name)
        assert rows(log_of(tmp_path, text, "r.qrels")) == [(7, 10, 1.0), (8, 11, 1.0)]
    for separator in (",", ";", "\t"):
        text = "7 Q0 10 1 881250949\n8 Q0 11 1 881250949\n".replace(" ", separator)
        with refused(InputError, found="Q0", hint="user=1, item=3, value=4"):
            log_of(tmp_path, text if separator != "\t" else text.replace("\t881250949", ""), name, value="auto")
        assert rows(log_of(tmp_path, text, name, user="1", item="3", value="4", time=None)) == [(7, 10, 1.0), (8, 11, 1.0)]
    for separator in (",", ";"):
        text = "7 0 10 1 881250949\n8 0 11 1 881250949\n".replace(" ", separator)
        with refused(InputError, file=name, line=1, found="0", hint="user=1, item=3, value=4"):
            log_of(tmp_path, text, name)
        assert rows(log_of(tmp_path, text, name, user="1", item="3", value="4", time=None)) == [(7, 10, 1.0), (8, 11, 1.0)]
    for iteration, parts in (("0", {"expected": "a run"}), ("Q0", {"found": "Q0", "hint": "score=5"})):
        with refused(InputError, file=name, **parts):
            read_run(write(tmp_path / name, f"7 {iteration} 10 1 881250949\n8 {iteration} 11 1 881250950\n"))


def test_ratings_of_one_item_with_times_are_not_judgements(tmp_path: Path) -> None:
    assert rows(log_of(tmp_path, "7 0 4 881250949\n8 0 5 881250950\n", "r.txt")) == [(7, 0, 4.0), (8, 0, 5.0)]


@pytest.mark.parametrize("name", ["u.data", "ratings.dat", "ratings.csv", "ratings.dat.gz"])
def test_movielens_finds_the_ratings_in_a_folder(tmp_path: Path, name: str) -> None:
    text = {"u": "1\t5\t3\t9\n", "ratings.d": "1::5::3::9\n", "ratings.c": "userId,movieId,rating,timestamp\n1,5,3,9\n"}
    data = next(v for k, v in text.items() if name.startswith(k)).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    found = read(f'movielens("{tmp_path}")')
    assert (found.users.ids.tolist(), found.items.ids.tolist(), found.value.tolist()) == ([1], [5], [3.0])
    assert read(tmp_path).digest == found.digest


def test_a_folder_without_movielens_says_what_it_expects(tmp_path: Path) -> None:
    with refused(InputError, file=tmp_path, expected="one of u.data, ratings.dat, ratings.csv"):
        read(f'movielens("{tmp_path}")')
    with refused(InputError, file=tmp_path, found=[]):
        read(tmp_path)
    (tmp_path / "notes.txt").write_text("none")
    with refused(InputError, file=tmp_path, found=["notes.txt"], hint="name a file in it"):
        read(tmp_path)
    write(tmp_path / "u.data", "1\t5\t3\t9\n")
    with refused(SpecError, where=str(tmp_path), found=["user"]):
        read(tmp_path, user="x")


NETFLIX = "1:\n1488844,3,2005-09-06\n822109,5,2005-05-13\n2:\n2059652,4,2005-09-05\n"


@pytest.mark.parametrize("name", ["combined_data_1.txt", "training_set/mv_0000001.txt", "combined_data_1.txt.gz"])
def test_netflix(tmp_path: Path, name: str) -> None:
    write(tmp_path / name, gzip.compress(NETFLIX.encode()) if name.endswith("gz") else NETFLIX)
    write((tmp_path / name).parent / "movie_titles.txt", "1,2003,Dinosaur Planet\n2,2004,Isle of Man, TT\n")
    log = read_log(tmp_path)
    assert rows(log) == [(1488844, 1, 3.0), (822109, 1, 5.0), (2059652, 2, 4.0)]
    assert log.time is not None and log.time[0] == 1_125_964_800  # 6 September 2005
    assert read_side(tmp_path).columns["title"].to_list() == ["Dinosaur Planet", "Isle of Man, TT"]
    assert reader_of(tmp_path).source_digest()


def test_netflix_bad_rows(tmp_path: Path) -> None:
    path = write(tmp_path / "combined_data_1.txt", NETFLIX + "7;1;2\n8,x,2005-01-01\n9;\n")
    with refused(InputError, file=path, line=6, found="7;1;2", expected="user,rating,date", hint="all 3 bad rows"):
        read(path)
    log = read_log(path, on_bad_rows="skip")
    assert len(log) == 3
    assert [(s.reason, s.count) for s in log.skipped] == [
        ("not user,rating,date", 2),
        ("column 'rating': not a finite number", 1),
    ]
    lost = write(tmp_path / "mv_2.txt", "1:\n5,3,2005-01-01\n6,4,2005-01-01\nx:\n7,1,2005-01-01\n")
    with refused(InputError, file=lost, line=4, found="x:", expected="a film's id and a colon", hint="all 2 bad rows"):
        make("reader", f'netflix("{lost}")').read()
    log = make("reader", f'netflix("{lost}", on_bad_rows=skip)').read()
    assert rows(log) == [(5, 1, 3.0), (6, 1, 4.0)]
    assert [(s.reason, s.count) for s in log.skipped] == [("not a film's id", 1), ("a rating without a film", 1)]
    with refused(InputError, file="x.txt", line=1, found="5,3,2005-01-01", expected="a film's id and a colon"):
        make("reader", f'netflix("{write(tmp_path / "x.txt", "5,3,2005-01-01")}")').read()


def test_bookcrossing(tmp_path: Path) -> None:
    text = '"User-ID";"ISBN";"Book-Rating"\r\n"1";"03\\"4";"0"\r\n"2";"é4";"7"\r\n'
    path = write(tmp_path / "BX-Book-Ratings.csv", text.encode("latin-1"))
    assert reader_of(path).key == reader_of(tmp_path).key == "bookcrossing"
    assert rows(read_log(path)) == [(1, '03"4', 0.0), (2, "é4", 7.0)]
    assert rows(make("reader", f'bookcrossing("{path}", rows=implicit)').read()) == [(1, '03"4', 0.0)]


def test_tafeng(tmp_path: Path) -> None:
    head = "TRANSACTION_DT,CUSTOMER_ID,AGE_GROUP,PIN_CODE,PRODUCT_SUBCLASS,PRODUCT_ID,AMOUNT,ASSET,SALES_PRICE"
    lines = ["11/1/2000,00046855,D,E,110411,4710085120468,3,51,57", "11/2/2000,00046855,D,E,110411,4710085120468,1,20,18"]
    body = "\n".join(",".join(f'"{field}"' for field in line.split(",")) for line in (head, *lines))
    path = write(tmp_path / "ta_feng_all_months_merged.csv", b"\xef\xbb\xbf" + body.encode())
    assert reader_of(path).key == reader_of(tmp_path).key == "tafeng"
    log = read_log(tmp_path)
    assert rows(log) == [("00046855", 4710085120468, 3.0), ("00046855", 4710085120468, 1.0)]
    assert log.utility is not None and log.utility.tolist() == [6.0, -2.0]
    assert log.time is not None and log.time.tolist() == [973_036_800, 973_123_200]  # 1 and 2 November 2000
    summed = read(tmp_path, duplicates="sum")
    assert summed.utility is not None and (summed.value.tolist(), summed.utility.tolist()) == ([4.0], [4.0])
    bad = write(tmp_path / "other.csv", path.read_bytes().replace(b"11/2/2000", b"2000-11-02"))
    with refused(InputError, line=3, column="TRANSACTION_DT", found="2000-11-02", expected="a date written %m/%d/%Y"):
        read(bad)


def test_lastfm(tmp_path: Path) -> None:
    path = write(tmp_path / "user_artists.dat", "userID\tartistID\tweight\n2\t51\t13883\n2\t52\t11690\n")
    assert reader_of(path).key == reader_of(tmp_path).key == "lastfm"
    assert rows(read_log(tmp_path)) == [(2, 51, 13883.0), (2, 52, 11690.0)]
    assert make("reader", f'lastfm("{path}")').item_table() is None
    write(tmp_path / "artists.dat", "id\tname\turl\n51\tDuran Duran\tx\n")
    assert read_side(tmp_path).columns["name"].to_list() == ["Duran Duran"]


def test_csv_takes_the_columns_that_it_is_told(tmp_path: Path) -> None:
    path = write(tmp_path / "r.txt", "7;u;4,5;x\n8;v;3,0;y\n".replace(",", "."))
    told = f'csv("{path}", user=2, item=1, value=3, time=none, separator=semicolon, header=false)'
    assert rows(make("reader", told).read()) == [("u", 7, 4.5), ("v", 8, 3.0)]
    unvalued = f'csv("{path}", user=4, item=1, value=none, time=none, separator=";", header=false)'
    assert rows(make("reader", unvalued).read()) == [("x", 7, 1.0), ("y", 8, 1.0)]
    latin = write(tmp_path / "l.csv", "user,item,rating\né,1,2\n".encode("latin-1"))
    assert rows(make("reader", f'csv("{latin}", encoding=latin-1)').read()) == [("é", 1, 2.0)]
    dated = write(tmp_path / "d.csv", "user,item,rating,time\n1,2,3,02.01.1970\n")
    assert make("reader", f'csv("{dated}", time_format="%d.%m.%Y")').read().time.tolist() == [86_400]


def test_trec_qrels(tmp_path: Path) -> None:
    path = write(tmp_path / "test.qrels", "u1 0 i7  2\nu1\t1\ti8 -1\n")
    assert reader_of(path).key == "trec_qrels"
    assert rows(read_log(path)) == [("u1", "i7", 2.0), ("u1", "i8", -1.0)]


def test_fimi(tmp_path: Path) -> None:
    path = write(tmp_path / "retail.dat", "30 31 32 \n33 34 35 36 38 39\n\n37 38\n")
    assert reader_of(path).key == "fimi"
    assert rows(read_log(path))[2:4] == [(1, 32, 1.0), (2, 33, 1.0)]
    assert set(read_log(path).user_id.to_list()) == {1, 2, 4}
    write(path, b"30 31\n32 x 33\n34 \xff 35\n36 y z\n")
    with refused(InputError, file=path, line=2, found="x", expected="whole numbers as items", hint="all 4 bad rows"):
        make("reader", f'fimi("{path}")').read()
    log = make("reader", f'fimi("{path}", on_bad_rows=skip)').read()
    assert rows(log) == [(1, 30, 1.0), (1, 31, 1.0), (2, 32, 1.0), (2, 33, 1.0), (4, 36, 1.0)]
    assert {s.reason: s.count for s in log.skipped} == {"not UTF-8": 1, "an item is not a whole number": 3}
    names = make("reader", f'fimi("{write(tmp_path / "names.dat", "milk bread 7up 12")}")').read()
    assert names.item_id.to_list() == ["milk", "bread", "7up", "12"]


def test_cm100k(tmp_path: Path) -> None:
    write(tmp_path / "data.txt", "a\tx\t3\t1\r\na\ty\t1\t0\r\n")
    write(tmp_path / "users.txt", "a\n")
    write(tmp_path / "items.txt", "x\ny\n")
    assert rows(read_log(tmp_path)) == [("a", "x", 3.0), ("a", "y", 1.0)]
    assert rows(make("reader", f'cm100k("{tmp_path}", known=no)').read()) == [("a", "y", 1.0)]


def test_coat(tmp_path: Path) -> None:
    write(tmp_path / "train.ascii", "0 0 4\n5 0 0\n")
    write(tmp_path / "test.ascii", "1 0 0\n0 2 0\n")
    write(tmp_path / "propensities.ascii", "0.1 0.2 0.3\n0.4 0.5 0.6\n")
    assert rows(read_log(tmp_path)) == [(1, 3, 4.0), (2, 1, 5.0)]
    assert rows(make("reader", f'coat("{tmp_path}", part=both)').read())[2:] == [(1, 1, 1.0), (2, 2, 2.0)]
    coat = make("reader", f'coat("{tmp_path}")')
    assert coat.propensities()[1].tolist() == [0.4, 0.5, 0.6]
    users, items = pl.Series([1, 2]), pl.Series([3, 1])
    assert coat.propensities_of(users, items).tolist() == [0.3, 0.4]
    with refused(InputError, file="propensities.ascii", found=(2, 3), expected="at least (3, 3)"):
        coat.propensities_of(pl.Series([1, 3]), items)
    write(tmp_path / "train.ascii", "0 0 4\n5 zero 0\n")
    with refused(InputError, file="train.ascii", line=2, column="2", found="zero", expected="a finite number"):
        read(tmp_path)
    write(tmp_path / "train.ascii", "0 0 4\n5 0\n")
    with refused(InputError, line=2, found=2, expected="3 fields, as in most lines"):
        read(tmp_path)


def test_jester(tmp_path: Path) -> None:
    fields = ["99"] * 100
    fields[1], fields[2] = "-7.82", "8.79"
    line = ",".join(["2", *fields])
    path = write(tmp_path / "jester-1.csv", f"{line}\n{line}\n")
    write(tmp_path / "jester-2.csv", f"{line}\n")
    assert reader_of(path).key == "jester"
    assert rows(read_log(path)) == [(1, 2, -7.82), (1, 3, 8.79), (2, 2, -7.82), (2, 3, 8.79)]
    assert rows(make("reader", f'jester("{tmp_path}/jester-*.csv")').read())[-1] == (3, 3, 8.79)
    with refused(InputError, line=2, column="1", found=3.0, expected="2"):
        read(write(path, f"{line}\n3{line[1:]}\n{line}\n"))
    write(path, f"{line}\n3{line[1:]}\n{line}x\n{line},99\n")
    with refused(InputError, line=3, column="101", found="99x", expected="a finite number", hint="all 2 bad lines"):
        make("reader", f'jester("{path}")').read()
    log = make("reader", f'jester("{tmp_path}/jester-*.csv", on_bad_rows=skip)').read()
    assert rows(log) == [(1, 2, -7.82), (1, 3, 8.79), (5, 2, -7.82), (5, 3, 8.79)]  # the second file begins after 4 lines
    assert [(s.reason, s.count) for s in log.skipped] == [
        ("another number of fields", 1),
        ("not a finite number", 1),
        ("another number of jokes than the first field says", 1),
    ]


def test_recbole(tmp_path: Path) -> None:
    head = "user_id:token\titem_id:token\trating:float\ttimestamp:float\n"
    path = write(tmp_path / "ml.inter", head + "1\t7\t4.5\t881250949.0\n2\t007\t3\t881250949\n")
    write(tmp_path / "ml.item", "item_id:token\tclass:token_seq\n7\tComedy Drama\n007\tDrama\n")
    assert reader_of(path).key == reader_of(tmp_path).key == "recbole"
    log = read_log(path)
    assert rows(log) == [(1, "7", 4.5), (2, "007", 3.0)]
    assert log.time is not None and log.time.tolist() == [881_250_949] * 2
    genres = read_side(tmp_path).features("class", read(path).items, separator=" ")
    assert genres.names == ("Comedy", "Drama") and genres.indptr.tolist() == [0, 1, 3]  # codes: 007, then 7
    assert genres.feature.tolist() == [1, 0, 1]


def lenskit(folder: Path) -> None:
    """The files that LensKit 2025.8 writes for these ratings, to the types of the columns."""
    scalar = {"layout": "scalar", "vector_size": None}
    one = {"entities": {"user": None, "item": None}, "interaction": True, "repeats": "forbidden"}
    schema = {
        "version": "2025.3",
        "name": None,
        "default_interaction": "rating",
        "entities": {
            "item": {"id_type": "str", "attributes": {"title": scalar, "genres": {"layout": "list", "vector_size": None}}},
            "user": {"id_type": "int", "attributes": {}},
        },
        "relationships": {
            "rating": one | {"attributes": {"rating": scalar, "timestamp": scalar}},
            "click": one | {"repeats": "present", "attributes": {}},
        },
    }
    write(folder / "schema.json", json.dumps(schema))
    write(folder / "summary.md", "# Summary\n")
    pl.DataFrame({"user_id": [10, 20]}).write_parquet(folder / "user.parquet")
    items = pl.DataFrame({"item_id": ["x", "y"], "title": ["X", "Y"], "genres": [["Drama", "War"], ["War"]]})
    items.cast({"genres": pl.List(pl.Categorical)}).write_parquet(folder / "item.parquet")
    types = {"user_num": pl.Int32, "item_num": pl.Int32, "rating": pl.Float32}
    frame = pl.DataFrame({"user_num": [1, 0], "item_num": [0, 1], "rating": [4.0, 2.0]}, schema=types)
    times = pl.Series([5, 6]) * 1_000_000_000
    frame.with_columns(timestamp=times.cast(pl.Datetime("ns"))).write_parquet(folder / "rating.parquet")
    pl.DataFrame({"user_num": [1, 1], "item_num": [0, 0]}, schema_overrides=types).write_parquet(folder / "click.parquet")


def test_lenskit(tmp_path: Path) -> None:
    lenskit(tmp_path)
    assert reader_of(tmp_path).key == "lenskit"
    log = read_log(tmp_path)
    assert rows(log) == [(20, "x", 4.0), (10, "y", 2.0)]
    assert log.time is not None and log.time.tolist() == [5, 6]
    side = read_side(tmp_path)
    assert side.columns["title"].to_list() == ["X", "Y"]
    assert side.features("genres", read(tmp_path).items).feature.tolist() == [0, 1, 1]
    clicks = make("reader", f'lenskit("{tmp_path}", interactions=click)').read()
    assert rows(clicks) == [(20, "x", 1.0)] * 2 and clicks.time is None
    with refused(InputError, found="buy", expected="rating, click"):
        make("reader", f'lenskit("{tmp_path}", interactions=buy)').read()
    schema = json.loads((tmp_path / "schema.json").read_text())
    write(tmp_path / "schema.json", json.dumps(schema | {"default_interaction": None}))
    with refused(InputError, found=["rating", "click"], hint="interactions=rating"):
        read(tmp_path)
    frame = pl.DataFrame({"user_num": [0, None, 7], "item_num": [0, 1, 1]})
    frame.write_parquet(tmp_path / "click.parquet")
    with refused(
        InputError, file="click.parquet", row=3, column="user_num", found=7, expected="a row of user.parquet, 0 to 1"
    ):
        make("reader", f'lenskit("{tmp_path}", interactions=click)').read()
    frame[:2].write_parquet(tmp_path / "click.parquet")
    assert rows(make("reader", f'lenskit("{tmp_path}", interactions=click, on_bad_rows=skip)').read()) == [(10, "x", 1.0)]


def test_jsonl(tmp_path: Path) -> None:
    lines = [
        '{"reviewerID": "a", "asin": "x", "overall": 5, "unixReviewTime": 1000000000}',
        "",
        '{"reviewerID": "b", "asin": "y"}',
    ]
    path = write(tmp_path / "reviews.jsonl", "\n".join([lines[0], *lines]))
    with refused(InputError, line=4, column="overall", found=None, expected="a finite number"):
        read(path)
    log = read_log(path, on_bad_rows="skip")
    assert rows(log) == [("a", "x", 5.0)] * 2 and sum(s.count for s in log.skipped) == 1
    assert rows(read_log(path, value=None, time=None)) == [("a", "x", 1.0), ("a", "x", 1.0), ("b", "y", 1.0)]
    broken = write(tmp_path / "broken.ndjson", lines[0] + "\n{oops\n[1]\n")
    with refused(InputError, file=broken, line=2, found="{oops", expected="a JSON object", hint="these 2 rows"):
        read(broken)
    write(broken, "\n".join([lines[0]] * 3) + "\n{oops\n[1]\n")
    assert rows(read_log(broken, on_bad_rows="skip")) == [("a", "x", 5.0)] * 3
    ids = write(
        tmp_path / "ids.jsonl", '{"user": 1, "item": 2}\n{"user": {"id": 3}, "item": 4}\n{"user": null, "item": 5}\n'
    )
    with refused(InputError, line=2, column="user", found=None, expected="a user id", hint="these 2 rows"):
        read(ids)
    assert rows(read_log(ids, on_bad_rows="skip")) == [(1, 2, 1.0)]
    write(ids, '{"user": 99999999999999999999, "item": 2}\n')
    assert rows(read_log(ids)) == [("99999999999999999999", 2, 1.0)]


times = st.one_of(st.integers(0, 2**31).map(str), st.sampled_from(["2001-01-01", "12.0"]))
