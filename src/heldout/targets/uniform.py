"""Targets of a split whose test items all have the same number of test ratings."""

from __future__ import annotations

from heldout.catalogue import REQUIRED, param
from heldout.catalogue.prose import cite
from heldout.targets.target import Average, Form, Target


class UAR(Target):
    """The test items compete, all relevant ones in one list, under a split that tests every item equally often.

    Assumes: the split is `uniform_test`, so that popularity has no advantage; other splits are refused. The candidates are
    its ζ test items.

    Example: with ζ = 1,703 test items and 40 of them in the user's train, 1,663 are ranked.
    """

    key = "UAR"
    references = ("bellogin2017",)
    formula = "T_u = T ∖ Tr_u,  T = {i_1, …, i_ζ},  |Te(i)| = η for i ∈ T"

    @property
    def form(self) -> Form:
        return Form(candidates="test", uniform=True)

    def phrase(self) -> str:
        return f"the test items, all tested equally often, were ranked for each user{cite(('bellogin2017',))}"


class U1R(Target):
    """Each relevant item competes with N sampled test items, under a split that tests every item equally often.

    Assumes: as UAR; the sample is drawn from the ζ test items that are not relevant and not in the user's train.

    Example: with N = 99 a random ranking puts the relevant item first in one list of 100.
    """

    key = "U1R"
    references = ("bellogin2017",)
    formula = "T_{u,i} = {i} ∪ N_u,  N_u ⊂ T ∖ PR_te(u) ∖ Tr_u,  |Te(i)| = η for i ∈ T"
    lacks = "the scores of the sampled items are needed, and a list of top items holds few of them"

    nonrelevant: int = param(REQUIRED, "N, sampled items in each list", least=1, also=("N",))
    average: Average = param("rating", "each list counts the same, or lists are averaged per user first")

    @property
    def form(self) -> Form:
        return Form(candidates="test", single=True, sample=self.nonrelevant, average=self.average, uniform=True)

    def phrase(self) -> str:
        return (
            f"each relevant test item was ranked alone among {self.nonrelevant} sampled test items, all tested equally often"
            f"{cite(('bellogin2017',))}{self.average_phrase()}"
        )


class P1R(Target):
    """Each relevant item competes with N sampled items of its own popularity class.

    Assumes: items are cut into m classes of equal size by their ratings in train and test; the metric is averaged within a
    class, then over classes. Of equally popular items on a boundary, those with lower ids are in the more popular class.
    The candidates are the items with a test rating by someone.

    Example: with m = 10 an item of the most popular tenth competes with others of that tenth.
    """

    key = "P1R"
    references = ("bellogin2017",)
    formula = "T_{u,i} = {i} ∪ N_u^k,  N_u^k ⊂ C ∩ I_k ∖ PR_te(u) ∖ Tr_u,  i ∈ I_k"
    lacks = "the scores of the sampled items are needed, and a list of top items holds few of them"

    nonrelevant: int = param(REQUIRED, "N, sampled items in each list", least=1, also=("N",))
    percentiles: int = param(10, "m, popularity classes of equal size", least=2, also=("m",))

    @property
    def form(self) -> Form:
        return Form(candidates="test", single=True, sample=self.nonrelevant, percentiles=self.percentiles, average="rating")

    def phrase(self) -> str:
        return (
            f"each relevant test item was ranked alone among {self.nonrelevant} sampled items of its own class of "
            f"popularity (of {self.percentiles} classes of equal size){cite(('bellogin2017',))}"
        )
