"""Written by `make exports`."""

from heldout.significance.corrections.benjamini_hochberg import BenjaminiHochberg as BenjaminiHochberg  # benjamini_hochberg fdr
from heldout.significance.corrections.bonferroni import Bonferroni as Bonferroni  # bonferroni
from heldout.significance.corrections.holm import Holm as Holm  # holm
from heldout.significance.corrections.none import NoCorrection as NoCorrection  # none
from heldout.significance.corrections.sidak import Sidak as Sidak  # sidak
