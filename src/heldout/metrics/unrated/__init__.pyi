"""Written by `make exports`."""

from heldout.metrics.unrated.condense import Condense as Condense  # condense
from heldout.metrics.unrated.interval import Interval as Interval  # interval
from heldout.metrics.unrated.zero import Zero as Zero  # zero
