"""Written by `make exports`."""

from heldout.targets import users as users
from heldout.targets import relevance as relevance
from heldout.targets import ties as ties
from heldout.targets import estimators as estimators
from heldout.targets.all_items import AllItems as AllItems  # AllItems full
from heldout.targets.one_plus_random import OnePlusRandom as OnePlusRandom  # OnePlusRandom
from heldout.targets.uniform import P1R as P1R  # P1R
from heldout.targets.targets import Targets as Targets  # targets
from heldout.targets.items_in_test import TestItems as TestItems  # TestItems
from heldout.targets.ratings_in_test import TestRatings as TestRatings  # TestRatings condensed
from heldout.targets.training_items import TrainingItems as TrainingItems  # TrainingItems
from heldout.targets.uniform import U1R as U1R  # U1R
from heldout.targets.uniform import UAR as UAR  # UAR
