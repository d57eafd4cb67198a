"""The bibliography: citation keys → formatted references, from one BibTeX file."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

_ENTRY = re.compile(r"@\w+\{(?P<key>[^,]+),(?P<body>.*?)\n\}", re.DOTALL)
_FIELD = re.compile(r"^\s*(?P<name>\w+)\s*=\s*\{(?P<value>.*?)\},?\s*$", re.MULTILINE | re.DOTALL)


@cache
def bibliography() -> dict[str, dict[str, str]]:
    """Every entry of references.bib by its key."""
    text = files("heldout.catalogue").joinpath("references.bib").read_text(encoding="utf-8")
    return {
        entry["key"].strip(): {f["name"].lower(): " ".join(f["value"].split()) for f in _FIELD.finditer(entry["body"])}
        for entry in _ENTRY.finditer(text)
    }


def reference(key: str) -> str:
    """One reference as a sentence: authors (year). Title. Where. A key that is not ours stays as it is."""
    entry = bibliography().get(key)
    if entry is None:
        return key
    authors = entry["author"].split(" and ")
    names = authors[0] if len(authors) == 1 else f"{', '.join(authors[:-1])} and {authors[-1]}"
    where = entry.get("journal") or entry.get("booktitle") or entry.get("howpublished", "")
    return f"{names} ({entry['year']}). {entry['title']}.{f' {where}.' if where else ''}"


def in_order(keys: Iterable[str]) -> list[str]:
    """Keys as a list of references has them: by the names of the authors, then by year, whatever the keys are called."""

    def place(key: str) -> tuple[str, str, str]:
        entry = bibliography().get(key)
        return (_unaccented(entry["author"]), entry["year"], key) if entry else (_unaccented(key), "", key)

    return sorted(keys, key=place)


def _unaccented(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()
