"""Components of `ho.metrics.gains`; written by `make exports`."""

from heldout.metrics.gains.binary import Binary as _Binary
from heldout.metrics.gains.chapelle import Chapelle as _Chapelle
from heldout.metrics.gains.chapelle_scaled import ChapelleScaled as _ChapelleScaled
from heldout.metrics.gains.exp2 import Exp2 as _Exp2
from heldout.metrics.gains.linear import Linear as _Linear
from heldout.metrics.gains.stop import Stop as _Stop
from heldout.metrics.gains.table import GainTable as _GainTable

class Binary(_Binary):
    """Relevant items gain 1, others 0."""
    def __init__(self) -> None: ...

class Chapelle(_Chapelle):
    """The probability that an item satisfies, as in expected reciprocal rank, for ratings that begin at 1.

    top: the top of the rating scale, at most 30; none takes it from the data
    """
    def __init__(self, top: float | None = None) -> None: ...

class ChapelleScaled(_ChapelleScaled):
    """As `chapelle`, divided so that the highest rating gains 1.

    top: the top of the rating scale, at most 30; none takes it from the data
    """
    def __init__(self, top: float | None = None) -> None: ...

class Exp2(_Exp2):
    """The gain doubles with each grade and reaches 1 at the top of the scale (the formula of g2 in Cañamares et al.).

    top: the top of the rating scale, at most 30; none takes it from the data
    """
    def __init__(self, top: float | None = None) -> None: ...

class GainTable(_GainTable):
    """The gain of each grade is written out, from the lowest grade to the highest.

    gains: gains of the grades, in order
    first: the grade that the first gain belongs to
    step: how far grades are apart, such as 0.5
    """
    def __init__(self, gains: tuple[float, ...] | list[float], first: float = 1.0, step: float = 1.0) -> None: ...

class Linear(_Linear):
    """The gain is the rating itself, as in trec_eval."""
    def __init__(self) -> None: ...

class Stop(_Stop):
    """The probability that a user stops at an item, as expected reciprocal rank has it for grades that begin at 0.

    top: the top of the rating scale, at most 30; none takes it from the data
    """
    def __init__(self, top: float | None = None) -> None: ...
