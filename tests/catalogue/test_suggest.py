"""Names of other libraries and everyday words are answered with the form that is meant."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from tests.refusals import refused

import heldout as ho
from heldout.catalogue import classes, find, make, make_all
from heldout.catalogue.suggest import CUT_IN_NAME, ELSEWHERE, METRIC_SPELLINGS, suggestion
from heldout.catalogue.text import Call
from heldout.errors import SpecError, SpellingWarning, UnknownNameError
from heldout.study.file import FILE_KEYS, MEANT, study_from


@pytest.mark.parametrize(
    ("text", "metrics"),
    [
        ("NDCG@10", "nDCG@10"),
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_cut.5,10", "nDCG@5 nDCG@10"),
        ("nDCG@5,10", "nDCG@5 nDCG@10"),
        ("nDCG(gain=exp2)@5,10", "nDCG(gain=exp2)@5 nDCG(gain=exp2)@10"),
        ("P_10", "P@10"),
        ("P.5", "P@5"),
        ("precision_10", "P@10"),
        ("recall_100", "Recall@100"),
        ("map_cut_10", "AP@10"),
        ("MAP", "AP"),
        ("recip_rank", "RR"),
        ("MRR@10", "RR@10"),
        ("success_1", "HitRate@1"),
        ("hit_rate@10", "HitRate@10"),
        ("HR@10", "HitRate@10"),
        ("Hit@10", "HitRate@10"),
        ("R-Precision", "RPrecision"),
        ("ndcg_at_10", "nDCG@10"),
        ("set_P", "PReturned"),
        ("set_recall", "Recall"),
        ("set_F", "F"),
        ("relative_P_10", "RecallCapped@10"),
        ("relative_P.5,10", "RecallCapped@5 RecallCapped@10"),
    ],
)
def test_metrics_as_others_spell_them(text: str, metrics: str) -> None:
    """The same numbers: tests/oracles holds ours against trec_eval and ranx."""
    assert " ".join(map(str, make_all("metric", text))) == metrics


@pytest.mark.parametrize("text", ["MAP@10", "map_10", "mean_average_precision@10", "MAP@5,10", "map_at_10"])
def test_a_name_that_libraries_give_to_two_metrics_is_read_with_a_sentence(text: str) -> None:
    with pytest.warns(SpellingWarning, match=r"AP@\d+.* APCapped@"):
        assert str(make_all("metric", text)[-1]) == "AP@10"


@pytest.mark.parametrize("text", ["MAP", "map_cut_10", "AP@10", "MRR@10"])
def test_a_name_of_one_metric_is_read_without_a_word(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make_all("metric", text)


def test_spellings_hide_no_metric() -> None:
    names = {name.casefold(): cls.key for cls in classes("metric") for name in (cls.key, *cls.aliases)}
    assert not set(METRIC_SPELLINGS) & set(names) and set(METRIC_SPELLINGS.values()) <= set(names.values())
    assert set(names) >= CUT_IN_NAME


def test_no_word_hides_a_component_and_all_forms_can_be_written() -> None:
    for kind, words in ELSEWHERE.items():
        known = {name.casefold() for cls in classes(kind) for name in (cls.key, *cls.aliases)}
        assert not known & set(words)
        for meant in words.values():
            for form in meant.format("0.8").split(" or "):
                cut = kind == "metric" and find(kind, form).key != "RPrecision"
                assert make(kind, f"{form}@10" if cut else form)


def test_every_measure_of_trec_eval_is_read_or_answered() -> None:
    """What pytrec_eval lists is ours under its name, or the error names what is nearest or a cut-off to add."""
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval is not installed")
    answers = {}
    for name in sorted(pytrec_eval.supported_measures):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SpellingWarning)
                answers[name] = str(make("metric", name))
        except SpecError as error:
            answers[name] = error.hint
    assert len(answers) > 25 and not [name for name, answer in answers.items() if not answer or answer.startswith("known:")]


def test_inferred_ap_says_which_pool_it_has_where_runs_are_judged() -> None:
    """trec_eval's is `pool=judged` (tests/oracles holds the two equal); ours is `pool=ranked` unless told."""
    test, run = {"u": {"a": 1, "b": 0}}, {"u": ["x", "b", "a"]}
    for text in ("infAP", "infap", "infAP@10", "infAP(rel=1)"):
        with pytest.warns(SpellingWarning, match=r"infAP\(pool=judged\)"):
            ranked = ho.measure(test, run, text, relevance="threshold(1)").item(0, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", SpellingWarning)
        judged = ho.measure(test, run, "infAP(pool=judged)", relevance="threshold(1)").item(0, 1)
        ho.measure(test, run, ["infAP(pool=ranked)", "infAP(pool_depth=100)"], relevance="threshold(1)")
        assert make("metric", "infAP").pool == "ranked"  # its own text form, as reports and folders have it
    assert ranked != judged


@pytest.mark.parametrize("number", [10**400, -(10**400), 10**5000], ids=["400 digits", "below zero", "5000 digits"])
def test_huge_numbers_are_not_repeated(number: int) -> None:
    assert suggestion("split", Call("holdout", (number,))) == suggestion("split", Call("holdout"))


@pytest.mark.parametrize(
    ("kind", "text", "meant"),
    [
        ("split", "random(0.8)", "ratio(train=0.8)"),
        ("split", "random", "ratio(train=0.8)"),
        ("split", "holdout(0.7)", "ratio(train=0.7)"),
        ("split", "leave_one_out", "leave_out(1)"),
        ("test", "ttest", "t"),
    ],
)
def test_what_is_meant(kind: str, text: str, meant: str) -> None:
    with refused(UnknownNameError, hint=f"did you mean {meant}?"):
        make(kind, text)
    assert str(make(kind, meant))  # and that can be written


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("hits@10", {"hint": "did you mean HitRate or P?"}),
        ("hits_10", {"hint": "did you mean HitRate or P?"}),
        ("rbp_80", {"hint": "did you mean RBP"}),
        ("ndcg_cut_10@5", {"hint": "known: AP"}),
        ("nDCG@5,", {"where": "'nDCG@5,'", "expected": "a value"}),
        ("nDCG@5,x", {"where": "nDCG: cut-off", "found": "x", "expected": "a whole number"}),
        ("RBP.95", {"found": "RBP.95", "hint": "write RBP(phi=0.95)"}),
        ("ndcg_burges@10", {"found": "ndcg_burges@10", "hint": "write nDCG(gain=exp2)@10"}),
        ("recall@10-l2", {"found": "recall@10-l2", "hint": "write recall(rel=2)@10"}),
        ({"map", "ndcg"}, {"found": {"map", "ndcg"}, "hint": "give a list"}),
    ],
)
def test_what_does_not_mean_one_metric_is_answered(text: Any, parts: dict[str, Any]) -> None:
    with refused(UnknownNameError if parts.get("hint", "").startswith(("did you mean", "known: ")) else SpecError, **parts):
        make_all("metric", text)


