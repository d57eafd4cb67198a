"""Which users are tested, which of their test items are relevant, which items compete, and ranking them by counting."""

from heldout.catalogue.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
