"""One file per way of selecting data."""

from heldout.catalogue.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
