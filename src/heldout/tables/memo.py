"""Values that a table computes on first use and keeps; a changed copy of the table starts without them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class _Keeping(Protocol):
    @property
    def _memo(self) -> dict[Any, Any]: ...


def once(table: _Keeping, key: Any, compute: Callable[[], T]) -> T:
    """`compute()` on the first call for this table and key, the same value from then on."""
    memo = table._memo
    if key not in memo:
        memo[key] = compute()
    return memo[key]  # type: ignore[no-any-return]
