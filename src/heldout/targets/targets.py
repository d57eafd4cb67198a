"""The general form of a target protocol."""

from __future__ import annotations

from typing import Literal

from heldout.catalogue import Coerced, param
from heldout.catalogue.prose import cite, share
from heldout.errors import SpecError
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.target import Average, Candidates, Estimator, Form, Pool, Target


class Targets(Target):
    """Any protocol, by its choices: who may compete, with how many relevant items in a list, among how many others.

    Assumes: N items are drawn without replacement once per user (and class), the same for all systems; where fewer exist,
    all of them are taken. Classes are of equal size by the number of ratings in train and test; their lists are averaged
    within a class, then over classes. The head leaves the test, what is relevant and the candidates; training keeps it. Of
    equally popular items on a boundary of a class or the head, those with lower ids are in the more popular part.

    Example: `targets(candidates=test, relevant=one, nonrelevant=99, percentiles=10)` ranks each relevant item among 99 items
    of about its own popularity; `targets()` is AllItems.
    """

    key = "targets"
    references = ("bellogin2017", "bellogin2011", "cremonesi2010", "krichene2020")
    formula = "T_u = (PR_te(u) ∩ C) ∪ N_u, or one list {i} ∪ N_u for each i in PR_te(u) ∩ C;  N_u ⊆ C ∖ PR_te(u) ∖ Tr_u"

    candidates: Candidates = param("all", "C: all items, those with a test rating by someone, or with a training rating")
    relevant: Literal["all", "one"] = param("all", "one list with all relevant items, or one list for each")
    nonrelevant: int | Literal["all"] = param("all", "all others compete, or N sampled ones", least=1, also=("N",))
    percentiles: int = param(
        1, "popularity classes of equal size; the items of a list are of one class", least=1, also=("m",)
    )
    pool: Pool = param("nonrelevant", "others are all that is not relevant, or what the user rated nowhere")
    head: float = param(0.0, "share of the most popular items that leaves the test", least=0, below=1)
    relevance: Coerced[RelevanceRule | None, str] = param(None, "a rule of its own instead of the study's")
    average: Average | None = param(
        None, "lists of one relevant item: users count the same (default), or ratings (default within classes)"
    )
    corrected: Coerced[Estimator | None, str] = param(None, "estimates values of the full ranking: cls or bv(gamma=0.1)")

    def check(self) -> None:
        single = self.relevant == "one"
        if self.percentiles > 1 and not single:
            raise SpecError(
                "a list with all relevant items mixes the classes",
                where="targets: 'percentiles'",
                found=self.percentiles,
                hint="add relevant=one",
            )
        if self.average is not None and not single:
            raise SpecError(
                "only lists of one relevant item are averaged",
                where="targets: 'average'",
                found=self.average,
                hint="add relevant=one",
            )
        if self.corrected is not None and not (single and self.nonrelevant != "all"):
            raise SpecError(
                "only sampled lists of one relevant item are corrected",
                where="targets: 'corrected'",
                found=str(self.corrected),
                hint="add relevant=one and a number of nonrelevant",
            )

    @property
    def form(self) -> Form:
        return Form(
            candidates=self.candidates,
            single=self.relevant == "one",
            sample=None if self.nonrelevant == "all" else int(self.nonrelevant),
            percentiles=self.percentiles,
            pool=self.pool,
            head=self.head,
            average=self.average or ("rating" if self.percentiles > 1 else "user"),
            corrected=self.corrected,
        )

    @property
    def own_relevance(self) -> RelevanceRule | None:
        return self.relevance

    def phrase(self) -> str:
        among = {"all": "all items", "test": "the items with a test rating", "training": "the items with a training rating"}
        form = self.form
        what = "each relevant test item was ranked alone" if form.single else "all relevant test items were ranked together"
        others = f"{form.sample} sampled" if form.sample else "all other"
        pool = " that the user had rated nowhere" if form.pool == "unrated" else ""
        text = f"{what} with {others} candidates{pool}, drawn from {among[form.candidates]}"
        if form.percentiles > 1:
            text += f" of its own class of popularity (of {form.percentiles})"
        if form.head:
            text += f", the most popular {share(form.head)} of the items being left out of the test"
        return f"{text}{cite(('bellogin2017',))}{self.average_phrase() if form.single else ''}{self.correction_phrase()}"
