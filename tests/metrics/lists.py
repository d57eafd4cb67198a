"""One user's list, written by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout.catalogue import make
from heldout.metrics.measuring import measure
from heldout.tables import Background, Interactions, Judged, Vocabulary
from heldout.testing.lists import judged_lists


def judged_list(ranked: list[float | None], unlisted: tuple[float, ...] = (), *, top: float = 5.0) -> Judged:
    """The grade at each rank, None for an unrated item; `unlisted` are rated items the list lacks; 57 targets."""
    return judged_lists([ranked], [list(unlisted)], top=top, catalogue=57)


def value(metric: str, judged: Judged) -> float:
    return float(measure(judged, [make("metric", metric)]).values[0, 0])


def knowing(judged: Judged, rows: list[tuple[int, int, float]], **known: object) -> Judged:
    """The same lists where these training ratings (user, item, value) are known; users are as many as they need be."""
    user, item, rated = (np.array(column) for column in zip(*rows, strict=True))
    items = Vocabulary.numbered(57)
    train = Interactions.build(Vocabulary.numbered(int(user.max()) + 1), items, user, item, rated.astype(np.float64))
    background = Background(items=items, train=train, **known)  # type: ignore[arg-type]
    return replace(judged, relevance=replace(judged.relevance, background=background))
