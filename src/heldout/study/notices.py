"""Warnings about the choices of a study: what its file alone tells.

A run says the graver ones in its report; the review says them all.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from heldout.catalogue.notices import Concern, Notice, Severity
from heldout.study.choices import Choices, grouped
from heldout.study.spec import Study

SUITED = {
    "predict_ratings": ("RMSE", "MAE"),
    "some_good_items": ("P@10", "nDCG(gain=binary)@10"),
    "all_good_items": ("Recall@100", "AUC"),
    "utility": ("HLU(half_life=5)", "Utility@10"),
    "fixed_list": ("P@10", "HitRate@10"),
}
"""What Gunawardana and Shani's section 5 would have measured, by task."""


class ChoiceConcern(Concern):
    """A concern that the choices of a study raise, whatever its results."""

    @abstractmethod
    def notices(self, choices: Choices) -> Iterator[Notice]:
        """The warnings, none where all is well."""


class SampledTargets(ChoiceConcern):
    """Relevant items are ranked among sampled ones, and the values are not corrected.

    Assumes: an error where nothing else is measured, a warning where the sample is drawn so that popularity gains nothing,
    advice beside a full ranking.

    Example: target = "OnePlusRandom(99)" alone; not targets(relevant=one, nonrelevant=99, corrected=cls).
    """

    key = "HO201"
    title = "Sampled targets"
    severity = "error"
    stage = "target"
    references = ("krichene2020", "bellogin2011", "cremonesi2010")
    explanation = """
Ranking one relevant item among a few sampled ones is not the ranking of a catalogue: the values are those of a small
catalogue and the order of systems can differ from that of the full ranking (Krichene and Rendle 2020; Cañamares and
Castells 2020). Use AllItems for conclusions, or report both."""

    def notices(self, choices: Choices) -> Iterator[Notice]:
        targets = choices.study.target
        full = any(not t.sample_size and not t.form.own for t in targets)
        for target in targets:
            form = target.form
            if not target.sample_size or form.corrected is not None:
                continue
            neutral = form.percentiles > 1 or form.uniform
            severity: Severity = "advice" if full else "warning" if neutral else "error"
            what = "each relevant item" if target.single else "relevant items"
            message = f"{target} ranks {what} among {target.sample_size} sampled ones"
            if full:
                change = f"conclude from the full ranking, and read {target} beside it"
            elif neutral:
                change = choices.replace("target", ["AllItems", *map(str, targets)])
            else:
                change = f"{choices.replace('target', 'AllItems')}\nOr correct the estimate (corrected=bv(gamma=0.1))."
            yield self.notice(message, change, severity=severity)


class OnlyTestRatings(ChoiceConcern):
    """Only the user's own test items are ranked, which overestimates what lists are worth.

    Assumes: an error where it is the only target of a ranking task, advice beside others or where ratings are predicted;
    nothing where rating errors alone are measured, since no list is.

    Example: target = "TestRatings" with nDCG@10; not target = ["AllItems", "TestRatings"] as the only finding.
    """

    key = "HO202"
    title = "Only test ratings compete"
    severity = "error"
    stage = "target"
    references = ("bellogin2011", "steck2013", "canamares2020")
    explanation = """
Under TestRatings a system never has to tell rated from unrated items, which is most of the work of recommending. Values
are far above those of real lists, and systems that predict ratings look better than they are (Bellogín, Castells and
Cantador 2011)."""

    def notices(self, choices: Choices) -> Iterator[Notice]:
        targets = choices.study.target
        own = [t for t in targets if t.form.own]
        if not choices.ranked:
            return
        alone = len(own) == len(targets) and choices.study.task != "predict_ratings"
        severity: Severity = "error" if alone else "advice"
        for target in own:
            change = f"conclude from the full ranking, not from {target}"
            if alone:
                change = choices.replace("target", ["AllItems", *map(str, targets)])
            yield self.notice(f"Under {target} only the user's own test items compete", change, severity=severity)


