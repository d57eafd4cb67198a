"""The paragraphs on data, on splitting and on users."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from heldout.analysis.findings import Findings
from heldout.catalogue import Component
from heldout.catalogue.prose import cite, number_word, share
from heldout.data.profile import DataSteps, extreme_values
from heldout.data.reader import Reader
from heldout.experiment.run_sources import RunSources
from heldout.review.methods.parts import Paragraph, Section, enumerated, joined, roughly
from heldout.splits.audit import later_words
from heldout.splits.sizes import SplitCounts
from heldout.study.spec import Study
from heldout.text.numbers import count
from heldout.text.phrases import listed

SECONDS_OF_A_YEAR = 31_000_000


def data_section(study: Study, findings: Findings | None, sources: RunSources | None = None) -> Section:
    """Which ratings, and what filters left of them; `sources` are the inputs of an evaluation."""
    test_set = "a test set" if sources is None or not sources.test.file else f"the test set {sources.test.name}"
    paragraphs = [Paragraph(joined(*_source(source, study, findings, test_set))) for source in study.data]
    return Section("Data", tuple(paragraphs or [Paragraph("Training and test ratings were given apart.")]))


def source_name(source: Any) -> str:
    """The data set's name, and the name of its file where that says more: MovieLens (ml-1m)."""
    path = getattr(source, "path", None)
    stem = Path(path).stem if isinstance(path, str) else ""
    if isinstance(source, Reader) and source.simulated:
        return "simulated ratings"
    if not isinstance(source, Reader) or not source.title:
        return f"the data set `{stem or source}`"
    return f"the {source.title} data set (`{stem}`)" if stem else f"the {source.title} data set"


def _source(source: Any, study: Study, findings: Findings | None, test_set: str) -> Iterator[str]:
    cited = cite(source.references) if isinstance(source, Component) else ""
    used = f"we used {source_name(source)}{cited}" if study.split else f"runs were judged against {test_set}"
    if isinstance(source, Reader) and source.simulated:
        used += f", drawn by `{source}`"
    measured = [
        d for d in (findings.data if findings is not None else ()) if d.steps and d.name in (str(source), source.full_text)
    ]
    chains = [chain for chain in study.filters if chain]
    if measured:
        first = measured[0].steps[0].profile
        yield f"{used}, which hold{'' if 'simulated' in used else 's'} {sizes(first)}{_scale(first)}{_when(first)}"
        spread = first["per_user"]
        least, most = count(spread["min"]), count(spread["max"])
        yield (
            f"users have between {least} and {most} ratings (median {spread['median']:g}), and the Gini coefficient of the "
            f"ratings over items is {first['gini']:.2f}"
        )
    else:
        yield used
    plain = len(chains) < len(study.filters)
    if not chains:
        yield "no ratings were filtered out" if study.split else ""
    elif len(chains) == 1 and not plain:
        yield f"we {_chain(chains[0])}{_left(measured, chains[0])}"
    else:
        ways = ["the data as they are"] if plain else []
        ways += [f"those that remain once we {_chain(chain)}{_left(measured, chain)}" for chain in chains]
        yield f"we studied {number_word(len(ways))} selections of the ratings: {enumerated(ways)}"


def sizes(profile: Any) -> str:
    """1,000,209 ratings of 3,706 items by 6,040 users (density 4.47%)."""
    ratings, items, users = (count(profile[what]) for what in ("ratings", "items", "users"))
    return f"{ratings} ratings of {items} items by {users} users (density {100 * profile['density']:.3g}%)"


def _scale(profile: Any) -> str:
    if not profile["values"]["edges"]:
        return ""
    low, high = (f"{end:,.10g}" for end in extreme_values(profile["values"]))
    return f", all of value {low}" if low == high else f", with values from {low} to {high}"


def _when(profile: Any) -> str:
    span = profile.get("time_span")
    if not span or span[0] < SECONDS_OF_A_YEAR:
        return ""
    first, last = (datetime.fromtimestamp(moment, UTC).date().isoformat() for moment in span)
    return f", made between {first} and {last}"


