"""Ranks by counting: how many targets stand before an item, without sorting anything.

A rated item's rank is one plus the number of targets that score higher, plus the equal ones that the tie rule puts first.
NaN compares false with everything, so what a system could not score never stands before anything. Columns are ordered by
atom (items that belong to the same candidate sets) and, within an atom, by tie key; a candidate set is a union of atoms.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.counting import count_above, count_columns
from heldout.kernels.jit import kernel
from heldout.kernels.sampling import mixed
from heldout.kernels.sorting import sort_columns
from heldout.kernels.widths import lowest

SORT_FROM = 768
"""Rated items of a user from which sorting the columns is cheaper: about 25 ns a column against 0.03 ns a comparison."""


def _fill_small(row: Any, order: Any, in_order: bool, least: Any, values: Any) -> None:
    values[:] = row if in_order else row[order]
    values[values == -np.inf] = least


@kernel(small=_fill_small)
def _fill(row: Any, order: Any, in_order: bool, least: Any, values: Any) -> None:
    """The scores of a user by column, as `finite`."""
    if in_order:
        for c in range(values.shape[0]):
            values[c] = finite(row[c], least)
    else:
        for c in range(values.shape[0]):
            values[c] = finite(row[np.uint32(order[c])], least)


@kernel(small=lambda values, low, high: np.int32(np.count_nonzero(values[low:high] == values[low:high])))
def _count_numbers(values: Any, low: Any, high: Any) -> Any:
    count = np.int32(0)
    for c in range(low, high):
        count = np.int32(count + np.int32(values[c] == values[c]))
    return count


@kernel
def finite(score: Any, least: Any) -> Any:
    """The score, −∞ as the lowest number, so that something is below it."""
    return least if score == -np.inf else score


@kernel
def draw_of(key: Any, user: Any, item: Any) -> Any:
    """A random number of a user and an item, by which equal scores are ordered."""
    golden = np.uint64(0x9E3779B97F4A7C15)
    return mixed(mixed(np.uint64(key) + np.uint64(user + 1) * golden) + np.uint64(item + 1) * golden)


@kernel
def _count_drawn(values: Any, start: Any, order: Any, key: Any, user: Any, item: Any, score: Any, e: int, out: Any) -> None:
    """Add, in each atom, the equal columns that a draw puts before an item."""
    own = draw_of(key, user, item)
    for a in range(start.shape[0] - 1):
        for c in range(start[a], start[a + 1]):
            if values[c] == score and order[c] != item:
                other = draw_of(key, user, order[c])
                out[a, e] += np.int32(other < own or (other == own and order[c] < item))


@kernel
def _add_atoms(counts: Any, base: Any, taken: Any, classes: Any, of_class: int, n: int, out: Any) -> None:
    """The counts of n items in the atoms of a set's class together, each with what its atom has before them all."""
    for e in range(n):
        out[e] = 0
    for a in range(taken.shape[0]):
        if taken[a] and classes[a] == of_class:
            for e in range(n):
                out[e] = np.int32(out[e] + np.int32(base[a] + counts[a, e]))