def test_a_share_as_a_split_is_answered_with_what_to_write() -> None:
    with refused(SpecError, found=0.7, expected="a split as text", hint='such as "ratio(train=0.7, by=user)"'):
        make("split", 0.7)
    with refused(SpecError, found=5, expected="a split as text") as error:
        make("split", 5)
    assert not error.value.hint


@pytest.mark.parametrize(
    ("key", "meant"), [("evaluate", "metrics"), ("models", "recommend"), ("dataset", "data"), ("tests", "compare")]
)
def test_keys(key: str, meant: str) -> None:
    least = {"data": "simulate()", "split": "ratio(0.8)", "recommend": "Popularity"}
    with refused(UnknownNameError, hint=f"did you mean {meant}?"):
        study_from({**{name: value for name, value in least.items() if name != meant}, key: "x"})
    assert set(MEANT.values()) <= set(FILE_KEYS) and not set(MEANT) & set(FILE_KEYS)


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("11pt_avg", "AP, the precision at each relevant item, is nearest"),
        ("iprec_at_recall_0.50", "interpolated precision is not offered"),
        ("iprec_at_recall", "interpolated precision is not offered"),
        ("iprec_at_recall.50,.75", "interpolated precision is not offered"),
        ("gm_map", 'AP with aggregate="gmean(0.00001)" is nearest'),
        ("gm_bpref", 'bpref with aggregate="gmean(0.00001)" is nearest'),
        ("num_ret", "the column `length`"),
        ("num_rel_ret", "it is a count"),
        ("Rndcg", "nDCG is nearest"),
    ],
)
def test_measures_that_only_trec_eval_has_name_the_nearest(text: str, nearest: str) -> None:
    with refused(SpecError, found=text, hint=nearest):
        make("metric", text)
    assert str(make("aggregation", "gmean(0.00001)")) == "gmean(epsilon=1e-05)"  # which a hint names
