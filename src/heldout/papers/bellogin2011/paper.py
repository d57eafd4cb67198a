"""The paper: Table 1, Figure 2 and what is said of it, on MovieLens 100K."""

from __future__ import annotations

from heldout.papers.bellogin2011 import figures, rules, works
from heldout.papers.paper import Paper
from heldout.papers.paper_file import read_paper

PAPER: Paper = read_paper("heldout.papers.bellogin2011", works, rules, figures)
