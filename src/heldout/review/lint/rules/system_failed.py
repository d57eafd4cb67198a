"""HO107: a system failed."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject


class SystemFailed(Rule):
    """A recommender failed, so that what is compared is not what was asked for.

    Assumes: all other systems are complete. The manifest of a multiverse tells it too, whose universes are not read.

    Example: a model that raises an error while it is fitted.
    """

    key = "HO107"
    title = "A system failed"
    severity = "error"
    stage = "recommend"
    change = "mend the cause and run the same study again: only what failed is tried anew"
    from_results = "whether every system could be fitted and asked"
    explanation = """
A recommender raised an error while it was fitted or asked for scores, ran out of memory, or scored nothing at all. Its
cells are marked as failed with the reason (`failed` in manifest.json; the traceback is in the table `failures` of
index.sqlite), it is left out of every table and comparison, and all other systems are complete; the command ends with code
3. Mend the cause and run the same study again: only what failed is tried anew."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        messages = [notice.message for notice in subject.noticed(self.key)]
        for message in messages or [system.sentence() for system in subject.left_out or ()]:
            yield self.finding(message)

    def unanswered(self, subject: Subject) -> bool:
        return super().unanswered(subject) and subject.left_out is None
