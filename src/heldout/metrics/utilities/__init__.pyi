"""Written by `make exports`."""

from heldout.metrics.utilities.above_neutral import AboveNeutral as AboveNeutral  # above_neutral
from heldout.metrics.utilities.column import ColumnUtility as ColumnUtility  # column
from heldout.metrics.utilities.hit import Hit as Hit  # hit
from heldout.metrics.utilities.log_inverse_popularity import LogInversePopularity as LogInversePopularity  # log_inverse_popularity
