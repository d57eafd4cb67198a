"""`results.tables`: the tables of results, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from heldout.errors import UnknownNameError

if TYPE_CHECKING:
    import polars as pl

    from heldout.reports.document import Builders

Frames = Mapping[str, tuple[str, Callable[[], "pl.DataFrame"]]]
"""Name → title and frame of what the page does not show whole."""


class Tables(Mapping[str, Any]):
    """Tables by name: those of the report, and the frames behind them; `tables["leaderboard"].save("leaderboard.tex")`.

    A table is made when it is first asked for.
    """

    def __init__(self, sources: Sequence[Callable[[], Builders]], frames: Frames) -> None:
        self._sources, self._frames = sources, frames
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        for source in (self._stored, *self._sources):
            if name in self._made:
                break
            builders = source()
            if name in builders and (table := builders[name]()) is not None:
                self._made[name] = table
        if name not in self._made:
            raise UnknownNameError("table", name, list(self), where="tables", listed=True)
        return self._made[name]

    def _stored(self) -> Builders:
        from heldout.reports.document import Table

        def table(name: str) -> Table:
            title, frame = self._frames[name]
            return Table.of_frame(name, title, frame())

        return {name: partial(table, name) for name in self._frames}

    @cached_property
    def _shown(self) -> list[str]:
        """Names of the tables of the report, those that the results have."""
        names: dict[str, None] = {}
        for source in self._sources:
            for name, build in source().items():
                table = self._made.get(name) or build()
                if table is not None:
                    self._made[name] = table
                    names[name] = None
        return list(names)

    def __contains__(self, name: object) -> bool:
        return name in self._frames or name in self._shown

    def __iter__(self) -> Iterator[str]:
        return iter([*self._shown, *self._frames])

    def __len__(self) -> int:
        return len(self._shown) + len(self._frames)

    @property
    def titles(self) -> dict[str, str]:
        """Name → title of each table."""
        return {name: self[name].title for name in self._shown} | {k: v[0] for k, v in self._frames.items()}

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {title}" for name, title in self.titles.items())
