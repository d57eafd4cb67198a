"""Written by `make exports`."""

from heldout.aggregations import undefined as undefined
from heldout.aggregations import coverage as coverage
from heldout.aggregations.georisk import GeoRisk as GeoRisk  # georisk
from heldout.aggregations.gmean import GeometricMean as GeometricMean  # gmean
from heldout.aggregations.mean import Mean as Mean  # mean
from heldout.aggregations.median import Median as Median  # median
from heldout.aggregations.pooled import Pooled as Pooled  # pooled
from heldout.aggregations.standardised import Standardised as Standardised  # standardised standardized
from heldout.aggregations.trisk import TRisk as TRisk  # trisk
from heldout.aggregations.trimmed import TrimmedMean as TrimmedMean  # trimmed
from heldout.aggregations.urisk import URisk as URisk  # urisk
from heldout.aggregations.zrisk import ZRisk as ZRisk  # zrisk
