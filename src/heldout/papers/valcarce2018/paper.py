"""The paper: its systems, Tables 2 and 3, and Figures 1 to 8, on MovieLens 1M and two further data sets."""

from __future__ import annotations

from heldout.papers.paper import Paper
from heldout.papers.paper_file import read_paper
from heldout.papers.valcarce2018 import figures, rules, works

PAPER: Paper = read_paper("heldout.papers.valcarce2018", works, rules, figures)
