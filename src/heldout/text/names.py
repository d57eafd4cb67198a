"""Names of components and systems, shortened so that they stay distinct."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

CHAIN = " + "
"""Separator of the components in a chain of filters or user rules."""
FEWEST = 6
"""Smallest width in characters to which a part of a label is cut."""


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Each name without its parameters, if that leaves no two alike: UserKNN for UserKNN(k=50)."""
    bare = {name: name.partition("(")[0].strip() or name for name in names}
    alike = list(bare.values())
    return {name: text if alike.count(text) == 1 and not _several(name) else name for name, text in bare.items()}


def metric_words(metric: str) -> str:
    """A metric within a sentence, its parameters last: "nDCG@10 (binary)" for nDCG(gain=binary)@10."""
    head, opened, rest = metric.partition("(")
    inside, closed, cut = rest.rpartition(")")
    if not opened or not closed:
        return metric
    return f"{head}{cut} ({inside.removeprefix('gain=') if ',' not in inside else inside})"


def option_words(option: str) -> str:
    """A component as people read it: OnePlusRandom(100) for OnePlusRandom(nonrelevant=100)."""
    return _single_without_word(option)


def shorten(text: str, width: int) -> str:
    """At most `width` characters: the parameters give way first, then the middle; of several components the end goes.

    shorten("UserKNN(k=100, similarity=cosine)", 20) = "UserKNN(k=100,…)".
    """
    if len(text) <= width or width < 1:
        return text
    if _several(text):
        return _chains([text], width)[text] if CHAIN in text and " · " not in text else _start(text, width)
    open_, close = text.find("("), text.rfind(")")
    if 0 < open_ < close:
        head, inside, tail = text[: open_ + 1], text[open_ + 1 : close], text[close:]
        room = width - len(head) - len(tail) - 1
        if room >= 0:
            kept = inside[:room]
            cut = kept.rfind(",") + 1
            return f"{head}{kept[:cut] if cut else ''}…{tail}"
    if width < 3:
        return text[:width]
    left = (width - 1 + 1) // 2
    return f"{text[:left]}…{text[len(text) - (width - 1 - left) :]}"


def shorten_all(names: Sequence[str], width: int) -> dict[str, str]:
    """Each name shortened, no two alike: what names of one kind share gives way first, what tells them apart stays.

    shorten_all(["ALS(factors=50, alpha=1)", "ALS(factors=50, alpha=2)"], 16) gives "ALS(alpha=1,…)" and "ALS(alpha=2,…)".
    """
    if any(CHAIN in name and _several(name) for name in names):
        short = _chains(list(dict.fromkeys(names)), width)
    else:
        short = _by_kind(list(dict.fromkeys(names)), width)
    for attempt in (_differing_end, _numbered):
        seen: dict[str, list[str]] = {}
        for name, form_now in short.items():
            seen.setdefault(form_now, []).append(name)
        for alike in seen.values():
            if len(alike) > 1:
                short |= attempt(alike, width)
    return short


def _by_kind(names: Sequence[str], width: int) -> dict[str, str]:
    """Components shortened, those of one kind together; a text of several components has no kind."""
    kinds: dict[str, list[str]] = {}
    for name in names:
        kinds.setdefault(name if _several(name) else name.partition("(")[0], []).append(name)
    short: dict[str, str] = {}
    for group in kinds.values():
        short |= _of_one_kind(group, width) if len(group) > 1 else {group[0]: shorten(group[0], width)}
    return short


def _several(text: str) -> bool:
    """Whether more than one component stands here: the first bracket closes before the last."""
    depth = 0
    for i, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == ")" and depth == 0:
            return "(" in text[i:] or CHAIN in text[i:]
    return CHAIN in text


def _chains(names: Sequence[str], width: int) -> dict[str, str]:
    """Chains of components such as "core(k=5) + binarise(threshold=1)", part by part: the words of parameters go first, then
    the parts of chains of the same components are shortened together, the widest first; at the last the end goes."""
    if max(map(len, names)) <= width:
        return {name: name for name in names}
    alike: dict[tuple[str, ...], dict[str, list[str]]] = {}
    for name in names:
        parts = [_without_words(part) for part in name.split(CHAIN)]
        alike.setdefault(tuple(part.partition("(")[0] for part in parts), {})[name] = parts
    short: dict[str, str] = {}
    for group in alike.values():
        columns = [list(column) for column in zip(*group.values(), strict=True)]
        widths = [max(map(len, column)) for column in columns]
        forms = [columns]
        while max(widths) > FEWEST:
            widths[widths.index(max(widths))] -= 1
            briefer = [_of_one_kind(list(dict.fromkeys(c)), room) for c, room in zip(columns, widths, strict=True)]
            forms.append([[brief[part] for part in column] for brief, column in zip(briefer, columns, strict=True)])
        rows = [[CHAIN.join(parts) for parts in zip(*form, strict=True)] for form in forms]
        fitting = next((row for row in rows if max(map(len, row)) <= width), rows[0])
        short |= {name: _start(text, width) for name, text in zip(group, fitting, strict=True)}
    return short


def _without_words(component: str) -> str:
    """core(k=5) as core(5)."""
    values = [p.rpartition("=")[2] if "(" not in p else p for p in _parameters(component)]
    if not values:
        return component
    return f"{component.partition('(')[0]}({', '.join(values)}{component[component.rindex(')') :]}"


