"""How kernels are compiled: serial, without the GIL, cached on disk."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])


def _ensure_cache() -> None:
    """Point numba's cache somewhere writable: in a read-only installation without a home its import would fail."""
    if "NUMBA_CACHE_DIR" in os.environ or os.access(Path(__file__).parent, os.W_OK):
        return
    home = Path(os.environ.get("XDG_CACHE_HOME", Path("~/.cache").expanduser()))
    for place in (home / "heldout", Path(tempfile.gettempdir()) / f"heldout-{os.getuid()}"):
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(place, os.W_OK):
            os.environ["NUMBA_CACHE_DIR"] = str(place)
            return


_ensure_cache()

import llvmlite.binding  # noqa: E402
import numba  # noqa: E402

MASKED_SUMS = bool(llvmlite.binding.get_host_cpu_features().get("avx512f", False))
"""Whether the processor adds under a mask; compiled kernels are cached by processor."""


def kernel(function: F) -> F:
    """Compile a kernel when it is first called."""
    compiled: F = numba.njit(nogil=True, cache=True)(function)
    return compiled


def reordering_kernel(function: F) -> F:
    """A kernel whose float sums may be reordered for speed; its result still does not depend on threads."""
    compiled: F = numba.njit(nogil=True, cache=True, fastmath={"reassoc", "contract", "nsz"})(function)
    return compiled
