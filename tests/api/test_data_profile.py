"""Profiles of data sets as results: kept in a folder, drawn, tabled."""

from __future__ import annotations

from pathlib import Path

from markupsafe import escape
from tests.refusals import refused

import heldout as ho
from heldout.errors import UnknownNameError

RATINGS = {
    "user": ["a", "a", "a", "b", "b"],
    "item": ["x", "y", "z", "x", "y"],
    "rating": [5, 3, 4, 5, 1],
    "time": [10**9, 10**9 + 5, 10**9 + 9, 10**9 + 11, 2 * 10**9],
}


def test_a_profile_comes_back_from_its_folder(tmp_path: Path) -> None:
    profile = ho.profile(RATINGS, ["min_ratings(user=3)"], out=tmp_path / "kept")
    again = ho.load(tmp_path / "kept")
    assert again.findings == profile.findings
    assert again.to_html() == profile.to_html() == (tmp_path / "kept" / "report.html").read_text(encoding="utf-8")
    assert again.findings.table.to_dicts()[1] | {"step": ""} == profile.findings.table.to_dicts()[1] | {"step": ""}
    assert (again.findings.last.users, again.findings.last.ratings, profile.tables["ratings"].frame.height) == (1, 3, 3)
    assert "ratings" not in again.tables  # a folder keeps the profile only
    assert ho.verify(tmp_path / "kept")["problem"].to_list() == [""] * 5


def test_figures_and_tables_bear_the_names_of_the_page() -> None:
    profile = ho.profile(RATINGS)
    page = profile.to_html()
    assert len(list(profile.figures)) == 7 and all(f'id="figure-{name}"' in page for name in profile.figures)
    assert page.count('<figure class="chart') == 7
    assert profile.tables["profile"].rows[2] == ("Ratings", "5") and "all-rows" in profile.tables
    for name in profile.figures:
        assert f'id="table-{profile.figures[name]._chart.table}"' in page  # what readers without JavaScript get
    with refused(UnknownNameError, where="figure", found="data-value", hint="did you mean data-values?"):
        profile.figures["data-value"]


def test_the_page_says_what_was_skipped_and_which_columns_were_read(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("user,item,rating\na,x,5\nb,y,many\nb,x,4\n", encoding="utf-8")
    page = ho.profile(path, on_bad_rows="skip").to_html()
    assert "1 row skipped: " in page and "user" in ho.profile(path, on_bad_rows="skip").findings.columns_read
    assert str(escape(ho.profile(path, on_bad_rows="skip").findings.columns_read)) in page