def _chain(chain: Sequence[Component]) -> str:
    phrases = [step.phrase() for step in chain]
    return listed(phrases) if len(phrases) < 3 else f"{'; '.join(phrases[:-1])}; and finally {phrases[-1]}"


def _left(measured: Sequence[DataSteps], chain: Sequence[Component]) -> str:
    """What is left after this chain, where results tell."""
    name = " + ".join(str(step) for step in chain)
    of = next((d for d in measured if d.filter == name), None)
    if of is None:
        return ""
    before, after = of.steps[0].profile, of.steps[-1].profile
    kept = share(after["ratings"] / before["ratings"]) if before["ratings"] else "none"
    return f", which left {sizes(after)}, or {kept} of the ratings"


def splitting_section(study: Study, findings: Findings | None, sources: RunSources | None = None) -> Section:
    """How ratings were divided, with the sizes of the parts; `sources` are the inputs of an evaluation."""
    ways = [split.phrase() for split in study.split]
    if not ways:
        return Section("Splitting", (Paragraph(joined(_given_split(findings, sources))),))
    sentences = (
        [ways[0]] if len(ways) == 1 else [f"ratings were divided in {number_word(len(ways))} ways: {enumerated(ways)}"]
    )
    folds = findings.splits if findings is not None else ()
    sentences += list(_parts(folds))
    if study.validation is not None:
        held = sum(f.validation for f in folds) / max(1, len(folds))
        size = f" ({count(held)} ratings{' on average' if len(folds) > 1 else ''})" if held else ""
        sentences.append(
            f"of each training set a validation part{size} was carved out, for which {study.validation.phrase()}"
        )
    if study.development is not None:
        who = share(study.development) if study.development < 1 else count(study.development)
        sentences.append(
            f"{who} of the test users formed a development group, on which systems were chosen; the others were evaluated"
        )
    return Section("Splitting", (Paragraph(joined(*sentences)),))


def _given_split(findings: Findings | None, sources: RunSources | None) -> str:
    """What is known of a division that was made before."""
    before = "the division into training and test ratings was made before, and is given by the test set"
    if sources is None:
        return before
    if sources.train is None:
        return f"{before}; the training ratings were not given"
    named = f" {sources.train.name}" if sources.train.file else ""
    sizes = (
        [f"{count(fold.train)} training and {count(fold.test)} test ratings" for fold in findings.splits] if findings else []
    )
    return f"{before} and the training set{named}" + (f": there were {listed(sizes)}" if sizes else "")


def _parts(folds: Sequence[SplitCounts]) -> Iterator[str]:
    """Sizes of the parts for each option (data × filter × split), and what all folds of an option have in common."""
    options: dict[tuple[str, str, str], list[SplitCounts]] = {}
    for fold in folds:
        options.setdefault((fold.data, fold.filter, fold.split), []).append(fold)
    names = dict(zip(options, _told_apart(list(options)), strict=True))
    for option, own in options.items():
        n = len(own)
        each = f" on average in each of the {number_word(n)} folds" if n > 1 else ""
        train, test = sum(f.train for f in own) / n, sum(f.test for f in own) / n
        yield f"{names[option]}there were {count(train)} training and {count(test)} test ratings{each}"
    said: dict[str, list[str]] = {}
    for option, own in options.items():
        for sentence in (*_dropped(own), *_audited(own)):
            said.setdefault(sentence, []).append(names[option])
    for sentence, of in said.items():
        yield sentence if len(of) == len(options) else f"{listed([name.removesuffix(', ') for name in of])}, {sentence}"


def _told_apart(options: Sequence[tuple[str, str, str]]) -> list[str]:
    """By option, its choices in which options differ, to begin a sentence with; empty if there is one option only."""
    data_vary, filter_varies, split_varies = (len({option[k] for option in options}) > 1 for k in range(3))
    names = []
    for data, chain, split in options:
        parts = [f"in `{data}`"] if data_vary else []
        if filter_varies:
            parts.append("without a filter" if chain in ("", "none") else f"after `{chain}`")
        parts += [f"under `{split}`"] if split_varies else []
        names.append(f"{' '.join(parts)}, " if parts else "")
    return names


