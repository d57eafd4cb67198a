"""Systems that were, or would be, chosen on the users or ratings they are compared on: none may be called the winner.

Two kinds: variants of one recommender side by side on undivided test users, which is a search by hand; and a system whose
search ran under another split of the same ratings, so that what it was tuned on can be tested here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heldout.catalogue import classes, make
from heldout.errors import HeldoutError
from heldout.recommenders.recommender import Recommender
from heldout.tables import ProtocolKey

SEVERAL = 3
"""Variants of one recommender from which picking the best of them is tuning."""


@dataclass(frozen=True, kw_only=True)
class Selected:
    """Systems of a protocol that no winner may be called among."""

    code: str
    systems: tuple[str, ...]
    why: str
    """Completes "…, which is ahead, "."""
    instead: str
    """What to do, as a sentence."""
    notice: str


def selected_on_test(manifest: Mapping[str, Any], protocol: ProtocolKey, *, divided: bool) -> dict[str, Selected]:
    """System → why it may not be called the winner; empty where everyone may.

    `manifest` is that of the run, `divided` says whether these users are the evaluation group of a split with two.
    """
    study = manifest.get("study", {})
    systems = [system for system in study.get("recommend", ()) if isinstance(system, Mapping)]
    # What a search on validation ratings chose is one system, not a variant that is chosen here.
    untuned = [(str(system["name"]), str(system["model"])) for system in systems if not system.get("tuning")]
    selected = [*(() if divided else variants(untuned)), *_tuned_elsewhere(systems, manifest, protocol)]
    return {name: reason for reason in reversed(selected) for name in reason.systems}


def variants(untuned: Iterable[tuple[str, str]]) -> Iterator[Selected]:
    """Several systems, (name, model) each, that are one recommender with other parameters, though it could be tuned."""
    families: dict[str, list[str]] = {}
    for name, model in untuned:
        families.setdefault(model.partition("(")[0], []).append(name)
    for key, names in families.items():
        if len(names) >= SEVERAL and key in _tunable():
            yield Selected(
                code="HO408",
                systems=tuple(names),
                why=f"is one of {len(names)} variants of {key} that are compared on the users they would be chosen on",
                instead="Choose among them on validation ratings (heldout tune) or on development users "
                "(development = 0.5), then compare on the others.",
                notice=f"{len(names)} variants of {key} are compared on the same users; none of them is called the winner",
            )


def _tunable() -> set[str]:
    """The recommenders that have parameters to search for."""
    return {cls.key for cls in classes("recommender") if issubclass(cls, Recommender) and cls.ranges}


def _tuned_elsewhere(
    systems: Sequence[Mapping[str, Any]], manifest: Mapping[str, Any], protocol: ProtocolKey
) -> Iterator[Selected]:
    """Systems that were tuned on the same ratings, divided otherwise."""
    for system in systems:
        tuned = (system.get("tuning") or {}).get("protocol") or {}
        if not tuned or tuned.get("data_digest") not in manifest.get("inputs", {}).values():
            continue
        here = {"filter": protocol.filter, "split": _full(protocol.split), "seed": str(manifest.get("seed"))}
        other = [f"{stage} = {tuned[stage]}" for stage, text in here.items() if tuned.get(stage, text) != text]
        if other:
            how = f"was tuned on the same data under another {' and '.join(o.partition(' =')[0] for o in other)}"
            notice = f"{system['name']} {how} ({'; '.join(other)})"
        elif (folds := _folds(protocol.split)) > 1:
            how = f"was tuned on fold {tuned.get('fold')} of {folds}, whose training ratings the other folds test"
            notice = f"{system['name']} {how}"
        else:
            continue
        yield Selected(
            code="HO416",
            systems=(str(system["name"]),),
            why=f"{how}, so that it may have been chosen on what it is tested on",
            instead="Tune it on the training part of the split that is compared.",
            notice=notice,
        )


def _full(split: str) -> str:
    """The split with every parameter written out; as it is where it is no text form of one."""
    try:
        return str(make("split", split).full_text)
    except HeldoutError:
        return split


def _folds(split: str) -> int:
    try:
        return int(make("split", split).folds_made)
    except HeldoutError:
        return 1
