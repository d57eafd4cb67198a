"""The checklist: every decision of an offline evaluation, what was chosen, and whether that is the default."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from heldout.catalogue import make, make_all
from heldout.report.methods_parts import Decision
from heldout.study.comparison import DEFAULT_TESTS
from heldout.study.spec import DEFAULTS, KINDS_OF_STAGE, Study

QUESTIONS = (
    ("data", "A1", "Data set"),
    ("filter", "A1", "Selection of ratings, users and items"),
    ("split", "A2", "Division into training and test"),
    ("users", "B1", "Users who are tested"),
    ("recommend", "B", "Systems"),
    ("fallback", "B2", "Items that a system cannot score"),
    ("target", "C1", "Candidate items"),
    ("unrated", "C1", "Unrated items"),
    ("ties", "C1", "Items of equal score"),
    ("relevance", "C2", "What is relevant"),
    ("measure", "C2", "Metrics, gains and cut-offs"),
    ("aggregate", "C3", "Users to one number"),
    ("undefined", "C3", "Undefined values"),
    ("coverage", "C4", "Users without recommendations"),
)
"""Stage, letter of Cañamares, Castells and Moffat (2020), and the question."""


def checklist(study: Study, seeds: Sequence[int] = ()) -> Iterator[Decision]:
    """All decisions, A1 to D, and the three that precede them; `seeds` are those of a multiverse."""
    yield Decision("–", "Task", (study.task,), study.task == "some_good_items")
    yield Decision("–", "Seed", tuple(str(seed) for seed in seeds or (study.seed,)), tuple(seeds or (study.seed,)) == (1,))
    options = dict(study.options())
    for stage, letter, question in QUESTIONS:
        chosen = options.get(stage, ())
        if stage == "recommend":
            chosen = tuple(
                s.name
                if s.name == s.recommender.full_text or not s.recommender.key
                else f"{s.name}: {s.recommender.full_text}"
                for s in study.recommend
            )
        yield Decision(letter, question, chosen or ("given",), chosen == _default(stage))
        if stage == "split":
            carved = study.validation.full_text if study.validation is not None else "none"
            yield Decision("A2", "Validation part", (carved,), study.validation is None)
            group = "none" if study.development is None else f"{study.development:g}"
            yield Decision("A2", "Development group of users", (group,), study.development is None)
    compare = study.compare
    tests = tuple(t.full_text for t in compare.tests)
    usual = tuple(c.full_text for text in DEFAULT_TESTS for c in make_all("test", text))
    yield Decision("D", "Significance tests", tests, tests == usual)
    yield Decision("D", "Correction for many comparisons", (str(compare.correction),), str(compare.correction) == "holm")
    yield Decision("D", "Level of significance", (f"{compare.level:g}",), compare.level == 0.05)
    yield Decision(
        "D", "Pairs compared", (f"with {compare.baseline}" if compare.baseline else "all",), compare.baseline is None
    )
    yield Decision("D", "Folds of a user", (compare.folds,), compare.folds == "average")
    yield Decision("D", "Group of users compared", (compare.group,), compare.group == "evaluation")


def _default(stage: str) -> tuple[str, ...] | None:
    """The full text of the options that a study takes when it names none; None where there is no default."""
    if stage not in DEFAULTS:
        return None
    if stage == "filter":
        return ("none",)
    value: Any = DEFAULTS[stage]
    listed = value if isinstance(value, list) else [value]
    kind = KINDS_OF_STAGE[stage]
    if stage == "users":
        return tuple(str(make(kind, text)) for text in listed)
    return tuple(c.full_text for text in listed for c in make_all(kind, text))
