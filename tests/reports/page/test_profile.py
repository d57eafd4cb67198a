"""The page of a data profile."""

from __future__ import annotations

from heldout.data.profile import ProfileRecord
from heldout.reports.page.profile import to_html


def test_the_page_holds_the_record_and_asks_nothing() -> None:
    import heldout as ho

    read = ho.profile({"user": ["a", "b"], "item": ["x", "y"], "rating": [5, 1]}).findings
    record = ProfileRecord(source="<script>alert(1)</script>", steps=read.steps, skipped=(("no rating", 3),), rows=5)
    page = to_html(record)
    assert "<script>alert" not in page and "&lt;script&gt;alert(1)" in page
    assert "3 rows skipped: no rating." in page and "2 ratings of 2 users and 2 items" in page
    assert "default-src 'none'" in page and to_html(record) == page
