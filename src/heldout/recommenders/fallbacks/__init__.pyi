"""Components of `ho.recommenders.fallbacks`; written by `make exports`."""

from heldout.recommenders.fallbacks.average_rating import AverageRatingFallback as _AverageRatingFallback
from heldout.recommenders.fallbacks.none import NoFallback as _NoFallback
from heldout.recommenders.fallbacks.popularity import PopularityFallback as _PopularityFallback
from heldout.recommenders.fallbacks.random import RandomFallback as _RandomFallback

class AverageRatingFallback(_AverageRatingFallback):
    """Appends the items that the recommender could not score, those with the highest mean training rating first."""
    def __init__(self) -> None: ...

class NoFallback(_NoFallback):
    """Leaves out the items that the recommender could not score."""
    def __init__(self) -> None: ...

class PopularityFallback(_PopularityFallback):
    """Appends the items that the recommender could not score, those with most training ratings first."""
    def __init__(self) -> None: ...

class RandomFallback(_RandomFallback):
    """Appends the items that the recommender could not score in random order."""
    def __init__(self) -> None: ...
