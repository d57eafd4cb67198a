"""The components by kind, under the name that the command line has."""

from __future__ import annotations

from heldout.api.describe import Listing, listing


def list(kind: str | None = None) -> Listing:
    """Each kind, or only this one, with its components: name, signature and first sentence."""
    return listing(kind)