class BprefOfSingleLists(ChoiceConcern):
    """bpref is measured in lists of one relevant item, where it is constant.

    Assumes: such lists hold no judged non-relevant item.

    Example: target = "OnePlusRandom(99)" with bpref.
    """

    key = "HO301"
    title = "bpref in lists of one relevant item"
    severity = "error"
    stage = "metrics"
    references = ("buckley2004",)
    explanation = """
A list of one relevant item among unrated ones holds no judged non-relevant item, so bpref is 1 whenever the relevant
item is ranked at all. It says nothing about the systems."""

    def notices(self, choices: Choices) -> Iterator[Notice]:
        for name in dict.fromkeys(m.key for m in choices.study.metrics if m.constant_of_single):
            for target in choices.study.target:
                if target.single:
                    yield self.notice(f"{name} is constant under {target}", f"replace {name} by RR or nDCG@10")


class MetricAgainstTask(ChoiceConcern):
    """A metric does not measure what the declared task asks for.

    Assumes: each metric declares the tasks it suits; diagnostics and metrics beyond accuracy are for any task. An error
    where none of the metrics suits, a warning where the first one does not; further ones may answer other questions.

    Example: task = "all_good_items" with P@10 alone; not task = "some_good_items" with P@10.
    """

    key = "HO306"
    title = "The metric answers another question than the task"
    severity = "error"
    stage = "metrics"
    references = ("gunawardana2009",)
    explanation = """
Which system is better depends on what it is for (Gunawardana and Shani 2009, sections 3 and 5). Predicting ratings is
measured by RMSE or MAE; recommending some good items by precision and what looks at the top of a list; all good items
by recall, AUC or what looks at the whole list; utility by half-life utility or the sum of utilities; a fixed list by
precision or utility at its length, not by curves or whole lists. In their experiments an algorithm with lower RMSE made
worse recommendations (section 6.3.1), and the better precision earned a fifth of the attainable profit (section 6.3.2).
Measure what the task asks for, or declare the task that is meant."""

    def notices(self, choices: Choices) -> Iterator[Notice]:
        task = choices.study.task
        with_tasks = [m for m in choices.study.metrics if m.tasks]
        unfit = [m for m in with_tasks if task not in m.tasks]
        if not unfit or unfit[0] != with_tasks[0]:
            return
        severity: Severity = self.severity if len(unfit) == len(with_tasks) else "warning"
        does = "does" if len(unfit) == 1 else "do"
        message = f"{grouped(unfit)} {does} not measure the task {task}"
        # What is measured and suits is what can be concluded from; where nothing does, it must be measured first.
        change = f"conclude from {grouped(m for m in with_tasks if task in m.tasks)}"
        if severity == "error":
            change = f'declare task = "{unfit[0].tasks[0]}", or measure {", ".join(SUITED[task])}'
        yield self.notice(message, change, severity=severity)


class UncorrectedComparisons(ChoiceConcern):
    """Several pairs of systems are tested, and the p-values are not corrected for it.

    Assumes: tests of all systems at once (friedman, tukey) correct themselves; bayes has no p-values.

    Example: five systems make ten pairs, and a false discovery among them has a chance of 1 − 0.95^10 = 0.40.
    """

    key = "HO410"
    title = "Many comparisons, none corrected"
    severity = "error"
    stage = "compare"
    references = ("gunawardana2009", "holm1979", "benjamini1995")
    explanation = """
With k independent comparisons at level 0.05 the chance of at least one false discovery is 1 − 0.95^k: 0.40 for ten
(Gunawardana and Shani 2009, section 4.3). Correct the p-values: `correction = "holm"` costs no assumption and is never
worse than Bonferroni's (Holm 1979); `benjamini_hochberg` bounds the share of false discoveries instead; `friedman` and
`tukey` take all systems at once."""

    def notices(self, choices: Choices) -> Iterator[Notice]:
        compare = choices.study.compare
        n = len(choices.study.recommend)
        pairs = n - 1 if compare.baseline is not None else n * (n - 1) // 2
        plain = [t for t in compare.tests if t.has_p and not t.all_at_once]
        if not compare.correction.corrects and plain and pairs > 1:
            chance = 1 - (1 - compare.level) ** pairs
            message = (
                f"{pairs} pairs are tested at {compare.level:g} each: a false discovery has a chance of up to {chance:.0%}"
            )
            yield self.notice(message, 'replace correction = "none" by correction = "holm" in compare')


