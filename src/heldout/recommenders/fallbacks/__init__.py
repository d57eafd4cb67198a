"""Orders for what a recommender could not score."""

from heldout.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
