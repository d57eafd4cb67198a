"""How a rating becomes gain."""

from heldout.catalogue.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
