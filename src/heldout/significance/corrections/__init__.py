"""Corrections for many comparisons."""

from heldout.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
