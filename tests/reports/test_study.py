"""The report of a study as a document: the answer first, every setting in the explorer, and all evidence once."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from tests.reports.curves import curve
from tests.reports.kept import facts_of, study_scores_of
from tests.reports.pictured import pictured
from tests.reports.reviews import review
from tests.reports.sample import SYSTEMS, TESTS, facts, with_definitions, with_details

from heldout.analysis.details import Details
from heldout.analysis.findings import Findings
from heldout.analysis.sentences import UNCALLED
from heldout.reports import study
from heldout.reports.document import Chart, Document, Explorer, State, Table, Text
from heldout.reports.render import html
from heldout.storage.deferred import Deferred


@pytest.fixture(scope="module")
def made() -> Document:
    return study.document(facts())


def explorer(document: Document) -> Explorer:
    return next(block for block in document.sections[0].blocks if isinstance(block, Explorer))


def tables_of(state: State) -> dict[str, Table]:
    return {block.name: block for block in state.blocks if isinstance(block, Table)}


def strip(document: Document) -> dict[str, tuple[str, str]]:
    return {figure.question: (figure.answer, figure.detail) for figure in document.figures}


def refused(sample: Findings) -> Findings:
    rows = tuple(
        replace(row, refused="serves few", remark="few users served", significant=False) for row in sample.verdict.rows
    )
    return replace(sample, verdict=replace(sample.verdict, answer=UNCALLED, rows=rows))


def test_the_answer_comes_first_with_its_numbers_and_the_test(made: Document) -> None:
    verdict = facts().verdict
    assert made.answer == verdict.answer and len(made.answer.split()) <= 12
    assert [(text.plain, text.note) for text in made.numbers] == [(verdict.numbers, False), (verdict.note, True)]
    assert made.systems == SYSTEMS and made.main is not None and made.main.name == "leaderboard"
    assert made.facts == ("task some_good_items", "6 systems", "8 settings", "6,034 users", "seed 42")


def test_four_questions_have_a_number_each(made: Document) -> None:
    """EASE against ALS: d = 0.0129/0.21; 4 of 8 settings are led by another system, first of them significantly."""
    asked = strip(made)
    pair = facts().pair(0, TESTS[0], SYSTEMS[0], SYSTEMS[1])
    assert pair is not None
    assert asked["How large is it?"] == ("d = 0.06", "a very small effect (paired Cohen’s d)")
    answer, detail = asked["For whom?"]
    assert answer == f"{100 * pair.wins / pair.users:.0f}% gain, {100 * pair.losses / pair.users:.0f}% lose"
    assert "compared with ALS" in detail
    answer, detail = asked["Where does it fail?"]
    assert answer == "TestRatings · nDCG@10" and detail == "ALS leads by 0.0222; another system leads in 4 settings"
    assert asked["What should I doubt?"] == ("2 notices", "Sampled targets")
    ids = {section.id for section in made.sections} | {"notices"}
    assert {figure.target for figure in made.figures} <= ids


def test_an_uncalled_winner_has_no_margin(made: Document) -> None:
    document = study.document(refused(facts()))
    assert document.answer == UNCALLED and set(strip(document)) == {"What should I doubt?"}


def test_a_tie_has_no_size_and_cannot_fail() -> None:
    sample = facts()
    rows = (replace(sample.verdict.rows[0], difference=0.0, significant=False), *sample.verdict.rows[1:])
    document = study.document(replace(sample, verdict=replace(sample.verdict, rows=rows)))
    assert set(strip(document)) == {"What should I doubt?"}


def test_an_answer_without_exceptions_fails_nowhere() -> None:
    sample = facts()
    same = tuple(row for row in sample.verdict.rows if row.answer == "same")
    asked = strip(study.document(replace(sample, verdict=replace(sample.verdict, rows=same))))
    assert asked["Where does it fail?"] == ("nowhere", f"leads in {len(same)} of {len(same)} settings")
    alone = strip(study.document(replace(sample, verdict=replace(sample.verdict, rows=same[:1]))))
    assert "Where does it fail?" not in alone
    chance = tuple(replace(row, significant=False, p_adjusted=0.3) for row in same)
    assert "Where does it fail?" not in strip(study.document(replace(sample, verdict=replace(sample.verdict, rows=chance))))


def test_identical_settings_are_counted_once() -> None:
    sample = facts()
    same = replace(sample, settings=tuple(replace(s, same_as=0 if s.id == 3 else None) for s in sample.settings))
    document = study.document(same)
    assert "8 settings, 7 distinct" in document.facts
    assert strip(document)["Where does it fail?"][1].endswith("leads in 4 settings")
    assert "AllItems = TestItems · nDCG@10" in document.tables()["settings"].values("Setting")


def test_the_explorer_holds_every_setting_under_every_test(made: Document) -> None:
    sample, board = facts(), explorer(made)
    assert [switch.name for switch in board.switches] == ["target", "metric", "test"]
    assert "OnePlusRandom(99)" in board.switches[0].labels and "permutation(100000)" in board.switches[2].labels
    assert len(board.states) == len({state.codes for state in board.states}) == 8 * 2
    for state in board.states:
        target, metric, test = (switch.options[code] for switch, code in zip(board.switches, state.codes, strict=True))
        (setting,) = [s for s in sample.settings if (s.choices["target"], s.metric) == (target, metric)]
        assert state.signals == {"current": setting.id} and state.leader == sample.alone(setting.id)
        shown = tables_of(state)
        assert shown["leaderboard"].values(metric) == [row.value for row in sample.board(setting.id)]
        pairs = sample.against_others(setting.id, test)
        assert shown["differences"].values("p adjusted") == [pair.p_adjusted for pair in pairs]


def test_only_the_state_of_the_answer_refers_to_it(made: Document) -> None:
    board = explorer(made)
    texts = [block.plain for state in board.states for block in state.blocks if isinstance(block, Text)]
    assert texts.count(study.PRIMARY) == 1 and texts[board.start] == study.PRIMARY
    other = explorer(study.document(replace(facts(), primary=4)))
    assert study.PRIMARY not in [b.plain for b in other.states[other.start].blocks if isinstance(b, Text)]
    assert other.states[other.start].signals == {"current": 4}


def test_very_many_states_are_capped_and_counted() -> None:
    sample = facts()
    settings = tuple(replace(sample.settings[0], id=k, metric=f"P@{k + 1}", label=f"P@{k + 1}") for k in range(300))
    rows = tuple(replace(row, setting=k) for row in sample.board(0)[:2] for k in range(300))
    many = replace(sample, settings=settings, leaderboard=rows, comparisons=())
    document = study.document(replace(many, verdict=replace(sample.verdict, rows=())))
    assert len(explorer(document).states) == study.MOST_STATES
    (note,) = [block for block in document.sections[0].blocks if isinstance(block, Text)]
    assert note.plain == "60 more settings are in the table all-leaderboards."


def test_evidence_is_open_and_the_rest_is_the_appendix(made: Document) -> None:
    assert [section.id for section in made.sections][:3] == ["leaderboard", "holds", "pairs"]
    appendix = [section.id for section in made.appendix]
    assert appendix[0] == "choices" and appendix[-2:] == ["references", "manifest"]
    assert {"definitions", "splits"} <= set(appendix)
    ids = [section.id for section in (*made.sections, *made.appendix)]
    assert len(ids) == len(set(ids))


def test_sections_without_content_are_left_out() -> None:
    sample = facts()
    bare = replace(
        sample,
        comparisons=(),
        splits=(),
        notices=(),
        manifest={},
        settings=sample.settings[:1],
        leaderboard=tuple(sample.board(0)),
        verdict=replace(sample.verdict, rows=()),
        details=Details.known(data=()),
    )
    document = study.document(bare)
    assert [section.id for section in document.sections] == ["leaderboard"] and document.appendix == ()
    assert set(strip(document)) == set()
    nothing = study.document(replace(bare, leaderboard=()))
    assert [block.plain for block in nothing.sections[0].blocks if isinstance(block, Text)] == ["No system has a value."]
    assert nothing.main is None


def test_every_picture_has_a_chart_and_a_table() -> None:
    document = study.document(with_details(pictured(), curves=(curve(SYSTEMS[0]),)))
    names = [block.name for block in document.blocks() if isinstance(block, Chart)]
    assert {"user-differences", "user-activity", "precision-recall", "roc", "curve", "recommended-popularity"} <= set(names)
    assert {"by-activity-of-users", "popularity-shares"} <= set(document.tables())
    users = next(section for section in document.sections if section.id == "users")
    notes = [block.plain for block in users.blocks if isinstance(block, Text)]
    assert any("no tested user is without training ratings" in note for note in notes)


def test_charts_name_a_table_that_is_there() -> None:
    for document in (study.document(facts()), study.document(pictured())):
        tables = document.tables()
        charts = [block for block in document.blocks() if isinstance(block, Chart)]
        assert charts and [chart.name for chart in charts if chart.table and chart.table not in tables] == []
        assert len({chart.name for chart in charts}) == len(charts)


def test_no_sentence_is_said_twice(made: Document) -> None:
    shown = explorer(made).states[explorer(made).start]
    texts = [text.plain for text in made.numbers] + [made.answer]
    texts += [
        block.plain for block in (*made.blocks(), *shown.blocks) if isinstance(block, Text) and block not in made.numbers
    ]
    sentences = Counter(part for text in dict.fromkeys(texts) for part in re.split(r"(?<=[.!?])\s+", text) if len(part) > 20)
    assert [sentence for sentence, count in sentences.items() if count > 1] == []


def test_tables_read_no_costly_part() -> None:
    def fails() -> Any:
        raise AssertionError("read")

    sample = facts()
    names = ("data", "diagnostics", "curves", "pictures")
    deferred = replace(sample, details=replace(sample.details, **{name: Deferred(fails) for name in names}))
    builders = study.tables(deferred)
    made = {name: build() for name, build in builders.items()}
    assert {name for name, table in made.items() if table is not None} >= {"leaderboard", "settings", "pairs", "splits"}
    assert all(table is None or table.name == name for name, table in made.items())
    with pytest.raises(AssertionError):
        study.detail_tables(deferred)


def test_tables_by_name_are_those_of_the_document() -> None:
    sample = pictured()
    document = study.document(sample)
    by_name = {**study.tables(sample), **study.detail_tables(sample)}
    for name, table in document.tables().items():
        other = by_name[name]()
        assert other is not None and (other.columns, tuple(other.rows)) == (table.columns, tuple(table.rows)), name


def test_notices_are_those_of_the_run_or_of_the_review() -> None:
    document = study.document(facts())
    assert [notice.code for notice in document.notices] == ["H104", "H210"]
    reviewed = study.document(facts(), review=review())
    assert "HO201" in [notice.code for notice in reviewed.notices]
    assert "lint" in [section.id for section in reviewed.appendix]


def test_with_a_baseline_everything_is_held_against_it() -> None:
    found = facts_of(study_scores_of(), metrics="P@10", tests=["t"], baseline="Best")
    document = study.document(found)
    pair = found.pair(0, "t", "Best", "Good")
    assert pair is not None and document.answer == "No system beats the baseline Best."
    assert strip(document)["How large is it?"][0] == f"d = {abs(pair.effect or 0):.2f}"
    wins, users = pair.wins, pair.wins + pair.ties + pair.losses
    assert strip(document)["For whom?"][0].startswith(f"{100 * wins / users:.0f}% gain")
    assert document.tables()["differences"].title == "Each system against the baseline Best"


def test_nothing_tested_is_said_so() -> None:
    found = facts_of(study_scores_of(), aggregate="georisk", tests=["t"])
    assert all(row.p_adjusted is None for row in found.verdict.rows)
    document = study.document(found)
    assert "not tested" in document.answer and "significant" not in document.answer + document.numbers[0].plain
    assert not document.tables()["leaderboard"].strong


class Page(HTMLParser):
    """Ids and targets of links."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.targets: set[str] = set()
        self.tags: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.add(tag)
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "a" and str(given.get("href", "")).startswith("#"):
            self.targets.add(str(given["href"])[1:])


