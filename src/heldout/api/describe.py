"""What there is, and what it does: the components by kind, one in full, and the pages of codes."""

from __future__ import annotations

import re
import traceback
import warnings
from collections.abc import Iterator

from heldout.catalogue import KINDS, Component, classes, find_any, signature
from heldout.catalogue.describe import describe as description_of
from heldout.catalogue.lookup import described, entry_point_names, own_modules
from heldout.catalogue.notices import concern
from heldout.catalogue.prose import DOCSTRINGS_LEFT_OUT, NO_DOCSTRING
from heldout.catalogue.references import reference
from heldout.catalogue.terms import term
from heldout.catalogue.text import parse
from heldout.errors import ComponentWarning, SpecError, UnknownNameError

Sections = list[tuple[str, str | list[tuple[str, str, str, str]]]]
"""Heads and texts; parameters are rows of name, type, default and meaning."""
WIDTH = 100
"""Characters of a line where nothing else is known."""


class Listing(tuple[tuple[str, list[tuple[str, str, str]]], ...]):
    """Kinds and their components, which print themselves."""

    __slots__ = ()

    @property
    def remark(self) -> str:
        """What all first sentences lack, said once; empty if they are there."""
        return NO_DOCSTRING if DOCSTRINGS_LEFT_OUT else ""

    def __repr__(self) -> str:
        from heldout.reports.render.screen import printed
        from heldout.reports.render.terminal_catalogue import render_list

        tables = "".join(printed(render_list(rows, plural), WIDTH) for plural, rows in self)
        return "\n".join(filter(None, (tables, self.remark)))

    def _repr_html_(self) -> str:
        from heldout.reports.render.catalogue_html import listing_html

        return "".join(listing_html(rows, plural) for plural, rows in self)


class Cards(tuple[tuple[str, Sections], ...]):
    """Titles and sections of what a name means, which print themselves."""

    __slots__ = ()

    def __repr__(self) -> str:
        from heldout.reports.render.screen import printed
        from heldout.reports.render.terminal_catalogue import render_card

        return "\n".join(printed(render_card(title, sections), WIDTH) for title, sections in self)

    def _repr_html_(self) -> str:
        from heldout.reports.render.catalogue_html import card_html

        return "".join(card_html(title, sections) for title, sections in self)


def listing(kind: str | None = None) -> Listing:
    """Each kind, or only this one, with its components: name, signature and first sentence."""
    return Listing(_components(kind))


def _components(kind: str | None) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    by_word = {word: k for k in KINDS.values() for word in (k.plural, k.name)}
    if kind is not None and not isinstance(kind, str):
        raise SpecError(
            found=type(kind).__name__, expected="the name of a kind of component", hint='such as ho.list("metrics")'
        )
    if kind is not None and kind.casefold() not in by_word:
        raise UnknownNameError("kind", kind, [k.plural for k in KINDS.values()])
    kinds = [by_word[kind.casefold()]] if kind is not None else list(KINDS.values())
    for listed in kinds:
        yield listed.plural, [(cls.key, signature(cls), _summary(cls)) for cls in classes(listed.name)]


def _summary(cls: type[Component]) -> str:
    """The first sentence about a component; empty if Python left it out, which `Listing.remark` says once for all."""
    summary = cls.summary()
    return "" if DOCSTRINGS_LEFT_OUT and summary == NO_DOCSTRING else summary


def component_names(*kinds: str) -> list[str]:
    """Names and aliases of the components of these kinds, or of all, for shell completion.

    Of the components, only those of other packages are loaded. The command that is being typed names those that cannot be;
    completion goes on without them.
    """
    wanted = kinds or tuple(KINDS)
    names = {name for kind in wanted for name in own_modules(kind)}
    with warnings.catch_warnings(action="ignore", category=ComponentWarning):
        names.update(name for kind in wanted for name in entry_point_names(kind))
    return sorted(names, key=str.casefold)


def kind_names() -> list[str]:
    """The kinds of component, as `heldout list` takes them."""
    return [kind.plural for kind in KINDS.values()]


def describe(name: str, *, width: int = WIDTH) -> Cards:
    """Title and sections of every component of a name, of a code or of an abbreviation; drawings take `width` characters."""
    return Cards(_cards(name, width))


def _cards(name: str, width: int) -> Iterator[tuple[str, Sections]]:
    if not isinstance(name, str):
        raise SpecError(
            found=type(name).__name__,
            expected="the name of a component or a code",
            hint='such as ho.describe("nDCG"); ratings are described by ho.profile(ratings)',
        )
    if re.fullmatch(r"HO\d+", name.upper()):
        code = concern(name)
        rule = description_of(code)
        page: Sections = [("", " ".join(code.explanation.split())), ("Found where", rule.summary)]
        page += [("Assumes", rule.assumes), *rule.facts, ("Example", rule.example), *_references(rule.references)]
        yield f"{code.key} {code.title}", page
        return
    known = term(name)
    if known is not None:
        own, about_term = known
        yield f"{own} ({about_term.words})", [("", about_term.meaning), *_references(about_term.references)]
        return
    for cls in find_any(parse(name).name):
        about = description_of(cls)
        sections: Sections = [("", about.summary), ("Written", about.signature)]
        if about.aliases:
            sections += [("Also called", ", ".join(about.aliases))]
        if about.formula:
            sections += [("Formula", about.formula)]
        if about.parameters:
            sections += [("Parameters", [(p.name, p.type, p.default, p.doc) for p in about.parameters])]
        if about.assumes:
            sections += [("Assumes", about.assumes)]
        sections += list(about.facts)
        if about.example:
            sections += [("Example", about.example)]
        drawn = getattr(cls, "drawn", "")
        if drawn:
            from heldout.reports.splits import example_timeline

            sections += [(f"Drawn: {drawn}", example_timeline(drawn, width - 2).plain)]
        sections += _references(about.references)
        kind = about.kind if not about.decision else f"{about.kind}, decision {about.decision}"
        yield f"{about.key} ({kind})", sections


def _references(keys: tuple[str, ...]) -> Sections:
    return [("References", "\n".join(reference(key) for key in keys))] if keys else []


def failed_component(error: BaseException) -> str:
    """The component of another package at which an error arose, with its package; empty if there is none.

    It is held by a variable of the innermost frame that has one: a frame of the component's own methods, or one of Heldout's
    that could not use what the component gave.
    """
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        for value in frame.f_locals.values():
            cls = type(value)
            if isinstance(value, Component) and cls.__module__.partition(".")[0] != "heldout":
                return described(cls)
    return ""
