"""Written by `make exports`."""

from heldout.recommenders.fallbacks.average_rating import AverageRatingFallback as AverageRatingFallback  # average_rating
from heldout.recommenders.fallbacks.none import NoFallback as NoFallback  # none
from heldout.recommenders.fallbacks.popularity import PopularityFallback as PopularityFallback  # popularity
from heldout.recommenders.fallbacks.random import RandomFallback as RandomFallback  # random
