"""Significance tests, corrections, effect sizes and intervals."""

from heldout.catalogue.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
