"""The checklist: every decision of an offline evaluation, what was chosen, and whether that is the default."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from heldout.analysis.findings import Findings
from heldout.catalogue import make, make_all
from heldout.experiment.run_sources import RunSources
from heldout.review.methods.measures import never_zero
from heldout.review.methods.parts import ChecklistRow
from heldout.study.comparison import NO_TEST
from heldout.study.protocol import System
from heldout.study.spec import Study
from heldout.study.stages import DEFAULT_TESTS, DEFAULTS, KINDS_OF_STAGE
from heldout.words import listed

QUESTIONS = (
    ("data", "A1", "Data set"),
    ("filters", "A1", "Selection of ratings, users and items"),
    ("split", "A2", "Division into training and test"),
    ("users", "B1", "Users who are tested"),
    ("recommend", "B", "Systems"),
    ("fallback", "B2", "Items that a system cannot score"),
    ("target", "C1", "Candidate items"),
    ("unrated", "C1", "Unrated items"),
    ("ties", "C1", "Items of equal score"),
    ("relevance", "C2", "What is relevant"),
    ("metrics", "C2", "Metrics, gains and cut-offs"),
    ("aggregate", "C3", "Users to one number"),
    ("undefined", "C3", "Undefined values"),
    ("coverage", "C4", "Users without recommendations"),
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
    """The full text of the options that a study takes when it names none; None where there is no default."""
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
