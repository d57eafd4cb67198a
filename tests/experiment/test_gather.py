"""What a report says of its choices."""

from __future__ import annotations

from pathlib import Path

from tests.reports.kept import facts_of, outcome_of

import heldout as ho


def test_choices_say_how_systems_are_compared(tmp_path: Path) -> None:
    asked = {"tests": ["sign"], "correction": "sidak", "level": 0.01, "baseline": "Poor"}
    facts = facts_of(outcome_of(folds=2), metrics="P@10", folds="pooled", **asked)
    told = {c.stage: c.options for c in facts.choices}
    assert (told["compare"], told["correction"], told["level"]) == (("sign(alternative=two_sided)",), ("sidak",), ("0.01",))
    assert (told["baseline"], told["folds"], told["group"]) == (("Poor",), ("pooled",), ("evaluation",))
    assert {c.decision for c in facts.choices if c.stage in ("correction", "level", "baseline")} == {"D"}
    # compared anew, a run's choices up to the scores stay and the others are those now asked for
    study = {
        "data": "simulate(users=30, items=20, ratings=300)",
        "split": "ratio(train=0.7, by=user)",
        "recommend": ["Random", "Popularity"],
        "metrics": ["P@5", "Recall@5"],
    }
    run = ho.run(study, out=tmp_path / "results")
    again = ho.compare(tmp_path / "results", metrics="P@5", test="wilcoxon", correction="none", aggregate="median")
    before, now = ({c.stage: c.options for c in r.facts.choices} for r in (run, again))
    assert {k for k in now if now[k] != before[k]} == {"metrics", "compare", "correction", "aggregate"}
    assert (now["compare"], now["aggregate"], len(now["metrics"])) == (("wilcoxon(zeros=wilcox)",), ("median",), 1)
    assert list(now) == list(before)
    page = again.to_html()
    for stage in ("correction", "level", "baseline"):
        assert f">{stage}</th>" in page
