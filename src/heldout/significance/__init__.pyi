"""Written by `make exports`."""

from heldout.significance import corrections as corrections
from heldout.significance.bayes import Bayes as Bayes  # bayes bayesian
from heldout.significance.bootstrap import Bootstrap as Bootstrap  # bootstrap
from heldout.significance.friedman import Friedman as Friedman  # friedman nemenyi
from heldout.significance.t import PairedT as PairedT  # t
from heldout.significance.permutation import Permutation as Permutation  # permutation
from heldout.significance.sign import Sign as Sign  # sign
from heldout.significance.subsampled import Subsampled as Subsampled  # subsampled
from heldout.significance.tukey import Tukey as Tukey  # tukey hsd
from heldout.significance.wilcoxon import Wilcoxon as Wilcoxon  # wilcoxon
