"""How a component is declared, found, parsed, printed and described."""

from heldout.catalogue.component import REQUIRED, Component, cutoff, param, parameters, signature
from heldout.catalogue.kinds import KINDS, Kind
from heldout.catalogue.lookup import classes, find, find_any, make, make_all

__all__ = [
    "KINDS",
    "REQUIRED",
    "Component",
    "Kind",
    "classes",
    "cutoff",
    "find",
    "find_any",
    "make",
    "make_all",
    "param",
    "parameters",
    "signature",
]