def _dropped(folds: Sequence[SplitCounts]) -> Iterator[str]:
    n = len(folds)
    dropped: dict[str, int] = {}
    for fold in folds:
        for reason, many in fold.dropped:
            dropped[reason] = dropped.get(reason, 0) + many
    if dropped:
        reasons = listed([f"{count(many / n)} ({reason})" for reason, many in dropped.items()])
        yield f"ratings that were in neither part{' on average' if n > 1 else ''}: {reasons}"


def _audited(folds: Sequence[SplitCounts]) -> Iterator[str]:
    """Leaks in time and cold starts, if there are any."""
    tests = sum(f.test for f in folds)
    older = [f.audit.get("older_than_any") for f in folds if f.audit]
    if older and all(o is not None for o in older) and tests:
        merged = {
            word: sum(f.audit.get(f"straddling_{part}") or 0 for f in folds)
            for part, word in (("train", "training"), ("test", "test"))
        }
        by_merged = "by the times that merged pairs carry, " if any(merged.values()) else ""
        of_parts = [f"{count(many)} {part} pairs" for part, many in merged.items() if many]
        straddling = f"; {listed(of_parts)} are merged from rows before and after the cut" if of_parts else ""
        later = [share for f in folds if f.audit and (share := f.audit.get("train_later")) is not None]
        chance = f", and {later_words(sum(later) / len(later))}" if later else ""
        leaked, own = sum(o or 0 for o in older), sum(f.audit.get("older_than_own") or 0 for f in folds)
        if leaked == 0:
            yield f"{by_merged}no test rating is older than any training rating{straddling}"
        elif own == 0:
            same_user = f"{by_merged}no test rating is older than a training rating of the same user"
            yield f"{same_user}, but users have different cuts in time{chance}{straddling}"
        else:
            older_than_own = f"{roughly(own / tests)} of the test ratings are older than a training rating of the same user"
            yield f"the split does not follow time: {older_than_own}{chance}"
    cold = {
        what: sum(f.audit.get(f"cold_{what}_ratings") or 0 for f in folds if f.audit) / max(1, tests)
        for what in ("user", "item")
    }
    told_cold = [f"{roughly(value)} are of {what}s" for what, value in cold.items() if value > 0]
    if told_cold:
        yield f"of the test ratings {listed(told_cold)} without a training rating"


def users_section(study: Study, findings: Findings | None) -> Section:
    """Which users were tested, with their number."""
    chains = [listed([rule.phrase() for rule in chain]).replace(" and users with ", " and ") for chain in study.users]
    sentences = [f"we tested {enumerated([c or 'all users' for c in chains])}"]
    if len(chains) > 1:
        sentences = [f"we tested {number_word(len(chains))} selections of users: {enumerated(chains)}"]
    tested = sorted({row.users for row in findings.leaderboard if row.value is not None}) if findings is not None else []
    if len(tested) == 1:
        sentences[0] += f", {count(tested[0])} in all"
    elif tested:
        sentences[0] += f", between {count(tested[0])} and {count(tested[-1])} depending on the setting"
    chosen = [list(steps) for fold in (findings.splits if findings is not None else ()) for _, steps in fold.chosen]
    if (
        chosen and len(chosen[0]) > 1 and all(steps == chosen[0] for steps in chosen)
    ):  # where folds or filters differ, no one number holds for all
        cut = [(rule, n) for (_, before), (rule, n) in pairwise(chosen[0]) if n < before]
        left = [f"{count(n)} were left by `{rule}`" for rule, n in cut]
        sentences.append(f"of {count(chosen[0][0][1])} users {listed(left)}" if left else "")
    return Section("Users", (Paragraph(joined(*sentences)),))
