"""What every component promises, whatever its kind; and a small table of ratings to try components on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import ParamSpec

import numpy as np

from heldout.catalogue import Component, make
from heldout.tables import Interactions, Vocabulary

Arguments = ParamSpec("Arguments")


def contract(check: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """A check that raises AssertionError also if the component itself raises another error."""

    @wraps(check)
    def checked(*args: Arguments.args, **options: Arguments.kwargs) -> None:
        try:
            check(*args, **options)
        except AssertionError:
            raise
        except Exception as error:  # whatever a component raises breaks its contract
            raise AssertionError(f"{args[0]} raises {type(error).__name__}: {error}") from error

    return checked


def check_text_form(component: Component) -> None:
    """The printed form, short and full, parses back to the same component, in any case of letters."""
    assert component.key, f"{type(component).__name__} has no `key`, so no text form can name it"
    texts = [str(component), component.full_text]
    if "=" not in str(component) and '"' not in str(component):
        texts.append(str(component).swapcase())
    for text in texts:
        assert make(component.kind.name, text) == component, f"{text} does not parse back to {component.full_text}"


@cache
def some_ratings() -> Interactions:
    """90 users × 40 items, a quarter rated 1 to 5 at different times; user 7 and items 3 and 39 have no ratings."""
    draw = np.random.default_rng(5)
    cells = draw.integers(1, 6, (90, 40)) * (draw.random((90, 40)) < 0.25)
    cells[7] = 0
    cells[:, [3, 39]] = 0
    user, item = np.nonzero(cells)
    value = cells[user, item].astype(np.float64)
    time = draw.permutation(len(user)).astype(np.int64)
    names = Vocabulary.numbered(90), Vocabulary.numbered(40)
    return Interactions.build(*names, user, item, value, time=time, utility=value)


def renamed(data: Interactions) -> Interactions:
    """The same ratings of users and items with other ids, in the same order."""
    users = Vocabulary(np.array([f"user {k:05}" for k in range(data.n_users)], dtype=object))
    items = Vocabulary(np.arange(data.n_items) * 7 - 30)
    return Interactions.build(
        users,
        items,
        data.user,
        data.item,
        data.value,
        time=data.time,
        utility=data.utility,
        time_unit=data.time_unit,
    )
