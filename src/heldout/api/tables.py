"""`results.tables`: the tables of results, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from heldout.errors import UnknownNameError

if TYPE_CHECKING:
    import polars as pl

    from heldout.reports.sheet import Sheet

Frames = Mapping[str, tuple[str, Callable[[], "pl.DataFrame"]]]
"""Name → title and frame of what the page does not show whole."""


class Tables(Mapping[str, "Sheet"]):
    """Tables by name: those of the page, and the frames behind them; `tables["leaderboard"].save("leaderboard.tex")`."""

    def __init__(self, page: Callable[[], str], frames: Frames) -> None:
        self._page, self._frames = page, frames
        self._of_frames: dict[str, Sheet] = {}

    @cached_property
    def _sheets(self) -> dict[str, Sheet]:
        from heldout.reports.page.sheets import sheets

        return sheets(self._page())

    def __getitem__(self, name: str) -> Sheet:
        from heldout.reports.sheet import Sheet

        if name not in self._frames:  # looked for first, because the page takes long
            if name in self._sheets:
                return self._sheets[name]
            raise UnknownNameError("table", name, list(self), where="tables", listed=True)
        if name not in self._of_frames:
            title, frame = self._frames[name]
            self._of_frames[name] = Sheet.of_frame(name, title, frame())
        return self._of_frames[name]

    def __contains__(self, name: object) -> bool:
        return name in self._frames or name in self._sheets

    def __iter__(self) -> Iterator[str]:
        return iter([*self._sheets, *self._frames])

    def __len__(self) -> int:
        return len(self._sheets) + len(self._frames)

    @property
    def titles(self) -> dict[str, str]:
        """Name → title of each table."""
        return {name: sheet.title for name, sheet in self._sheets.items()} | {k: v[0] for k, v in self._frames.items()}

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {title}" for name, title in self.titles.items())
