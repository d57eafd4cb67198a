"""The relevance rule of a study that names none: taken from the scale of its ratings, said, refused where it misleads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from heldout.catalogue import make
from heldout.catalogue.notices import Notice
from heldout.data.filter import Filter
from heldout.errors import InputError, SpecError
from heldout.metrics.metric import Metric
from heldout.study.compatibility import asks_relevance
from heldout.study.protocol import Protocol, chain_text
from heldout.study.spec import Study
from heldout.tables import Interactions, Split
from heldout.tables.cell_scores import MeasuredUsers
from heldout.targets.relevance.by_scale import ScaleGuess, guess_relevance
from heldout.targets.relevance_rule import RelevanceRule

FilteredSource = tuple[str, tuple[Filter, ...], Callable[[int], Interactions | None]]
"""The name of a data set, a chain of filters, and what filters the data under a seed."""
MOST = 0.5
"""Share of users without a relevant test item from which a guessed rule is refused."""


def settle(study: Study, sources: Iterable[FilteredSource]) -> tuple[Study, Iterable[FilteredSource]]:
    """The study with its relevance rule settled, and the sources; where ratings must be looked at, all are read here."""
    if not study.guessing():
        return study, sources
    read = list(sources)
    guesses = {label: guess_relevance(values) for label, values in _scales(study, read)}
    rules = {guess.rule: f"{label}: {guess.rule} ({guess.because})" for label, guess in guesses.items()}
    if len(rules) > 1:
        raise SpecError(
            "no rule is written, and the data call for different ones",
            where="relevance",
            found=list(rules.values()),
            hint='write one that fits them all, such as relevance = "user_mean", or study them apart',
        )
    return study.with_guess(next(iter(guesses.values()), None)), read


def judged_by_relevance(protocol: Protocol, metrics: Sequence[Metric]) -> bool:
    """True if any value depends on which test ratings are relevant."""
    shared = [target for target in protocol.target if target.own_relevance is None]
    by_target = any(target.single or target.form.by_relevance for target in shared)
    by_users = any(rule.by_relevance for chain in protocol.users for rule in chain)
    return bool(shared) and (by_target or by_users or any(asks_relevance(metric) for metric in metrics))


def settle_by_split(study: Study, split: Split) -> Study:
    """The study with its relevance rule settled by the scale of all ratings of a split."""
    return study.with_guess(guess_relevance(_values(split))) if study.guessing() else study


def _scales(study: Study, sources: Iterable[FilteredSource]) -> Iterator[tuple[str, Any]]:
    """Every filtered data set with its ratings; where the split brings the data, those of its first fold."""
    for name, chain, filtering in sources:
        data = filtering(study.seed)
        if data is not None:
            yield f"{name} after {chain_text(chain)}" if chain else name, data.value
            continue
        for splitter in study.split:
            split = next(splitter.split(None, seed=study.seed), None)
            if split is not None:
                yield str(splitter), _values(split)


def _values(split: Split) -> Any:
    parts = [split.train, split.test, *([split.validation] if split.validation is not None else [])]
    return np.concatenate([part.value for part in parts])


def refuse_unserved(protocol: Protocol, metrics: Sequence[Metric], test: Interactions, train: Interactions | None) -> None:
    """Raise InputError if a guessed rule leaves most users with test ratings without a relevant one."""
    guess = protocol.guess
    if guess is None or not judged_by_relevance(protocol, metrics):
        return
    rule = guess.rule
    tested = test.active_users
    without = users_without_relevant(rule, test, train)
    if without <= MOST * tested:
        return
    least = float(test.value[test.value > 0].min(initial=np.inf))
    others = [*([f"threshold({least:.10g})"] if np.isfinite(least) else []), "user_mean", "user_top(0.2)"]
    left = {text: users_without_relevant(make("relevance", text), test, train) for text in others}
    rules = "".join(f', relevance = "{text}" ({missing:,})' for text, missing in left.items() if missing < without)
    raise InputError(
        f"no rule is written; {rule}, since {guess.because}, leaves {without:,} of {tested:,} users with test ratings "
        "without a relevant one, and they would count as 0",
        hint=f'write the rule that is meant (in brackets the users left without): relevance = "{rule}" ({without:,}){rules}',
    ).within("relevance")


def users_without_relevant(rule: RelevanceRule, test: Interactions, train: Interactions | None) -> int:
    """How many of the users with test ratings have no relevant one."""
    relevant = np.bincount(test.user, rule.of_test(test, train), test.n_users) > 0
    return int(((test.user_counts > 0) & ~relevant).sum())


def about_guess(protocol: Protocol, metrics: Sequence[Metric], measured: Iterable[MeasuredUsers]) -> Iterator[Notice]:
    """HO106: the rule that was taken, why, and how many users it leaves without a relevant test item."""
    guess = protocol.guess
    if guess is None or not judged_by_relevance(protocol, metrics):
        return
    without, of = 0, 1
    for counts in measured:
        if counts.protocol.relevance == str(guess.rule) and counts.without_relevant * of > without * counts.tested:
            without, of = counts.without_relevant, counts.tested
    left = f"; {without:,} of {of:,} users with test ratings have no relevant one" if without else ""
    yield Notice("HO106", guess_sentence(guess) + left)


def guess_sentence(guess: ScaleGuess) -> str:
    """That a rule was taken, which, and why."""
    return f"No rule is written, and {guess.rule} was taken, since {guess.because}"


def about_kept_guess(study: Study) -> Iterator[Notice]:
    """HO106 of a study whose scores are not at hand, such as a multiverse: the rule that was taken, and why."""
    if study.guess is not None and judged_by_relevance(study, study.metrics):
        yield Notice("HO106", guess_sentence(study.guess))