HOSTILE = '</script><img src=x onerror="alert(1)">&"\'<!--'


def hostile() -> Findings:
    sample = facts()

    def name(text: str) -> str:
        return HOSTILE if text == SYSTEMS[0] else text

    return replace(
        with_definitions(sample, references={HOSTILE: HOSTILE}),
        title=HOSTILE,
        systems=tuple(name(s) for s in sample.systems),
        leaderboard=tuple(replace(r, system=name(r.system)) for r in sample.leaderboard),
        comparisons=tuple(replace(r, a=name(r.a), b=name(r.b)) for r in sample.comparisons),
        verdict=replace(
            sample.verdict,
            answer=HOSTILE,
            rows=tuple(replace(r, leader=name(r.leader), rival=name(r.rival)) for r in sample.verdict.rows),
        ),
        manifest={"versions": {HOSTILE: HOSTILE}},
    )


def test_the_page_is_whole_and_hostile_names_stay_text(made: Document) -> None:
    page = html.page(made)
    parsed = Page(page)
    assert len(parsed.ids) == len(set(parsed.ids)) and parsed.targets <= set(parsed.ids)
    assert "0.4682" in page and html.page(study.document(facts())) == page
    for text in (html.page(study.document(hostile())), str(html.fragment(study.document(hostile())))):
        assert "img" not in Page(text).tags and "<img" not in text
