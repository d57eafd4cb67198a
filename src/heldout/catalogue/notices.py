"""Coded warnings about method: each code has a title and a page of explanation, written once, here."""

from __future__ import annotations

from dataclasses import dataclass

from heldout.catalogue.page import Page
from heldout.catalogue.pages import averages, comparison, data, metrics, targets


@dataclass(frozen=True)
class Notice:
    """A coded warning about method; the code is a key of `PAGES`."""

    code: str
    message: str


PAGES: dict[str, Page] = {
    **targets.PAGES,
    **metrics.PAGES,
    **comparison.PAGES,
    **data.PAGES,
    **averages.PAGES,
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
    "HO106": Page(
        "The relevance rule was guessed",
        """
No rule was written for which test ratings are relevant, so it was taken from the scale of the ratings (`heldout describe
by_scale`): the upper two fifths of a rating scale, which is from 4 on of 1 to 5; every play, purchase or click where values
are counts or all alike; from 1 on where they are grades of 0 to 4. One stray rating can change the guess, and with it every
binary metric. A guess that leaves most users with test ratings without a relevant one is refused. Write the rule that is
meant: `relevance = "threshold(4)"`, or `--relevance` on the command line.""",
    ),
    "HO105": Page(
        "Lists cut short by the target",
        """
A run was made for all items, and a target takes only its own candidates from it. Where fewer of them are left than the
cut-off asks for, though more exist, what would have stood below the end of the run is not known. Such lists count as
short: read the coverage, lower the cut-off, or write longer runs.""",
    ),
    "HO108": Page(
        "Left out because it does not apply",
        """
A metric has no value for this system, under this target or by this aggregation: rating errors of a system whose scores are
no ratings, the geometric mean of a correlation that may be negative, the ratio of sums of a metric that is no ratio. The
pair was left out before anything was fitted, and everything else was measured: systems that lack a metric have no row under
it, and the others are compared among themselves. A metric may name its own aggregation, beside others that are averaged:
{ metric = "HLU", aggregate = "pooled" }.""",
    ),
    "HO107": Page(
        "A system failed",
        """
A recommender raised an error while it was fitted or asked for scores, ran out of memory, or scored nothing at all. Its
cells are marked as failed with the reason (`failed` in manifest.json; the traceback is in the table `failures` of
index.sqlite), it is left out of every table and comparison, and all other systems are complete; the command ends with code
3. Mend the cause and run the same study again: only what failed is tried anew.""",
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
    "HO304": Page(
        "Cut-off beyond the candidates",
        """
No list is as long as the metric looks. Every list then holds all that can be recommended, so recall is 1 wherever the
system scores everything, precision counts empty places as misses, and HitRate tells only who has a relevant item at all.
Choose a smaller cut-off, or a target with more candidates.""",
    ),
    "HO305": Page(
        "Undefined errors are left out",
        """
Where lower values are better, as with RMSE, an undefined value counted as 0 would be the best possible one, and a system
that predicts nothing would win. Under `undefined = zero` such users are left out for these metrics, and counted; the share
of ratings that was predicted stands beside.""",
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
    "HO403": Page(
        "A test that does not answer for an aggregation",
        """
Tests of means (t, permutation, bootstrap, tukey) say nothing of a median or a trimmed mean; tests of ranks (wilcoxon, sign,
friedman, bayes) know no weights; no test is known for trisk, zrisk and georisk. Where a study asks for several tests and
aggregations, each aggregation is tested by those that answer for it, and the others stay blank. Choose a test for each
aggregation you report: t or permutation for means, on logarithms for gmean, sign or wilcoxon for a median.""",
    ),
    "HO404": Page(
        "Folds are pooled",
        """
A user who is tested in several folds has several values, and these are not independent: the training sets of folds share
most of their ratings, and no unbiased estimate of the variance over folds exists (Bengio and Grandvalet 2004). Taking each
fold of a user as another user makes differences look surer than they are. Let `folds = "average"` average a user's values
first; p-values over pooled folds are not to be relied on.""",
    ),
    "HO405": Page(
        "Two systems with equal values",
        """
No user's value differs between two systems, so their difference is exactly 0 and p is 1. Either they recommend the same
(one model under two names, parameters that change nothing), or the metric cannot see the difference, as at a cut-off that
all test items fit in. Where that is so in some settings only, they are named.""",
    ),
    "HO406": Page(
        "Development users are compared",
        """
The split divides the test users into a development group, on which parameters and systems are chosen, and an evaluation
group. What was chosen on some users does well on them by that very choice, so no winner is called on the development group
(Gunawardana and Shani 2009, section 4.3). Choose there, then compare with `group = "evaluation"`.""",
    ),
    "HO407": Page(
        "Few users hold most of the weight",
        """
Weighted by the volume of their ratings, users count so differently that the average stands on far fewer of them than are
tested: (Σw)² / Σw² is the number of equal users that would tell as much (Kish 1965). Intervals and tests use it. Read the
plain mean beside the weighted one.""",
    ),
    "HO408": Page(
        "Variants chosen on the users they are tested on",
        """
Several variants of one recommender are compared on the same users. The best of them is best in part by chance, and its value
on these users is too good: that is tuning on the test set. All numbers are shown, but where one of the variants leads, no
winner is called. Tune on a validation part, or divide the test users into a development and an evaluation group
(`development = 0.5`), choose on the first and report the second (Gunawardana and Shani 2009, section 4.3).""",
    ),
    "HO502": Page(
        "Bad rows were left out",
        """
The reader was told `on_bad_rows = skip`, so rows that lack an id, or hold no number or time where there must be one, are not
in the data. A few are usual in crawled data; many mean that the separator, the encoding or a column is not what it is taken
to be. Say how many were skipped when you report results.""",
    ),
    "HO503": Page(
        "Few users have test ratings",
        """
Averages are over users, and so few of them vary a great deal from sample to sample. Test more users, or repeat the split
with other seeds.""",
    ),
    "HO504": Page(
        "Small training set",
        """
Less is left to learn from than is tested, or users have hardly any training ratings: most recommenders then fall back to
popularity, and the comparison says little about the systems in use. Hide less, unless new users are the question.""",
    ),
    "HO505": Page(
        "Most ratings are in no part",
        """
More than half of the ratings are neither in train nor in test. The reasons and numbers stand beside the split. Results hold
for the part that is left, which may differ from the whole.""",
    ),
    "HO506": Page(
        "Small validation part or user group",
        """
Parameters and systems that are chosen on few ratings or few users are chosen by chance to a good part. Carve out more, or
choose among fewer.""",
    ),
    "HO501": Page(
        "Small test set",
        """
The test part is very small: averages over so few ratings vary a great deal from split to split. Repeat the split with
other seeds or use folds.""",
    ),
}
