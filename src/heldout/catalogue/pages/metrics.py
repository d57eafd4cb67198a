"""Pages about metrics: what they are for, how deep they look, what is said of them."""

from __future__ import annotations

from heldout.catalogue.page import Page

PAGES: dict[str, Page] = {
    "HO306": Page(
        "The metric answers another question than the task",
        """
Which system is better depends on what it is for (Gunawardana and Shani 2009, sections 3 and 5). Predicting ratings is
measured by RMSE or MAE; recommending some good items by precision and what looks at the top of a list; all good items
by recall, AUC or what looks at the whole list; utility by half-life utility or the sum of utilities; a fixed list by
precision or utility at its length, not by curves or whole lists. In their experiments an algorithm with lower RMSE made
worse recommendations (section 6.3.1), and the better precision earned a fifth of the attainable profit (section 6.3.2).
Measure what the task asks for, or declare the task that is meant.""",
    ),
    "HO308": Page(
        "Shallow cut-off",
        """
No metric looks below a few places. Deeper cut-offs order systems nearly as shallow ones do, and are more robust to
missing and popular ratings and tell more pairs of systems apart: Valcarce, Bellogín, Parapar and Castells (2018,
section 6) find 100 better than 5 or 10, even though users see few items. Unless a list of fixed length is the task, add
the same metrics at 50 or 100.""",
    ),
    "HO309": Page(
        "A metric of low robustness and power",
        """
RR, bpref and infAP do worst in top-n recommendation: RR is the least robust to missing and to popular ratings, bpref
tells few pairs of systems apart and is the least robust to sparsity, infAP follows it, although both were made for
incomplete judgements (Valcarce, Bellogín, Parapar and Castells 2018, section 7 and table 3). Conclusions should not
rest on them alone: nDCG has the highest discriminative power there and precision is the most robust.""",
    ),
    "HO310": Page(
        "Recall that cannot reach 1",
        """
Recall at n divides by the user's R relevant test items, so it cannot exceed n/R for users who have more than n; several
libraries report min(n, R) in the denominator under the same name (LensKit; see the page on other libraries). With small
n the value mirrors how active users are. Say which one it is: `Recall@n` divides by R, `RecallCapped@n` by min(n, R).""",
    ),
    "HO311": Page(
        "The gain of a rating is not stated",
        """
nDCG and its kin first turn ratings into gain. Linear, binary and exponential gain are all called nDCG, and which of two
systems wins can depend on it: on MovieLens 1M matrix factorisation leads kNN with binary gain and trails it
significantly with exponential gain (Cañamares, Castells and Moffat 2020, table 3). Write it: `nDCG(gain=linear)@10`,
`binary` or `exp2`.""",
    ),
    "HO312": Page(
        "Exponential gain of counts or single-valued ratings",
        """
Exponential gain (2^r − 1) is made for a few grades of relevance. Of ratings that are all alike it is the same as binary
gain, and of play counts or quantities it leaves only each user's largest count of any weight, since 2^20 is a million
times 2^0. Use `gain=binary`, `gain=linear` or a table of gains, or turn counts into ratings first (`filter =
[["playcounts_to_ratings"]]`).""",
    ),
    "HO313": Page(
        "Only one metric",
        """
One metric sees one property of a list. Metrics order the same systems differently: which one is chosen is a decision
like any other, and the result may depend on it (Cañamares, Castells and Moffat 2020; Valcarce, Bellogín, Parapar and
Castells 2018). Name a second one that suits the task, such as precision beside nDCG, and say beforehand which is the
primary one.""",
    ),
    "HO314": Page(
        "Only one cut-off",
        """
All metrics look equally deep. Which of two systems is better can change with the depth (Cañamares, Castells and Moffat
2020, section on evaluation depth), and a single arbitrary n hides it. Cut-offs cost next to nothing: `measure =
"nDCG@[5, 10, 50, 100]"`.""",
    ),
}
