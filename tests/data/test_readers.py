"""Readers of real formats, and choosing among them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import strategies as st
from tests.data.files import rows, write

from heldout import read, read_log, read_side
from heldout.catalogue import make
from heldout.data.read import reader_of
from heldout.errors import InputError


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
    with pytest.raises(InputError, match=r"combined_data_1\.txt, line 6: '7;1;2' is not user,rating,date \(3 bad rows"):
        read(path)
    log = read_log(path, on_bad_rows="skip")
    assert len(log) == 3
    assert [(s.reason, s.count) for s in log.skipped] == [
        ("not user,rating,date", 2),
        ("column 'rating': not a finite number", 1),
    ]
    lost = write(tmp_path / "mv_2.txt", "1:\n5,3,2005-01-01\n6,4,2005-01-01\nx:\n7,1,2005-01-01\n")
    with pytest.raises(InputError, match=r"line 4: 'x:' is no film's id and a colon \(2 bad rows in all\)"):
        make("reader", f'netflix("{lost}")').read()
    log = make("reader", f'netflix("{lost}", on_bad_rows=skip)').read()
    assert rows(log) == [(5, 1, 3.0), (6, 1, 4.0)]
    assert [(s.reason, s.count) for s in log.skipped] == [("no film's id", 1), ("a rating of no film", 1)]
    with pytest.raises(InputError, match="line 1: a film's id and a colon are expected"):
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
    with pytest.raises(InputError, match=r"line 3, column 'TRANSACTION_DT': '2000-11-02' is not a time; expected a date"):
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


def test_trec_qrels_are_judgements_and_no_run(tmp_path: Path) -> None:
    path = write(tmp_path / "test.qrels", "u1 0 i7  2\nu1\t1\ti8 -1\n")
    assert reader_of(path).key == "trec_qrels"
    assert rows(read_log(path)) == [("u1", "i7", 2.0), ("u1", "i8", -1.0)]
    run = write(tmp_path / "run.qrels", "u1 Q0 i7 1 0.5 tag\nu1 Q0 i8 2 0.4 tag\n")
    with pytest.raises(InputError, match="this is a run"):
        make("reader", f'trec_qrels("{run}")').read()


def test_fimi(tmp_path: Path) -> None:
    path = write(tmp_path / "retail.dat", "30 31 32 \n33 34 35 36 38 39\n\n37 38\n")
    assert reader_of(path).key == "fimi"
    assert rows(read_log(path))[2:4] == [(1, 32, 1.0), (2, 33, 1.0)]
    assert set(read_log(path).user_id.to_list()) == {1, 2, 4}
    write(path, b"30 31\n32 x 33\n34 \xff 35\n36 y z\n")
    with pytest.raises(InputError, match=r"retail\.dat, line 2: the item 'x' is no whole number \(4 bad rows in all\)"):
        make("reader", f'fimi("{path}")').read()
    log = make("reader", f'fimi("{path}", on_bad_rows=skip)').read()
    assert rows(log) == [(1, 30, 1.0), (1, 31, 1.0), (2, 32, 1.0), (2, 33, 1.0), (4, 36, 1.0)]
    assert {s.reason: s.count for s in log.skipped} == {"not UTF-8": 1, "an item is no whole number": 3}
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
    with pytest.raises(
        InputError, match=r"propensities\.ascii.*of 2 users and 3 items, where ratings are of user 3 and item 3"
    ):
        coat.propensities_of(pl.Series([1, 3]), items)
    write(tmp_path / "train.ascii", "0 0 4\n5 zero 0\n")
    with pytest.raises(InputError, match=r"train\.ascii, line 2, column '2': 'zero' is not a finite number"):
        read(tmp_path)
    write(tmp_path / "train.ascii", "0 0 4\n5 0\n")
    with pytest.raises(InputError, match="line 2: 2 fields where most lines have 3"):
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
    with pytest.raises(InputError, match="line 2, column '1': the first field says 3 jokes are rated, but 2 are"):
        read(write(path, f"{line}\n3{line[1:]}\n{line}\n"))
    write(path, f"{line}\n3{line[1:]}\n{line}x\n{line},99\n")
    with pytest.raises(InputError, match=r"line 3, column '101': '99x' is not a finite number \(2 bad lines in all\)"):
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
    with pytest.raises(InputError, match="interactions 'buy' are not there; found rating, click"):
        make("reader", f'lenskit("{tmp_path}", interactions=buy)').read()
    schema = json.loads((tmp_path / "schema.json").read_text())
    write(tmp_path / "schema.json", json.dumps(schema | {"default_interaction": None}))
    with pytest.raises(InputError, match=r"several interactions: rating, click; say lenskit\("):
        read(tmp_path)
    frame = pl.DataFrame({"user_num": [0, None, 7], "item_num": [0, 1, 1]})
    frame.write_parquet(tmp_path / "click.parquet")
    with pytest.raises(InputError, match=r"click\.parquet, column 'user_num': row 3: user 7 is not among the 2 of user"):
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
    with pytest.raises(InputError, match=r"line 4, column 'overall': an empty field is not a finite number"):
        read(path)
    log = read_log(path, on_bad_rows="skip")
    assert rows(log) == [("a", "x", 5.0)] * 2 and sum(s.count for s in log.skipped) == 1
    assert rows(read_log(path, value=None, time=None)) == [("a", "x", 1.0), ("a", "x", 1.0), ("b", "y", 1.0)]
    broken = write(tmp_path / "broken.ndjson", lines[0] + "\n{oops\n[1]\n")
    with pytest.raises(InputError, match=r"broken\.ndjson, line 2: this line is no JSON object \(2 such rows\)"):
        read(broken)
    write(broken, "\n".join([lines[0]] * 3) + "\n{oops\n[1]\n")
    assert rows(read_log(broken, on_bad_rows="skip")) == [("a", "x", 5.0)] * 3
    ids = write(
        tmp_path / "ids.jsonl", '{"user": 1, "item": 2}\n{"user": {"id": 3}, "item": 4}\n{"user": null, "item": 5}\n'
    )
    with pytest.raises(InputError, match=r"line 2, column 'user': the user id is missing \(2 such rows\)"):
        read(ids)
    assert rows(read_log(ids, on_bad_rows="skip")) == [(1, 2, 1.0)]
    write(ids, '{"user": 99999999999999999999, "item": 2}\n')
    assert rows(read_log(ids)) == [("99999999999999999999", 2, 1.0)]


times = st.one_of(st.integers(0, 2**31).map(str), st.sampled_from(["2001-01-01", "12.0"]))
