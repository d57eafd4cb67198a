"""What an experimental section is made of, before it has a form: sections, paragraphs, items, and their small words.

Text is plain but for two marks that every form reads: `code` between backticks, and citations as [@key] or [@key; @key].
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from heldout.text.numbers import percent
from heldout.text.phrases import listed

CITED = re.compile(r"\[(@[\w-]+(?:; @[\w-]+)*)\]")
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")


@dataclass(frozen=True)
class ListEntry:
    """One entry of a list: what it is called, what is said of it, and a formula in the catalogue's notation."""

    head: str
    text: str
    formula: str = ""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph, and the list that it introduces."""

    text: str
    items: tuple[ListEntry, ...] = ()


@dataclass(frozen=True)
class Section:
    """A titled part of the experimental section."""

    title: str
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True)
class ChecklistRow:
    """One row of the checklist."""

    letter: str
    question: str
    chosen: tuple[str, ...]
    default: bool
    """True if it is known to be what a study takes that says nothing."""


@dataclass(frozen=True, repr=False, kw_only=True)
class Methods:
    """The experimental section of a paper, and all that it takes to repeat the experiment."""

    title: str
    measured: bool
    """True if sizes come from results; otherwise it is what one would write."""
    sections: tuple[Section, ...]
    checklist: tuple[ChecklistRow, ...]
    study: str
    """The study file."""
    explored: int = 0
    """Universes of the finished multiverse that it is written from; 0 if it is not."""

    @property
    def caution(self) -> str:
        """Why numbers of ratings and users are missing; empty if they are there."""
        if self.measured:
            return ""
        if self.explored:
            return (
                f"Written from a finished multiverse of {self.explored:,} universes: "
                "numbers of ratings and users come from the results of heldout run."
            )
        return "Written from the study alone: numbers of ratings and users come from the results of a run."

    @property
    def cited(self) -> tuple[str, ...]:
        """Citation keys, in the order in which they are first cited."""
        text = " ".join(piece for s in self.sections for p in s.paragraphs for piece in (p.text, *(i.text for i in p.items)))
        keys = (key.strip().lstrip("@") for group in CITED.findall(text) for key in group.split(";"))
        return tuple(dict.fromkeys(keys))

    def to_markdown(self) -> str:
        """The section, the checklist, the study file and the references, as Markdown."""
        from heldout.review.methods.markdown import methods_markdown

        return methods_markdown(self)

    def to_latex(self, *, bibliography: str = "methods") -> str:
        """The same as a LaTeX fragment to be included; `bibliography` is the name of the BibTeX file without its ending."""
        from heldout.review.methods.latex import methods_latex

        return methods_latex(self, bibliography_name=bibliography)

    def to_bibtex(self) -> str:
        """The entries that are cited."""
        from heldout.review.methods.latex import methods_bibtex

        return methods_bibtex(self)

    def __repr__(self) -> str:
        return self.to_markdown()

    def _repr_markdown_(self) -> str:
        return self.to_markdown()


def enumerated(phrases: Sequence[str]) -> str:
    """(i) this; (ii) that; and (iii) the other."""
    if len(phrases) == 1:
        return phrases[0]
    numbered = [f"({_ROMAN[k] if k < len(_ROMAN) else k + 1}) {phrase}" for k, phrase in enumerate(phrases)]
    return f"{'; '.join(numbered[:-1])}; and {numbered[-1]}"


def sentence(text: str) -> str:
    """The text with a capital at its beginning and a stop at its end."""
    text = text.strip()
    if not text:
        return ""
    stopped = text if text.endswith((".", "?", "!")) else f"{text}."
    return stopped[0].upper() + stopped[1:]


def joined(*sentences: str) -> str:
    """Sentences as a paragraph, without the empty ones."""
    return " ".join(sentence(s) for s in sentences if s.strip())


def roughly(value: float) -> str:
    """A measured share in words: 97.3%, more than 99.9%, less than 0.1%."""
    return percent(value).replace("> ", "more than ").replace("< ", "less than ")


def these(words: Sequence[str], most: int = 12) -> str:
    """A, B and C; of very many the first and how many more."""
    if len(words) <= most:
        return listed(list(words))
    return f"{', '.join(words[: most - 1])} and {len(words) - most + 1} more"
