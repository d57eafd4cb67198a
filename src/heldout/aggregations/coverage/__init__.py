"""What a user without recommendations counts as."""

from heldout.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
