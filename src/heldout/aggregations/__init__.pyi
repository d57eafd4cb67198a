"""Components of `ho.aggregations`; written by `make exports`."""

from heldout.aggregations import coverage as coverage
from heldout.aggregations import undefined as undefined
from heldout.aggregations.georisk import GeoRisk as _GeoRisk
from heldout.aggregations.gmean import GeometricMean as _GeometricMean
from heldout.aggregations.mean import Mean as _Mean
from heldout.aggregations.median import Median as _Median
from heldout.aggregations.pooled import Pooled as _Pooled
from heldout.aggregations.standardised import Standardised as _Standardised
from heldout.aggregations.trimmed import TrimmedMean as _TrimmedMean
from heldout.aggregations.trisk import TRisk as _TRisk
from heldout.aggregations.urisk import URisk as _URisk
from heldout.aggregations.zrisk import ZRisk as _ZRisk

class GeoRisk(_GeoRisk):
    """The geometric mean of a system's average and of its risk against what all compared systems lead one to expect.

    alpha: how much more a shortfall weighs than an excess
    """
    def __init__(self, alpha: float = 1.0) -> None: ...

class GeometricMean(_GeometricMean):
    """The geometric mean over users of x + ε, less ε: gains of badly served users count for more.

    epsilon: what is added before the logarithm and taken off after
    """
    def __init__(self, epsilon: float = 0.01) -> None: ...

class Mean(_Mean):
    """The arithmetic mean over users, each counting alike or by a weight.

    weight: what users are weighed by: test, relevant, train, or a column of `table`
    table: file with a column user_id and the column that weighs (CSV, TSV, Parquet)
    """
    def __init__(self, weight: str | None = None, table: str | None = None) -> None: ...

class Median(_Median):
    """The median over users: half of them are served at least this well."""
    def __init__(self) -> None: ...

class Pooled(_Pooled):
    """The ratio of sums: users' numerators added up, divided by their denominators added up."""
    def __init__(self) -> None: ...

class Standardised(_Standardised):
    """The mean over users of values standardised by reference systems: each user is as hard and as telling as any other.

    systems: the reference systems; all that are compared if none is named
    """
    def __init__(self, systems: tuple[str, ...] | list[str] = ()) -> None: ...

class TRisk(_TRisk):
    """The risk-sensitive mean gain over a baseline divided by its standard error: a t statistic of reward against risk.

    alpha: how much more a loss weighs than a gain
    baseline: the system that gains are over; the comparison's baseline if not named
    """
    def __init__(self, alpha: float = 1.0, baseline: str | None = None) -> None: ...

class TrimmedMean(_TrimmedMean):
    """The mean of the users left when a share of the best and the same share of the worst served are put aside.

    share: share of users cut at each end
    """
    def __init__(self, share: float = 0.1) -> None: ...

class URisk(_URisk):
    """The mean gain over a baseline, users who lose by the change counting 1 + α times.

    alpha: how much more a loss weighs than a gain
    baseline: the system that gains are over; the comparison's baseline if not named
    """
    def __init__(self, alpha: float = 1.0, baseline: str | None = None) -> None: ...

class ZRisk(_ZRisk):
    """How far a system's users fall above or below what its own mean and their difficulty lead one to expect, in sum.

    alpha: how much more a shortfall weighs than an excess
    """
    def __init__(self, alpha: float = 1.0) -> None: ...
