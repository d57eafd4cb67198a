"""Shell completion of names: components of a kind, kinds, and codes of warnings."""

from __future__ import annotations

from collections.abc import Callable


def names_of(*kinds: str) -> Callable[[str], list[str]]:
    """Completes the names of components of these kinds, in any case of letters; of all kinds where none is named."""

    def complete(incomplete: str) -> list[str]:
        from heldout.api.describe import component_names

        return _beginning(incomplete, component_names(*kinds))

    return complete


def kinds(incomplete: str) -> list[str]:
    """Completes the kinds that `heldout list` knows."""
    from heldout.api.describe import kind_names

    return _beginning(incomplete, kind_names())


def _beginning(incomplete: str, names: list[str]) -> list[str]:
    """The names that begin so. What was typed stays as it is: shells drop what differs from it, and any case is read."""
    length = len(incomplete)
    return [incomplete + name[length:] for name in names if name[:length].casefold() == incomplete.casefold()]