class FoldsPooled(ChoiceConcern):
    """p-values are over folds of users, which are not independent.

    Assumes: it matters where the split makes more than one fold.

    Example: split = "folds(5)" with compare = { folds = "pooled" }.
    """

    key = "HO404"
    title = "Folds are pooled"
    severity = "error"
    stage = "compare"
    references = ("bengio2004",)
    change = 'replace folds = "pooled" by folds = "average" in compare'
    explanation = """
A user who is tested in several folds has several values, and these are not independent: the training sets of folds share
most of their ratings, and no unbiased estimate of the variance over folds exists (Bengio and Grandvalet 2004). Taking each
fold of a user as another user makes differences look surer than they are. Let `folds = "average"` average a user's values
first; p-values over pooled folds are not to be relied on."""

    message: ClassVar[str] = "each fold of a user is tested as if it were another user"

    def notices(self, choices: Choices) -> Iterator[Notice]:
        study = choices.study
        if study.compare.folds == "pooled" and (len(study.split) == 0 or any(s.folds_made > 1 for s in study.split)):
            yield self.notice(self.message)


class DevelopmentCompared(ChoiceConcern):
    """Systems are compared on the users on whom they were chosen.

    Assumes: the study divides the test users by `development`.

    Example: development = 0.5 with compare = { group = "all" }.
    """

    key = "HO406"
    title = "Development users are compared"
    severity = "error"
    stage = "compare"
    references = ("gunawardana2009",)
    explanation = """
The split divides the test users into a development group, on which parameters and systems are chosen, and an evaluation
group. What was chosen on some users does well on them by that very choice, so no winner is called on the development group
(Gunawardana and Shani 2009, section 4.3). Choose there, then compare with `group = "evaluation"`."""

    @staticmethod
    def message(group: str) -> str:
        """That a group of users is compared on whom systems are chosen."""
        return f"group = {group} compares development users"

    def notices(self, choices: Choices) -> Iterator[Notice]:
        group = choices.study.compare.group
        if choices.study.development is not None and group != "evaluation":
            change = f'replace group = "{group}" by group = "evaluation" in compare, once systems are chosen'
            yield self.notice(self.message(group), change)


class OverlappingFolds(ChoiceConcern):
    """The test sets of a split's folds overlap.

    Assumes: the folds of uniform_test(folds=n) overlap if items keep a share ε below 1 − 1/n for training.

    Example: uniform_test(folds=5, keep=0.2): four fifths of an item's ratings test in each of five folds.
    """

    key = "HO514"
    title = "Test sets of folds overlap"
    severity = "warning"
    stage = "split"
    references = ("bellogin2017",)
    explanation = """
With the same number of test ratings for every item, n disjoint test sets need at least n times as many ratings of each test
item. If items keep less than 1 − 1/n of their ratings for training, a rating tests in several folds. Averages over folds
are not wrong, but they vary less than those of disjoint test sets, and folds are not independent. Bellogín, Castells and
Cantador (2017, section 6.2) ask for a share of 1/n, which suffices for two folds only."""

    def notices(self, choices: Choices) -> Iterator[Notice]:
        for splitter in choices.study.split:
            least = splitter.least_kept_for_disjoint
            if least is not None:
                message = f"Test sets of the {splitter.folds_made} folds of {splitter} overlap"
                yield self.notice(message, f"say that they overlap, or write keep={least:g} and a smaller share")


SHOWN_BY_RUNS = (
    *(SampledTargets, OnlyTestRatings, BprefOfSingleLists, MetricAgainstTask, UncorrectedComparisons),
    OverlappingFolds,
)
"""Whether folds were pooled and development users compared, the analysis sees in the scores, and says there."""
CONCERNS = (*SHOWN_BY_RUNS, FoldsPooled, DevelopmentCompared)


def about_choices(choices: Choices) -> Iterator[Notice]:
    """All warnings that the choices call for."""
    for concern in CONCERNS:
        yield from concern().notices(choices)


def about_study(study: Study) -> Iterator[Notice]:
    """The warnings about the choices of a study that every reader of its report must know."""
    for concern in SHOWN_BY_RUNS:
        for notice in concern().notices(Choices(study, study.keys)):
            if concern.stage in ("target", "split") or (notice.severity or concern.severity) == "error":
                yield notice
