"""Written by `make exports`."""

from heldout.targets.users.all_users import AllUsers as AllUsers  # all
from heldout.targets.users.with_relevant import WithRelevant as WithRelevant  # with_relevant
from heldout.targets.users.with_test import WithTest as WithTest  # with_test
from heldout.targets.users.with_train import WithTrain as WithTrain  # with_train
