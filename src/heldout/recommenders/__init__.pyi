"""Components of `ho.recommenders`; written by `make exports`."""

from heldout.recommenders import fallbacks as fallbacks
from heldout.recommenders.adapters.external import External as _External
from heldout.recommenders.baseline.average_rating import AverageRating as _AverageRating
from heldout.recommenders.baseline.popularity import Popularity as _Popularity
from heldout.recommenders.baseline.random import Random as _Random
from heldout.recommenders.factors.bprmf import BPRMF as _BPRMF
from heldout.recommenders.factors.puresvd import PureSVD as _PureSVD
from heldout.recommenders.factors.svd import SVD as _SVD
from heldout.recommenders.factors.wrmf import WRMF as _WRMF
from heldout.recommenders.graph.hitting_time import HT as _HT
from heldout.recommenders.knn.cosine_user_knn import CosineUserKNN as _CosineUserKNN
from heldout.recommenders.knn.item_item import ItemItem as _ItemItem
from heldout.recommenders.knn.item_knn import ItemKNN as _ItemKNN
from heldout.recommenders.knn.lm_wsr_ib import LMWSRIB as _LMWSRIB
from heldout.recommenders.knn.lm_wsr_ub import LMWSRUB as _LMWSRUB
from heldout.recommenders.knn.nncosngbr_ib import NNCosNgbrIB as _NNCosNgbrIB
from heldout.recommenders.knn.nncosngbr_ub import NNCosNgbrUB as _NNCosNgbrUB
from heldout.recommenders.knn.pearson_user_knn import PearsonUserKNN as _PearsonUserKNN
from heldout.recommenders.knn.user_knn import UserKNN as _UserKNN
from heldout.recommenders.language.rm1 import RM1 as _RM1
from heldout.recommenders.language.rm2 import RM2 as _RM2
from heldout.recommenders.language.uir_item import UIRItem as _UIRItem
from heldout.recommenders.latent.lda import LDA as _LDA
from heldout.recommenders.latent.plsa import PLSA as _PLSA
from heldout.recommenders.linear.ease import EASE as _EASE
from heldout.recommenders.linear.slim import SLIM as _SLIM
from heldout.recommenders.prf.chi2 import CHI2 as _CHI2
from heldout.recommenders.prf.kld import KLD as _KLD
from heldout.recommenders.prf.rocchio_weights import RocchioWeights as _RocchioWeights
from heldout.recommenders.prf.rsv import RSV as _RSV
from heldout.recommenders.recommender import Recommender as _Recommender
from heldout.recommenders.utility.expected_utility import ExpectedUtility as _ExpectedUtility
from typing import Literal

class AverageRating(_AverageRating):
    """The mean training rating of an item, the same for all users.

    damping: imaginary ratings of the overall mean added to each item
    """
    def __init__(self, damping: float = 0.0) -> None: ...

class BPRMF(_BPRMF):
    """Factors by which a user's rated items score above unrated ones.

    factors: length of the factors
    l2: weight of the squared norms of factors and biases
    rate: learning rate at the start
    epochs: passes over the ratings
    draw: draw users alike and then a rating of theirs, or ratings alike
    """
    def __init__(self, factors: int = 100, l2: float = 0.01, rate: float = 0.1, epochs: int = 100, draw: Literal['user', 'rating'] = 'user') -> None: ...

class CHI2(_CHI2):
    """The squared difference between an item's share in the neighbourhood and in the collection, over the latter.

    k: how many neighbours
    similarity: how alike two users are
    gamma: rating points added to each item of the collection
    length_norm: average the neighbours' own shares instead of sharing their sum
    """
    def __init__(self, k: int = 100, similarity: Literal['cosine', 'binary_cosine', 'jaccard', 'pearson'] = 'cosine', gamma: float = 3000.0, length_norm: bool = True) -> None: ...

class CosineUserKNN(_CosineUserKNN):
    """The mean of what the most similar users gave to the item, by their similarity; only positive ratings play a role.

    k: how many neighbours
    min_neighbours: neighbours who rated the item that an estimate rests on, at least; with fewer there is none
    positive: count only ratings of at least this value
    unrated: a neighbour who did not rate the item: skip it, or count it as 0, as the equation of Gunawardana and Shani stands
    """
    def __init__(self, k: int = 25, min_neighbours: int = 1, positive: float | None = None, unrated: Literal['skip', 'zero'] = 'skip') -> None: ...

