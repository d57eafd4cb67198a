"""Written by `make exports`."""

from heldout.metrics.gains.binary import Binary as Binary  # binary
from heldout.metrics.gains.chapelle import Chapelle as Chapelle  # chapelle
from heldout.metrics.gains.chapelle_scaled import ChapelleScaled as ChapelleScaled  # chapelle_scaled
from heldout.metrics.gains.exp2 import Exp2 as Exp2  # exp2
from heldout.metrics.gains.table import GainTable as GainTable  # table
from heldout.metrics.gains.linear import Linear as Linear  # linear
from heldout.metrics.gains.stop import Stop as Stop  # stop
