"""Written by `make exports`."""

from heldout.metrics.discounts.table import DiscountTable as DiscountTable  # table
from heldout.metrics.discounts.rbp import Geometric as Geometric  # rbp geometric
from heldout.metrics.discounts.half_life import HalfLife as HalfLife  # half_life
from heldout.metrics.discounts.jarvelin import Jarvelin as Jarvelin  # jarvelin
from heldout.metrics.discounts.log2 import Log2 as Log2  # log2
from heldout.metrics.discounts.zipf import Zipf as Zipf  # zipf