class EASE(_EASE):
    """Items predicted from the user's other items by ridge regression without self-weights.

    l2: weight of the squared norm of B
    values: what X holds for a rated item
    """
    def __init__(self, l2: float = 500.0, values: Literal['binary', 'rating'] = 'binary') -> None: ...

class ExpectedUtility(_ExpectedUtility):
    """Another recommender's score as a probability, times the mean utility of the item.

    base: the recommender whose scores become probabilities
    utility: what an item is worth: the mean of its utility, or of its rating
    scale: what scores are divided by; auto: rating if the base predicts them
    """
    def __init__(self, base: _Recommender | str = 'ItemItem', utility: Literal['column', 'rating'] = 'column', scale: Literal['auto', 'rating', 'user'] = 'auto') -> None: ...

class External(_External):
    """The scores that another system wrote to a run file.

    path: the run: TREC, CSV, TSV, Parquet or Arrow
    """
    def __init__(self, path: str) -> None: ...

class HT(_HT):
    """The expected number of steps of a random walk from the item to the user on the graph of ratings, cut at τ.

    steps: how many steps are taken at most
    values: what the chance of a step is proportional to
    """
    def __init__(self, steps: int = 6, values: Literal['rating', 'binary'] = 'rating') -> None: ...

class ItemItem(_ItemItem):
    """The conditional probability of the item given each of the user's items, of which the largest counts.

    aggregate: how the probabilities given each item become one score
    """
    def __init__(self, aggregate: Literal['max', 'sum', 'noisy_or'] = 'max') -> None: ...

class ItemKNN(_ItemKNN):
    """The user's own ratings of the most similar items, weighted by their similarity.

    k: how many neighbours; none: no limit
    similarity: how alike two items are
    normalise: divide by the sum of weights
    min_overlap: users that two items must share to be neighbours
    min_neighbours: rated neighbours that an estimate rests on, at least; with fewer there is none
    q: exponent of the similarity as a weight
    shrinkage: λ: a similarity over n shared ratings is multiplied by n/(n + λ)
    """
    def __init__(self, k: int | None = 100, similarity: Literal['cosine', 'binary_cosine', 'jaccard', 'pearson', 'adjusted_cosine'] = 'cosine', normalise: bool = False, min_overlap: int = 0, min_neighbours: int = 1, q: float = 1.0, shrinkage: float = 0.0) -> None: ...

class KLD(_KLD):
    """An item's share in the neighbourhood times the log of how much it exceeds that in the collection.

    k: how many neighbours
    similarity: how alike two users are
    gamma: rating points added to each item of the collection
    length_norm: average the neighbours' own shares instead of sharing their sum
    """
    def __init__(self, k: int = 100, similarity: Literal['cosine', 'binary_cosine', 'jaccard', 'pearson'] = 'cosine', gamma: float = 3000.0, length_norm: bool = True) -> None: ...

class LDA(_LDA):
    """The chance of an item under the user's mixture of topics, both mixtures and topics drawn from Dirichlet priors.

    topics: number of topics
    alpha: prior of a user's mixture, the same for every topic
    eta: prior of a topic, the same for every item
    iterations: steps over all users and topics
    values: what a rating counts
    """
    def __init__(self, topics: int = 30, alpha: float = 1.0, eta: float = 0.5, iterations: int = 100, values: Literal['binary', 'rating'] = 'binary') -> None: ...

class LMWSRIB(_LMWSRIB):
    """The user's own ratings of the items whose language models most likely generate the item's ratings.

    k: how many neighbours
    mu: how strongly language models are smoothed
    weight: how a neighbour's likelihood becomes its weight
    q: exponent of the weight
    """
    def __init__(self, k: int = 300, mu: float = 150000.0, weight: Literal['per_rating', 'likelihood', 'log_likelihood', 'none'] = 'log_likelihood', q: float = 0.5) -> None: ...

