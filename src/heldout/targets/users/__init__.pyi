"""Components of `ho.targets.users`; written by `make exports`."""

from heldout.targets.users.all_users import AllUsers as _AllUsers
from heldout.targets.users.with_relevant import WithRelevant as _WithRelevant
from heldout.targets.users.with_test import WithTest as _WithTest
from heldout.targets.users.with_train import WithTrain as _WithTrain

class AllUsers(_AllUsers):
    """Every user of the data is tested, also those without a test rating, for whom no metric can be above 0."""
    def __init__(self) -> None: ...

class WithRelevant(_WithRelevant):
    """Users with at least so many relevant test ratings.

    min: the least number of relevant test ratings
    """
    def __init__(self, min: int = 1) -> None: ...

class WithTest(_WithTest):
    """Users with at least so many test ratings, relevant or not.

    min: the least number of test ratings
    """
    def __init__(self, min: int = 1) -> None: ...

class WithTrain(_WithTrain):
    """Users with at least so many training ratings.

    min: the least number of training ratings
    """
    def __init__(self, min: int = 1) -> None: ...
