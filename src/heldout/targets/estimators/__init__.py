"""Corrections of metrics that were measured among sampled items."""

from heldout.catalogue.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
