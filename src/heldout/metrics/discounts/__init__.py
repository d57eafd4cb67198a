"""How much of an item's worth is left at a rank."""

from heldout.catalogue.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
