"""Components of `ho.missing`; written by `make exports`."""

from heldout.data.missing.at_random import AtRandom as _AtRandom
from heldout.data.missing.by_popularity import ByPopularity as _ByPopularity
from heldout.data.missing.by_recommender import ByRecommender as _ByRecommender
from heldout.data.missing.by_value import ByValue as _ByValue
from heldout.data.missing.mixture import Mixture as _Mixture
from heldout.data.missingness import Missingness as _Missingness
from typing import Literal

class AtRandom(_AtRandom):
    """Completely at random: every user is as likely to rate every item."""
    def __init__(self) -> None: ...

class ByPopularity(_ByPopularity):
    """Popular items are rated more, and users rate what meets their taste.

    counts: whether an item has just its number of ratings, or on average
    """
    def __init__(self, counts: Literal['exact', 'expected'] = 'exact') -> None: ...

class ByRecommender(_ByRecommender):
    """A recommender shows items, users rate what they are shown, and the recommender learns from that, round by round.

    rounds: T, how often the recommender learns
    explore: ε, the share that is drawn from all items
    shown: N, the length of the recommender's lists
    """
    def __init__(self, rounds: int = 4, explore: float = 0.2, shown: int = 50) -> None: ...

class ByValue(_ByValue):
    """Not at random: the higher the rating would be, the more likely it is given.

    slope: how much more likely a rating one higher is: its logarithm
    popularity: the power of an item's number of ratings that multiplies
    """
    def __init__(self, slope: float = 0.7, popularity: float = 0.0) -> None: ...

class Mixture(_Mixture):
    """Each pair is observed in one of two ways, which is drawn: a share of the chances of one, the rest of the other.

    first: one way
    second: the other way
    share: how much the first way counts for
    """
    def __init__(self, first: _Missingness | str = 'at_random', second: _Missingness | str = 'by_popularity', share: float = 0.5) -> None: ...
