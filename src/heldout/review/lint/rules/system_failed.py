"""HO107: a system failed."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Noticed
from heldout.review.lint.subject import Subject


class SystemFailed(Noticed):
    """A recommender failed, so that what is compared is not what was asked for.

    Assumes: all other systems are complete. The manifest of a multiverse tells it too, whose universes are not read.

    Example: a model that raises an error while it is fitted.
    """

    key = "HO107"
    severity = "error"
    stage = "recommend"
    change = "mend the cause and run the same study again: only what failed is tried anew"
    from_results = "whether every system could be fitted and asked"

    def review(self, subject: Subject) -> Iterator[Finding]:
        noticed = list(super().review(subject))
        yield from noticed or (self.found(one.told()) for one in subject.left_out or ())

    def unanswered(self, subject: Subject) -> bool:
        return super().unanswered(subject) and subject.left_out is None
