"""From the keys of a study to a Study: options, chains, defaults, systems, comparisons; and every refusal."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

import numpy as np
import pytest
from tests.refusals import refused

import heldout as ho
from heldout import Study
from heldout.catalogue import KINDS, make
from heldout.errors import HeldoutError, NotApplicableError, SpecError, SpellingWarning, UnknownNameError
from heldout.metric_quality.findings import Counting, Sampling
from heldout.metric_quality.options import MetricOptions
from heldout.study.analysis import Analysis, make_analysis
from heldout.study.choices import Choices, grouped, toml
from heldout.study.file import study_from
from heldout.study.keys import declared_keys, make_options
from heldout.study.notices import about_choices, about_study
from heldout.study.protocol import JUDGING, Protocol, chain_text
from heldout.study.record import study_record
from heldout.study.spec import DEFAULTS, KINDS_OF_STAGE, MetaTable
from heldout.study.systems import refuse_engine
from heldout.tables import ProtocolKey
from heldout.targets.relevance.by_scale import guess_relevance

LEAST: dict[str, Any] = {"data": "simulate", "split": "ratio", "recommend": "Popularity"}


def study(**keys: Any) -> Study:
    return study_from({**LEAST, **keys})


def texts(options: Any) -> list[str]:
    return [str(option) for option in options]


def test_what_is_not_said_has_a_default() -> None:
    made = study()
    assert texts(made.data) == ["simulate"]
    assert texts(made.metrics) == DEFAULTS["metrics"]
    assert (made.filters, [chain_text(c) for c in made.users]) == (((),), ["with_test"])
    assert texts(made.fallback) == texts(made.fallback) == ["none"]
    assert (texts(made.target), texts(made.unrated), texts(made.ties)) == (["AllItems"], ["zero"], ["item"])
    assert (texts(made.aggregate), texts(made.undefined), texts(made.coverage)) == (["mean"], ["zero"], ["zero"])
    assert (texts(made.compare.tests), str(made.compare.correction), made.compare.level) == (
        ["t", "permutation"],
        "holm",
        0.05,
    )
    assert (made.seed, made.task, made.compare.baseline) == (1, "some_good_items", None)


def test_a_list_is_options_and_each_counts_once() -> None:
    made = study(metrics=["P@[5, 10]", "nDCG@5", "p@10"], target=["TestItems", "AllItems"], split=["ratio", "folds(2)"])
    assert texts(made.metrics) == ["P@5", "P@10", "nDCG@5"]
    assert texts(made.target) == ["TestItems", "AllItems"]
    assert texts(made.split) == ["ratio(train=0.8)", "folds(n=2)"]
    assert texts(study(data=["simulate", "simulate(seed=2)", "simulate"]).data) == ["simulate", "simulate(seed=2)"]


def test_an_inner_list_is_a_chain() -> None:
    made = study(filters=[[], "core(2)", ["positive(4)", "core(2)"]], users=[["with_train", "with_relevant"], "all"])
    assert [chain_text(c) for c in made.filters] == ["none", "core(k=2)", "positive(threshold=4) + core(k=2)"]
    assert [chain_text(c) for c in made.users] == ["with_train + with_relevant", "all"]
    assert [chain_text(c) for c in study(filters=["core(2)", "core(3)"]).filters] == ["core(k=2)", "core(k=3)"]
    assert study(filters=[]).filters == ((),)


def test_a_table_names_a_system() -> None:
    made = study(recommend=["Popularity", {"name": "small", "model": "UserKNN(k=3)"}, {"model": "Random"}])
    assert [(s.name, str(s.recommender)) for s in made.recommend] == [
        ("Popularity", "Popularity"),
        ("small", "UserKNN(k=3)"),
        ("Random", "Random"),
    ]
    assert study_record(made)["recommend"][1] == {"name": "small", "model": made.recommend[1].recommender.full_text}


def test_components_and_classes_do_as_well_as_texts() -> None:
    made = study(
        metrics=[ho.metrics.P(n=5), "nDCG@5"],
        target=ho.targets.TestItems,
        split=ho.splits.Ratio(0.5),
        recommend=[ho.recommenders.Popularity()],
    )
    assert made == study(metrics=["P@5", "nDCG@5"], target="TestItems", split="ratio(0.5)", recommend=["Popularity"])


@pytest.mark.parametrize(
    ("written", "chains"),
    [
        (["with_train"], ["with_test + with_train"]),
        (
            [["with_train(2)", "with_relevant"]],
            ["with_train(min=2) + with_relevant"],
        ),
        ([["with_train", "all"], "all"], ["with_train + all", "all"]),
        (["with_test", "with_test(3)"], ["with_test", "with_test(min=3)"]),
        ([[], "with_test"], ["with_test"]),
    ],
)
def test_users_without_test_ratings_are_left_out_unless_all_is_written(written: Any, chains: list[str]) -> None:
    assert [chain_text(chain) for chain in study(users=written).users] == chains


def test_with_train_alone_averages_no_user_without_test_ratings() -> None:
    """Cut in time, most users have no test rating: they were averaged as 0 when `with_train` replaced the default."""
    study = {"data": "simulate(users=90, items=40, ratings=700)", "split": "temporal(share=0.1)", "recommend": "Popularity"}
    narrow = ho.run({**study, "users": "with_train", "metrics": "P@5"}).findings.leaderboard[0]
    both = ho.run({**study, "users": [["with_test", "with_train"]], "metrics": "P@5"}).findings.leaderboard[0]
    everyone = ho.run({**study, "users": [["with_train", "all"]], "metrics": "P@5"}).findings.leaderboard[0]
    assert (narrow.users, narrow.value) == (both.users, both.value)
    assert everyone.users > narrow.users


def test_models_of_ones_own() -> None:
    def constant(train: ho.Interactions, users: Any) -> Any:
        return np.ones((len(users), train.n_items))

    made = study_from(
        LEAST,
        models={
            "mine": constant,
            "known": ho.as_recommender("known", constant, version="2"),
            "p": ho.recommenders.Popularity(),
        },
    )
    assert [s.name for s in made.recommend] == ["Popularity", "mine", "known", "p"]
    assert "version" in made.recommend[2].recommender.full_text
    assert '"2"' in made.recommend[2].recommender.full_text  # a version given is not lost: stored parts are told apart by it
    assert made.recommend[3].recommender == ho.recommenders.Popularity()
    with refused(SpecError, where="recommend: mine", found="int"):
        study_from(LEAST, models={"mine": 5})
    without = {k: v for k, v in LEAST.items() if k != "recommend"}
    assert [s.name for s in study_from(without, models={"mine": constant}).recommend] == ["mine"]


def test_a_table_says_how_to_compare() -> None:
    made = study(
        recommend=["Popularity", "Random"],
        compare={"tests": ["wilcoxon", "sign"], "correction": "bonferroni", "level": 0.01, "baseline": "Random"},
    ).compare
    assert (texts(made.tests), str(made.correction), made.level, made.baseline) == (
        ["wilcoxon", "sign"],
        "bonferroni",
        0.01,
        "Random",
    )


def test_the_word_of_verbs_and_commands_is_read_in_a_study_too() -> None:
    with pytest.warns(SpellingWarning, match="tests"):
        assert texts(study(compare={"test": "sign", "level": 0.1}).compare.tests) == ["sign"]
    with refused(UnknownNameError, where="compare", hint="did you mean tests?") as error:
        study(compare={"test": "sign", "tests": "t"})
    assert error.value.name == "test"


def test_no_test_is_an_empty_list_or_none() -> None:
    assert study(compare={"tests": []}).compare.tests == study(compare="none").compare.tests == ()


def test_a_baseline_may_be_spelt_otherwise() -> None:
    """UserKNN(k=100) is what UserKNN is printed as where 100 is no default, however it is written."""
    made = study(recommend=["UserKNN(k=7)", "Popularity"], compare={"baseline": "UserKNN( k = 7 )"})
    assert made.compare.baseline == made.recommend[0].name


def test_a_test_that_answers_for_no_aggregation_is_refused_before_work() -> None:
    """Ranks of differences know no weights."""
    keys: dict[str, Any] = {"recommend": ["Popularity", "Random"], "compare": ["t", "wilcoxon"]}
    with refused(NotApplicableError, where="compare", hint="use t, permutation"):
        study(**keys, aggregate="mean(weight=test)")
    study(**keys, aggregate=["mean(weight=test)", "mean"])


def test_a_share_and_a_number_of_development_users() -> None:
    assert study(development=0.5).development == 0.5
    assert study(development=30).development == 30.0
    assert study().development is None


def test_what_a_system_needs_is_read_and_changes_no_study() -> None:
    keys = {"data": "simulate", "split": "ratio", "metrics": "P@5"}
    needs = {"model": "WRMF", "num_cpus": 4, "num_gpus": 0.5, "memory": "1.5 GB"}
    study, plain = study_from({**keys, "recommend": [needs]}), study_from({**keys, "recommend": "WRMF"})
    assert study.recommend[0].resources == {"num_cpus": 4, "num_gpus": 0.5, "memory": 1_500_000_000}
    assert study == plain
    assert plain.recommend[0].resources == {}


def test_every_default_is_one_of_its_stage() -> None:
    assert set(KINDS_OF_STAGE.values()) <= set(KINDS)
    for stage in DEFAULTS.keys() & KINDS_OF_STAGE.keys() - {"filters", "users"}:
        assert make_options(KINDS_OF_STAGE[stage], DEFAULTS[stage])


def test_the_table_of_a_trial_of_metrics_has_its_options() -> None:
    declared = declared_keys(MetaTable)
    assert set(declared) == {field.name for field in fields(MetricOptions)} - {"seed"}
    words = {name: get_args(get_args(declared[name].written)[0]) for name in ("sampling", "popularity")}
    assert words == {"sampling": get_args(Sampling), "popularity": get_args(Counting)}
    assert study(meta={"sampling": "user"}).meta == {"sampling": "user"}


KNOWN_MODEL = ho.recommenders.Popularity()
ODD = complex(1, 2)
REFUSED: list[tuple[dict[Any, Any], dict[str, Any]]] = [
    ({"metrics": "Coverage@5"}, {"where": "metrics", "found": ["Coverage@5"], "expected": "one metric that ranks systems"}),
    ({"metrics": KNOWN_MODEL}, {"where": "metrics", "found": KNOWN_MODEL, "expected": "a metric"}),
    ({"metrics": [None]}, {"where": "metrics", "found": None, "expected": "a text or a table"}),
    ({"metrics": []}, {"where": "metrics", "found": [], "expected": "at least one metric"}),
    ({"metrics": [{"aggregate": "mean"}]}, {"where": "metrics", "found": {"aggregate": "mean"}, "expected": "'metric'"}),
    ({"metrics": [{"metric": "P@5", "aggregate": []}]}, {"where": "metrics: aggregate", "found": []}),
    ({"objectives": "ILD@5"}, {"where": "objectives", "found": "ILD@5", "hint": "add it to metrics"}),
    (
        {"metrics": ["P@5", "Coverage@5"], "objectives": "Coverage@5"},
        {"where": "objectives", "found": "Coverage@5", "expected": "a metric of which higher or lower values are better"},
    ),
    ({"target": []}, {"where": "target", "found": [], "expected": "at least one option"}),
    ({"users": []}, {"where": "users", "found": [], "expected": "at least one option"}),
    ({"data": ODD}, {"where": "data", "found": ODD, "expected": "a text"}),
    ({"data": None}, {"where": "data", "hint": 'such as data = "ratings.csv"'}),
    ({"data": []}, {"where": "data", "hint": 'such as data = "ratings.csv"'}),
    ({"data": {"user": "u"}}, {"where": "data", "found": {"user": "u"}, "expected": "a table with 'path'"}),
    ({"data": "a\x00"}, {"where": "data", "found": "a\x00", "expected": "NUL"}),
    ({"title": "\ud800"}, {"where": "title", "found": "\ud800", "expected": "lone surrogates"}),
    ({"filters": [[[[[[[[["core(2)"]]]]]]]]]}, {"where": "filters", "expected": "at most 8 levels"}),
    ({"split": None}, {"where": "split", "hint": 'such as split = "ratio(train=0.8)"'}),
    ({"recommend": []}, {"where": "recommend", "found": [], "expected": "at least one recommender"}),
    ({"recommend": None}, {"where": "recommend", "found": [], "expected": "at least one recommender"}),
    ({"recommend": ["Random", "Popularity", "Random"]}, {"where": "recommend", "found": "Random", "hint": "rename"}),
    (
        {"recommend": [{"name": "x"}]},
        {"where": "recommend", "found": ["name"], "expected": "a table with 'model' or 'tuned'"},
    ),
    ({"recommend": [{"model": "Random", "num_cpus": 1.5}]}, {"where": "recommend: num_cpus", "found": 1.5}),
    ({"recommend": [{"model": "Random", "num_cpus": 0}]}, {"where": "recommend, num_cpus", "found": 0}),
    ({"recommend": [{"model": "Random", "num_gpus": 2000}]}, {"where": "recommend: num_gpus", "found": 2000}),
    (
        {"recommend": [{"model": "Random", "memory": "8 gigs"}]},
        {"where": "recommend: memory", "found": "8 gigs", "expected": 'a text such as "8 GB"'},
    ),
    ({"recommend": [{"model": "Random", "memory": 8}]}, {"where": "recommend, memory", "found": 8, "expected": "a text"}),
    ({"seed": True}, {"where": "seed", "found": True, "expected": "a whole number"}),
    ({"seed": 1.5}, {"where": "seed", "found": 1.5, "expected": "a whole number"}),
    ({"seed": 2**70}, {"where": "seed"}),
    (
        {"validation": "folds(4)"},
        {"where": "validation", "found": "folds(n=4)", "expected": "a split that divides the training ratings once"},
    ),
    ({"development": 1.5}, {"where": "development", "found": 1.5, "expected": "a share below 1"}),
    ({"engine": "processes"}, {"where": "engine", "found": "processes", "hint": 'use engine = "ray"'}),
    (
        {"compare": {"tests": ["none", "t"]}},
        {"where": "compare: tests", "found": ["none", "t"], "expected": "either 'none'"},
    ),
    ({"compare": {"level": 1.5}}, {"where": "compare, level", "found": 1.5, "expected": "a number below 1"}),
    (
        {"compare": {"tests": "sign(alternative=greater)"}},
        {"where": "compare: baseline", "found": "sign(alternative=greater)", "hint": "name the system"},
    ),
    ({"meta": {"sampling": "users"}}, {"where": "meta, sampling", "found": "users", "expected": "'all' or 'user'"}),
    ({"multiverse": {"seeds": [1, 2]}}, {"where": "multiverse", "hint": "use heldout multiverse"}),
    ({"measure": "P@5", "metrics": "RR"}, {"where": "metrics", "found": ["measure", "metrics"], "hint": "keep one of them"}),
    ({3: "x"}, {"found": 3, "expected": "a text as the name of a key"}),
]
"""Keys that change → the parts of the error."""


@pytest.mark.filterwarnings("ignore::heldout.errors.SpellingWarning")
@pytest.mark.parametrize(("keys", "parts"), REFUSED, ids=lambda value: str(value)[:60])
def test_what_is_refused(keys: dict[Any, Any], parts: dict[str, Any]) -> None:
    with refused(SpecError, **parts):
        study_from({**LEAST, **keys})


@pytest.mark.parametrize(
    ("keys", "parts"),
    [
        ({"sead": 1}, {"hint": "did you mean seed?"}),
        ({"workers": 2}, {"hint": "did you mean engine?"}),
        ({"task": "utilty"}, {"where": "task", "hint": "did you mean utility?"}),
        ({"engine": "there"}, {"where": "engine", "hint": "did you mean here?"}),
        ({"truth_design": "half"}, {"where": "truth_design", "hint": "did you mean halves?"}),
        ({"aggregate": "men"}, {"where": "aggregate", "hint": "did you mean mean"}),
        ({"metrics": [{"metric": "P@5", "agregate": "mean"}]}, {"where": "metrics", "hint": "did you mean aggregate?"}),
        ({"metrics": ["P@5 aggregate=poled"]}, {"where": "metrics: aggregate", "hint": "did you mean pooled?"}),
        ({"compare": {"baseline": "Random"}}, {"where": "compare", "hint": "known: Popularity"}),
        ({"compare": {"folds": "pool"}}, {"where": "compare", "hint": "did you mean pooled?"}),
        ({"compare": {"group": "al"}}, {"where": "compare", "hint": "did you mean all?"}),
        ({"compare": {"testing": "t"}}, {"where": "compare", "hint": "did you mean tests?"}),
        ({"meta": {"samplings": "user"}}, {"where": "meta", "hint": "did you mean sampling"}),
    ],
)
def test_unknown_names_are_answered_with_near_ones(keys: dict[str, Any], parts: dict[str, Any]) -> None:
    with refused(UnknownNameError, **parts):
        study(**keys)


def test_all_that_is_wrong_is_in_one_error() -> None:
    """An unknown key, unknown metrics, a wrong level: what is sound is checked if something else is not."""
    with refused(SpecError) as error:
        study_from(
            {**LEAST, "sead": 1, "metrics": ["Pq@5", "RR", "Recal@5"], "recommend": ["Popularity", {"nam": "x"}], 3: "x"}
        )
    assert {getattr(part, "name", part.found) for part in error.value.parts} == {3, "sead", "nam", "Pq", "Recal"}


def test_an_address_is_for_ray_only() -> None:
    refuse_engine("ray", "auto")
    with refused(SpecError, where="address", found="auto", hint="add --engine ray"):
        refuse_engine("here", "auto")


TARGETS = [make("target", "AllItems")]


def analysis(**keys: Any) -> Analysis:
    return make_analysis(keys, systems=["A", "B"], targets=TARGETS)


def test_what_is_not_named_has_its_default() -> None:
    made = analysis()
    assert [str(m) for m in made.metrics] == ["nDCG(gain=binary)@10"]
    assert [str(o) for stage in (made.aggregate, made.undefined, made.coverage) for o in stage] == ["mean", "zero", "zero"]
    assert [str(t) for t in made.compare.tests] == ["t", "permutation"]


def test_contests_descriptions_and_objectives() -> None:
    """ILD describes lists unless it is an objective; Coverage says of no system that it is better."""
    made = analysis(metrics=["P@5", "ILD@5", "Coverage@5"])
    assert ([str(m) for m in made.contests], [str(m) for m in made.descriptive]) == (["P@5"], ["ILD@5"])
    made = analysis(metrics=["P@5", "ILD@5", "Coverage@5"], objectives="ILD@5")
    assert ([str(m) for m in made.contests], made.descriptive) == (["P@5", "ILD@5"], ())


def test_a_metric_is_aggregated_as_it_says_itself() -> None:
    made = analysis(metrics=["P@5", "HLU aggregate=pooled"], aggregate=["mean", "median"])
    first, second = made.metrics
    assert [str(a) for a in made.aggregations(first)] == ["mean", "median"]
    assert [str(a) for a in made.aggregations(second)] == ["pooled"]
    assert [str(a) for a in made.all_aggregations] == ["mean", "median", "pooled"]
    stages = dict(made.analysis_options())
    assert stages["metrics"] == (first.full_text, f"{second.full_text} aggregate={make('aggregation', 'pooled').full_text}")
    assert list(stages) == ["metrics", "aggregate", "undefined", "coverage", "compare"]


@pytest.mark.parametrize(
    ("keys", "parts"),
    [
        ({"aggregate": "men"}, {"where": "aggregate", "hint": "did you mean mean"}),
        ({"metrics": []}, {"where": "metrics", "found": [], "expected": "at least one metric"}),
        ({"compare": {"baseline": "C"}}, {"where": "compare", "hint": "known: A, B"}),
        ({"compare": {"level": 0}}, {"where": "compare: level", "found": 0, "expected": "a number between 0 and 1"}),
        ({"aggregate": "mean(weight=test)", "compare": "wilcoxon"}, {"where": "compare", "hint": "t, permutation"}),
    ],
)
def test_errors_name_their_stage(keys: dict[str, Any], parts: dict[str, Any]) -> None:
    with pytest.raises(HeldoutError) as error:
        analysis(**keys)
    with refused(type(error.value), **parts):
        raise error.value


def test_a_decision_about_judging_is_a_field_of_protocols_judgements_and_keys_of_scores() -> None:
    of_keys = {field.name for field in fields(ProtocolKey)}
    assert set(JUDGING) == {stage for stage in Protocol.__dataclass_fields__ if stage in KINDS_OF_STAGE} - {
        *("data", "filters", "split", "users", "recommend")
    }
    assert of_keys == {"data", "filter", "split", "users", *JUDGING}


def test_judgements_are_distinct() -> None:
    stating = "OnePlusRandom(nonrelevant=5, relevance=threshold(tau=5))"
    targets = ["AllItems", "OnePlusRandom(5)", stating]
    made = study(target=targets, relevance=["threshold(3)", "threshold(4)"])
    judgements = [(str(c.target), str(c.relevance)) for c in made.judgements()]
    assert judgements == [
        ("AllItems", "threshold(tau=3)"),
        ("AllItems", "threshold(tau=4)"),
        ("OnePlusRandom(nonrelevant=5)", "threshold(tau=3)"),
        ("OnePlusRandom(nonrelevant=5)", "threshold(tau=4)"),
        (stating, "threshold(tau=5)"),
    ]


def test_every_rule_that_judges_is_known_with_the_target_that_states_it() -> None:
    stating = "OnePlusRandom(nonrelevant=5, relevance=threshold(tau=5))"
    both = study(target=["AllItems", stating], relevance="threshold(3)").relevance_rules()
    assert [(str(rule), by) for rule, by in both.items()] == [("threshold(tau=3)", ""), ("threshold(tau=5)", stating)]
    only = study(target=[stating], relevance="threshold(3)").relevance_rules()
    assert [(str(rule), by) for rule, by in only.items()] == [("threshold(tau=5)", stating)]


def test_a_guess_takes_the_place_of_by_scale_and_of_nothing_else() -> None:
    protocol = study(relevance=["by_scale", "threshold(5)"])
    assert protocol.guessing()
    guess = guess_relevance(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    settled = protocol.with_guess(guess)
    assert [str(rule) for rule in settled.relevance] == ["threshold(tau=4)", "threshold(tau=5)"]
    assert not settled.guessing() and settled.guess == guess
    assert protocol.with_guess(None) is protocol


def test_a_protocol_without_data_split_and_systems_is_one_of_runs() -> None:
    judging = {stage: getattr(study(), stage) for stage in ("fallback", "relevance", "target", "unrated", "ties")}
    protocol = Protocol(**judging)
    stages = dict(protocol.protocol_options())
    assert stages["data"] == stages["split"] == stages["recommend"] == ()
    assert len(list(protocol.judgements())) == 1


WRITTEN: dict[str, Any] = {
    "data": "simulate(users=30, items=20, ratings=200)",
    "split": "ratio(train=0.8)",
    "recommend": ["Popularity", "Random"],
    "relevance": "threshold(4)",
    "metrics": ["P@[5, 10]", "RR@10", "RMSE", "Coverage@5"],
}


def choices(*, written: bool) -> Choices:
    return Choices(study_from(WRITTEN), WRITTEN if written else None)


def test_what_is_written_is_replaced_and_what_is_not_is_added() -> None:
    file = choices(written=True)
    assert file.replace("split", "folds(5)") == '- split = "ratio(train=0.8)"\n+ split = "folds(5)"'
    assert file.replace("target", ["AllItems", "TestItems"]) == '+ target = ["AllItems", "TestItems"]'
    assert file.add("metrics", "P@50").endswith('+ metrics = ["P@[5, 10]", "RR@10", "RMSE", "Coverage@5", "P@50"]')


def test_of_results_options_stand_in_their_text_forms() -> None:
    results = choices(written=False)
    assert results.replace("target", "TestItems") == '- target = "AllItems"\n+ target = "TestItems"'
    assert results.now("metrics") == 'metrics = ["P@5", "P@10", "RR@10", "RMSE", "Coverage@5"]'
    assert results.writes("target") and not choices(written=True).writes("target")


def test_of_compare_the_tests_are_replaced() -> None:
    tests = {"compare": ["t", "sign"]}
    listed = Choices(study_from({**WRITTEN, **tests}), {**WRITTEN, **tests})
    assert listed.replace("compare", "wilcoxon") == '- compare = ["t", "sign"]\n+ compare = "wilcoxon"'
    table = {"compare": {"tests": ["t"], "level": 0.01}}
    expected = '  [compare]\n- tests = "t"\n+ tests = ["t", "sign"]'
    for keys in ({**WRITTEN, **table}, None):
        assert Choices(study_from({**WRITTEN, **table}), keys).add("compare", "sign") == expected
    assert choices(written=True).replace("compare", "sign") == '+ compare = "sign"'


def test_ranked_metrics_and_their_depths() -> None:
    """Neither errors nor diagnostics say which list is better."""
    assert [str(m) for m in choices(written=True).ranked] == ["P@5", "P@10", "RR@10"]
    assert choices(written=True).depths == (5, 10)


def test_metrics_are_told_with_all_their_cut_offs() -> None:
    metrics = [make("metric", text) for text in ("P@5", "P@10", "RR@10", "AUC")]
    assert grouped(metrics) == "P@[5, 10], RR@10, AUC"
    assert grouped(metrics, most=1) == "P@[5, 10] and 2 more"


def test_options_as_toml() -> None:
    assert toml(["é"]) == '"é"'
    assert toml([["core(5)"], []]) == '[["core(5)"], []]'


def all_and_shown(**changed: Any) -> tuple[list[tuple[str, str | None]], list[str]]:
    """Code and severity of all warnings, and the codes of those that a run shows."""
    keys = {**WRITTEN, "metrics": "P@5", **changed}
    study = study_from(keys)
    return [(n.code, n.severity) for n in about_choices(Choices(study, keys))], [n.code for n in about_study(study)]


@pytest.mark.parametrize(
    ("changed", "expected", "shown"),
    [
        ({}, [], []),
        ({"target": "OnePlusRandom(5)"}, [("HO201", "error")], ["HO201"]),
        ({"target": ["AllItems", "OnePlusRandom(5)"]}, [("HO201", "advice")], ["HO201"]),
        ({"target": "P1R(2, percentiles=2)"}, [("HO201", "warning")], ["HO201"]),
        ({"target": "TestRatings"}, [("HO202", "error")], ["HO202"]),
        ({"target": ["AllItems", "OnePlusRandom(5)"], "metrics": ["P@5", "bpref"]}, [("HO201", "advice"), ("HO301", None)],
         ["HO201", "HO301"]),
        ({"task": "all_good_items"}, [("HO306", "error")], ["HO306"]),
        ({"task": "all_good_items", "metrics": ["P@5", "Recall@5"]}, [("HO306", "warning")], []),
        ({"recommend": ["Popularity", "Random", "EASE"], "compare": {"tests": ["t"], "correction": "none"}},
         [("HO410", None)], ["HO410"]),
        ({"split": "folds(3)", "compare": {"tests": ["t"], "folds": "pooled"}}, [("HO404", None)], []),
        ({"compare": {"tests": ["t"], "folds": "pooled"}}, [], []),
        ({"development": 0.5, "compare": {"tests": ["t"], "group": "all"}}, [("HO406", None)], []),
        ({"recommend": ["Popularity", "Random", "EASE"], "compare": {"tests": ["tukey"], "correction": "none"}}, [], []),
    ],
)  # fmt: skip
def test_every_warning_is_made_and_the_graver_ones_are_shown(
    changed: dict[str, Any], expected: list[tuple[str, str | None]], shown: list[str]
) -> None:
    assert all_and_shown(**changed) == (expected, shown)
