"""Candidate sets, heads and popularity classes, by hand; atoms tell all of them apart."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.errors import NotApplicableError
from heldout.tables import Interactions, Split, Vocabulary
from heldout.targets.atoms import Atoms, CandidateSet, SetKey, candidate_set, head_of, shares_decided_by_id

USERS, ITEMS = Vocabulary.numbered(4), Vocabulary.numbered(6)


def ratings(*pairs: tuple[int, int]) -> Interactions:
    user, item = np.array(pairs).T
    return Interactions.build(USERS, ITEMS, user, item, np.ones(len(pairs)))


SPLIT = Split(train=ratings((0, 0), (1, 0), (2, 0), (0, 1), (0, 3)), test=ratings((3, 0), (1, 1), (1, 2), (2, 4)))
"""Ratings of items 0 to 5: 4, 2, 1, 1, 1 and 0; tested are 0, 1, 2 and 4, trained 0, 1 and 3."""


def members(**key: object) -> list[int]:
    chosen = SetKey(**{"candidates": "all", "head": 0.0, "percentiles": 1, **key})  # type: ignore[arg-type]
    return np.flatnonzero(candidate_set(SPLIT, chosen).member).tolist()


def test_who_belongs() -> None:
    assert members() == [0, 1, 2, 3, 4, 5]
    assert members(candidates="test") == [0, 1, 2, 4]
    assert members(candidates="training") == [0, 1, 3]
    assert members(candidates="test", head=0.2) == [1, 2, 4]


@pytest.mark.parametrize(("share", "head"), [(0.0, []), (0.2, [0]), (0.3, [0, 1]), (0.5, [0, 1, 2]), (1.0, [0, 1, 2, 3, 4])])
def test_the_head_is_a_share_of_the_rated_items(share: float, head: list[int]) -> None:
    """Of five rated items; halves round up (1.5 and 2.5), equal counts go by item order, item 5 is rated by nobody."""
    assert np.flatnonzero(head_of(SPLIT, share)).tolist() == head


def test_classes_are_of_equal_size_among_what_the_head_leaves() -> None:
    classes = candidate_set(SPLIT, SetKey("all", 0.0, 3))
    assert classes.stratum.tolist() == [0, 0, 1, 1, 2, 2] and classes.size.tolist() == [2, 2, 2]
    tested = candidate_set(SPLIT, SetKey("test", 0.2, 2))  # outside the head: 1, 2 | 3, 4, 5 by place · 2 // 5
    assert tested.stratum[[1, 2, 3, 4, 5]].tolist() == [0, 0, 0, 1, 1] and tested.size.tolist() == [2, 1]
    with pytest.raises(NotApplicableError, match="5 items cannot be cut into 6 classes; choose at most 5"):
        candidate_set(SPLIT, SetKey("all", 0.2, 6))


def test_what_the_order_of_ids_decides_is_known_by_class() -> None:
    """Items 0 to 5 have 4, 2, 1, 1, 1 and 0 ratings, of these 1, 1, 1, 0, 1 and 0 in test."""
    # Classes 0, 1 | 2, 3 | 4, 5: items 2, 3 and 4 are equally popular. All ratings of the last two classes are theirs.
    assert shares_decided_by_id(SPLIT, SetKey("test", 0.0, 3)).tolist() == [0.0, 1.0, 1.0]
    # Classes 0, 1, 2 | 3, 4, 5: one of three test ratings, and the only one.
    assert shares_decided_by_id(SPLIT, SetKey("test", 0.0, 2)).tolist() == [pytest.approx(1 / 3), 1.0]
    # A head of 1 item is cut off cleanly; one of 3 items is not, and its share comes first.
    assert shares_decided_by_id(SPLIT, SetKey("all", 0.2, 1)).tolist() == [0.0, 0.0]
    assert shares_decided_by_id(SPLIT, SetKey("all", 0.5, 1)).tolist() == [pytest.approx(1 / 3), 1.0]
    # Behind a head of 1 item: 1, 2, 3 | 4, 5, and the test ratings of the classes are 1, 2 and 4.
    assert shares_decided_by_id(SPLIT, SetKey("all", 0.2, 2)).tolist() == [0.0, 0.5, 1.0]


def test_of_equally_popular_items_lower_ids_are_more_popular() -> None:
    equal = Split(train=ratings((0, 0), (0, 1), (0, 2), (0, 3)), test=ratings((1, 4), (1, 5)))
    assert candidate_set(equal, SetKey("all", 0.0, 3)).stratum.tolist() == [0, 0, 1, 1, 2, 2]
    assert np.flatnonzero(head_of(equal, 0.5)).tolist() == [0, 1, 2]


def test_atoms_are_the_coarsest_that_tell_sets_and_classes_apart() -> None:
    sets = [candidate_set(SPLIT, SetKey("test", 0.0, 1)), candidate_set(SPLIT, SetKey("all", 0.0, 2))]
    atoms = Atoms.of(sets, 6)
    kinds = [(bool(sets[0].member[i]), int(sets[1].stratum[i])) for i in range(6)]
    assert atoms.n == len(set(kinds)) == 3
    for i in range(6):
        assert (bool(atoms.sets[0, atoms.atom[i]]), int(atoms.classes[1, atoms.atom[i]])) == kinds[i]
    nothing = Atoms.of([], 6)
    assert (nothing.n, nothing.atom.tolist(), nothing.sets.shape) == (1, [0] * 6, (0, 1))


def test_columns_lie_by_atom_and_within_it_by_the_tie_rule() -> None:
    member = np.array([True, False, True, False, True, False])
    atoms = Atoms.of([CandidateSet(member, np.zeros(6, np.int32), 1)], 6)
    tie = np.array([5, 4, 3, 2, 1, 0], np.int32)
    order, start, _, _, atom, column, place, by_tie = atoms.columns(tie)
    assert by_tie.tolist() == [5, 4, 3, 2, 1, 0] and order[column].tolist() == [0, 1, 2, 3, 4, 5]
    for a in range(2):
        inside = order[start[a] : start[a + 1]]
        assert set(atom[inside].tolist()) == {a} and (np.diff(tie[inside]) > 0).all()
        for i in range(6):  # where an item would stand among those of an atom
            assert place[i, a] - start[a] == (tie[inside] < tie[i]).sum()
