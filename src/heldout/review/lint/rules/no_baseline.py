"""HO414: no system that knows nothing of the user."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule
from heldout.review.lint.subject import Subject
from heldout.study.protocol import System


class NoBaseline(Rule):
    """No baseline that is the same for all users is among the systems.

    Assumes: Popularity, AverageRating and Random are; so is a system whose name says popular or random.

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
        if systems and not any(_simple(system) for system in systems):
            wanted = ("AverageRating",) if subject.study.task == "predict_ratings" else ("Popularity", "Random")
            change = subject.add("recommend", *wanted)
            if not subject.study.split:
                change = f"judge the lists of {' and '.join(wanted)} beside the runs (heldout recommend writes them)"
            yield self.finding("no baseline that is the same for all users is compared", change)


def _simple(system: System) -> bool:
    name = system.name.casefold()
    return system.recommender.impersonal or "popular" in name or "random" in name
