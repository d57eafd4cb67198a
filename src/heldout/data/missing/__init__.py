"""Ways for ratings to be missing from a simulated world, one file each."""

from heldout.catalogue.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
