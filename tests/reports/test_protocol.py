"""What every kind of report shows of its protocol: choices, definitions, lint, references and the manifest."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.reviews import review
from tests.reports.sample import facts, with_definitions, with_details

from heldout.analysis.choices import Definition
from heldout.analysis.details import Definitions
from heldout.reports import protocol
from heldout.reports.document import Terms, Text


def terms(blocks: tuple[object, ...]) -> list[Terms]:
    return [block for block in blocks if isinstance(block, Terms)]


def test_every_decision_has_a_row_with_its_options() -> None:
    table = protocol.choices(facts().choices)
    assert table is not None and [column.name for column in table.columns] == [
        *("Stage", "Decision", "Options", "Meaning of the first")
    ]
    row = dict(zip(table.values("Stage"), table.rows, strict=True))["target"]
    assert table.columns[2].text(row[2], 0) == "AllItems, TestItems, TestRatings, OnePlusRandom(99)"
    assert {span.style for span in row[2].spans if span.text != ", "} == {"code"}
    assert table.frame["Options"].to_list()[0] == "core(5)"  # frames have plain text
    assert protocol.choices(()) is None
    named = protocol.choices(facts().choices, "Meaning")
    assert named is not None and named.columns[-1].name == "Meaning"


def test_the_manifest_is_flat_and_seconds_have_their_unit() -> None:
    table = protocol.manifest({"seed": 1, "seconds": {"data": 0.61, "total": 75.0}, "parts": ["a", {"b": 2}], "n": 0.25})
    assert table is not None and dict(table.rows) == {
        "seed": "1",
        "seconds · data": "0.61 s",
        "seconds · total": "1 min 15 s",
        "parts · 1": "a",
        "parts · 2 · b": "2",
        "n": "0.25",
    }
    assert protocol.manifest({}) is None


def test_definitions_are_given_once_with_links_to_works() -> None:
    sample = facts()
    (defined,) = protocol.definitions(sample)
    cards = dict(defined.entries)
    assert list(cards) == ["nDCG", "P"]
    texts = [text.plain for text in cards["nDCG"]]
    assert texts[0] == "nDCG@10" and "Assumes: Unrated items have gain 0" in " ".join(texts)
    assert "Undefined if: the ideal is 0" in texts and "Range: 0…1" in texts
    (cited,) = [span for span in cards["nDCG"][-1].spans if span.link]
    assert (cited.text, cited.link) == ("jarvelin2002", "#ref-jarvelin2002")
    listed = protocol.references(sample.references)
    assert listed is not None and f"{listed.anchor}jarvelin2002" == cited.link[1:]
    unknown = with_definitions(sample, references={})
    (plain,) = protocol.definitions(unknown)
    assert not any(span.link for span in dict(plain.entries)["nDCG"][-1].spans)
    twice = tuple(
        replace(choice, definitions=(Definition(name="nDCG", summary="A gain.", formula="", assumes="", references=()),))
        if choice.stage == "metrics"
        else choice
        for choice in sample.choices
    )
    (merged,) = protocol.definitions(with_definitions(sample, choices=twice))
    assert [name for name, _ in merged.entries].count("nDCG") == 1


def test_references_are_in_the_order_of_names() -> None:
    listed = protocol.references(facts().references)
    assert listed is not None
    assert [key for key, _ in listed.entries] == ["canamares2020", "jarvelin2002", "krichene2020"]
    assert protocol.references({}) is None


def test_notices_of_a_run_stand_by_themselves_and_a_review_includes_them() -> None:
    rows = facts().notices
    own = protocol.notices(rows)
    assert [(n.code, n.title, n.text.plain, n.change) for n in own] == [(r.code, r.title, r.message, "") for r in rows]
    reviewed = protocol.notices(rows, review())
    assert reviewed[0].code == "HO201" and reviewed[0].severity == "error"
    assert reviewed[0].change == "" and reviewed[0].text.plain == 'a <b> & *c* write target = "AllItems"'


def test_a_notice_has_advice_in_words_and_a_difference_as_lines() -> None:
    finding = replace(
        review().findings[0], message="Ids decide.", change='- ties = "item"\n+ ties = "expected"\nOr say why.'
    )
    (notice,) = protocol.notices((), replace(review(), findings=(finding,)))
    assert (notice.text.plain, notice.change) == ("Ids decide.", finding.change)


def test_backticks_are_code() -> None:
    (notice,) = protocol.notices([replace(facts().notices[0], message="The tie rule `item` decides.")])
    assert [(span.text, span.style) for span in notice.text.spans] == [
        ("The tie rule ", ""),
        ("item", "code"),
        (" decides.", ""),
    ]


def test_the_appendix_has_one_order_and_no_empty_section() -> None:
    sections = protocol.appendix(facts(), review=review())
    assert [section.id for section in sections] == ["choices", "data", "definitions", "lint", "references", "manifest"]
    assert {section.id: section.summary for section in sections}["choices"] == "9 decisions"
    bare = with_details(replace(facts(), manifest={}), definitions=Definitions(), data=())
    assert protocol.appendix(bare) == ()


def test_lint_says_how_many_rules_were_applied_and_what_nothing_answers() -> None:
    (section,) = [s for s in protocol.appendix(facts(), review=review()) if s.id == "lint"]
    texts = [block.plain for block in section.blocks if isinstance(block, Text)]
    assert texts[0].startswith("40 rules applied: ") and "Not checked:" in texts
    unchecked = terms(section.blocks)[-1]
    assert unchecked.entries[0][0] == "HO401" and "Are there users enough?" in unchecked.entries[0][1][0].plain
