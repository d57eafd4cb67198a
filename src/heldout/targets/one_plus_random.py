"""One relevant item among sampled ones."""

from __future__ import annotations

from heldout.catalogue import REQUIRED, Coerced, param
from heldout.catalogue.prose import cite
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.target import Average, Estimator, Form, Target


class OnePlusRandom(Target):
    """Each relevant test item is ranked alone among N sampled items that the user rated nowhere (TI-1R-NN).

    Assumes: sampled items are not relevant. N items are drawn without replacement once per user from the items with a
    test rating by someone, the same for all systems; where fewer exist, all of them are taken. Values are those of a small
    catalogue, and sampling can reverse an order of systems that the full ranking shows. The study's relevance rule says
    which test ratings get a list. The papers take the highest rating only: `relevance=threshold(5)` states that.

    Example: with N = 99 a random ranking puts the relevant item first in one list of 100.
    """

    key = "OnePlusRandom"
    references = ("bellogin2011", "cremonesi2010", "krichene2020")
    formula = "T_{u,i} = {i} ∪ N_u,  i ∈ PR_te(u),  N_u ⊂ ⋃_v Te_v ∖ R_u"
    lacks = "the scores of the sampled items are needed, and a list of top items holds few of them"

    nonrelevant: int = param(REQUIRED, "N, sampled items in each list", least=1, also=("N",))
    relevance: Coerced[RelevanceRule | None, str] = param(
        None, "a rule of its own for which test ratings get a list, instead of the study's"
    )
    average: Average = param("user", "lists are averaged per user first, or each counts the same")
    corrected: Coerced[Estimator | None, str] = param(None, "estimates values of the full ranking: cls or bv(gamma=0.1)")

    @property
    def form(self) -> Form:
        return Form(
            candidates="test",
            single=True,
            sample=self.nonrelevant,
            pool="unrated",
            average=self.average,
            corrected=self.corrected,
        )

    @property
    def own_relevance(self) -> RelevanceRule | None:
        return self.relevance

    def phrase(self) -> str:
        ranked = (
            f"each relevant test item was ranked alone among {self.nonrelevant} sampled items that the user had not rated"
        )
        cited = cite(("cremonesi2010", "bellogin2011"))
        stated = "" if self.relevance is None else f"; here {self.relevance.phrase()}"
        return f"{ranked}{cited}{stated}{self.average_phrase()}{self.correction_phrase()}"
