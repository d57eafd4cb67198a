"""The paper: equations 2 to 5 and Figures 2 to 5, 8 and 9, on five folds of MovieLens 1M."""

from __future__ import annotations

from heldout.papers.bellogin2017 import figures, rules, works
from heldout.papers.paper import Paper
from heldout.papers.paper_file import read_paper

PAPER: Paper = read_paper("heldout.papers.bellogin2017", works, rules, figures)