class LMWSRUB(_LMWSRUB):
    """What the users rated whose language models most likely generate the user's ratings.

    k: how many neighbours
    mu: how strongly language models are smoothed
    weight: how a neighbour's likelihood becomes its weight
    q: exponent of the weight
    """
    def __init__(self, k: int = 100, mu: float = 2000.0, weight: Literal['per_rating', 'likelihood', 'log_likelihood', 'none'] = 'per_rating', q: float = 1.0) -> None: ...

class NNCosNgbrIB(_NNCosNgbrIB):
    """Non-normalised cosine neighbourhood of items: the baseline estimate plus the user's deviations from it nearby.

    k: how many neighbours
    among: whose nearest are taken: those that have the rating, or all
    min_neighbours: neighbours with a rating, at least; with fewer, the baseline estimate is left
    shrinkage: λ of the similarity
    damping_items: λ_i, imaginary ratings of the mean added to each item
    damping_users: λ_u, imaginary ratings of the mean added to each user
    """
    def __init__(self, k: int = 200, among: Literal['rated', 'all'] = 'rated', min_neighbours: int = 1, shrinkage: float = 100.0, damping_items: float = 25.0, damping_users: float = 10.0) -> None: ...

class NNCosNgbrUB(_NNCosNgbrUB):
    """Non-normalised cosine neighbourhood of users: the baseline estimate plus the neighbours' deviations from theirs.

    k: how many neighbours
    among: whose nearest are taken: those that have the rating, or all
    min_neighbours: neighbours with a rating, at least; with fewer, the baseline estimate is left
    shrinkage: λ of the similarity
    damping_items: λ_i, imaginary ratings of the mean added to each item
    damping_users: λ_u, imaginary ratings of the mean added to each user
    """
    def __init__(self, k: int = 200, among: Literal['rated', 'all'] = 'rated', min_neighbours: int = 1, shrinkage: float = 100.0, damping_items: float = 25.0, damping_users: float = 10.0) -> None: ...

class PLSA(_PLSA):
    """The chance of an item under the user's mixture of topics, fitted to the highest likelihood.

    topics: number of topics
    iterations: steps of expectation–maximisation
    values: what a rating counts
    """
    def __init__(self, topics: int = 30, iterations: int = 30, values: Literal['binary', 'rating'] = 'binary') -> None: ...

class PearsonUserKNN(_PearsonUserKNN):
    """The user's mean rating plus what similar users gave above or below their own means.

    k: how many neighbours
    among: whose nearest are taken: all users, or those who rated the item
    similarity: how alike two users are
    means: in the correlation: means of all of a user's ratings, or of the shared
    values: ratings of some items, or a 1 or 0 for every item
    min_overlap: items that two users must share to be neighbours
    min_neighbours: neighbours who rated the item that an estimate rests on, at least; with fewer there is none
    shrinkage: λ: a similarity over n shared ratings is multiplied by n/(n + λ)
    unrated: a neighbour who did not rate the item: skip it, or count it as 0, as the equation of Gunawardana and Shani stands
    """
    def __init__(self, k: int = 25, among: Literal['all', 'raters'] = 'all', similarity: Literal['cosine', 'binary_cosine', 'jaccard', 'pearson'] = 'pearson', means: Literal['user', 'overlap'] = 'user', values: Literal['rating', 'binary'] = 'rating', min_overlap: int = 0, min_neighbours: int = 1, shrinkage: float = 0.0, unrated: Literal['skip', 'zero'] = 'skip') -> None: ...

class Popularity(_Popularity):
    """The number of training ratings of an item, the same for all users.

    positive: count only ratings of at least this value
    """
    def __init__(self, positive: float | None = None) -> None: ...

class PureSVD(_PureSVD):
    """Ratings, unrated ones being 0, projected on the directions in which they vary most.

    factors: number of singular vectors
    values: what R holds for a rated item
    """
    def __init__(self, factors: int = 30, values: Literal['rating', 'binary'] = 'rating') -> None: ...

