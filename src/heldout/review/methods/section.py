"""The experimental section of a paper, with a checklist of all decisions and the study file that repeats the experiment."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from heldout.analysis.findings import Findings
from heldout.analysis.notices import LeftOutMetric
from heldout.catalogue import KINDS, make, make_all
from heldout.experiment.failure import LeftOut, everywhere, left_out, remaining
from heldout.experiment.run_sources import RunSources, recorded_sources
from heldout.recommenders.foreign import Foreign
from heldout.review.methods.data import data_section, splitting_section, users_section
from heldout.review.methods.measures import (
    aggregation_section,
    candidates_section,
    comparison_section,
    metrics_section,
    never_zero,
    software_section,
)
from heldout.review.methods.parts import ChecklistRow, Methods
from heldout.review.methods.systems import systems_section
from heldout.review.study_under_review import StudyUnderReview
from heldout.study.comparison import DEFAULT_TESTS, NO_TEST
from heldout.study.record import recorded_study
from heldout.study.spec import DEFAULTS, KEYS, KINDS_OF_STAGE, Study
from heldout.study.systems import System
from heldout.text.phrases import listed


def methods_of_study(reviewed: StudyUnderReview) -> Methods:
    """The section of a study as one would write it; of a multiverse, with what its manifest knows."""
    return _methods(
        reviewed.study,
        None,
        reviewed.manifest,
        reviewed.left_out or (),
        reviewed.written,
        seeds=reviewed.seeds,
        universes=reviewed.universes,
    )


def methods_of_results(findings: Findings) -> Methods:
    """The section of a study whose results these are."""
    study = recorded_study(findings.manifest, findings.systems)
    failed = left_out(findings.manifest, [system.name for system in study.recommend])
    return _methods(study, findings, findings.manifest, failed, findings.manifest.get("given"))


def _methods(
    study: Study,
    findings: Findings | None,
    manifest: Mapping[str, Any] | None,
    failed: Sequence[LeftOut],
    keys: Sequence[str] | None,
    *,
    seeds: Sequence[int] = (),
    universes: int = 0,
) -> Methods:
    """All sections in the order in which data flow, the checklist and the study file; `seeds` are those of a multiverse."""
    compared = remaining(study, everywhere(failed))
    sources = recorded_sources(manifest or {})
    sections = (
        data_section(study, findings, sources),
        splitting_section(study, findings, sources),
        users_section(study, findings),
        systems_section(compared, findings, failed, sources),
        candidates_section(study, findings),
        metrics_section(study, _left_out(findings, manifest), primary=not universes),
        aggregation_section(study, findings, primary=not universes),
        comparison_section(compared, findings, universes, failed),
        software_section(study, manifest, seeds, sources),
    )
    decisions = tuple(checklist(study, seeds, findings=findings, keys=keys, failed=everywhere(failed), sources=sources))
    finished = findings is None and manifest is not None and manifest.get("complete", True)
    return Methods(
        title=study.title,
        measured=findings is not None,
        sections=sections,
        checklist=decisions,
        study=study_file(study, seeds, sources),
        explored=universes if finished else 0,
    )


def _left_out(findings: Findings | None, manifest: Mapping[str, Any] | None) -> list[str]:
    """Which metrics were not measured of what, and why: from results, or from the manifest of a multiverse."""
    if findings is not None:
        return [notice.message for notice in findings.notices if notice.code == LeftOutMetric.key]
    return list((manifest or {}).get("left_out", ()))


_LETTERS = {stage: KINDS[kind].decision or "B" for stage, kind in KINDS_OF_STAGE.items()}
QUESTIONS = tuple(
    (stage, letter, KEYS[stage].question)
    for stage, letter in sorted(_LETTERS.items(), key=lambda pair: "B1" if pair[1] == "B" else pair[1])
    if KEYS[stage].question
)
"""Stage, letter of Cañamares, Castells and Moffat (2020), and the question."""


def checklist(
    study: Study,
    seeds: Sequence[int] = (),
    *,
    findings: Findings | None = None,
    keys: Collection[str] | None = None,
    failed: Collection[str] = (),
    sources: RunSources | None = None,
) -> Iterator[ChecklistRow]:
    """All decisions, A1 to D, and the three that precede them; `seeds` are those of a multiverse.

    `sources` are the inputs of an evaluation. By `findings`, metrics that were left out are no exceptions from a rule.

    A default is what no key of `keys`, those that somebody wrote, asks for; where they are not known nothing is called one.
    """

    def left(key: str, *, usual: bool) -> bool:
        return usual and keys is not None and key not in keys

    yield ChecklistRow("–", "Task", (study.task,), left("task", usual=study.task == "some_good_items"))
    drawn = tuple(seeds or (study.seed,))
    written = keys is not None and "multiverse.seeds" in keys
    yield ChecklistRow("–", "Seed", tuple(map(str, drawn)), left("seed", usual=drawn == (1,) and not written))
    options = dict(study.options())
    for stage, letter, question in QUESTIONS:
        chosen = options.get(stage, ())
        if stage == "data" and sources is not None:
            chosen = tuple(source.file or role for role, source in sources.roles.items() if source in sources.rated)
        if stage == "recommend":
            chosen = tuple(_system(s, failed=s.name in failed) for s in study.recommend)
        usual = chosen == _default(stage) or stage == "relevance"  # where it is not written, the ratings' scale decides
        if stage in ("undefined", "coverage") and (metrics := never_zero(study, findings)):
            note = f" (users without a value are left out of {listed(metrics)})"
            chosen = tuple(f"{rule.full_text}{note if rule.as_zero else ''}" for rule in getattr(study, stage))
        yield ChecklistRow(letter, question, chosen or ("given",), left(stage, usual=usual))
        if stage == "split":
            carved = study.validation.full_text if study.validation is not None else "none"
            yield ChecklistRow("A2", "Validation part", (carved,), left("validation", usual=study.validation is None))
            group = "none" if study.development is None else f"{study.development:g}"
            yield ChecklistRow(
                "A2", "Development group of users", (group,), left("development", usual=study.development is None)
            )
    compare = study.compare
    tests = tuple(t.full_text for t in compare.tests)
    default_tests = tuple(c.full_text for text in DEFAULT_TESTS for c in make_all("test", text))
    yield ChecklistRow("D", "Significance tests", tests or (NO_TEST,), left("compare.tests", usual=tests == default_tests))
    pairs = f"with {compare.baseline}" if compare.baseline else "all"
    for key, question, choice, default in (
        ("correction", "Correction for many comparisons", str(compare.correction), "holm"),
        ("level", "Level of significance", f"{compare.level:g}", "0.05"),
        ("baseline", "Pairs compared", pairs, "all"),
        ("folds", "Folds of a user", compare.folds, "average"),
        ("group", "Group of users compared", compare.group, "evaluation"),
    ):
        yield ChecklistRow("D", question, (choice,), left(f"compare.{key}", usual=choice == default))


def _system(system: System, *, failed: bool) -> str:
    model = system.recommender
    named = system.name if system.name == model.full_text or not model.key else f"{system.name}: {model.full_text}"
    return f"{named} (failed, left out)" if failed else named


def _default(stage: str) -> tuple[str, ...] | None:
    """The full text of the options that a study takes when it names none; None if there is no default."""
    if stage not in DEFAULTS:
        return None
    if stage == "filters":
        return ("none",)
    value: Any = DEFAULTS[stage]
    listed = value if isinstance(value, list) else [value]
    kind = KINDS_OF_STAGE[stage]
    if stage == "users":
        return tuple(str(make(kind, text)) for text in listed)
    return tuple(c.full_text for text in listed for c in make_all(kind, text))


STAGES = tuple(s for s in KINDS_OF_STAGE if s not in ("data", "filters", "users", "recommend", "compare"))
"""The stages that are written alike."""


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
