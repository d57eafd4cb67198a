"""Written by `make exports`."""

from heldout.targets.estimators.bv import BV as BV  # bv
from heldout.targets.estimators.cls import CLS as CLS  # cls
