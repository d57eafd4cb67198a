"""Tables beside the ratings."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.data.files import write

from heldout import read, read_side
from heldout.errors import InputError


def test_side_tables(tmp_path: Path) -> None:
    side = read_side({"item_id": [3, 1], "genres": ["A|B", ""]})
    vocabulary = read({"user": [1, 1, 1], "item": [1, 2, 3], "rating": [1, 1, 1]}).items
    assert side.aligned(vocabulary)["genres"].to_list() == ["", None, "A|B"]
    found = side.features("genres", vocabulary)
    assert (found.names, found.indptr.tolist(), found.feature.tolist()) == (("A", "B"), [0, 0, 0, 2], [0, 1])
    with pytest.raises(InputError, match=r"1 ids occur more than once \(first: 7\)"):
        read_side({"item": [7, 7], "x": [1, 2]})
    path = write(tmp_path / "items.csv", 'asin,title\nx,"a, b"\n')
    assert read_side(path).columns["title"].to_list() == ["a, b"]
    with pytest.raises(InputError, match="no column of user ids; found asin, title; say id="):
        read_side(path, of="users")
    named = {"item": ["Toy Story", "Heat"], "item_id": [3, 1], "song": ["a", "b"]}
    assert read_side(named).ids.to_list() == [3, 1]
    with pytest.raises(InputError, match="2 columns could be the item ids: movieId, artist_id; say id=movieId or"):
        read_side({"movieId": [1], "artist_id": [2]})
    assert read_side({"movieId": [1], "artist_id": [2]}, id="artist_id").ids.to_list() == [2]
    with pytest.raises(InputError, match="has no table of users"):
        read_side("simulate", of="users")
