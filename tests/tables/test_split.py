"""The parts of a fold, in a digest and in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout.tables import Dropped, Interactions, Split, Vocabulary

USERS, ITEMS = Vocabulary.numbered(2), Vocabulary.numbered(3)


def ratings(*pairs: tuple[int, int]) -> Interactions:
    user, item = np.array(pairs).T
    return Interactions.build(USERS, ITEMS, user, item, np.full(len(pairs), 4.0))


SPLIT = Split(train=ratings((0, 0), (1, 1)), test=ratings((0, 1)))


def test_the_digest_is_of_the_parts_the_fold_and_the_groups() -> None:
    nobody, first = np.array([False, False]), np.array([True, False])
    changes = [
        replace(SPLIT, train=SPLIT.test, test=SPLIT.train),
        replace(SPLIT, validation=ratings((1, 2))),
        replace(SPLIT, fold=1),
        replace(SPLIT, development=nobody),
        replace(SPLIT, development=first),
    ]
    assert len({SPLIT.digest, *(changed.digest for changed in changes)}) == 1 + len(changes)
    # what was dropped is told, and the parts say all the rest
    assert replace(SPLIT, dropped=(Dropped("too new", 2),)).digest == SPLIT.digest


def test_parts_and_dropped_ratings_are_told() -> None:
    headline = replace(SPLIT, fold=2, validation=ratings((1, 2)), dropped=(Dropped("of items not in train", 1),)).headline()
    first, *parts = headline.splitlines()
    assert first == "fold 3" and [line.split()[:2] for line in parts] == [
        ["train", "2"],
        ["validation", "1"],
        ["test", "1"],
        ["dropped", "1"],
    ]
    assert parts[-1].endswith("1 rating: of items not in train")
