"""What papers chose, with the definition of each option."""

from __future__ import annotations

from heldout.data.profile import DataSteps
from heldout.storage.deferred import Deferred
from heldout.study.published import PAPERS
from heldout.universes.published_choices import published_protocol

NO_DATA: Deferred[tuple[DataSteps, ...]] = Deferred.known(())


def test_every_choice_says_where_the_paper_makes_it_and_every_option_is_defined_once() -> None:
    facts = published_protocol([paper.key for paper in PAPERS], {"versions": {"heldout": "1"}, "seconds": 3}, NO_DATA)
    assert facts.manifest == {"versions": {"heldout": "1"}}
    assert all(choice.meaning.startswith("§") and choice.decision for choice in facts.choices)
    names = [definition.name for choice in facts.choices for definition in choice.definitions]
    assert {"ratio", "AllItems", "threshold", "nDCG", "P", "t", "permutation"} <= set(names)
    assert names.count("AllItems") == 1 and names.count("nDCG") == 1
    assert {paper.key for paper in PAPERS} <= set(facts.references)


def test_only_the_papers_that_were_run() -> None:
    facts = published_protocol(["canamares2020"], {}, NO_DATA)
    assert {choice.stage.partition(":")[0] for choice in facts.choices} == {"Cañamares et al. 2020"}
