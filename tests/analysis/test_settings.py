"""Settings of an analysis: which there are, in which order, and why some are not."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats
from tests.analysis.tiny import analysis, part
from tests.refusals import refused
from tests.reports.kept import PROTOCOL, SYSTEMS, USERS, facts_of, study_scores_of

import heldout as ho
from heldout.analysis.alignment import AlignedScores, align
from heldout.analysis.findings import Findings
from heldout.analysis.rows import LeaderRow, PairRow, Setting
from heldout.analysis.sentences import verdict
from heldout.analysis.settings import AggregatedSetting, aggregate_settings
from heldout.errors import InputError, NotApplicableError, SpecError, UnknownNameError
from heldout.experiment.notices import about_users
from heldout.experiment.study_scores import StudyScores
from heldout.reports.render import terminal
from heldout.reports.render.screen import printed
from heldout.significance.power import power_of
from heldout.tables import ProtocolKey, Vocabulary
from heldout.tables.cell_scores import CellScores

NAN = np.nan


def table(*parts: CellScores, protocol: ProtocolKey = PROTOCOL) -> AlignedScores:
    return align(parts, protocol, list(dict.fromkeys(p.scores[0].system for p in parts)))


def choices(settings: list[AggregatedSetting]) -> list[tuple[str, ...]]:
    return [(str(s.metric), str(s.aggregation), str(s.undefined), str(s.choice.coverage)) for s in settings]


def test_every_metric_aggregation_and_rule_is_a_setting() -> None:
    asked = analysis(
        "A", metrics=["P@5", "RR"], aggregate=["mean", "median"], undefined=["zero", "skip"], coverage=["zero", "forgive"]
    )
    settings = aggregate_settings(asked, [table(part("A", {"P@5": [0.2, 0.4], "RR": [1.0, 0.5]}))])
    assert len(set(choices(settings))) == len(settings) == 16
    assert choices(settings)[:3] == [
        ("P@5", "mean", "zero", "zero"),
        ("P@5", "mean", "zero", "forgive"),
        ("P@5", "mean", "skip", "zero"),
    ]


def test_errors_and_descriptions_skip_what_is_undefined_whatever_the_rule() -> None:
    """An error of 0 would be the best there is: RMSE of the users that have one is (1 + 2)/2."""
    values = {"Novelty@5": [3.0, NAN, 5.0], "RR": [1.0, NAN, 0.5], "RMSE": [1.0, NAN, 2.0]}
    asked = analysis("A", metrics=list(values), undefined=["zero"])
    settings = aggregate_settings(asked, [table(part("A", values))])
    assert [(str(s.metric), str(s.undefined), s.tallies[0].value) for s in settings] == [
        ("RR", "zero", pytest.approx(0.5)),
        ("RMSE", "skip", pytest.approx(1.5)),
        ("Novelty@5", "skip", pytest.approx(4.0)),
    ]
    assert [s.contest for s in settings] == [True, True, False]  # what only describes comes last
    as_objective = replace(asked, objectives=(settings[2].metric,))
    assert [s.contest for s in aggregate_settings(as_objective, [settings[0].table])] == [True, True, True]


def test_a_setting_has_the_systems_that_its_metric_was_measured_of() -> None:
    scores = table(part("A", {"RR": [1.0, 0.5]}), part("B", {"RR": [0.5, 0.5], "RMSE": [1.0, 3.0]}))
    settings = aggregate_settings(analysis(("A", "B"), metrics=["RR", "RMSE", "P@5"]), [scores])
    assert [(str(s.metric), s.systems) for s in settings] == [("RR", ("A", "B")), ("RMSE", ("B",))]
    assert [t.value for t in settings[1].tallies] == [2.0]


def test_an_aggregation_that_does_not_apply_is_left_out_with_the_reason() -> None:
    left_out: dict[str, None] = {}
    scores = table(part("A", {"RR": [1.0, 0.5], "RMSE": [1.0, 3.0]}))
    settings = aggregate_settings(analysis("A", metrics=["RR", "RMSE"], aggregate=["mean", "pooled"]), [scores], left_out)
    assert ("RR", "pooled") not in {(str(s.metric), str(s.aggregation)) for s in settings}
    assert len(settings) + len(left_out) == 4
    assert any(why.startswith("RR under pooled: ") and len(why) > len("RR under pooled: ") for why in left_out)


def test_bounds_of_the_unrated_are_no_contest() -> None:
    bounds = replace(PROTOCOL, unrated="interval(end=high)")
    parts = [part("A", {"RR": [1.0, 0.5]}), part("A", {"RR": [1.0, 1.0]}, protocol=bounds)]
    tables = [table(*parts, protocol=bounds), table(*parts)]
    settings = aggregate_settings(analysis("A", metrics=["RR"]), tables)
    assert [(s.protocol.unrated, s.bound, s.contest) for s in settings] == [
        ("zero", False, True),
        ("interval(end=high)", True, False),
    ]


def test_whom_all_serve_and_what_the_values_are_without_the_others() -> None:
    """B has no list for user 2: over all it has (0.6 + 0.6 + 0)/3, over the served 0.6, where A has 0.3."""
    a, b = part("A", {"RR": [0.3, 0.3, 0.9]}), part("B", {"RR": [0.6, 0.6, 0.0]}, length=[10, 10, 0])
    (setting,) = aggregate_settings(analysis(("A", "B"), metrics=["RR"]), [table(a, b)])
    served = setting.served()
    assert (served.users, served.served) == (3, 2)
    assert served.as_zero == pytest.approx((0.5, 0.4)) and served.common == pytest.approx((0.3, 0.6))
    (everyone,) = aggregate_settings(analysis("A", metrics=["RR"]), [table(a)])
    assert everyone.served().as_zero == everyone.served().common == ()


def test_aggregations_stand_side_by_side() -> None:
    study_scores = study_scores_of()
    ways = ["mean", "mean(weight=test)", "median", "gmean", "pooled", "urisk(1, Poor)", "standardised", "georisk"]
    facts = facts_of(study_scores, metrics="Recall@10", aggregate=ways, tests=["t", "sign"])
    x = study_scores.parts[0].scores[0].column("Recall@10")
    counts = study_scores.parts[0].scores[0].counts
    best = {facts.settings[r.setting].aggregate: r.value for r in facts.leaderboard if r.system == "Best"}
    assert best["mean"] == pytest.approx(x.mean())
    assert best["mean(weight=test)"] == pytest.approx(np.average(x, weights=counts["test"]))
    pooled = (x * counts["relevant"]).sum() / counts["relevant"].sum()
    assert best["pooled"] == pytest.approx(pooled)
    assert [s.aggregate for s in facts.aggregations(0)] == [str(s.aggregate) for s in facts.settings]
    assert len(facts.settings) == len(ways)
    # t answers for all but median and georisk, sign for all but the weighted mean and georisk
    asked = {(p.test, facts.settings[p.setting].aggregate) for p in facts.comparisons if p.p is None}
    assert asked == {("t", "median"), ("sign", "mean(weight=test)"), ("t", "georisk"), ("sign", "georisk")}
    assert "HO403" in {n.code for n in facts.notices}
    assert all(p.reason for p in facts.comparisons if p.p is None)


def test_users_are_compared_by_id() -> None:
    """Two protocols with vocabularies of their own: the same two users in another order, and others of the same number."""
    asked = analysis("A", metrics=["P@5"])

    def setting(*names: str) -> AggregatedSetting:
        vocabulary = Vocabulary.of(pl.Series(names))
        (scores,) = part("A", {"P@5": [0.2, 0.4]}).scores
        users = vocabulary.encode(pl.Series(names)).astype(np.int32)
        return aggregate_settings(asked, [table(CellScores((replace(scores, users=users),), vocabulary))])[0]

    first = setting("ann", "bob")
    assert first.same_users(first) and first.same_users(setting("bob", "ann"))
    assert not first.same_users(setting("ann", "cy"))


def test_a_test_that_answers_for_nothing_asked_is_refused_at_once() -> None:
    with refused(NotApplicableError, where="compare", hint="use wilcoxon, sign"):
        facts_of(study_scores_of(), aggregate="median")
    with refused(NotApplicableError, where="compare", hint="use t, permutation"):
        facts_of(study_scores_of(), aggregate="mean(weight=train)", tests="sign")


def test_weights_from_a_table_of_users(tmp_path: Path) -> None:
    table = tmp_path / "users.csv"
    table.write_text("user_id,income\n" + "".join(f"u{u:02},{u}\n" for u in reversed(range(USERS))), encoding="utf-8")
    study_scores = study_scores_of()
    found = facts_of(study_scores, aggregate=f'mean(income, "{table}")')
    x = study_scores.parts[0].scores[0].column("P@10")
    assert found.leaderboard[0].value == pytest.approx(np.average(x, weights=np.arange(USERS)))
    digest = hashlib.sha256(table.read_bytes()).hexdigest()
    assert list(found.manifest["inputs"].items()) == [(f'mean(weight=income, table="{table}")', digest)]
    with refused(UnknownNameError, where="users.csv", hint="did you mean income?"):
        facts_of(study_scores, aggregate=f'mean(incme, "{table}")')
    table.write_text("user_id,income\nu00,1\n", encoding="utf-8")
    with refused(InputError, where="aggregate P@10", column="income", expected="every tested user") as refusal:
        facts_of(study_scores, aggregate=f'mean(income, "{table}")')
    assert f"{USERS - 1} users" in refusal.value.what
    table.write_text("user_id,income\n" + "".join(f"u{u:02},-1\n" for u in range(USERS)), encoding="utf-8")
    with refused(InputError, where="aggregate P@10", found=-1.0, expected="at least 0"):
        facts_of(study_scores, aggregate=f'mean(income, "{table}")')
    with refused(InputError, file="nowhere.csv"):
        facts_of(study_scores, aggregate='mean(income, "nowhere.csv")')


def test_a_run_keeps_the_digest_of_the_table_that_weighs_users(tmp_path: Path) -> None:
    table, users = tmp_path / "users.csv", 30
    study = {
        "data": f"simulate(users={users}, items=20, ratings=300)",
        "split": "ratio(train=0.7, by=user)",
        "recommend": ["Random", "Popularity"],
        "metrics": ["P@5"],
        "aggregate": ["mean", f'mean(income, "{table}")'],
    }
    digests = []
    for income in (1, 2):
        table.write_text("user_id,income\n" + "".join(f"{u},{income + u}\n" for u in range(users + 1)), encoding="utf-8")
        results = ho.run(study)
        digests.append(next(v for k, v in results.findings.manifest["inputs"].items() if k.startswith("mean(")))
        assert digests[-1] == hashlib.sha256(table.read_bytes()).hexdigest()
    assert digests[0] != digests[1]


def test_folds_are_averaged_first_and_pooled_only_with_a_warning() -> None:
    study_scores = study_scores_of(folds=3)
    x = np.array([p.scores[0].column("P@10") for p in study_scores.parts]).reshape(3, 4, USERS)
    facts = facts_of(study_scores, metrics="P@10")
    pair = next(p for p in facts.comparisons if (p.a, p.b) == ("Best", "Poor"))
    assert pair.users == USERS
    mean = x.mean(axis=0)
    assert pair.p == pytest.approx(stats.ttest_rel(mean[0], mean[3]).pvalue, rel=1e-9)
    pooled = facts_of(study_scores, metrics="P@10", folds="pooled")
    pair = next(p for p in pooled.comparisons if (p.a, p.b) == ("Best", "Poor"))
    assert pair.users == 3 * USERS
    assert pair.p == pytest.approx(stats.ttest_rel(x[:, 0].ravel(), x[:, 3].ravel()).pvalue, rel=1e-9)
    assert "HO404" in {n.code for n in pooled.notices} and "HO404" not in {n.code for n in facts.notices}
    counts = align(study_scores.parts, PROTOCOL, SYSTEMS).counts
    first = [p.scores[0].counts for p in study_scores.parts[::4]]
    np.testing.assert_allclose(counts["test"], sum(c["test"] for c in first))
    np.testing.assert_allclose(counts["train"], sum(c["train"] for c in first) / 3)
    with refused(UnknownNameError, where="compare", found="all", hint="known: average, pooled"):
        facts_of(study_scores, folds="all")


def test_notices_of_equal_systems_and_of_forgiven_users() -> None:
    facts = facts_of(study_scores_of(uncovered=6), metrics="P@10", coverage=["zero", "forgive", "intersection"])
    told = {n.code: n.message for n in facts.notices}
    assert told["HO405"] == "No user's values differ between Good and Twin"
    assert "HO102" in told and "HO103" in told
    twins = [p for p in facts.comparisons if {p.a, p.b} == {"Good", "Twin"}]
    assert {(p.difference, p.p, p.effect, p.superiority) for p in twins} == {(0.0, 1.0, 0.0, 0.5)}
    by_rule = {s.coverage: s.id for s in facts.settings}
    users = {rule: {r.users for r in facts.leaderboard if r.setting == key} for rule, key in by_rule.items()}
    assert users == {"zero": {40}, "forgive": {40, 34}, "intersection": {34}}
    poor = next(p for p in facts.comparisons if p.setting == by_rule["forgive"] and (p.a, p.b) == ("Best", "Poor"))
    assert poor.users == 34


def test_the_number_of_users_says_what_can_be_found() -> None:
    few = facts_of(study_scores_of(), metrics="P@10")
    told = {n.code: n.message for n in few.notices}
    # 40 users find an effect with power 0.8 from d = 0.4543 on
    assert told["HO402"] == "Only 40 users are tested: an effect below d = 0.45 mostly stays undetected"
    assert "HO401" not in told
    assert power_of(40, 0.455) > 0.8 > power_of(40, 0.454)
    many = {n.code: n.message for n in about_users(repeated(study_scores_of(), 60).tested_users())}
    assert many == {"HO401": "2,400 users are tested: an effect of d = 0.057 is significant 4 times in 5"}
    assert power_of(2400, 0.0573) > 0.8 > power_of(2400, 0.0571)
    assert list(about_users(repeated(study_scores_of(), 20).tested_users())) == []  # 800 users are neither few nor many
    assert [n.message for n in about_users(repeated(study_scores_of(), 1, only=2).tested_users())] == [
        "Only 2 users are tested"
    ]


def repeated(study_scores: StudyScores, times: int, only: int | None = None) -> StudyScores:
    """The scores as if each user (or the first few) had been tested so many times as another one."""
    part = study_scores.parts[0]
    pick = np.tile(np.arange(USERS)[:only], times).astype(np.int32)
    first = part.scores[0]
    scores = replace(
        first,
        users=np.arange(len(pick), dtype=np.int32),
        values=first.values[pick],
        length=first.length[pick],
        computed=first.computed[pick],
        lists=first.lists[pick],
        counts={name: column[pick] for name, column in first.counts.items()},
    )
    return StudyScores(parts=(CellScores((scores,), part.users),))


def test_few_users_who_hold_most_of_the_weight_are_told_of() -> None:
    study_scores = study_scores_of()
    for of_system in study_scores.parts:
        of_system.scores[0].counts["test"] = np.where(np.arange(USERS) < 2, 1000.0, 1.0)
    found = facts_of(study_scores, aggregate="mean(weight=test)")
    message = next(n.message for n in found.notices if n.code == "HO407")
    assert message.startswith("40 users weigh as much as 2 equal ones in P@10 (")
    assert message.endswith(", mean(weight=test))")


def test_all_at_once_is_a_fact_of_its_own() -> None:
    facts = facts_of(study_scores_of(), metrics="P@10", tests=["friedman", "tukey", "t"])
    again = Findings.from_dict(facts.to_dict())
    assert again.layouts == facts.layouts and [row.test for row in facts.layouts] == ["friedman", "tukey"]
    friedman = facts.layouts[0]
    assert friedman.places["Good"] == friedman.places["Twin"]
    assert ["Good", "Twin"] in friedman.cliques
    rows = [p for p in facts.comparisons if p.test == "friedman"]
    assert {(p.correction, p.family) for p in rows} == {("friedman", 6)}
    assert all(p.p == p.p_adjusted for p in rows)
    assert "friedman" in facts.verdict.note and "for all 6 pairs together" in facts.verdict.note


def test_tests_without_p_leave_the_verdict_to_those_that_have_one() -> None:
    asked = ["bayes(rope=0.01, samples=500)", "subsampled(size=20, subsets=50)", "t"]
    facts = facts_of(study_scores_of(), metrics="P@10", tests=asked)
    assert facts.verdict.note.startswith("Test: t,") and facts.deciding_test(0) == "t"
    bayes = next(p for p in facts.comparisons if p.test.startswith("bayes") and (p.a, p.b) == ("Best", "Poor"))
    assert bayes.p is None and sum(bayes.figures.values()) == pytest.approx(1.0)
    turned = facts.pair(0, bayes.test, "Poor", "Best")
    assert turned is not None and turned.figures["worse"] == bayes.figures["better"]
    assert turned.superiority == pytest.approx(1 - bayes.superiority)
    assert any(row.group for row in facts.leaderboard)


def test_what_was_not_kept_cannot_be_compared() -> None:
    study_scores = study_scores_of()
    with refused(SpecError, where="metrics", found="AP@10", hint="measured: P@10, Recall@10"):
        facts_of(study_scores, metrics="AP@10")
    with refused(UnknownNameError, where="compare", found="Bst", hint="did you mean Best?"):
        facts_of(study_scores, baseline="Bst")
    for of_system in study_scores.parts:
        del of_system.scores[0].counts["denominator of P@10"]
    with refused(NotApplicableError, where="aggregate") as refusal:
        facts_of(study_scores, aggregate="pooled", metrics="P@10")
    assert "P@10 under pooled" in refusal.value.what and "denominators" in refusal.value.what


def _significant(effect: float, users: int) -> str:
    setting = Setting(id=0, choices={}, metric="P@10", aggregate="mean", undefined="zero", coverage="zero", label="P@10")
    leaders = [
        LeaderRow(
            setting=0,
            system=name,
            rank=rank,
            value=value,
            low=None,
            high=None,
            users=users,
            undefined=0,
            user_coverage=1.0,
            coverage=None,
            unrated=None,
            rho=None,
        )
        for rank, (name, value) in enumerate([("A", 0.31), ("B", 0.3)], 1)
    ]
    pair = PairRow(
        setting=0,
        test="t",
        a="A",
        b="B",
        value_a=0.31,
        value_b=0.3,
        difference=0.01,
        low=0.002,
        high=0.018,
        effect=effect,
        wins=5,
        ties=0,
        losses=4,
        p=0.01,
        p_adjusted=0.01,
        correction="holm",
        family=1,
        users=users,
    )
    return verdict([setting], leaders, [pair], 0.05).sentence


def test_with_many_users_the_size_of_the_effect_leads() -> None:
    assert "The effect is very small (d = 0.04), but significant over 6,040 users" in _significant(0.04, 6040)
    assert "very small" not in _significant(0.4, 6040)
    assert "very small" not in _significant(0.04, 200)


def test_with_a_baseline_only_pairs_with_it_are_compared() -> None:
    found = facts_of(study_scores_of(), metrics="P@10", baseline="Good")
    assert found.verdict.answer == "Best beats the baseline Good."
    assert {pair.b for pair in found.pairs(0, "t")} == {"Good"} and len(found.pairs(0, "t")) == 3
    assert not found.lettered
    everyone = facts_of(study_scores_of(), metrics="P@10")
    assert everyone.verdict.answer == "Best wins." and len(everyone.pairs(0, "t")) == 6 and everyone.lettered


def test_wilcoxon_prints_its_non_zero_users_in_every_form_of_report() -> None:
    users = [f"u{k}" for k in range(100)]
    better = {user: ["i0", "i1"] for user in users}
    worse = {user: ["i1", "i0"] if k < 5 else ["i0", "i1"] for k, user in enumerate(users)}
    test = {user: {"i0": 5} for user in users}
    results = ho.evaluate(test, {"A": better, "B": worse}, "RR@2", relevance="threshold(5)", compare=["wilcoxon", "t"])
    assert results.tables["all-comparisons"].frame.select("p", "users", "non_zero").rows()[0] == (2 / 32, 100, 5.0)
    assert results.tables["all-comparisons"].frame["non_zero"][1] is None
    assert "100 users, 5 with a difference" in results.findings.verdict.numbers
    table = results.tables["pairs"]
    assert (table.values("Users"), table.values("Non-zero")) == ([100], [5.0])
    assert "Non-zero" in table.to_latex() and "Non-zero" in table.to_markdown() and "Non-zero" in table.to_html()
    assert "Non-zero" in printed(terminal.document(results.document, full=True), 400)
