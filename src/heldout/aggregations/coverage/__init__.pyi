"""Written by `make exports`."""

from heldout.aggregations.coverage.forgive import Forgive as Forgive  # forgive
from heldout.aggregations.coverage.intersection import Intersection as Intersection  # intersection
from heldout.aggregations.coverage.zero import UncoveredAsZero as UncoveredAsZero  # zero
