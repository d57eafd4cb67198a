"""The page's protocol: systems, data, splits, definitions, manifest."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.reports.every_kind import STUDY, results_of
from tests.reports.sample import facts, with_details

import heldout as ho
from heldout.analysis.details import Details
from heldout.reports.page.protocol import (
    REVIEWED,
    UNFILTERED,
    cards,
    choices,
    data,
    manifest,
    notices,
    references,
    splits,
    systems,
)


def test_the_share_of_test_counts_validation_too() -> None:
    sample = facts()
    fold = replace(sample.splits[0], train=70, validation=10, test=20)
    assert "20.0%" in splits(replace(sample, splits=(fold,)))  # 20 of 100, not 20 of 90


def test_leaks_and_tested_users_of_a_fold() -> None:
    sample = facts()
    audit = {"train_later": 0.25, "cold_user_ratings": 2, "cold_item_ratings": 0}
    chosen = (("threshold(4)", (("with_train", 9), ("with_relevant", 7))),)
    fold = replace(sample.splits[0], test=20, audit=audit, chosen=chosen, development=3)
    markup = splits(replace(sample, splits=(fold,)))
    assert "train later than test with probability 0.25; 10.0% of test by new users; 3 development users" in markup
    assert "on new items" not in markup and "with_train 9 → with_relevant 7" in markup


def test_systems_name_every_parameter_and_how_it_was_chosen() -> None:
    entries = [{"name": "KNN", "model": "KNN(k=20)"}, {"name": "Popularity", "model": "Popularity"}]
    sample = replace(facts(), manifest={"study": {"recommend": entries}})
    assert "KNN<wbr>(k=20)" in systems(sample) and "How chosen" not in systems(sample)
    tuned = {
        **entries[0],
        "tuning": {"parameters": {"k": 20}, "trials": 3, "metric": "P@5", "value": 0.1, "validation": "v"},
    }
    markup = systems(replace(sample, manifest={"study": {"recommend": [tuned, entries[1]]}}))
    assert "How chosen" in markup and "k=20 by P@5 = 0.1000" in markup and "as given" in markup
    assert systems(facts()) == ""


def test_a_card_links_the_works_that_the_page_lists() -> None:
    sample = facts()
    markup = cards(sample)
    for card in sample.cards:
        for key in card.references:
            assert f'href="#ref-{key}"' in markup and f'id="ref-{key}"' in references(sample)
    unlisted = cards(replace(sample, references={}))
    assert "href" not in unlisted and "jarvelin2002" in unlisted


def test_seconds_of_a_manifest_are_times_and_all_else_is_text() -> None:
    sample = replace(facts(), manifest={"seconds": {"recommend": 200.0}, "versions": {"numpy": "2.2.1"}, "seeds": [1, 2]})
    markup = manifest(sample)
    assert "3 min 20 s" in markup and "versions · numpy" in markup and "seeds · 2" in markup


def test_nothing_is_written_of_what_there_is_nothing_of() -> None:
    bare = replace(facts(), details=Details(), splits=(), cards=(), notices=(), references={}, manifest={})
    assert not any(part(bare) for part in (data, splits, cards, notices, references, manifest, systems))


def test_every_option_has_a_definition_with_its_citations() -> None:
    """Each component among the options once, in the order of decisions; metrics have cards of their own."""
    study = {**STUDY, "recommend": ["Popularity", "EASE", "EASE(l2=5)"], "filters": [["core(2)"]]}
    sample = ho.run(study, progress=False).findings
    markup = choices(sample)
    titles = re.findall(r"<h3>([^<]+)</h3>", markup)
    assert titles.count("EASE") == 1 and titles.count("zero") == 3  # of unrated items, undefined values and coverage
    assert {"core", "ratio", "Popularity", "AllItems", "t", "holm"} <= set(titles)
    assert "P" not in titles and f"{len(titles)} definitions" in markup
    ease = markup.partition("<h3>EASE</h3>")[2].partition("</article>")[0]
    assert 'href="#ref-steck2019"' in ease and "steck2019" in sample.references and "Assumes" in ease


@pytest.mark.parametrize("kind", ["multiverse", "bias", "truth"])
def test_pages_of_every_kind_hold_the_protocol(kind: str) -> None:
    """Decisions with definitions and citations, data before and after filters, findings of lint, manifest."""
    page = results_of(kind).to_html()
    for section, name in REVIEWED:
        assert page.count(f'<section id="{section}"') == 1 and f'<a href="#{section}">{name}</a>' in page
    drawn = {section: page.partition(f'<section id="{section}"')[2].partition("</section>")[0] for section, _ in REVIEWED}
    assert "lint" in drawn["notices"] or "applied:" in drawn["notices"]
    assert {"split", "relevance", "target", "metrics", "compare"} <= set(re.findall(r">(\w+)</th>", drawn["choices"]))
    assert 'href="#ref-' in drawn["choices"] and "<li id=" in drawn["references"]
    assert "versions · heldout" in drawn["manifest"] and "<h3>P@5</h3>" in drawn["metrics"]
    filtered = kind in ("multiverse", "truth")
    assert ("core" in drawn["data"]) == filtered and ("No filter" in drawn["data"]) != filtered
    [line] = [row for row in results_of(kind).tables["profile"].rows if row[0].text == "Ratings"]
    ratings = [int(cell.text.replace(",", "")) for cell in line[1:]]
    assert ratings == sorted(ratings, reverse=True) and len(ratings) == 1 + filtered


@pytest.mark.parametrize(
    ("kind", "cited"),
    [
        ("bias", {"bellogin2017": "Bellogín, A., Castells, P. and Cantador, I. (2017)", "steck2011": "Steck, H. (2011)"}),
        ("multiverse", {"gunawardana2009": "(2009)", "bellogin2017": "(2017)"}),
    ],
)
def test_works_that_a_page_itself_cites_are_listed(kind: str, cited: dict[str, str]) -> None:
    page = results_of(kind).to_html()
    for key, words in cited.items():
        entries = re.findall(rf'<li id="ref-{key}">(.*?)</li>', page)
        assert len(entries) == 1 and words in entries[0]


def test_the_page_of_papers_says_what_they_chose() -> None:
    page = results_of("reproduce").to_html()
    assert "Where the paper says so" in page
    assert 'id="references"' in page and "versions · heldout" in page


def test_data_without_filters_are_said_to_be_so() -> None:
    sample = facts()
    for label, words in UNFILTERED.items():
        bare = replace(sample.data[0], filter="none", steps=(replace(sample.data[0].steps[0], label=label),))
        assert words in data(with_details(sample, data=(bare,)))
    assert not any(words in data(sample) for words in UNFILTERED.values())  # it is filtered


def test_a_multiverse_says_what_its_options_mean() -> None:
    page = results_of("multiverse").to_html()
    for section in ("choices", "metrics", "references", "manifest"):
        assert f'id="{section}"' in page and f'href="#{section}"' in page
    assert "What the options mean" in page and "versions · heldout" in page
    shown = page.split('id="manifest"')[1].split("</section>")[0]
    assert "Versions, digests and machine" in shown and "seconds" not in shown  # another each time
    assert page.count('<article class="card"') > 10 and page == results_of("multiverse").to_html()
