"""HO101: a run recommends items that the user rated in train."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class TrainingItemsInRun(Noticed):
    """A run recommends items that the user rated in train.

    Assumes: the training set is named; such items are dropped and counted.

    Example: a run with item i1 for user u1, who rated i1 in train.
    """

    key = "HO101"
    severity = "warning"
    stage = "recommend"
    change = "filter items of train before writing the run, or leave train unnamed where repeats are the task"
    from_results = "whether runs hold training items"
