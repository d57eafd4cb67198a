"""One way through a study, and what its data do not allow."""

from __future__ import annotations

from typing import Any

from tests.biases.sample import small_study
from tests.refusals import refused

from heldout.biases.measured import Bench
from heldout.biases.options import BiasOptions
from heldout.biases.prepare import PreparedStudy, prepare
from heldout.errors import InputError, NotApplicableError, SpecError


def _prepared(options: dict[str, Any] | None = None, **keys: Any) -> PreparedStudy:
    return prepare(small_study(**keys), BiasOptions(**{"sampled": 9, "classes": 3, **(options or {})}), Bench())


def test_random_and_popularity_are_added_once() -> None:
    prepared = _prepared()
    assert [s.name for s in prepared.study.recommend] == ["Popularity", "ItemKNN(k=10)", "UserKNN(k=20)", "Random"]
    assert prepared.baselines == {"Random": "Random", "Popularity": "Popularity"}
    named = _prepared(recommend=[{"name": "Pop", "model": "Popularity"}, {"name": "Random", "model": "ItemKNN"}])
    assert named.baselines == {"Random": "Random (added)", "Popularity": "Pop"}


def test_the_study_s_own_protocol_is_the_reference() -> None:
    assert _prepared().reference.name == "AI-AR"
    assert _prepared(target="TestItems").reference.name == "AR"
    own = _prepared(target="TestRatings").reference
    assert (own.name, own.target, own.estimand) == ("study", "TestRatings", "rated items")


def test_the_first_option_of_each_decision_is_taken_and_the_others_are_named() -> None:
    prepared = _prepared(relevance=["threshold(4)", "threshold(5)"], target=["TestItems", "AllItems"])
    assert [str(rule) for rule in prepared.study.relevance] == ["threshold(tau=4)"]
    assert any("2 options under relevance; this is of the first, threshold(tau=4)" in limit for limit in prepared.limits)
    assert prepared.reference.name == "AR"


def test_classes_that_ids_decide_are_among_the_limits() -> None:
    """Eight classes of few items each cut through equally popular ones."""
    told = [limit for limit in _prepared({"classes": 8, "sampled": 3}).limits if limit.startswith("HO210")]
    assert len(told) == 1 and "P1R(nonrelevant=3, percentiles=8)" in told[0]


def test_protocols_that_the_data_are_too_small_for_are_named() -> None:
    prepared = _prepared({"sampled": 50})
    assert "P1R" not in {protocol.name for protocol in prepared.protocols}
    (reason,) = prepared.left_out
    assert reason.startswith("P1R: ")
    assert all(fact in reason for fact in ("at most 20 items", "popularity class", "found 50"))


def test_a_uniform_test_set_that_popularity_is_too_steep_for_is_made_smaller() -> None:
    steep = "simulate(users=90, items=60, ratings=1200, alpha=2.0, c1=1, c2=2)"
    prepared = _prepared({"keep": 0.5}, data=steep, split="ratio(train=0.5)")
    assert prepared.uniform_share < 0.5
    assert any("popularity is too steep for it" in reason for reason in prepared.left_out)
    assert {"U1R", "UAR", "AR-NN"} <= {protocol.name for protocol in prepared.protocols}


def test_lists_are_levelled_with_uar_only_where_fewer_items_compete_there() -> None:
    assert "AR-NN" not in {protocol.name for protocol in _prepared().protocols}  # all 60 items are tested in UAR


def test_metrics_of_judged_items_that_are_not_relevant_are_left_out_without_such_items() -> None:
    """bpref is 1 for every full ranking of such data, and was marked as the best."""
    binary = _prepared(relevance="threshold(1)")
    needing = {"bpref", "infAP", "1R infAP"}
    assert needing <= {p.name for p in _prepared().protocols}
    assert not needing & {p.name for p in binary.protocols} and "stratified recall" in {p.name for p in binary.protocols}
    assert not any(metric.needs_nonrelevant for metric in binary.study.metrics)
    assert {reason.partition(":")[0] for reason in binary.left_out if "all test ratings are relevant" in reason} == needing
    with refused(NotApplicableError, where="metrics", hint="metric=P@10"):
        _prepared(relevance="threshold(1)", metrics="bpref")


def test_data_without_popularity_have_no_bias_to_look_for() -> None:
    rows = [(user, item) for user in range(12) for item in range(6) if (user + item) % 2]
    frame = {"user": [u for u, _ in rows], "item": [i for _, i in rows], "rating": [5] * len(rows)}
    with refused(InputError, where="data", found="6 ratings of every item"):
        _prepared(data=frame)


def test_a_study_without_a_metric_of_users_is_refused() -> None:
    with refused(SpecError, where="metrics", found=["GROC"], expected="a metric that ranks systems"):
        _prepared(metrics=["GROC"], recommend=["Popularity", "SVD(epochs=1)"])


def test_a_test_that_knows_no_weights_gives_way_to_t() -> None:
    prepared = _prepared(compare=["wilcoxon"])
    assert [str(test) for test in prepared.study.compare.tests] == ["t"]
    assert any(limit.startswith("wilcoxon does not compare") for limit in prepared.limits)
    assert [str(test) for test in _prepared(compare=["wilcoxon", "permutation"]).study.compare.tests] == ["permutation"]


def test_a_given_split_has_no_uniform_one(tmp_path: Any) -> None:
    lines = [f"{u},{i},{1 + (u * i) % 5}" for u in range(30) for i in range(20) if (u * 7 + i * 3) % 4 or i < 4]
    for name, chosen in (("train", lines[::2]), ("test", lines[1::2])):
        (tmp_path / f"{name}.csv").write_text("\n".join(["user,item,rating", *chosen]))
    split = f'given(train="{tmp_path}/train.csv", test="{tmp_path}/test.csv")'
    prepared = prepare(small_study(data=[], split=split), BiasOptions(sampled=4, classes=2), Bench())
    assert not any(protocol.split for protocol in prepared.protocols)
    assert any("no data to split anew" in reason for reason in prepared.left_out)
