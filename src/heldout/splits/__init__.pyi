"""Components of `ho.splits`; written by `make exports`."""

from heldout.splits.folds import Folds as _Folds
from heldout.splits.given import Given as _Given
from heldout.splits.hide import Hide as _Hide
from heldout.splits.keep import Keep as _Keep
from heldout.splits.leave_out import LeaveOut as _LeaveOut
from heldout.splits.per_item import PerItem as _PerItem
from heldout.splits.random_time import RandomTime as _RandomTime
from heldout.splits.ratio import Ratio as _Ratio
from heldout.splits.replay import Replay as _Replay
from heldout.splits.sampled_users import TestUsers as _TestUsers
from heldout.splits.saved import Saved as _Saved
from heldout.splits.splitter import Splitter as _Splitter
from heldout.splits.temporal import Temporal as _Temporal
from heldout.splits.uniform_test import UniformTest as _UniformTest
from typing import Literal

class Folds(_Folds):
    """n-fold cross-validation: the ratings fall into n disjoint test sets, and each trains on all the others.

    n: number of folds
    by: whether all ratings are dealt together or user by user
    """
    def __init__(self, n: int = 5, by: Literal['rating', 'user'] = 'rating') -> None: ...

class Given(_Given):
    """A predefined split: files of training and test ratings, one of each per fold.

    train: training files; none: the data without the test pairs
    test: test files, one for each fold
    overlap: the part that keeps a pair of both: neither, train or test
    on_bad_rows: what becomes of a bad row: an error, or it is skipped and counted
    """
    def __init__(self, train: str | tuple[str, ...] | list[str] | None = None, test: str | tuple[str, ...] | list[str] | None = None, overlap: Literal['error', 'train', 'test'] = 'error', on_bad_rows: Literal['error', 'skip'] = 'error') -> None: ...

class Hide(_Hide):
    """Hides a random number of random ratings of each user, mostly of sampled ones: `test_users(n, then=hide(random))`.

    how: how many and which: at random
    """
    def __init__(self, how: Literal['random'] = 'random') -> None: ...

class Keep(_Keep):
    """Trains on exactly n random ratings of each user and hides all others; also "given n".

    n: ratings of each user that train
    short: what becomes of those with too few ratings: an error, all their ratings train, or they are dropped and counted
    """
    def __init__(self, n: int, short: Literal['error', 'train', 'drop'] = 'error') -> None: ...

class LeaveOut(_LeaveOut):
    """Hides l random ratings of each user and trains on all others; also "all but n".

    l: ratings of each user that test
    short: what becomes of those with too few ratings: an error, all their ratings train, or they are dropped and counted
    """
    def __init__(self, l: int = 1, short: Literal['error', 'train', 'drop'] = 'error') -> None: ...

class PerItem(_PerItem):
    """Sends l random ratings of each item to one side and all its others to the other side.

    l: ratings of each item on that side
    side: the side that has l ratings of each item
    short: what becomes of those with too few ratings: an error, all their ratings train, or they are dropped and counted
    """
    def __init__(self, l: int, side: Literal['train', 'test'] = 'test', short: Literal['error', 'train', 'drop'] = 'error') -> None: ...

class RandomTime(_RandomTime):
    """Draws a time for each user and hides what the user rated after it.

    by: the time is drawn for each user
    """
    def __init__(self, by: Literal['user'] = 'user') -> None: ...

class Ratio(_Ratio):
    """Sends each rating to train with a probability, or a share of each user's ratings.

    train: share of the ratings that trains
    by: whether the share is of all ratings or of each user's
    rounding: by user: the training share to the nearest whole number, or the test share down
    """
    def __init__(self, train: float = 0.8, by: Literal['rating', 'user'] = 'rating', rounding: Literal['nearest', 'test_down'] = 'nearest') -> None: ...

class Replay(_Replay):
    """The fully time-consistent protocol: k sampled moments, each with its own training set of everything before it.

    times: number of moments
    after: share of the ratings before the first moment that can be drawn
    until: what is tested: ratings up to the next moment, or up to the end
    """
    def __init__(self, times: int = 5, after: float = 0.5, until: Literal['next', 'end'] = 'next') -> None: ...

class Saved(_Saved):
    """A split that `heldout split --save` wrote, the same to the last bit.

    path: the folder
    """
    def __init__(self, path: str) -> None: ...

class Temporal(_Temporal):
    """Trains on older ratings and tests on newer ones: by one cut in time for all, or by each user's own newest.

    at: the cut: a date, seconds since 1970, or the share of ratings before it
    share: share of all, or of each user's, ratings that tests
    last: newest ratings of each user that test
    by: one cut for all, or each user's newest
    short: what becomes of those with too few ratings: an error, all their ratings train, or they are dropped and counted
    """
    def __init__(self, at: float | str | None = None, share: float | None = None, last: int | None = None, by: Literal['all', 'user'] = 'all', short: Literal['error', 'train', 'drop'] = 'error') -> None: ...

class TestUsers(_TestUsers):
    """Tests n sampled users, whose ratings another split divides; all other users train whole.

    n: number of users who are tested, or a share below 1
    then: how their ratings are divided
    """
    def __init__(self, n: float, then: _Splitter | str = 'hide(random)') -> None: ...

class UniformTest(_UniformTest):
    """Gives every test item the same number η of test ratings, which takes popularity's advantage away.

    share: least share of all ratings that tests
    keep: least share of an item's ratings that trains
    repeats: independent draws
    folds: test sets from one random order of each item's ratings, disjoint if ε ≥ 1 − 1/n; none: draws
    """
    def __init__(self, share: float = 0.2, keep: float = 0.2, repeats: int = 1, folds: int | None = None) -> None: ...
