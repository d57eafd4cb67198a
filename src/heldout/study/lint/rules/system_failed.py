"""HO107: a system failed."""

from __future__ import annotations

from heldout.study.lint.rule import Noticed


class SystemFailed(Noticed):
    """A recommender failed, so that what is compared is not what was asked for.

    Assumes: all other systems are complete.

    Example: a model that raises an error while it is fitted.
    """

    key = "HO107"
    severity = "error"
    stage = "recommend"
    change = "mend the cause and run the same study again: only what failed is tried anew"
    from_results = "whether every system could be fitted and asked"
