"""The script by which a page saves its figures and tables; tests/browser runs it."""

from __future__ import annotations

import json
import re

from heldout.latex_text import escape
from heldout.reports.page.saving import saving_script
from heldout.reports.page.static import template


def without_saving(page: str) -> str:
    """A page without that script, and the one that folds wide tables, which every page has once."""
    script = f"<script>\n{saving_script()}\n{template('folding.js')}</script>"
    assert page.count(script) == 1
    return page.replace(script, "")


def test_the_script_knows_the_letters_that_latex_takes() -> None:
    head = re.match(r"const TEX = (\{.*\});\n", saving_script())
    assert head is not None
    tex = json.loads(head.group(1))
    assert all(escape(char) == text for char, text in tex["special"].items())
    assert all(escape(char) == char for char in tex["typeable"] if char not in tex["special"])


def test_no_text_can_end_the_script() -> None:
    assert "</script" not in saving_script() and "<!--" not in saving_script()
