"""Coded warnings about method: each code has a title and a page of explanation, written once, here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    """What a code means and what to do about it."""

    title: str
    text: str


PAGES: dict[str, Page] = {
    "HO101": Page(
        "Training items in a run",
        """
A run recommends items that the user rated in the training set. They cannot be test items, so they only push others down,
and systems that filter them are compared with systems that do not. They are dropped from the lists, and counted. Filter
them before writing the run, or, if repeat consumption is the task, evaluate without naming the training set.""",
    ),
    "HO102": Page(
        "Different users are averaged",
        """
Under `coverage = forgive` each system is averaged over the users it recommends to. Where systems cover different users,
their averages are over different people, and a system can gain by refusing the difficult ones (Cañamares, Castells and
Moffat 2020, Figure 8). Pairs are tested on their common users. Read the coverage beside each value, or choose
`coverage = zero` or `intersection`.""",
    ),
    "HO103": Page(
        "Users without recommendations",
        """
Some tested users have no list from a system. Under `coverage = zero` they count as 0, under `forgive` they are left out.
The share of users covered stands beside every value.""",
    ),
    "HO104": Page(
        "Run users outside the test set",
        """
A run holds lists of users who have no test rating. They cannot be judged and are ignored. If they are many, the run may
belong to another split.""",
    ),
    "HO201": Page(
        "Sampled targets",
        """
Ranking one relevant item among a few sampled ones is not the ranking of a catalogue: the values are those of a small
catalogue and the order of systems can differ from that of the full ranking (Krichene and Rendle 2020; Cañamares and
Castells 2020). Use AllItems for conclusions, or report both.""",
    ),
    "HO202": Page(
        "Only test ratings compete",
        """
Under TestRatings a system never has to tell rated from unrated items, which is most of the work of recommending. Values
are far above those of real lists, and systems that predict ratings look better than they are (Bellogín, Castells and
Cantador 2011).""",
    ),
    "HO301": Page(
        "bpref in lists of one relevant item",
        """
A list of one relevant item among unrated ones holds no judged non-relevant item, so bpref is 1 whenever the relevant
item is ranked at all. It says nothing about the systems.""",
    ),
    "HO302": Page(
        "No judged non-relevant items",
        """
All test ratings are relevant under the study's rule. Then bpref is 1 for every relevant item met, and infAP infers
precision from relevant items alone: both reduce to a kind of recall.""",
    ),
    "HO303": Page(
        "All ratings are equal",
        """
All test ratings have one value, so a graded gain tells no items apart: nDCG with gain=linear equals nDCG with
gain=binary, if the value counts as relevant.""",
    ),
    "HO401": Page(
        "Many users",
        """
With thousands of users tiny differences are significant. Read the difference, its interval and the effect size first;
a small p-value only says that the difference is not 0.""",
    ),
    "HO402": Page(
        "Few users",
        """
With so few users only large differences can be detected, and a p-value above the level does not show that two systems
are equal. Read the confidence interval.""",
    ),
    "HO501": Page(
        "Small test set",
        """
The test part is very small: averages over so few ratings vary a great deal from split to split. Repeat the split with
other seeds or use folds.""",
    ),
}
