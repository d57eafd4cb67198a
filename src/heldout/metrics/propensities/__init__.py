"""How likely a relevant item was to be rated."""

from heldout.catalogue.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
