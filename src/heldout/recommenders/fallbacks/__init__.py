"""Orders for what a recommender could not score."""

from heldout.catalogue.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
