"""Bad rows that a study leaves out are told in its report."""

from __future__ import annotations

from pathlib import Path

from tests.refusals import refused

import heldout as ho

KEYS = {"split": "leave_out(1)", "recommend": ["Random", "Popularity"], "metrics": "P@5"}


def test_skipped_rows_are_a_notice(tmp_path: Path) -> None:
    rows = "".join(f"u{u},i{i},{(u + i) % 5 + 1}\n" for u in range(12) for i in range(8))
    (tmp_path / "r.csv").write_text(f"user,item,rating\n{rows}u1,i99,bad\nu2,i99,worse\n")
    path = str(tmp_path / "r.csv")
    with refused(ho.InputError, line=98, column="rating", found="bad", hint="these 2 rows"):
        ho.run({"data": path, **KEYS})
    for data in ({"path": path, "on_bad_rows": "skip"}, f'csv("{path}", on_bad_rows=skip)'):
        results = ho.run({"data": data, **KEYS})
        told = [n.message for n in results.facts.notices if n.code == "HO502"]
        assert len(told) == 1 and told[0].endswith("were left out: 2 × column 'rating': not a finite number")
        assert results.facts.data[0].steps[0].profile["ratings"] == 96


def test_a_study_tells_of_small_parts_and_of_users_each_rule_leaves() -> None:
    data = "simulate(users=80, items=50, ratings=1500)"
    results = ho.run({"data": data, **KEYS, "users": [["with_train", "with_relevant"]], "development": 20})
    codes = {n.code for n in results.facts.notices}
    assert {"HO501", "HO506"} <= codes
    (fold,) = results.facts.splits
    assert [rule for rule, _ in fold.chosen[0][1]] == ["all users", "with_train", "with_relevant"]
    counts = [n for _, n in fold.chosen[0][1]]
    assert counts[0] == 80 and counts == sorted(counts, reverse=True) and fold.development == 20
    assert "train later than test with probability" in results.to_html()
