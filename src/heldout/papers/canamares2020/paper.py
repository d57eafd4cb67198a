"""The paper and the order of its experiments."""

from __future__ import annotations

from heldout.papers.canamares2020.coverage import COVERAGE
from heldout.papers.canamares2020.depths import DEPTH_FIGURES
from heldout.papers.canamares2020.split_ratios import RATIO_FIGURES
from heldout.papers.canamares2020.tables import TABLES
from heldout.papers.data_sets import MOVIELENS_1M
from heldout.papers.paper import Experiment, Paper


def _order(figure: Experiment) -> tuple[bool, str]:
    """MovieLens first, by number."""
    return figure.data is not MOVIELENS_1M, figure.key


PAPER: Paper = Paper(
    key="canamares-2020",
    reference="canamares2020",
    name="Cañamares, Castells and Moffat 2020",
    experiments=(*TABLES, *sorted((*DEPTH_FIGURES, *RATIO_FIGURES, *COVERAGE), key=_order)),
    notes=(
        "The paper has one split; here the tables are of five (seeds 1 to 5) and the curves of one (seed 1).",
        "Rules were written before their experiment was run, with these exceptions: figures of the first split of Tables 2 "
        "to 4 had been seen, and with them those of Figure 4 at 0.5; of Figure 5, the positions of the tenth item; of "
        "Figures 2, 4 and 6, that kNN and MF change places. λ = 10 was chosen by looking at Table 2, and ρ over items "
        "after ρ over users. The MF of all experiments, of p-values and claims too, has this λ; Table 2 has MF as printed "
        "beside it.",
    ),
)
