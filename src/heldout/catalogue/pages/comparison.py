"""Pages about comparing systems."""

from __future__ import annotations

from heldout.catalogue.page import Page

PAGES: dict[str, Page] = {
    "HO409": Page(
        "No significance test",
        """
Nothing says whether a difference is more than chance: testing is switched off (`tests = []` in `[compare]`), or there is
one system, or the metrics are single numbers of a whole system, or no test answers for the aggregation. The test set may
have suited the system that did best on it (Gunawardana and Shani 2009, section 4.3). Compare at least two systems on a
metric of users, with an aggregation that a test answers for, and name a test: `tests = ["t", "permutation"]`.""",
    ),
    "HO410": Page(
        "Many comparisons, none corrected",
        """
With k independent comparisons at level 0.05 the chance of at least one false discovery is 1 − 0.95^k: 0.40 for ten
(Gunawardana and Shani 2009, section 4.3). Correct the p-values: `correction = "holm"` costs no assumption and is never
worse than Bonferroni's (Holm 1979); `benjamini_hochberg` bounds the share of false discoveries instead; `friedman` and
`tukey` take all systems at once.""",
    ),
    "HO411": Page(
        "Too few users for a small difference",
        """
A difference of a twentieth of the best value, which papers often claim, would mostly be missed with these users; what
is found significant by chance is then exaggerated, and what is not significant is not shown to be equal. The power is
worked out for a difference fixed beforehand, never for the one observed, which would only restate the p-value (Hoenig
and Heisey 2001). Test more users, repeat the split, or claim only what the confidence interval allows; `heldout power`
plans.""",
    ),
    "HO412": Page(
        "One-sided test",
        """
A one-sided test halves the p-value by deciding beforehand that only one system can be better. Offline that is seldom
known: a new system that is worse should be found worse. Use the two-sided test, or say why the other side is of no
interest.""",
    ),
    "HO413": Page(
        "Tests of ranks for a difference of means",
        """
The sign and the Wilcoxon test ask whether one system wins for more users, not whether its mean is higher, and both can
answer otherwise than a test of means: Smucker, Allan and Carterette (2007) recommend permutation, bootstrap or t for
means and advise against the other two, and with thousands of users both reject true null hypotheses too often
(Ihemelandu and Ekstrand 2023). Use `t` or `permutation` for a mean, or report a median beside a test of ranks.""",
    ),
    "HO414": Page(
        "No simple baseline",
        """
Without a system that knows nothing of the user it is not seen whether personal recommendation gains anything, and
without a well-tuned simple method whether the new one does: most of the neural methods that Ferrari Dacrema, Cremonesi
and Jannach (2019) could reproduce were beaten by nearest neighbours or popularity. Popularity is hard to beat under
random splits (Bellogín, Castells and Cantador 2017). Add `"Popularity"` and `"Random"`, and a neighbourhood or linear
model.""",
    ),
    "HO415": Page(
        "Some systems are tuned and others are not",
        """
A system whose parameters were searched for is compared with systems at their defaults. Part of its lead is the
search's; tuned baselines have undone many published gains (Ferrari Dacrema, Cremonesi and Jannach 2019). Tune all
systems that have parameters with the same number of trials on the same validation part: `heldout tune`.""",
    ),
    "HO416": Page(
        "Tuned on ratings of the test set",
        """
The parameters were chosen under another data set, filter, split or seed than the study's. The ratings that were
validation there can be test ratings here, so the system was chosen on what it is tested on: that is tuning on the test
set (Gunawardana and Shani 2009, section 4.3). Tune with the very study file that is run, whose test part the search
never sees.""",
    ),
    "HO417": Page(
        "Each setting is a family of its own",
        """
p-values are corrected for the pairs of one setting, and the study has many: metrics, cut-offs, targets, aggregations.
Whoever picks the setting in which a difference is significant makes as many comparisons as there are settings. Name the
primary setting beforehand (it is the first of each list), read the others as a check whether it holds, or use `heldout
multiverse`, which counts in how many of them it does.""",
    ),
    "HO418": Page(
        "Significant and tiny",
        """
A difference is significant because there are many users, while its effect is far below what is called small (Cohen's d
= 0.2): a user picked at random is hardly more likely to be served better. Report the difference, its interval and the
effect size beside the p-value. With the numbers of users that recommendation has, most tests find almost any
difference, so that the effect size is what decides whether it matters (Ihemelandu and Ekstrand 2023).""",
    ),
    "HO419": Page(
        "Tuned for a metric that is not reported",
        """
Parameters that are best for one metric need not be best for another, not even for the same name with another gain or
cut-off: `nDCG@10` takes ratings as gains, `nDCG(gain=binary)@10` relevance. A system that was tuned for something else than
what is reported is shown below its best, and one that was tuned for it has an advantage. Tune all systems for the first
metric of the study.""",
    ),
}
