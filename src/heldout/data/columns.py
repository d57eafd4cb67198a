"""Which column is the user, which the item: usual names, names the caller gave, and positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from heldout.catalogue.text import Call
from heldout.errors import InputError, SpecError

AUTO = "auto"
_WIDEST = 8
"""Unnamed columns beyond which the usual order is not believed."""
_READERS = {".csv": "csv", ".tsv": "csv", ".txt": "csv", ".dat": "csv", ".parquet": "parquet", ".jsonl": "jsonl"}
"""Endings of files and the readers whose text form names the columns."""

USUAL: dict[str, tuple[str, ...]] = {
    role: tuple(names.split())
    for role, names in {
        "user": "user userid uid u customer customerid visitorid household householdid session sessionid query "
        "queryid qid reviewerid",
        "item": "item itemid iid i movie movieid product productid artist artistid book bookid isbn asin track "
        "trackid song songid doc docid docno article articleid business businessid poi venueid",
        "value": "rating value ratings bookrating score stars overall grade relevance weight count counts plays "
        "playcount quantity r",
        "time": "timestamp time datetime date ts unixreviewtime transactiontimestamp",
        "utility": "utility profit",
        "score": "score prediction predicted predictedrating rating value relevance sim",
        "rank": "rank position pos",
    }.items()
}
"""Usual names of each role, most usual first, without case, blanks, underscores and hyphens."""
_SECOND = {"score": ("rating", "value", "relevance", "sim")}
"""Names that are looked for only where there is no other: beside a prediction, a rating is the truth, not a score."""

Wanted = Mapping[str, str | None]
"""For every role the column asked for: a name, a 1-based position, "auto" (find it) or None (there is none)."""


def folded(name: str) -> str:
    """A column name without case, punctuation and type suffix: `userid` of `User-ID` and of `user_id:token`."""
    return "".join(c for c in name.partition(":")[0].casefold() if c.isalnum())


def looks_like_names(fields: Sequence[str], wanted: Wanted) -> bool:
    """Whether a first line holds column names: a usual one, or one that the caller gave."""
    names = {name for name in wanted.values() if name not in (None, AUTO) and not str(name).isdigit()}
    usual = {name for role in wanted for name in USUAL[role] if len(name) > 1}
    return any(f.strip() in names or folded(f) in usual for f in fields)


def by_name(names: Sequence[str], wanted: Wanted, required: Sequence[str], *, file: object = None) -> dict[str, int]:
    """The place of every role among named columns; a required role without a column is an InputError."""
    places: dict[str, int] = {}
    taken: set[int] = set()
    for role, name in wanted.items():
        if name is not None and name != AUTO:
            places[role] = _named(names, role, name, file)
            taken.add(places[role])
    keys = [folded(n) for n in names]
    for role, name in wanted.items():
        if name != AUTO:
            continue
        free = [k for k in range(len(names)) if k not in taken]
        first = [k for k in free if keys[k] in USUAL[role] and keys[k] not in _SECOND.get(role, ())]
        candidates = first or [k for k in free if keys[k] in USUAL[role]]
        if len(candidates) > 1:
            raise _several([names[k] for k in candidates], role, file)
        if candidates:
            places[role] = candidates[0]
            taken.add(candidates[0])
        elif role in required:
            near = {m for name in USUAL[role] for m in get_close_matches(name, keys, n=1, cutoff=0.75)}
            likely = [names[keys.index(m)] for m in sorted(near)]
            hint = f"pass {role}={likely[0]}, if that is it" if likely else f"pass {role}=<column>"
            if "value" in wanted and (key := _READERS.get(Path(str(file)).suffix.lower())):
                form = Call(key, (str(file),), {role: likely[0] if likely else "COLUMN"})
                hint += f"; such as {form}, in single quotes on the command line"
            raise InputError(f"there is no column for the {role}", file=file, found=list(names), hint=hint)
    return places


def by_position(
    width: int, wanted: Wanted, order: Sequence[str], required: Sequence[str], *, file: object = None
) -> dict[str, int]:
    """The place of every role among unnamed columns: given 1-based positions, else the usual order."""
    if width > _WIDEST and any(wanted.get(role) == AUTO for role in required):
        raise InputError(
            file=file,
            found=width,
            expected=f"at most {_WIDEST} columns without a header",
            hint="write one (user, item) pair per line, not a matrix or baskets; or pass positions: "
            + ", ".join(f"{role}={k}" for k, role in enumerate(order, start=1)),
        )
    places: dict[str, int] = {}
    for role, name in wanted.items():
        if name is None:
            continue
        if name == AUTO:
            place = order.index(role) if role in order else width
        elif name.isdigit() and int(name) >= 1:
            place = int(name) - 1
        else:
            raise InputError(
                "there is no header with names of columns",
                file=file,
                column=name,
                hint=f"pass its position: {role}=1 is the first column; or pass header=true",
            )
        if place < width:
            places[role] = place
        elif name != AUTO or role in required:
            raise InputError(
                f"the first line is too short for the {role}",
                file=file,
                found=width,
                expected=f"at least {place + 1} columns",
                hint="check the separator",
            )
    return places


def columns_sentence(labels: Mapping[str, str], header: Sequence[str]) -> str:
    """Which column was taken for what, and why: by a usual name, by the caller's word, or by its place."""
    if not header and any(label != role for role, label in labels.items()):
        return ""  # the format itself says what its columns are
    if not header:
        return f"no header, so columns were taken by their place: {', '.join(labels)}"
    usual = [f"{role} is {label}" for role, label in labels.items() if folded(label) in USUAL.get(role, ())]
    chosen = [f"{role} is {label}" for role, label in labels.items() if folded(label) not in USUAL.get(role, ())]
    parts = [f"by usual names: {', '.join(usual)}"] if usual else []
    parts += [f"as named: {', '.join(chosen)}"] if chosen else []
    if "value" not in labels:
        parts.append("no column of values, so each counts 1")
    unused = [name for name in header if name not in labels.values()]
    if unused:
        parts.append(f"not used: {_listed(unused)}")
    return f"columns {'; '.join(parts)}"


