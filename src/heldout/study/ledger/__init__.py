"""The results folder: what a study found, kept so that nothing is lost or computed twice."""

from heldout.study.ledger.folder import Ledger
from heldout.study.ledger.manifest import read_manifest

__all__ = ["Ledger", "read_manifest"]
