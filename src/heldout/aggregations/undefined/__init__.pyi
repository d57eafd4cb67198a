"""Written by `make exports`."""

from heldout.aggregations.undefined.skip import SkipUndefined as SkipUndefined  # skip
from heldout.aggregations.undefined.zero import UndefinedAsZero as UndefinedAsZero  # zero