def _named(names: Sequence[str], role: str, wanted: str, file: object) -> int:
    same = [k for k, name in enumerate(names) if name == wanted]
    same = same or [k for k, name in enumerate(names) if folded(name) == folded(wanted) and folded(wanted)]
    if len(same) > 1:
        raise _several([names[k] for k in same], role, file)
    if same:
        return same[0]
    if wanted.isdigit() and 1 <= int(wanted) <= len(names):
        return int(wanted) - 1
    near = get_close_matches(wanted, names, n=2, cutoff=0.5)
    raise InputError(
        f"there is no such column for the {role}",
        file=file,
        column=wanted,
        found=list(names),
        hint=f"did you mean {' or '.join(near)}?" if near else "",
    )


def _several(candidates: Sequence[str], role: str, file: object) -> InputError:
    """The error for a role that several columns could have: which one is for the caller to say."""
    if len(set(candidates)) == 1:
        return repeated_column(candidates[0], len(candidates), file)
    return InputError(
        f"several columns could be the {role}",
        file=file,
        found=list(candidates),
        hint=f"pass {role}={candidates[0]} or {role}={candidates[1]}, or leave the other out",
    )


def missing_column(name: str, names: Sequence[str], *, file: object) -> InputError:
    """The error for a column that a format has and this file lacks."""
    return InputError("this column is missing", file=file, column=name, found=list(names))


def repeated_column(name: str | None, count: int, file: object) -> InputError:
    """The error for columns of one name, None if it is not known."""
    hint = "give them different names, or leave all but one out"
    return InputError(f"{count} columns have the same name", file=file, column=name, hint=hint)


def refuse_columns(chosen: Mapping[str, object], where: object) -> None:
    """SpecError if columns are chosen for a source whose columns are known."""
    if chosen:
        raise SpecError(
            "the columns of this source are known and cannot be chosen",
            where=str(where),
            found=list(chosen),
            hint="leave them out",
        )


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:20])
    return f"{shown} and {len(names) - 20} more" if len(names) > 20 else shown
