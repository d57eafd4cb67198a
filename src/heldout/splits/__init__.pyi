"""Written by `make exports`."""

from heldout.splits.folds import Folds as Folds  # folds cross_validation
from heldout.splits.given import Given as Given  # given
from heldout.splits.hide import Hide as Hide  # hide
from heldout.splits.keep import Keep as Keep  # keep given_n
from heldout.splits.leave_out import LeaveOut as LeaveOut  # leave_out all_but
from heldout.splits.per_item import PerItem as PerItem  # per_item
from heldout.splits.random_time import RandomTime as RandomTime  # random_time
from heldout.splits.ratio import Ratio as Ratio  # ratio
from heldout.splits.replay import Replay as Replay  # replay
from heldout.splits.saved import Saved as Saved  # saved
from heldout.splits.temporal import Temporal as Temporal  # temporal
from heldout.splits.sampled_users import TestUsers as TestUsers  # test_users
from heldout.splits.uniform_test import UniformTest as UniformTest  # uniform_test
