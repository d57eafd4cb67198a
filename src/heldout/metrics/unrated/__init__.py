"""What a ranked item without a rating counts as."""

from heldout.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
