"""Descriptions of components, the bibliography, and the pages of coded notices."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.refusals import refused

import heldout
from heldout.catalogue import KINDS, Component, classes, find, find_any, parameters
from heldout.catalogue.describe import describe
from heldout.catalogue.notices import Concern, Notice, concern, title_of
from heldout.catalogue.prose import NO_DOCSTRING, at_least, cite, docstring_of, lowered, number_word, plural, share
from heldout.catalogue.references import bibliography, reference
from heldout.errors import UnknownNameError

ALL = [cls for kind in KINDS for cls in classes(kind)]
NAMES = [f"{cls.kind.name} {cls.key}" for cls in ALL]


@pytest.mark.parametrize("cls", ALL, ids=NAMES)
def test_every_component_is_described(cls: type[Component]) -> None:
    found = describe(cls)
    assert found.summary[-1] in ".?"
    assert "\n" not in found.summary
    assert found.assumes
    assert found.example
    assert found.signature.startswith(cls.key)
    assert len(found.parameters) == len(parameters(cls))
    for parameter in found.parameters:
        assert parameter.doc
        assert parameter.type
        assert not parameter.doc.endswith(".")


def test_a_description_in_full() -> None:
    found = describe(find("target", "OnePlusRandom"))
    assert (found.kind, found.decision) == ("target", "C1")
    defaults = {p.name: p.default for p in found.parameters}
    assert defaults["nonrelevant"] == "required"
    assert defaults["relevance"] == "none"
    docs = {p.name: (p.type, p.doc) for p in found.parameters}
    assert docs["nonrelevant"] == ("a whole number", "N, sampled items in each list (also N)")
    assert docs["average"][0] == "one of user, rating"


def test_a_metric_without_a_bound_or_a_better_end_says_so() -> None:
    facts = dict(describe(find("metric", "Novelty")).facts)
    assert facts["Range"] == "0 to ∞" and facts["Better"] == "neither; as an objective, higher values"
    assert dict(describe(find("metric", "Recall")).facts)["Better"] == "higher values"


def test_every_notice_that_is_given_has_a_page() -> None:
    folder = Path(heldout.__file__).parent
    given = {code for path in folder.rglob("*.py") for code in re.findall(r"\"(HO\d+)\"", path.read_text(encoding="utf-8"))}
    pages = [concern(cls.key) for cls in classes("rule") if cls.__module__.startswith("heldout.")]
    assert given == {page.key for page in pages}
    for page in pages:
        assert re.fullmatch(r"HO\d{3}", page.key)
        assert page.title
        assert not page.title.endswith(".")
        assert page.explanation.strip().endswith(".")
    assert len({page.title for page in pages}) == len(pages)


def test_a_name_of_several_kinds_finds_all() -> None:
    assert {cls.kind.name for cls in find_any("ZERO")} >= {"coverage", "undefined", "unrated"}
    with refused(UnknownNameError, hint="did you mean zero"):
        find_any("zeroo")


@pytest.mark.parametrize("cls", ALL, ids=NAMES)
def test_every_reference_is_in_the_bibliography(cls: type[Component]) -> None:
    assert set(cls.references) <= set(bibliography())
    for key in cls.references:
        assert re.search(r"\(\d{4}\)\. .+\.$", reference(key))


def test_entries_of_the_bibliography_are_whole() -> None:
    text = (Path(heldout.__file__).parent / "catalogue" / "references.bib").read_text(encoding="utf-8")
    assert len(bibliography()) == text.count("\n@") + text.startswith("@")
    for key, entry in bibliography().items():
        for field in ("author", "title", "year"):
            assert entry.get(field), (key, field)


def test_keys_of_third_parties_stay_as_they_are() -> None:
    assert reference("someone2031") == "someone2031"


def test_a_code_is_found_in_any_case_of_letters() -> None:
    assert issubclass(concern("ho402"), Concern)
    assert concern("HO402").key == "HO402"
    assert title_of("HO402") == "Few users"


def test_a_notice_takes_its_code_from_the_concern() -> None:
    assert concern("HO402").notice("few") == Notice("HO402", "few", None, "")
    graver = concern("HO402").notice("few", "test more", severity="error")
    assert (graver.severity, graver.change) == ("error", "test more")


def test_a_title_loads_one_module_and_not_all_rules() -> None:
    """What `evaluate` shows beside its tables must not cost an import of the whole review."""
    code = (
        "import sys; from heldout.catalogue.notices import title_of; print(title_of('HO402'), title_of('HO106'), sep='|'); "
        "print(len([m for m in sys.modules if m.startswith('heldout.review.lint.rules.')]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["Few users|The relevance rule was guessed", "1"]


def test_an_unknown_code_is_refused_with_near_ones() -> None:
    with refused(UnknownNameError, hint="did you mean HO410 or HO409?"):
        title_of("HO40")


def test_numbers_and_nouns() -> None:
    assert [number_word(n) for n in (0, 3, 12, 13, 12_000)] == ["no", "three", "twelve", "13", "12,000"]
    assert [plural(n, "rating") for n in (0, 1, 2, 20)] == ["no ratings", "one rating", "two ratings", "20 ratings"]
    assert [at_least(n, "test rating") for n in (1, 5)] == ["at least one test rating", "at least 5 test ratings"]


def test_shares_and_citations() -> None:
    assert [share(value) for value in (0.8, 0.125, 1 / 3, 1)] == ["80%", "12.5%", "33.33%", "100%"]
    assert cite(()) == "" and cite(("a2020", "b2021")) == " [@a2020; @b2021]"


@pytest.mark.parametrize(
    ("summary", "within"),
    [
        ("The number of ratings.", "the number of ratings"),
        ("AUC of each user.", "AUC of each user"),
        ("Cohen's d of a pair.", "Cohen's d of a pair"),
        ("nDCG at a depth.", "nDCG at a depth"),
        ("", ""),
    ],
)
def test_a_summary_within_a_sentence(summary: str, within: str) -> None:
    assert lowered(summary) == within


WITHOUT = "Definitions need docstrings, which Python leaves out under -OO."
OPTIMISED = """
import json
import sys
import heldout as ho
from heldout.catalogue import classes
from heldout.catalogue.describe import describe
from heldout.catalogue.kinds import KINDS

