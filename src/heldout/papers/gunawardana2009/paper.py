"""The paper: Tables 2 and 3, Figures 1 to 3 and sizes of data.

The paper measures prediction and recommendation on different data sets; what puts both on one is called an extension.
"""

from __future__ import annotations

from heldout.papers.gunawardana2009 import figures, rules, works
from heldout.papers.paper import Paper
from heldout.papers.paper_file import read_paper

PAPER: Paper = read_paper("heldout.papers.gunawardana2009", works, rules, figures)
