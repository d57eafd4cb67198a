"""Written by `make exports`."""

from heldout.metrics.propensities.column import ColumnPropensity as ColumnPropensity  # column
from heldout.metrics.propensities.popularity import PopularityPropensity as PopularityPropensity  # popularity
