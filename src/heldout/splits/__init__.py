"""How ratings are divided into train and test."""

from heldout.catalogue.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