folder = sys.argv[1]
results = ho.run(
    {
        "data": "simulate(users=30, items=20, ratings=250)",
        "split": "ratio(train=0.7, by=user)",
        "recommend": ["Popularity", "Random"],
        "metrics": ["nDCG@5", "P@5"],
        "relevance": "threshold(3)",
    },
    out=folder,
)
known = [describe(cls) for kind in KINDS for cls in classes(kind)]
print(
    json.dumps(
        {
            "asserts": __debug__,
            "summaries": sorted({entry.summary for entry in known}),
            "divided": sorted({text for entry in known for word, text in entry.facts if word == "Divided by"}),
            "values": results.tables["all-leaderboards"].frame["value"].to_list(),
            "methods": str(ho.methods(folder)),
        }
    )
)
"""


def test_definitions_say_that_they_need_docstrings(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    ran = subprocess.run([sys.executable, "-OO", "-c", OPTIMISED, folder], capture_output=True, text=True, check=True)
    said = json.loads(ran.stdout)
    assert said["asserts"] is False
    assert said["summaries"] == [WITHOUT]
    assert WITHOUT.rstrip(".") in said["divided"]
    assert len(said["values"]) == 4
    assert "definitions need docstrings" in said["methods"]
    for text in (said["methods"], (folder / "report.html").read_text(encoding="utf-8")):
        assert "Literal[" not in text  # a signature, which dataclasses write if there is no docstring
    assert WITHOUT.rstrip(".").casefold() in (folder / "report.html").read_text(encoding="utf-8").casefold()
    described = subprocess.run(
        [sys.executable, "-OO", "-m", "heldout", "describe", "nDCG"], capture_output=True, text=True, check=True
    )
    assert WITHOUT in " ".join(described.stdout.split())


@pytest.mark.parametrize("command", [("-m", "heldout", "list"), ("-c", "import heldout; print(heldout.list())")])
def test_a_list_says_once_that_definitions_need_docstrings(command: tuple[str, str]) -> None:
    ran = subprocess.run([sys.executable, "-OO", *command], capture_output=True, text=True, check=True)
    assert " ".join(ran.stdout.split()).count(WITHOUT) == 1 and "nDCG" in ran.stdout


def test_a_component_without_a_docstring_says_so() -> None:
    class Bare(Component):
        pass

    assert Bare.summary() == docstring_of(Bare) == NO_DOCSTRING
    assert "Bare(" not in Bare.summary()
