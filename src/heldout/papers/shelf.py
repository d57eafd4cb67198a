"""The papers that can be run again, in the order of their years."""

from __future__ import annotations

from heldout.errors import UnknownNameError
from heldout.papers.bellogin2011.paper import PAPER as BELLOGIN_2011
from heldout.papers.bellogin2017.paper import PAPER as BELLOGIN_2017
from heldout.papers.canamares2020.paper import PAPER as CANAMARES_2020
from heldout.papers.gunawardana2009.paper import PAPER as GUNAWARDANA_2009
from heldout.papers.paper import Paper
from heldout.papers.valcarce2018.paper import PAPER as VALCARCE_2018

PAPERS: tuple[Paper, ...] = (GUNAWARDANA_2009, BELLOGIN_2011, BELLOGIN_2017, VALCARCE_2018, CANAMARES_2020)


def paper_of(key: str) -> Paper:
    """The paper of a key; UnknownNameError where there is none."""
    by_key = {paper.key: paper for paper in PAPERS}
    if key not in by_key:
        raise UnknownNameError("paper", key, by_key)
    return by_key[key]
