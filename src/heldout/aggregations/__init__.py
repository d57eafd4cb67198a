"""The users' values made one number, and what undefined values and uncovered users count as."""

from heldout.catalogue.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
