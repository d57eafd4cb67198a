"""HO307: what the systems are for is not declared."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.study.lint.finding import Finding
from heldout.study.lint.rule import Rule
from heldout.study.lint.subject import Subject


class TaskUnstated(Rule):
    """The study does not declare the task.

    Assumes: the default is some_good_items.

    Example: a study file without the key `task`.
    """

    key = "HO307"
    severity = "advice"
    stage = "task"
    references = ("gunawardana2009",)
    from_file = "whether the task is declared"

    def review(self, subject: Subject) -> Iterator[Finding]:
        if not subject.writes("task"):
            taken = subject.study.task
            yield self.found(f"no task is declared, so {taken} is taken", f'add task = "{taken}", or the task that is meant')
