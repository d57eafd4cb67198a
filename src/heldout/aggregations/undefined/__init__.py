"""What a value that a metric leaves undefined counts as."""

from heldout.catalogue.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
