"""The paragraphs on data, on splitting and on users."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from heldout.catalogue import Component
from heldout.report.facts import DataFacts, Facts, SplitFacts
from heldout.report.methods_parts import Paragraph, Section, cite, enumerated, joined, number_word, roughly, share
from heldout.report.methods_words import phrase
from heldout.report.text import count, listed
from heldout.study.spec import Study

NAMES = {
    "movielens": "MovieLens",
    "netflix": "Netflix Prize",
    "jester": "Jester",
    "lastfm": "Last.fm (HetRec 2011)",
    "bookcrossing": "BookCrossing",
    "tafeng": "Ta-Feng",
    "cm100k": "CM100k",
    "coat": "Coat",
}
"""What data sets are called by their readers."""
SECONDS_OF_A_YEAR = 31_000_000


def data_section(study: Study, facts: Facts | None) -> Section:
    """Which ratings, and what filters left of them."""
    paragraphs = [Paragraph(joined(*_source(source, study, facts))) for source in study.data]
    return Section("Data", tuple(paragraphs or [Paragraph("Training and test ratings were given apart.")]))


def source_name(source: Any) -> str:
    """The data set's name, and the name of its file where that says more: MovieLens (ml-1m)."""
    path = getattr(source, "path", None)
    stem = Path(path).stem if isinstance(path, str) else ""
    known = NAMES.get(getattr(source, "key", ""))
    if getattr(source, "key", "") == "simulate":
        return "simulated ratings"
    if known is None:
        return f"the data set `{stem or source}`"
    return f"the {known} data set (`{stem}`)" if stem else f"the {known} data set"


def _source(source: Any, study: Study, facts: Facts | None) -> Iterator[str]:
    cited = cite(source.references) if isinstance(source, Component) else ""
    told = f"we used {source_name(source)}{cited}" if study.split else "runs were judged against a test set"
    if getattr(source, "key", "") == "simulate":
        told += f", drawn by `{source}`"
    found = [d for d in (facts.data if facts is not None else ()) if d.steps and d.name in (str(source), source.full_text)]
    chains = [chain for chain in study.filter if chain]
    if found:
        first = found[0].steps[0].profile
        yield f"{told}, which hold{'' if 'simulated' in told else 's'} {sizes(first)}{_scale(first)}{_when(first)}"
        spread = first["per_user"]
        least, most = count(spread["min"]), count(spread["max"])
        yield (
            f"users have between {least} and {most} ratings (median {spread['median']:g}), and the Gini coefficient of the "
            f"ratings over items is {first['gini']:.2f}"
        )
    else:
        yield told
    plain = len(chains) < len(study.filter)
    if not chains:
        yield "no ratings were filtered out" if study.split else ""
    elif len(chains) == 1 and not plain:
        yield f"we {_chain(chains[0])}{_left(found, chains[0])}"
    else:
        ways = ["the data as they are"] if plain else []
        ways += [f"those that remain once we {_chain(chain)}{_left(found, chain)}" for chain in chains]
        yield f"we studied {number_word(len(ways))} selections of the ratings: {enumerated(ways)}"


def sizes(profile: Any) -> str:
    """1,000,209 ratings of 3,706 items by 6,040 users (density 4.47%)."""
    ratings, items, users = (count(profile[what]) for what in ("ratings", "items", "users"))
    return f"{ratings} ratings of {items} items by {users} users (density {100 * profile['density']:.3g}%)"


def _scale(profile: Any) -> str:
    values = [e for e, n in zip(profile["values"]["edges"], profile["values"]["counts"], strict=False) if n]
    if not values:
        return ""
    return f", all of value {values[0]:g}" if len(values) == 1 else f", with values from {values[0]:g} to {values[-1]:g}"


def _when(profile: Any) -> str:
    span = profile.get("time_span")
    if not span or span[0] < SECONDS_OF_A_YEAR:
        return ""
    first, last = (datetime.fromtimestamp(moment, UTC).date().isoformat() for moment in span)
    return f", made between {first} and {last}"


def _chain(chain: Sequence[Component]) -> str:
    told = [phrase(one) for one in chain]
    return listed(told) if len(told) < 3 else f"{'; '.join(told[:-1])}; and finally {told[-1]}"


def _left(found: Sequence[DataFacts], chain: Sequence[Component]) -> str:
    """What is left after this chain, where results tell."""
    name = " + ".join(str(one) for one in chain)
    of = next((d for d in found if d.filter == name), None)
    if of is None:
        return ""
    before, after = of.steps[0].profile, of.steps[-1].profile
    kept = share(after["ratings"] / before["ratings"]) if before["ratings"] else "none"
    return f", which left {sizes(after)}, or {kept} of the ratings"


