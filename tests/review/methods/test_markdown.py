"""The experimental section as Markdown."""

from __future__ import annotations

import heldout as ho
from heldout.review.methods.markdown import short


def test_markdown_cites_as_a_reader_would() -> None:
    section = ho.methods({"data": "simulate(users=90)", "split": "ratio(train=0.8)", "recommend": ["Popularity", "Random"]})
    assert short("bellogin2011") == "Bellogín et al. 2011"
    assert short("krichene2020") == "Krichene and Rendle 2020"
    assert "[@" not in section.to_markdown()
    assert "## Checklist of decisions" in section.to_markdown()
