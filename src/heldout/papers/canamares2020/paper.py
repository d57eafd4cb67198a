"""The paper: Tables 1 to 4 and Figures 1 to 8 on MovieLens 1M and Netflix."""

from __future__ import annotations

from heldout.papers.canamares2020 import figures, rules, works
from heldout.papers.paper import Paper
from heldout.papers.paper_file import read_paper

PAPER: Paper = read_paper("heldout.papers.canamares2020", works, rules, figures)
