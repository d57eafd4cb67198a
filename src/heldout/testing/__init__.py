"""Contracts of components, for those who write their own: call one from a test, and it says in a sentence what is broken.

from heldout.testing import check_recommender
check_recommender(MyModel(factors=8))
"""

from heldout.testing.aggregations import check_aggregation
from heldout.testing.metrics import check_metric
from heldout.testing.recommenders import check_recommender
from heldout.testing.significance import check_correction, check_test
from heldout.testing.splits import check_split
from heldout.testing.targets import check_target

__all__ = [
    "check_aggregation",
    "check_correction",
    "check_metric",
    "check_recommender",
    "check_split",
    "check_target",
    "check_test",
]
