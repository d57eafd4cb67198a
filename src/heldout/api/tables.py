"""`results.tables`: the tables of results, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from heldout.errors import UnknownNameError

if TYPE_CHECKING:
    import polars as pl

    from heldout.reports.sheet import Sheet

Frames = Mapping[str, tuple[str, Callable[[], "pl.DataFrame"]]]
"""Name → title and frame of what the page does not show whole."""


class Tables(Mapping[str, "Sheet"]):
    """Tables by name: those of the page, and the frames behind them; `tables["leaderboard"].save("leaderboard.tex")`."""

    def __init__(self, page: str, frames: Frames) -> None:
        from heldout.reports.page.sheets import sheets

        self._sheets, self._frames = sheets(page), frames

    def __getitem__(self, name: str) -> Sheet:
        from heldout.reports.sheet import Sheet

        if name in self._sheets:
            return self._sheets[name]
        if name in self._frames:
            title, frame = self._frames[name]
            return Sheet.of_frame(name, title, frame())
        raise UnknownNameError("table", name, list(self), where="tables", listed=True)

    def __contains__(self, name: object) -> bool:
        return name in self._sheets or name in self._frames

    def __iter__(self) -> Iterator[str]:
        return iter([*self._sheets, *self._frames])

    def __len__(self) -> int:
        return len(self._sheets) + len(self._frames)

    @property
    def titles(self) -> dict[str, str]:
        """Name → title of each table."""
        return {name: sheet.title for name, sheet in self._sheets.items()} | {k: v[0] for k, v in self._frames.items()}

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {title}" for name, title in self.titles.items())