@kernel
def _rank_rows(
    values: Any,
    columns: Any,
    n: Any,
    row: Any,
    row_item: Any,
    keys: Any,
    user: Any,
    with_ties: bool,
    key: Any,
    by_tie: Any,
    room: Any,
    base: Any,
    rank: Any,
    above: Any,
    tied: Any,
) -> None:
    """Ranks in every set of n rows of one user, by ascending tie key; `base[a]` targets of atom a stand before them all."""
    order, start, sets, classes, atom_of, column_of, place_of = columns
    at_least, more, place, before, higher, upto, total = room
    drawn = key != np.uint64(0)
    n_atoms = start.shape[0] - 1
    exact = with_ties or drawn
    by_sorting = False
    if by_tie is not None and n >= SORT_FROM:
        sort_columns(values, by_tie, column_of, order, start, atom_of, row_item, row, n, before, higher, upto)
        by_sorting = exact = True
    if n > 0 and not by_sorting:
        for e in range(n):
            more[e], at_least[e] = keys[e], np.nextafter(keys[e], np.float32(-np.inf))
        more[n : n + 2] = np.inf
        at_least[n : n + 2] = np.inf
        for a in range(n_atoms):
            for e in range(n):
                place[a, e] = place_of[row_item[row[e]], a]
            place[a, n : n + 2] = start[a + 1]
        some = not exact
        if exact:
            count_above(values, start, n, more, higher)
            count_above(values, start, n, at_least, upto)
            for e in range(n):
                equal = 0
                for a in range(n_atoms):
                    before[a, e] = higher[a, e]
                    equal += upto[a, e] - higher[a, e]
                some = some or equal > 1
        if some and not drawn:
            count_columns(values, start, n, at_least, more, place, before)
    if drawn:
        for e in range(n):
            equal = 0
            for a in range(n_atoms):
                before[a, e] = higher[a, e]
                equal += upto[a, e] - higher[a, e]
            if equal > 1:
                _count_drawn(values, start, order, key, user, row_item[row[e]], keys[e], e, before)
    for g in range(sets.shape[0]):
        n_classes = 1
        for a in range(n_atoms):
            n_classes = max(n_classes, classes[g, a] + 1)
        for c in range(n_classes):
            _add_atoms(before, base, sets[g], classes[g], c, n, total[0])
            if exact:
                _add_atoms(higher, base, sets[g], classes[g], c, n, total[1])
                _add_atoms(upto, base, sets[g], classes[g], c, n, total[2])
            for e in range(n):
                at = row[e]
                b = atom_of[row_item[at]]
                if not sets[g, b]:
                    rank[g, at] = 0
                elif classes[g, b] == c:
                    rank[g, at] = total[0, e] + 1
                    above[g, at] = total[1, e] if exact else total[0, e]
                    tied[g, at] = total[2, e] - total[1, e] - 1 if exact else -1


