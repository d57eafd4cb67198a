"""One user is no users, no p is 0, and references are in the order of names."""

from __future__ import annotations

import re
from dataclasses import replace

import heldout as ho
from heldout.catalogue.references import in_order, reference
from heldout.experiment.notices import about_coverage
from heldout.tables import ProtocolKey
from heldout.tables.cell_scores import MeasuredUsers
from heldout.text.numbers import exact_p


def test_one_user_is_no_users() -> None:
    test = {"user": ["u", "v"], "item": ["x", "x"], "rating": [5, 5]}
    a = {"user": ["u", "w"], "item": ["x", "x"], "score": [1.0, 1.0]}
    found = ho.evaluate(test, {"A": a}, ["P@1"], relevance="threshold(4)")
    told = {n.code: n.message for n in found.findings.notices}
    assert told["HO104"] == "A has a list of 1 user who is not tested"
    assert told["HO103"] == "A recommends nothing to 1 tested user"
    assert not any(re.search(r"\b1 users\b", message) for message in told.values())


def test_the_target_that_leaves_users_without_a_list_is_named() -> None:
    """All users of A have a list of all items, and 6 none of their test ratings; 2 users of B have neither."""
    key = ProtocolKey(
        data="d", filter="none", split="s", users="all", fallback="none", relevance="r", target="AllItems", unrated="zero",
        ties="item",
    )  # fmt: skip
    plain = MeasuredUsers(
        system="A", protocol=key, fold=0, users=10, empty=0, longest=5.0, covered=b"", tested=10, without_relevant=0,
        all_relevant=False,
    )  # fmt: skip
    own = replace(plain, protocol=replace(key, target="TestRatings"), empty=6)
    others = [replace(counts, system="B", empty=2) for counts in (plain, own)]
    messages = [notice.message for notice in about_coverage([plain, own, *others], forgiving=False)]
    assert messages == [
        "A recommends nothing to 6 tested users under TestRatings",
        "B recommends nothing to 2 tested users",
    ]
    assert list(about_coverage([plain], forgiving=False)) == []


def test_users_of_all_folds_are_counted_together() -> None:
    """Every fold tests some of 2,100 users; together they test more than any of them alone, as the tables say."""
    study = {
        "data": "simulate(users=2400, items=60, ratings=7000)",
        "split": "folds(3)",
        "recommend": ["Popularity", "Random"],
    }
    found = ho.run({**study, "metrics": "P@5"})
    users = found.findings.leaderboard[0].users
    told = next(n.message for n in found.findings.notices if n.code == "HO401")
    assert told.startswith(f"{users:,} users are tested") and users > max(s.users for s in found.findings.splits)


def test_no_p_is_zero() -> None:
    assert (exact_p(0.0), exact_p(1e-310), exact_p(1.5e-7), exact_p(0.25)) == ("< 1e-300", "< 1e-300", "1.5e-07", "0.25")


def test_references_are_in_the_order_of_names() -> None:
    keys = ["student1908", "buckley2004", "canamares2020", "bellogin2017", "bellogin2011"]
    order = in_order(keys)
    assert order[:3] == ["bellogin2011", "bellogin2017", "buckley2004"] and order[3] == "canamares2020"
    names = [reference(key).partition(",")[0] for key in in_order(ho.catalogue.references.bibliography())]
    plain = [name.replace("ñ", "n").replace("í", "i").replace("Ž", "Z").casefold() for name in names]
    assert plain[:3] == sorted(plain)[:3]
