"""What is measured on: ways of judging and guessed rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout import Study
from heldout.study.file import study_from
from heldout.study.protocol import Protocol
from heldout.targets.relevance.by_scale import guess_relevance

LEAST: dict[str, Any] = {"data": "simulate", "split": "ratio", "recommend": "Popularity"}


def study(**keys: Any) -> Study:
    return study_from({**LEAST, **keys})


def test_judgements_are_distinct() -> None:
    stating = "OnePlusRandom(nonrelevant=5, relevance=threshold(tau=5))"
    targets = ["AllItems", "OnePlusRandom(5)", stating]
    made = study(target=targets, relevance=["threshold(3)", "threshold(4)"])
    judgements = [(str(t), str(r)) for t, r, *_ in made.judgements()]
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
