"""Means of metrics over many samples of the test set at once: a bit for each sample, all samples in one pass.

Rows are test ratings, entries the rated items that a list meets, by rank. Word w of a row says in which samples the rating
is kept. Leaving ratings out makes items unrated; it moves no item, so ranks stay as they are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import kernel, reordering_kernel

Words = NDArray[np.uint64]
Levels = NDArray[np.uint8] | NDArray[np.uint16]
Reals = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

P, RECALL, AP, RR, HIT, BPREF, INFERRED = range(7)
"""Sums of terms of hits, in the order of `sampled_sums`."""
TERMS = 7
_EPSILON = 1e-5


@kernel
def keep_levels(order: Ints, group: Ints, kept: Ints, levels: Levels) -> None:
    """For each rating, how many samples keep it: sample s keeps the first kept[g, s] ratings of group g in `order`.

    `kept` (groups × samples) descends over samples.
    """
    groups, samples = kept.shape
    before = np.zeros(groups, np.int64)
    level = np.full(groups, samples, np.int64)
    for i in range(order.shape[0]):
        g = group[order[i]]
        while level[g] > 0 and kept[g, level[g] - 1] <= before[g]:
            level[g] -= 1
        levels[order[i]] = level[g]
        before[g] += 1


@kernel
def add_bit(levels: Levels, size: int, sample: int, words: Words) -> None:
    """Set bit `sample` of the ratings that the sample of this size keeps: sizes count from 0, the largest."""
    for r in range(words.shape[0]):
        words[r] |= np.uint64(levels[r] > size) << np.uint64(sample)


@reordering_kernel
def sampled_totals(indptr: Ints, words: Words, relevant: Flags, unjudged: Flags, out: Reals) -> None:
    """Of each user and sample, into `out` (3 × users × samples): rated, relevant and judged non-relevant test items."""
    samples = out.shape[2]
    for u in range(indptr.shape[0] - 1):
        rated, good, bad = out[0, u], out[1, u], out[2, u]
        rated[:] = 0.0
        good[:] = 0.0
        bad[:] = 0.0
        for i in range(indptr[u], indptr[u + 1]):
            w = words[i]
            to = good if relevant[i] else bad
            for s in range(samples):
                rated[s] += 1.0 if (w >> np.uint64(s)) & np.uint64(1) else 0.0
            if relevant[i] or not unjudged[i]:
                for s in range(samples):
                    to[s] += 1.0 if (w >> np.uint64(s)) & np.uint64(1) else 0.0


@reordering_kernel
def sampled_ideals(
    indptr: Ints, best_first: Ints, words: Words, gains: Reals, weights: Reals, cuts: Ints, out: Reals
) -> None:
    """1 ÷ the discounted gain of the best list of each user and sample, into `out` (users × cut-offs × samples).

    `best_first` has the rows of each user by descending gain; 0 stands where the best list gains nothing.
    """
    samples, depths = out.shape[2], cuts.shape[0]
    met = np.empty(samples, np.int64)
    parts = np.empty((depths + 1, samples))
    # Of each place of a list, the first cut-off that it is within; the last row of `parts` takes what is beyond all.
    within = np.searchsorted(cuts, np.arange(1, weights.shape[0] + 1))
    for u in range(indptr.shape[0] - 1):
        parts[:] = 0.0
        met[:] = 0
        for i in range(indptr[u], indptr[u + 1]):
            row = best_first[i]
            w, gain = words[row], gains[row]
            if gain <= 0.0:
                break
            for s in range(samples):
                bit = np.int64((w >> np.uint64(s)) & np.uint64(1))
                place = met[s]
                parts[within[place], s] += bit * gain * weights[place + 1]
                met[s] = place + bit
        best = out[u]
        for s in range(samples):
            total = 0.0
            for c in range(depths):
                total += parts[c, s]
                best[c, s] = 1.0 / total if total > 0.0 else 0.0


@reordering_kernel
def sampled_sums(
    indptr: Ints,
    row: NDArray[np.int64],
    rank: NDArray[np.int32],
    owner: NDArray[np.int32],
    words: Words,
    relevant: Flags,
    unjudged: Flags,
    totals: Reals,
    tested: Reals,
    cuts: Ints,
    pool_judged: bool,
    sums: Reals,
) -> None:
    """Add the users' values of every metric, cut-off and sample to `sums` (TERMS × cut-offs × samples).

    A term of a hit at rank k enters all cut-offs from k on: it is added at the first of them, and cut-offs are added up by
    the caller. `tested` (users × samples) is 1 where a user counts.
    """
    samples = sums.shape[2]
    last = cuts.shape[0] - 1
    hits, worse, above = np.empty(samples), np.empty(samples), np.empty(samples)
    inverse, least = np.empty(samples), np.empty(samples)
    part = np.empty(samples)
    for at in range(indptr.shape[0] - 1):
        start, stop = indptr[at], indptr[at + 1]
        if start == stop or rank[start] > cuts[last]:
            continue
        u = owner[at]
        for s in range(samples):
            hits[s] = 0.0
            worse[s] = 0.0
            above[s] = 0.0
            good, bad = totals[1, u, s], totals[2, u, s]
            inverse[s] = tested[u, s] / good if good > 0.0 else 0.0
            least[s] = 1.0 / max(min(good, bad), 1.0)
        c = 0
        for i in range(start, stop):
            k = rank[i]
            while c <= last and k > cuts[c]:
                c += 1
            if c > last:
                break
            r = row[i]
            w = words[r]
            if w == np.uint64(0):
                continue
            if not relevant[r]:
                judged = 0.0 if unjudged[r] else 1.0
                for s in range(samples):
                    worse[s] += judged if (w >> np.uint64(s)) & np.uint64(1) else 0.0
                if pool_judged:
                    for s in range(samples):
                        above[s] += 1.0 if (w >> np.uint64(s)) & np.uint64(1) else 0.0
                continue
            step = 1.0 / k
            for s in range(samples):
                part[s] = inverse[s] if (w >> np.uint64(s)) & np.uint64(1) else 0.0
            to = sums[RECALL, c]
            for s in range(samples):
                to[s] += part[s]
            to = sums[AP, c]
            for s in range(samples):
                to[s] += part[s] * (hits[s] + 1.0) * step
            to = sums[BPREF, c]
            for s in range(samples):
                to[s] += part[s] * (1.0 - min(worse[s] * least[s], 1.0))
            to = sums[INFERRED, c]
            if pool_judged:
                for s in range(samples):
                    chance = (hits[s] + _EPSILON) / (hits[s] + worse[s] + 2 * _EPSILON)
                    to[s] += part[s] * (step + (hits[s] + above[s]) * step * chance)
            else:
                rest = (k - 1) * step
                for s in range(samples):
                    chance = (hits[s] + _EPSILON) / (hits[s] + worse[s] + 2 * _EPSILON)
                    to[s] += part[s] * (step + rest * chance)
            counts = tested[u]
            for s in range(samples):
                part[s] = counts[s] if (w >> np.uint64(s)) & np.uint64(1) else 0.0
            to = sums[P, c]
            for s in range(samples):
                to[s] += part[s]
            for s in range(samples):
                part[s] = part[s] if hits[s] == 0.0 else 0.0
            to = sums[HIT, c]
            for s in range(samples):
                to[s] += part[s]
            to = sums[RR, c]
            for s in range(samples):
                to[s] += part[s] * step
            for s in range(samples):
                hits[s] += 1.0 if (w >> np.uint64(s)) & np.uint64(1) else 0.0


@reordering_kernel
def sampled_gains(
    indptr: Ints,
    row: NDArray[np.int64],
    rank: NDArray[np.int32],
    owner: NDArray[np.int32],
    words: Words,
    gains: Reals,
    weights: Reals,
    inverse_ideals: Reals,
    tested: Reals,
    cuts: Ints,
    sums: Reals,
) -> None:
    """Add the users' nDCG of every cut-off and sample to `sums` (cut-offs × samples)."""
    samples = sums.shape[1]
    last = cuts.shape[0] - 1
    gained = np.empty(samples)
    for at in range(indptr.shape[0] - 1):
        u = owner[at]
        i, stop = indptr[at], indptr[at + 1]
        gained[:] = 0.0
        some = False
        for c in range(last + 1):
            while i < stop and rank[i] <= cuts[c]:
                r = row[i]
                w = words[r]
                term = gains[r] * weights[rank[i]]
                if term > 0.0:
                    some = True
                    for s in range(samples):
                        gained[s] += term if (w >> np.uint64(s)) & np.uint64(1) else 0.0
                i += 1
            if some:
                best, to = inverse_ideals[u, c], sums[c]
                for s in range(samples):
                    to[s] += gained[s] * best[s] * tested[u, s]
