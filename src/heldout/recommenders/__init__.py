"""Recommenders, by family; fallbacks for what they cannot score; models and runs from elsewhere."""

from heldout.catalogue.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
