"""Randomness: a seed and a purpose give named, independent, counter-based streams.

Nothing else in the house draws random numbers. A stream is keyed by what it is for and by the entity it concerns (fold,
user, item), never by the order of work, so the same seed gives the same draws on any number of threads.
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from heldout.errors import SpecError

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
LARGEST_SEED = 2**63 - 1


def refuse_seed(seed: int) -> None:
    """SpecError when a seed does not fit into 64 bits, which is what files and indexes hold."""
    if not -LARGEST_SEED <= seed <= LARGEST_SEED:
        raise SpecError(where="seed", found=seed, expected=f"a whole number of at most {LARGEST_SEED:,}")


def key(seed: int, purpose: str, *entities: int) -> int:
    """A 64-bit key of a seed, a purpose and entity numbers; equal inputs give equal keys on any machine."""
    refuse_seed(seed)
    text = "\x1f".join([str(int(seed)), purpose, *(str(int(e)) for e in entities)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


def stream(seed: int, purpose: str, *entities: int) -> np.random.Generator:
    """A generator of its own for one purpose and entity."""
    refuse_seed(seed)
    text = "\x1f".join([str(int(seed)), purpose, *(str(int(e)) for e in entities)])
    words = np.frombuffer(hashlib.sha256(text.encode()).digest()[:16], dtype=np.uint64)
    return np.random.Generator(np.random.Philox(key=words))


def _mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of splitmix64 (Steele, Lea and Flood 2014), on arrays."""
    x = (x ^ (x >> np.uint64(30))) * _MIX_1
    x = (x ^ (x >> np.uint64(27))) * _MIX_2
    return x ^ (x >> np.uint64(31))


def uniform(key: int, *entities: NDArray[np.integer]) -> NDArray[np.float64]:
    """One number in [0, 1) for every tuple of entities, whatever their order or number."""
    with np.errstate(over="ignore"):
        state = np.full(np.broadcast_shapes(*(e.shape for e in entities)), key, dtype=np.uint64)
        for entity in entities:
            state = _mix(state + (entity.astype(np.int64).view(np.uint64) + np.uint64(1)) * _GOLDEN)
    return (state >> np.uint64(11)).astype(np.float64) * 2.0**-53
