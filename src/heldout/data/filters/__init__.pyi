"""Written by `make exports`."""

from heldout.data.filters.binarise import Binarise as Binarise  # binarise binarize
from heldout.data.filters.core import Core as Core  # core
from heldout.data.filters.drop_head import DropHead as DropHead  # drop_head
from heldout.data.filters.duplicates import Duplicates as Duplicates  # duplicates
from heldout.data.filters.min_ratings import MinRatings as MinRatings  # min_ratings
from heldout.data.filters.playcounts_to_ratings import PlaycountsToRatings as PlaycountsToRatings  # playcounts_to_ratings
from heldout.data.filters.positive import Positive as Positive  # positive
from heldout.data.filters.sample import Sample as Sample  # sample
