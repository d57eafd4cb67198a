"""The methodological review of a study: one file per rule, each with a code and a page of explanation."""

from heldout.catalogue.namespaces import namespace

__getattr__, __dir__ = namespace(__name__)