class RM1(_RM1):
    """The mixture of the neighbours' language models, each weighted by how likely it generates the user's items.

    k: how many neighbours
    similarity: how alike two users are
    smoothing: how p(i|v) is mixed with p(i|C)
    amount: δ, λ or µ of the smoothing
    """
    def __init__(self, k: int = 100, similarity: Literal['cosine', 'binary_cosine', 'jaccard', 'pearson'] = 'cosine', smoothing: Literal['absolute', 'jelinek_mercer', 'dirichlet'] = 'absolute', amount: float = 0.1) -> None: ...

class RM2(_RM2):
    """How likely the user's items are, each generated by some neighbour who also generates the item.

    k: how many neighbours
    similarity: how alike two users are
    smoothing: how p(i|v) is mixed with p(i|C)
    amount: δ, λ or µ of the smoothing
    prior: p(i): the same for all items, or p(i|C)
    """
    def __init__(self, k: int = 100, similarity: Literal['cosine', 'binary_cosine', 'jaccard', 'pearson'] = 'cosine', smoothing: Literal['absolute', 'jelinek_mercer', 'dirichlet'] = 'absolute', amount: float = 0.1, prior: Literal['uniform', 'collection'] = 'uniform') -> None: ...

class RSV(_RSV):
    """The mean rating of the neighbourhood times the share of its rating points that the item has.

    k: how many neighbours
    similarity: how alike two users are
    """
    def __init__(self, k: int = 100, similarity: Literal['cosine', 'binary_cosine', 'jaccard', 'pearson'] = 'cosine') -> None: ...

class Random(_Random):
    """A number drawn for each user and item."""
    def __init__(self) -> None: ...

class RocchioWeights(_RocchioWeights):
    """The sum of the neighbours' ratings over their number.

    k: how many neighbours
    similarity: how alike two users are
    """
    def __init__(self, k: int = 100, similarity: Literal['cosine', 'binary_cosine', 'jaccard', 'pearson'] = 'cosine') -> None: ...

class SLIM(_SLIM):
    """Items predicted from the user's other items by weights that are sparse and never negative.

    l1: weight of the sum of weights
    l2: weight of the squared norm
    values: what A holds for a rated item
    """
    def __init__(self, l1: float = 5.0, l2: float = 200.0, values: Literal['binary', 'rating'] = 'binary') -> None: ...

class SVD(_SVD):
    """Ratings predicted by a mean, the biases of user and item, and the product of their factors.

    factors: length of the factors
    l2: weight of the squared norms of factors
    l2_bias: weight of the squared biases
    rate: learning rate at the start
    epochs: passes over the ratings
    """
    def __init__(self, factors: int = 50, l2: float = 0.1, l2_bias: float = 0.02, rate: float = 0.02, epochs: int = 50) -> None: ...

class UIRItem(_UIRItem):
    """How much more likely the user's items become once the item is known to be liked, and how popular it is.

    smoothing: λ, the weight of p(j) in the mixture
    """
    def __init__(self, smoothing: float = 0.999999) -> None: ...

class UserKNN(_UserKNN):
    """What the most similar users rated, weighted by their similarity.

    k: how many neighbours
    similarity: how alike two users are
    normalise: divide by the sum of weights
    min_overlap: items that two users must share to be neighbours
    min_neighbours: neighbours who rated the item that an estimate rests on, at least; with fewer there is none
    q: exponent of the similarity as a weight
    shrinkage: λ: a similarity over n shared ratings is multiplied by n/(n + λ)
    """
    def __init__(self, k: int = 100, similarity: Literal['cosine', 'binary_cosine', 'jaccard', 'pearson'] = 'cosine', normalise: bool = False, min_overlap: int = 0, min_neighbours: int = 1, q: float = 1.0, shrinkage: float = 0.0) -> None: ...

class WRMF(_WRMF):
    """Factors of users and items that fit all cells of the matrix, rated ones with more confidence.

    factors: length of the factors
    l2: weight of the squared norms
    alpha: how fast confidence grows with the rating
    iterations: passes over users and items
    target: the value that a rated cell should have
    """
    def __init__(self, factors: int = 50, l2: float = 1.0, alpha: float = 0.1, iterations: int = 20, target: Literal['one', 'rating'] = 'one') -> None: ...
