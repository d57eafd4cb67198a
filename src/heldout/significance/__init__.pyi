"""Components of `ho.significance`; written by `make exports`."""

from heldout.significance import corrections as corrections
from heldout.significance.bayes import Bayes as _Bayes
from heldout.significance.bootstrap import Bootstrap as _Bootstrap
from heldout.significance.friedman import Friedman as _Friedman
from heldout.significance.permutation import Permutation as _Permutation
from heldout.significance.sign import Sign as _Sign
from heldout.significance.significance_test import Test as _Test
from heldout.significance.subsampled import Subsampled as _Subsampled
from heldout.significance.t import PairedT as _PairedT
from heldout.significance.tukey import Tukey as _Tukey
from heldout.significance.wilcoxon import Wilcoxon as _Wilcoxon
from typing import Literal

class Bayes(_Bayes):
    """How probable it is that a is better than b, worse, or practically the same: the Bayesian signed-rank or sign test.

    rope: differences up to this size are practically none
    statistic: pairs of users, or users alone
    prior: weight of the pseudo-difference 0
    samples: draws from the posterior
    """
    def __init__(self, rope: float = 0.01, statistic: Literal['signed_rank', 'sign'] = 'signed_rank', prior: float = 0.5, samples: int = 5000) -> None: ...

class Bootstrap(_Bootstrap):
    """The paired bootstrap test of the difference in means, studentised, two-sided (Sakai 2006).

    samples: resamples
    """
    def __init__(self, samples: int = 10000) -> None: ...

class Friedman(_Friedman):
    """Friedman's test that no system is ranked better than another, and Nemenyi's test of every pair behind it."""
    def __init__(self) -> None: ...

class PairedT(_PairedT):
    """Student's paired t test of the difference in means, two-sided."""
    def __init__(self) -> None: ...

class Permutation(_Permutation):
    """Fisher's randomisation test of the difference in means, two-sided: how often do random sign flips do as much?

    samples: flips at least taken
    method: how flips are drawn where there are too many to take all
    """
    def __init__(self, samples: int = 100000, method: Literal['hadamard', 'plain'] = 'hadamard') -> None: ...

class Sign(_Sign):
    """The sign test, exact: is a better than b for as many users as b is better than a?

    alternative: what is tested against: a difference, or that a's values are greater or less than b's
    """
    def __init__(self, alternative: Literal['two_sided', 'greater', 'less'] = 'two_sided') -> None: ...

class Subsampled(_Subsampled):
    """How often a test rejects on random subsets of the users: what smaller studies would have concluded.

    test: the test that is repeated
    subsets: random subsets of users
    size: users in each
    level: the level at which a subset rejects
    """
    def __init__(self, test: _Test | str = 't', subsets: int = 1000, size: int = 100, level: float = 0.05) -> None: ...

class Tukey(_Tukey):
    """Tukey's HSD on the two-way layout users × systems: all pairs of means against one common error."""
    def __init__(self) -> None: ...

class Wilcoxon(_Wilcoxon):
    """Wilcoxon's signed-rank test, two-sided: are larger differences as often for one system as for the other?

    zeros: users without a difference: left out before ranking, or ranked and then left out
    """
    def __init__(self, zeros: Literal['wilcox', 'pratt'] = 'wilcox') -> None: ...
