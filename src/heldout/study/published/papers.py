"""The five papers, in the order of their years."""

from __future__ import annotations

from heldout.study.published import bellogin2011, bellogin2017, canamares2020, gunawardana2009, valcarce2018

PAPERS = (
    gunawardana2009.PROTOCOL,
    bellogin2011.PROTOCOL,
    bellogin2017.PROTOCOL,
    valcarce2018.PROTOCOL,
    canamares2020.PROTOCOL,
)