def splitting_section(study: Study, facts: Facts | None) -> Section:
    """How ratings were divided, with the sizes of the parts."""
    ways = [phrase(split) for split in study.split]
    if not ways:
        return Section(
            "Splitting",
            (Paragraph("The division into training and test ratings was made before, and is given by the test set."),),
        )
    told = [ways[0]] if len(ways) == 1 else [f"ratings were divided in {number_word(len(ways))} ways: {enumerated(ways)}"]
    folds = facts.splits if facts is not None else ()
    for split in study.split:
        of = [f for f in folds if f.split in (str(split), split.full_text)]
        told += list(_parts(of, f"under `{split}` there" if len(study.split) > 1 else "there"))
    if study.validation is not None:
        held = sum(f.validation for f in folds) / max(1, len(folds))
        size = f" ({count(held)} ratings)" if held else ""
        told.append(f"of each training set a validation part{size} was carved out, for which {phrase(study.validation)}")
    if study.development is not None:
        who = share(study.development) if study.development < 1 else count(study.development)
        told.append(
            f"{who} of the test users formed a development group, on which systems were chosen; the others were evaluated"
        )
    return Section("Splitting", (Paragraph(joined(*told)),))


def _parts(folds: Sequence[SplitFacts], there: str) -> Iterator[str]:
    if not folds:
        return
    n = len(folds)
    each = f" on average in each of the {number_word(n)} folds" if n > 1 else ""
    train, test = sum(f.train for f in folds) / n, sum(f.test for f in folds) / n
    yield f"{there} were {count(train)} training and {count(test)} test ratings{each}"
    dropped: dict[str, int] = {}
    for fold in folds:
        for reason, many in fold.dropped:
            dropped[reason] = dropped.get(reason, 0) + many
    if dropped:
        told = listed([f"{count(many / n)} ({reason})" for reason, many in dropped.items()])
        yield f"ratings that were in neither part{' on average' if n > 1 else ''}: {told}"
    yield from _audited(folds)


def _audited(folds: Sequence[SplitFacts]) -> Iterator[str]:
    """Leaks in time and cold starts, where there are any."""
    tests = sum(f.test for f in folds)
    older = [f.audit.get("older_than_any") for f in folds if f.audit]
    if older and all(o is not None for o in older) and tests:
        leaked, own = sum(o or 0 for o in older), sum(f.audit.get("older_than_own") or 0 for f in folds)
        if leaked == 0:
            yield "no test rating is older than any training rating"
        elif own == 0:
            told = "no test rating is older than a training rating of the same user, but"
            yield f"{told} {roughly(leaked / tests)} are older than some training rating of another"
        else:
            of = "all test ratings" if leaked == tests else f"{roughly(leaked / tests)} of the test ratings"
            yield f"the split does not follow time: {of} are older than some training rating"
    cold = {
        what: sum(f.audit.get(f"cold_{what}_ratings") or 0 for f in folds if f.audit) / max(1, tests)
        for what in ("user", "item")
    }
    told_cold = [f"{roughly(value)} are of {what}s" for what, value in cold.items() if value > 0]
    if told_cold:
        yield f"of the test ratings {listed(told_cold)} without a training rating"


def users_section(study: Study, facts: Facts | None) -> Section:
    """Which users were tested, with their number."""
    chains = [listed([phrase(rule) for rule in chain]).replace(" and users with ", " and ") for chain in study.users]
    told = [f"we tested {enumerated([c or 'all users' for c in chains])}"]
    if len(chains) > 1:
        told = [f"we tested {number_word(len(chains))} selections of users: {enumerated(chains)}"]
    tested = sorted({row.users for row in facts.leaderboard if row.value is not None}) if facts is not None else []
    if len(tested) == 1:
        told[0] += f", {count(tested[0])} in all"
    elif tested:
        told[0] += f", between {count(tested[0])} and {count(tested[-1])} depending on the setting"
    for fold in (facts.splits if facts is not None else ())[:1]:
        for _, steps in fold.chosen[:1]:
            if len(steps) > 1 and len(study.users) == 1:
                cut = [(rule, n) for (_, before), (rule, n) in pairwise(steps) if n < before]
                left = [f"{count(n)} were left by `{rule}`" for rule, n in cut]
                told.append(f"of {count(steps[0][1])} users {listed(left)}" if left else "")
    return Section("Users", (Paragraph(joined(*told)),))
