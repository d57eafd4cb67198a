"""Written by `make exports`."""

from heldout.targets.relevance.by_scale import ByScale as ByScale  # by_scale
from heldout.targets.relevance.more_than import MoreThan as MoreThan  # more_than
from heldout.targets.relevance.threshold import Threshold as Threshold  # threshold
from heldout.targets.relevance.user_mean import UserMean as UserMean  # user_mean
from heldout.targets.relevance.user_top import UserTop as UserTop  # user_top
