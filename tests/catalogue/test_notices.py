"""What a code means is found by its name alone, and a notice says what its code leaves open."""

from __future__ import annotations

import subprocess
import sys

import pytest

from heldout.catalogue.notices import Concern, Notice, concern, title_of
from heldout.errors import UnknownNameError


def test_a_code_is_found_in_any_case_of_letters() -> None:
    assert issubclass(concern("ho402"), Concern)
    assert concern("HO402").key == "HO402"
    assert title_of("HO402") == "Few users"


def test_an_unknown_code_is_refused_with_near_ones() -> None:
    with pytest.raises(UnknownNameError, match="unknown code 'HO40'; did you mean HO4"):
        title_of("HO40")


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
