"""How much of an item's worth is left at a rank."""

from heldout.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
