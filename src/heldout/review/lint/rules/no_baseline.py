"""HO414: no system that knows nothing of the user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from heldout.recommenders.foreign import Foreign
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject
from heldout.study.systems import System


class NoBaseline(Rule):
    """No baseline that is the same for all users is among the systems.

    Assumes: Popularity, AverageRating and Random are. Of models and runs made elsewhere, the declared `baseline` of the
    comparison is, and a run whose lists all follow one order of items, whatever its name. Runs that are read in pieces are
    not checked.

    Example: recommend = ["UserKNN", "WRMF"]; not recommend = ["Popularity", "UserKNN", "WRMF"].
    """

    key = "HO414"
    title = "No simple baseline"
    severity = "warning"
    stage = "recommend"
    references = ("ferraridacrema2019", "bellogin2017")
    explanation = """
Without a system that knows nothing of the user it is not seen whether personal recommendation gains anything, and
without a well-tuned simple method whether the new one does: most of the neural methods that Ferrari Dacrema, Cremonesi
and Jannach (2019) could reproduce were beaten by nearest neighbours or popularity. Popularity is hard to beat under
random splits (Bellogín, Castells and Cantador 2017). Add `"Popularity"` and `"Random"`, and a neighbourhood or linear
model."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        systems = subject.study.recommend
        if systems and not any(_simple(system, subject) for system in systems) and not _unknown(subject):
            wanted = ("AverageRating",) if subject.study.task == "predict_ratings" else ("Popularity", "Random")
            change = subject.add("recommend", *wanted)
            if not subject.study.split:
                change = (
                    f"judge the lists of {' and '.join(wanted)} as well (heldout recommend writes them), or declare the run "
                    "that is one as the baseline"
                )
            yield self.finding("No baseline that is the same for all users is compared", change)


def _simple(system: System, subject: Subject) -> bool:
    """Whether a system is known to recommend the same to all users, by its class, its declared role or its lists."""
    declared = isinstance(system.recommender, Foreign) and system.name == subject.study.compare.baseline
    return system.recommender.impersonal or declared or _lists(subject).get(system.name, {}).get("same_for_all", False)


def _lists(subject: Subject) -> Mapping[str, Mapping[str, Any]]:
    return subject.evidence.lists if subject.evidence is not None else {}


def _unknown(subject: Subject) -> bool:
    """True if runs made elsewhere were judged and nothing is known of their lists."""
    return not subject.study.split and not _lists(subject)
