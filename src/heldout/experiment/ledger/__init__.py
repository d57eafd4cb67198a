"""The results folder: what a study found, kept so that nothing is lost or computed twice."""

from heldout.experiment.ledger.folder import Ledger, WorkSeen, work_seen
from heldout.experiment.ledger.manifest import SOURCES, folder_path, is_stopped_evaluation, kind_words, read_manifest
from heldout.storage.lock import writer_of
from heldout.storage.sealed import other_version, parts_key, read_sealed, sealed

__all__ = [
    "SOURCES",
    "Ledger",
    "WorkSeen",
    "folder_path",
    "is_stopped_evaluation",
    "kind_words",
    "other_version",
    "parts_key",
    "read_manifest",
    "read_sealed",
    "sealed",
    "work_seen",
    "writer_of",
]
