"""No winner is called where the leader was, or would be, chosen on what it is tested on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Command, heldout  # noqa: F401  a fixture

import heldout as ho
from heldout.analysis.selection_bias import selected_on_test
from heldout.analysis.sentences import UNCALLED
from heldout.catalogue import make
from heldout.tables import ProtocolKey

VARIANTS = ["UserKNN(k=3)", "UserKNN(k=10)", "UserKNN(k=20)"]
STUDY: dict[str, Any] = {
    "data": "simulate(users=90, items=40, ratings=1500)",
    "split": "ratio(train=0.7, by=user)",
    "metrics": ["nDCG(gain=binary)@5", "P@5"],
    "compare": ["t"],
}
SYSTEMS = {"recommend": ["Random", *VARIANTS]}


def protocol(split: str = "ratio(train=0.7, by=user)", filters: str = "none") -> ProtocolKey:
    return ProtocolKey(
        data="ratings",
        filter=filters,
        split=split,
        users="with_test",
        fallback="none",
        relevance="threshold(tau=4)",
        target="AllItems",
        unrated="zero",
        ties="item",
    )


def codes(results: ho.Results) -> set[str]:
    return {notice.code for notice in results.findings.notices}


def test_variants_on_undivided_users_have_no_winner_but_all_their_numbers() -> None:
    found = ho.run(STUDY | SYSTEMS)
    first = found.findings.verdict.rows[0]
    assert first.leader in VARIANTS and first.p_adjusted is not None and not first.significant
    assert found.verdict.startswith(f"{UNCALLED} By nDCG@5 (binary), {first.leader} is ahead (")
    assert "is one of 3 variants of UserKNN that are compared on the users they would be chosen on" in found.verdict
    assert found.verdict.endswith("Choose among them on validation ratings (heldout tune) or on development users "
                                  "(development = 0.5), then compare on the others.")  # fmt: skip
    assert "HO408" in codes(found)
    assert (
        len(found.tables["all-comparisons"].frame) == 2 * 6 and found.tables["all-comparisons"].frame["p"].null_count() == 0
    )
    assert "not called" in found.to_html()
    again = ho.compare(found, {"tests": "wilcoxon", "correction": "bonferroni"})
    assert again.verdict.startswith("No winner is called") and "HO408" in codes(again)


@pytest.mark.parametrize(
    "more",
    [
        {"recommend": ["Random", *VARIANTS], "development": 0.5},
        {"recommend": ["Random", *VARIANTS[:2]]},
        {"recommend": ["Random", "UserKNN(k=5)", "ItemKNN(k=5)", "WRMF(factors=4, iterations=2)"]},
    ],
    ids=["development users", "two variants", "other recommenders"],
)
def test_who_may_be_called_the_winner(more: dict[str, Any]) -> None:
    found = ho.run(STUDY | more)
    assert "is called" not in found.verdict and "HO408" not in codes(found)
    assert not any(row.refused for row in found.findings.verdict.rows)


def test_a_leader_that_is_no_variant_may_win() -> None:
    worse = ["Random", "WRMF(factors=1, iterations=1, l2=1e6)", "WRMF(factors=1, iterations=1, l2=2e6)"]
    found = ho.run(STUDY | {"recommend": ["UserKNN(k=20)", *worse, "WRMF(factors=1, iterations=1, l2=3e6)"]})
    assert found.verdict.startswith("UserKNN wins") and "HO408" in codes(found)


def test_study_file_command_line_and_page_refuse_alike(tmp_path: Path, heldout: Command) -> None:  # noqa: F811
    file, out, page = tmp_path / "study.toml", tmp_path / "results", tmp_path / "page.html"
    lines = [f"{key} = {value!r}" for key, value in (STUDY | SYSTEMS).items()]
    file.write_text("\n".join(lines).replace("'", '"'), encoding="utf-8")
    said = heldout("run", file, "--out", out)
    assert said.code == 0, said.err
    for words in (
        said.out,
        heldout("compare", out, "--test", "sign").out,
        heldout("compare", out, "--format", "json", "-q").out,
        (out / "report.html").read_text(encoding="utf-8"),
    ):
        assert "No winner is called." in " ".join(words.split()) and "UserKNN wins" not in words
    assert heldout("compare", out, "--report", page, "-q").code == 0
    assert "No winner is called" in page.read_text(encoding="utf-8")


def test_a_search_under_another_split_of_the_same_ratings_is_tuning_on_the_test_set(tmp_path: Path) -> None:
    pytest.importorskip("optuna", reason="the extra tune is not installed")
    tuned = tmp_path / "knn"
    ho.tune("UserKNN", STUDY, trials=2, ranges={"k": "10,20"}, out=tuned)
    systems = {"recommend": ["Random", {"name": "tuned", "tuned": str(tuned)}]}
    assert "tuned wins" in ho.run(STUDY | systems).verdict
    for other, told in (
        ({"seed": 2}, "was tuned on the same data under another seed"),
        ({"split": "ratio(train=0.5)"}, "was tuned on the same data under another split"),
    ):
        found = ho.run(STUDY | systems | other, out=tmp_path / f"results {told}")
        assert found.verdict.startswith(f"{UNCALLED} By nDCG@5 (binary), tuned is ahead (")
        assert told in found.verdict and "HO416" in codes(found)
        kept = ho.compare(tmp_path / f"results {told}", "sign")
        assert told in kept.verdict and "HO416" in codes(kept)


def test_what_the_rule_looks_at() -> None:
    split = make("split", "folds(5)").full_text
    tuning = {"protocol": {"data_digest": "abc", "filter": "none", "split": split, "seed": "1", "fold": "2"}}
    manifest = {
        "seed": 1,
        "inputs": {"ratings": "abc"},
        "study": {"recommend": [{"name": "A", "model": "SLIM(l1=1.0)", "tuning": tuning}]},
    }
    found = selected_on_test(manifest, protocol("folds(n=5)"), divided=False)["A"]
    assert found.code == "HO416" and "fold 2 of 5, whose training ratings the other folds test" in found.why
    whole = manifest | {"seed": 2}
    found = selected_on_test(whole, protocol("ratio(train=0.7)", "core(k=2)"), divided=False)["A"]
    assert "under another filter and split and seed" in found.why and f"split = {split}" in found.notice
    # other data altogether: nothing is known against it
    assert selected_on_test(manifest | {"inputs": {"ratings": "xyz"}}, protocol("folds(n=5)"), divided=False) == {}
    # runs that other systems wrote are no variants of one another
    external = [{"name": f"run {k}", "model": f'External(path="{k}.txt")'} for k in range(5)]
    assert selected_on_test({"study": {"recommend": external}}, protocol(), divided=False) == {}
    assert selected_on_test({}, protocol(), divided=False) == {}
