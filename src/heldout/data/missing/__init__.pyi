"""Written by `make exports`."""

from heldout.data.missing.at_random import AtRandom as AtRandom  # at_random mcar
from heldout.data.missing.by_popularity import ByPopularity as ByPopularity  # by_popularity
from heldout.data.missing.by_recommender import ByRecommender as ByRecommender  # by_recommender feedback
from heldout.data.missing.by_value import ByValue as ByValue  # by_value mnar
from heldout.data.missing.mixture import Mixture as Mixture  # mixture
