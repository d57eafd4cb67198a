"""Coded warnings about method: what a code means (`Concern`) and one warning given under it (`Notice`).

A concern is declared once: beside the code that notices it, or in the rule of the review that looks for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, cast, get_args

from heldout.catalogue.component import Component
from heldout.catalogue.lookup import find

Severity = Literal["advice", "warning", "error"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""From what is worth a thought to what makes the conclusion unsafe."""


@dataclass(frozen=True)
class Notice:
    """A coded warning about method; `heldout describe CODE` explains the code."""

    code: str
    message: str
    severity: Severity | None = None
    """How grave it is, if that differs from the code's own severity."""
    change: str = ""
    """What to do, if it is more exact than what the code says."""


class Concern(Component, kind="rule"):
    """What a code means: its title, its page of explanation, how grave it is and what to do about it."""

    title: ClassVar[str] = ""
    """A headline without a full stop; the code itself if another package's rule has none."""
    explanation: ClassVar[str] = ""
    """The page that `heldout describe CODE` and the documentation show."""
    severity: ClassVar[Severity] = "warning"
    stage: ClassVar[str] = ""
    """The key of the study file that findings stand under."""
    change: ClassVar[str] = ""
    """What to do, if a finding says nothing more exact."""
    from_results: ClassVar[str] = ""
    """What only results can tell, as a question; empty if the study file says all."""
    from_file: ClassVar[str] = ""
    """What only the study file can tell, as a question; empty if results say it too."""

    @classmethod
    def definition(cls) -> list[tuple[str, str]]:
        """What `heldout describe` says besides."""
        facts = [("Severity", cls.severity), ("Stands under", cls.stage)]
        if cls.change:
            facts.append(("Change", cls.change))
        if cls.from_results:
            facts.append(("Only results tell", cls.from_results))
        if cls.from_file:
            facts.append(("Only the study file tells", cls.from_file))
        return facts

    @classmethod
    def notice(cls, message: str, change: str = "", *, severity: Severity | None = None) -> Notice:
        """A warning under this code."""
        return Notice(cls.key, message, severity, change)


def concern(code: str) -> type[Concern]:
    """What a code means; UnknownNameError if there is no such code."""
    return cast(type[Concern], find("rule", code))


def title_of(code: str) -> str:
    """The title of a code's page; the code itself if another package's rule has no title."""
    return concern(code).title or code