def _steps(
    *,
    scores: Any,
    users: Any,
    columns: Any,
    row_indptr: Any,
    row_item: Any,
    row_order: Any,
    fallback: Any,
    key: Any,
    **_: Any,
) -> Any:
    """Calls of numpy for each user, row and atom; of its comparisons, a hundred take as long as a step.

    If ties are drawn, each comparison takes a step: equal scores may be many. A fallback of a user with a row that is not
    scored goes over all columns, of which four take as long as a step.
    """
    atoms, compared = len(columns[1]) - 1, scores.shape[1] * len(row_item)
    steps = len(fallback) * (20 * (len(scores) + len(row_item)) * atoms + (compared // 100 if key == 0 else compared))
    if len(fallback) > 1:
        of_user = np.repeat(np.arange(len(users)), np.diff(row_indptr[: len(users) + 1]))
        own = scores[of_user, row_item[row_order[row_indptr[0] : row_indptr[len(users)]]]]
        unscored = len(np.unique(of_user[own != own]))
        steps += (len(fallback) - 1) * unscored * scores.shape[1] // 4
    return steps


@kernel(steps=_steps)
def rank_candidates(
    scores: Any,
    users: Any,
    columns: Any,
    train_indptr: Any,
    train_item: Any,
    row_indptr: Any,
    row_item: Any,
    row_order: Any,
    fallback: Any,
    with_ties: bool,
    key: Any,
    by_tie: Any,
    rank: Any,
    above: Any,
    tied: Any,
    computed: Any,
) -> None:
    """Ranks of the rated items of a tile of users in every candidate set, under every fallback.

    `scores` tile × items, float32 or float64. `columns` is (item of each column, first column of each atom, sets × atoms,
    class of each atom in each set, atom of each item, column of each item, its place in each atom). Rows
    of the k-th user of the tile are `row_indptr[k]:row_indptr[k + 1]` among all rows, `row_order` puts them by tie key.
    `fallback` is orders × items, higher first, the first of them for "leave out". Where `key` is not 0, equal scores are
    ordered by draws instead. `by_tie` are the items by tie key if some user has at least `SORT_FROM` rows, otherwise None,
    so that the sorting of columns is compiled only if it is used. Writes `rank`, `above`, `tied` (fallbacks × sets × rows;
    rank 0 = not ranked, tied −1 = not counted) and `computed` (users × atoms).
    """
    order, start, sets, _, _, column_of, _ = columns
    n, n_atoms = order.shape[0], start.shape[0] - 1
    longest = 0
    for k in range(users.shape[0]):
        longest = max(longest, row_indptr[k + 1] - row_indptr[k])
    values = np.empty(n, scores.dtype)
    filled = np.empty(n, scores.dtype)
    least = lowest(values)
    room = (
        np.empty(longest + 2, scores.dtype),
        np.empty(longest + 2, scores.dtype),
        np.empty((n_atoms, longest + 2), np.int32),
        np.empty((n_atoms, longest + 2), np.int32),
        np.empty((n_atoms, longest + 2), np.int32),
        np.empty((n_atoms, longest + 2), np.int32),
        np.empty((3, longest + 2), np.int32),
    )
    row = np.empty(longest, np.int64)
    keys = np.empty(longest, scores.dtype)
    none = np.zeros(n_atoms, np.int32)
    in_order = True
    for c in range(n):
        in_order = in_order and order[c] == c
    for k in range(users.shape[0]):
        user = users[k]
        _fill(scores[k], order, in_order, least, values)
        for t in range(train_indptr[user], train_indptr[user + 1]):
            values[column_of[train_item[t]]] = np.nan
        for a in range(n_atoms):
            computed[k, a] = _count_numbers(values, np.uint64(start[a]), np.uint64(start[a + 1]))
        low, high = row_indptr[k], row_indptr[k + 1]
        m = np.int64(0)  # a plain 0 is a type of its own, for which all that it is handed to would be compiled too
        for p in range(low, high):
            e = row_order[p]
            score = finite(scores[k, row_item[e]], least)
            if score == score:
                row[m], keys[m] = e, score
                m += 1
            else:
                rank[0, :, e] = 0
        _rank_rows(
            values, columns, m, row, row_item, keys, user, with_ties, key, by_tie, room, none, rank[0], above[0], tied[0]
        )
        for f in range(1, fallback.shape[0]):
            for p in range(m):
                e = row[p]
                for g in range(sets.shape[0]):
                    rank[f, g, e], above[f, g, e], tied[f, g, e] = rank[0, g, e], above[0, g, e], tied[0, g, e]
        if m == high - low:
            continue
        for f in range(1, fallback.shape[0]):
            for c in range(n):
                item = order[c]
                filled[c] = fallback[f, item] if scores[k, item] != scores[k, item] else np.nan
            for t in range(train_indptr[user], train_indptr[user + 1]):
                filled[column_of[train_item[t]]] = np.nan
            m = np.int64(0)
            for p in range(low, high):
                e = row_order[p]
                if scores[k, row_item[e]] != scores[k, row_item[e]]:
                    row[m], keys[m] = e, fallback[f, row_item[e]]
                    m += 1
            _rank_rows(
                filled,
                columns,
                m,
                row,
                row_item,
                keys,
                user,
                with_ties,
                key,
                by_tie,
                room,
                computed[k],
                rank[f],
                above[f],
                tied[f],
            )


@kernel(steps=lambda *, indptr, rank, **_: rank.size + int((np.diff(indptr) ** 2).sum()))
def leave_out(
    unit: Any, indptr: Any, rank: Any, above: Any, tied: Any, out: Any, new_rank: Any, new_above: Any, new_tied: Any
) -> None:
    """Ranks after the rows marked `out` have left their lists; each keeps the rank that it would have if it alone stayed.

    Rows `indptr[k]:indptr[k + 1]` are one user's; rows of one `unit` compete with one another. Equal `above` is equal score.
    """
    for k in range(indptr.shape[0] - 1):
        for e in range(indptr[k], indptr[k + 1]):
            new_rank[e], new_above[e], new_tied[e] = rank[e], above[e], tied[e]
            if rank[e] == 0:
                continue
            for x in range(indptr[k], indptr[k + 1]):
                if out[x] and x != e and rank[x] > 0 and unit[x] == unit[e]:
                    new_rank[e] -= np.int32(rank[x] < rank[e])
                    if tied[e] >= 0:
                        new_above[e] -= np.int32(above[x] < above[e])
                        new_tied[e] -= np.int32(above[x] == above[e])
            if tied[e] < 0:
                new_above[e] = new_rank[e] - 1
