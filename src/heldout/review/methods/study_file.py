"""The study file that repeats an experiment, written out with every choice."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from heldout.experiment.run_sources import RunSources
from heldout.recommenders.foreign import Foreign
from heldout.study.spec import Study

STAGES = ("split", "fallback", "relevance", "target", "unrated", "ties", "metrics", "aggregate", "undefined", "coverage")


def study_file(study: Study, seeds: Sequence[int] = (), sources: RunSources | None = None) -> str:
    """TOML that `heldout run` takes; what existed only in memory stands as a comment that says so."""
    multiverse = ["", "[multiverse]", f"seeds = {list(seeds)}"] if seeds else []
    return "\n".join([*_lines(study, sources), *multiverse]) + "\n"


def _lines(study: Study, evaluated: RunSources | None) -> Iterator[str]:
    if not study.split:
        yield "# The lists were made elsewhere: `heldout evaluate` judges them again with these choices."
    for role, source in evaluated.roles.items() if evaluated is not None else ():
        yield f"# {role}: {_text(source.file) if source.file else 'a table in memory'}"
    yield f"title = {_text(study.title)}"
    yield f"task = {_text(study.task)}"
    yield f"seed = {study.seed}"
    sources = [source.full_text for source in study.data]
    if all(hasattr(source, "key") for source in study.data) and sources:
        yield f"data = {_options(sources)}"
    elif sources and evaluated is None:
        yield f"# data = {_options(sources)} was a table in memory: name the file that holds it"
    yield f"filters = {_chains(study.filters)}"
    for stage in STAGES:
        if stage == "fallback":
            yield f"users = {_chains(study.users)}"
            if study.validation is not None:
                yield f"validation = {_text(study.validation.full_text)}"
            if study.development is not None:
                yield f"development = {study.development:g}"
            if evaluated is None:
                yield from _systems(study)
        options = [option.full_text for option in getattr(study, stage)]
        if options:
            yield f"{stage} = {_options(options)}"
        if stage == "metrics" and study.objectives:
            yield f"objectives = {_options([m.full_text for m in study.objectives])}"
    compare = study.compare
    yield ""
    yield "[compare]"
    yield f"tests = {_options([t.full_text for t in compare.tests])}"
    yield f"correction = {_text(compare.correction.full_text)}"
    yield f"level = {compare.level:g}"
    if compare.baseline is not None:
        yield f"baseline = {_text(compare.baseline)}"
    yield f"folds = {_text(compare.folds)}"
    yield f"group = {_text(compare.group)}"


def _systems(study: Study) -> Iterator[str]:
    if not study.split:
        yield f"# runs: {', '.join(_text(system.name) for system in study.recommend)}"
        return
    yield "recommend = ["
    for system in study.recommend:
        recommender = system.recommender
        if isinstance(recommender, Foreign) or not recommender.key:
            yield f"  # {_text(system.name)} was a program: give it as a model"
        else:
            yield f"  {{ name = {_text(system.name)}, model = {_text(recommender.full_text)} }},"
    yield "]"


def _chains(chains: Sequence[Sequence[Any]]) -> str:
    return "[" + ", ".join("[" + ", ".join(_text(option.full_text) for option in chain) + "]" for chain in chains) + "]"


def _options(options: Sequence[str]) -> str:
    return _text(options[0]) if len(options) == 1 else "[" + ", ".join(_text(option) for option in options) + "]"


def _text(value: str) -> str:
    """A TOML string: JSON's escapes are TOML's too."""
    return json.dumps(value, ensure_ascii=False)