def _start(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: max(width - 1, 0)].rstrip()}…"


def shorten_labels(labels: Sequence[str], width: int) -> list[str]:
    """Labels of parts joined by " · ": words for parts ("aggregate=") go first, then those of single parameters, so that
    threshold(tau=4) is threshold(4), then the longest parts are shortened; parts that differ stay different."""
    if max((len(label) for label in labels), default=0) <= width:
        return list(labels)
    split = [label.split(" · ") for label in labels]
    if len({len(parts) for parts in split}) > 1:
        short = shorten_all(labels, width)
        return [short[label] for label in labels]
    columns = [_without_word(column) for column in zip(*split, strict=True)]
    if _widest(columns) > width:
        columns = [[_single_without_word(part) for part in column] for column in columns]
    widths = [max(len(text) for text in column) for column in columns]
    fitted = columns
    while _widest(fitted) > width:
        widest = max(range(len(widths)), key=widths.__getitem__)
        if widths[widest] <= FEWEST:
            break
        widths[widest] -= 1
        short = shorten_all(list(dict.fromkeys(columns[widest])), widths[widest])
        fitted = [[short[t] for t in column] if k == widest else fitted[k] for k, column in enumerate(columns)]
    return [" · ".join(parts) for parts in zip(*fitted, strict=True)]


def _widest(columns: Sequence[Sequence[str]]) -> int:
    """Letters of the longest label."""
    return max((len(" · ".join(parts)) for parts in zip(*columns, strict=True)), default=0)


def _single_without_word(part: str) -> str:
    """threshold(4) of threshold(tau=4); what has several parameters, or components, needs their words."""
    return _without_words(part) if not _several(part) and len(_parameters(part)) == 1 else part


def _without_word(parts: Sequence[str]) -> list[str]:
    """Parts such as "aggregate=mean" without the word that all of them begin with."""
    words = {part.partition("=")[0] if "=" in part.partition("(")[0] else "" for part in parts}
    return [part.partition("=")[2] for part in parts] if len(words) == 1 and "" not in words else list(parts)


def _of_one_kind(names: Sequence[str], width: int) -> dict[str, str]:
    """Text forms of one component: parameters that all have are left out, then the words for them, then the head is cut."""
    head = names[0].partition("(")[0]
    inside = {name: _parameters(name) for name in names}
    parametrised = [set(parameters) for parameters in inside.values() if parameters]
    shared = set.intersection(*parametrised) if len(parametrised) > 1 else set()
    own = {name: [p for p in parameters if p not in shared] for name, parameters in inside.items()}
    words = {tuple(p.partition("=")[0] for p in parameters) for parameters in own.values() if parameters}
    bare = {name: [p.rpartition("=")[2] for p in parameters] for name, parameters in own.items()}
    forms = [{name: name for name in names}, _written(head, inside, own)]
    forms += [_written(head, inside, bare)] if len(words) == 1 else []
    fewest = bare if len(words) == 1 else own
    heads = [head, *(f"{head[:left]}…" for left in range(len(head) - 2, 0, -1))]
    forms += [{name: _unbracketed(text) for name, text in _written(cut, inside, fewest).items()} for cut in heads]
    fitting = next((form for form in forms if all(len(text) <= width for text in form.values())), forms[-1])
    return {name: _middle(text, width) for name, text in fitting.items()}


def _unbracketed(text: str) -> str:
    """nDCG…@5 of nDCG(…)@5: brackets that hold nothing take the room of letters."""
    return text.replace("…(…)", "…").replace("(…)", "…")


def _written(head: str, inside: Mapping[str, list[str]], own: Mapping[str, list[str]]) -> dict[str, str]:
    """head(own parameters,…), and what stands after the brackets."""
    forms = {}
    for name, parameters in inside.items():
        left = "" if len(own[name]) == len(parameters) else ",…" if own[name] else "…"
        forms[name] = f"{head}({', '.join(own[name])}{left}{name[name.rindex(')') :]}" if parameters else name
    return forms


def _parameters(name: str) -> list[str]:
    """The parameters of a text form, those within brackets left together."""
    if "(" not in name or ")" not in name:
        return []
    parameters, depth = [""], 0
    for char in name[name.index("(") + 1 : name.rindex(")")]:
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            parameters.append("")
        else:
            parameters[-1] += char
    return [parameter.strip() for parameter in parameters]


def _differing_end(names: Sequence[str], width: int) -> dict[str, str]:
    """Names that begin alike, from where they differ on; in chains the end of one component would stand behind another's."""
    if any(_several(name) for name in names):
        return {}
    start = next((k for k in range(min(map(len, names))) if len({name[k] for name in names}) > 1), 0)
    return {name: _middle(f"{name[:2]}…{name[start:]}", width) for name in names} if start > 2 else {}


def _numbered(names: Sequence[str], width: int) -> dict[str, str]:
    """Names that nothing tells apart in so little room, numbered."""
    return {
        name: f"{(_start if _several(name) else _middle)(name, width - len(str(i)) - 1)}~{i}"
        for i, name in enumerate(names, 1)
    }


def _middle(text: str, width: int) -> str:
    if len(text) <= width:
        return text
    left = width // 2
    return f"{text[:left]}…{text[len(text) - (width - 1 - left) :]}" if width > 2 else text[: max(width, 1)]
