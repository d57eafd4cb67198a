"""Choices in the words of a paper: one phrase for each component, from its parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from heldout.catalogue import Component, parameters
from heldout.review.methods.parts import cite, lowered, number_word, share


def phrase(component: Component) -> str:
    """The component as part of a sentence in the past tense; what has no phrase of its own is told by its summary."""
    known = PHRASES.get((component.kind.name, component.key))
    return known(component) if known is not None else f"{lowered(component.summary())} (`{component}`)"


def plural(n: int, noun: str) -> str:
    """One rating, two ratings, 20 ratings."""
    return f"{number_word(n)} {noun}{'' if n == 1 else 's'}"


def at_least(n: int, noun: str) -> str:
    """At least one test rating; at least 5 test ratings."""
    return f"at least one {noun}" if n == 1 else f"at least {n} {noun}s"


def given_values(component: Component, *, defaults: bool = True) -> str:
    """Every parameter with its value, or only those without their default: k = 100, similarity = cosine."""
    told = []
    for field in parameters(type(component)):
        value = getattr(component, field.name)
        if not defaults and value == field.default:
            continue
        if not field.metadata["cutoff"] and value is not None:
            shown = f"{value:g}" if isinstance(value, float) else str(value)
            told.append(f"{field.name.replace('_', ' ')} = {shown.lower() if isinstance(value, bool) else shown}")
    return ", ".join(told)


def _ratio(c: Any) -> str:
    if c.by == "user":
        return (
            f"for each user, {share(c.train)} of the ratings, drawn at random, were for training and the others for testing"
        )
    return f"each rating was assigned to the training set with probability {c.train:g}, and to the test set otherwise"


def _temporal(c: Any) -> str:
    if c.by == "user":
        newest = f"{plural(c.last, 'most recent rating')}" if c.last is not None else f"most recent {share(c.share or 0)}"
        return f"the {newest} of each user's ratings formed the test set and the earlier ones the training set".replace(
            "rating of each user's ratings", "rating of each user"
        ).replace("ratings of each user's ratings", "ratings of each user")
    if c.share is not None:
        return f"all ratings were divided at one point in time, the most recent {share(c.share)} forming the test set"
    if isinstance(c.at, float) and 0 < c.at < 1:
        return f"ratings were divided at one point in time: the first {share(c.at)} for training, later ones for testing"
    return f"ratings made before {c.at} formed the training set and later ones the test set"


def _test_users(c: Any) -> str:
    n = share(c.n) + " of the users" if c.n < 1 else f"{c.n:,.0f} users"
    return f"{n} were sampled for testing, while all others trained with all their ratings; of the former, {phrase(c.then)}"


def _core(c: Any) -> str:
    return f"removed users and items with fewer than {c.k} ratings until none was left (the {c.k}-core)"


def _min_ratings(c: Any) -> str:
    told = [f"{who}s with fewer than {n} ratings" for who, n in (("user", c.user), ("item", c.item)) if n > 0]
    return f"removed {' and '.join(told) or 'nothing'}, once"


def _sample(c: Any) -> str:
    told = [
        f"{share(n) if n < 1 else f'{n:,.0f}'} of the {what}"
        for what, n in (("ratings", c.ratings), ("users", c.users), ("items", c.items))
        if n is not None
    ]
    return f"kept a random sample of {' and '.join(told)}"


def _one_plus_random(c: Any) -> str:
    told = f"each relevant test item was ranked alone among {c.nonrelevant} sampled items that the user had not rated"
    fixed = f"{cite(('cremonesi2010', 'bellogin2011'))}; here {phrase(c.relevance)}"
    return f"{told}{fixed}{_averaged(c)}{_corrected(c)}"


def _averaged(c: Any) -> str:
    by = c.form.average
    return f", and values were averaged {'per user first and then over users' if by == 'user' else 'over all lists alike'}"


def _corrected(c: Any) -> str:
    estimator = getattr(c, "corrected", None)
    return f", corrected for sampling by the `{estimator}` estimator{cite(estimator.references)}" if estimator else ""


def _targets(c: Any) -> str:
    among = {"all": "all items", "test": "the items with a test rating", "training": "the items with a training rating"}
    form = c.form
    what = "each relevant test item was ranked alone" if form.single else "all relevant test items were ranked together"
    others = f"{form.sample} sampled" if form.sample else "all other"
    pool = " that the user had rated nowhere" if form.pool == "unrated" else ""
    told = f"{what} with {others} candidates{pool}, drawn from {among[form.candidates]}"
    if form.percentiles > 1:
        told += f" of its own class of popularity (of {form.percentiles})"
    if form.head:
        told += f", the most popular {share(form.head)} of the items being left out of the test"
    return f"{told}{cite(('bellogin2017',))}{_averaged(c) if form.single else ''}{_corrected(c)}"


def _mean(c: Any) -> str:
    if c.weight is None:
        return "the arithmetic mean over users"
    counted = {"test": "test ratings", "relevant": "relevant test ratings", "train": "training ratings"}
    return f"the mean over users weighted by {f'their number of {counted[c.weight]}' if c.weight in counted else c.weight}"


PHRASES: dict[tuple[str, str], Callable[[Any], str]] = {
    ("split", "ratio"): _ratio,
    ("split", "folds"): lambda c: (
        f"{number_word(c.n)}-fold cross-validation was used, ratings being dealt at random into disjoint test sets"
        + (" user by user" if c.by == "user" else "")
    ),
    ("split", "leave_out"): lambda c: f"{plural(c.l, 'randomly chosen rating')} of each user formed the test set",
    ("split", "keep"): lambda c: (
        f"{plural(c.n, 'randomly chosen rating')} of each user were for training (“given {c.n}”) and all others for testing"
    ),
    ("split", "per_item"): lambda c: f"{plural(c.l, 'randomly chosen rating')} of each item formed the {c.side} set",
    ("split", "uniform_test"): lambda c: (
        f"test ratings ({share(c.share)} of all) were drawn so that every test item has the same number of them, "
        f"which takes the advantage of popular items away{cite(('bellogin2017',))}"
    ),
    ("split", "temporal"): _temporal,
    ("split", "random_time"): lambda c: "a moment was drawn at random for each user, after which all ratings were hidden",
    ("split", "hide"): lambda c: "a random number of randomly chosen ratings was hidden",
    ("split", "replay"): lambda c: (
        f"at {c.times} sampled moments, systems trained on all earlier ratings and were tested on later ones"
    ),
    ("split", "given"): lambda c: "a predefined division into training and test files was used",
    ("split", "saved"): lambda c: "a division of the ratings that was kept on disk was used",
    ("split", "test_users"): _test_users,
    ("filter", "core"): _core,
    ("filter", "min_ratings"): _min_ratings,
    ("filter", "positive"): lambda c: f"kept ratings of at least {c.threshold:g} and treated all others as absent",
    ("filter", "binarise"): lambda c: f"turned ratings of at least {c.threshold:g} into 1 and all others into 0",
    ("filter", "drop_head"): lambda c: f"removed the most popular {share(c.share)} of the items",
    ("filter", "sample"): _sample,
    ("filter", "duplicates"): lambda c: (
        f"made one rating of repeated pairs of user and item ({c.keep}{f', at the time of the {c.time}' if c.time else ''})"
    ),
    ("filter", "playcounts_to_ratings"): lambda c: (
        f"turned play counts into ratings from 1 to {c.levels}{cite(('celma2008',))}"
    ),
    ("users", "all"): lambda c: "all users",
    ("users", "with_test"): lambda c: f"users with {at_least(c.min, 'test rating')}",
    ("users", "with_train"): lambda c: f"users with {at_least(c.min, 'training rating')}",
    ("users", "with_relevant"): lambda c: f"users with {at_least(c.min, 'relevant test rating')}",
    ("relevance", "threshold"): lambda c: f"a test rating of at least {c.tau:g} counted as relevant",
    ("relevance", "more_than"): lambda c: f"a test value above {c.count:g} counted as relevant",
    ("relevance", "user_mean"): lambda c: "a test rating counted as relevant when it is at least the user's mean rating",
    ("relevance", "by_scale"): lambda c: "which test ratings counted as relevant followed from the scale of the ratings",
    ("relevance", "user_top"): lambda c: f"the highest {share(c.share)} of a user's ratings counted as relevant",
    ("target", "AllItems"): lambda c: (
        "all items of the catalogue were ranked for each user, except the user's training items"
    ),
    ("target", "TestItems"): lambda c: (
        f"all items with a test rating by anyone were ranked, except the user's training items{cite(('bellogin2011',))}"
    ),
    ("target", "TrainingItems"): lambda c: (
        f"all items with a training rating by anyone else were ranked, except the user's own{cite(('bellogin2011',))}"
    ),
    ("target", "TestRatings"): lambda c: (
        f"only the user's own test items were ranked (the condensed ranking){cite(('bellogin2011',))}"
    ),
    ("target", "OnePlusRandom"): _one_plus_random,
    ("target", "P1R"): lambda c: (
        f"each relevant test item was ranked alone among {c.nonrelevant} sampled items of its own class of popularity "
        f"(of {c.percentiles} classes of equal size){cite(('bellogin2017',))}"
    ),
    ("target", "UAR"): lambda c: (
        f"the test items, all tested equally often, were ranked for each user{cite(('bellogin2017',))}"
    ),
    ("target", "U1R"): lambda c: (
        f"each relevant test item was ranked alone among {c.nonrelevant} sampled test items, all tested equally often"
        f"{cite(('bellogin2017',))}{_averaged(c)}"
    ),
    ("target", "targets"): _targets,
    ("unrated", "zero"): lambda c: "unrated items in a list counted as not relevant",
    ("unrated", "condense"): lambda c: "unrated items were taken out of the lists before measuring",
    ("unrated", "interval"): lambda c: "values are given as intervals, with every unrated item at no gain and at full gain",
    ("ties", "item"): lambda c: "items of equal score were ordered by their place in the catalogue",
    ("ties", "trec"): lambda c: "items of equal score were ordered as trec_eval does, by descending identifier",
    ("ties", "file"): lambda c: "items of equal score were left in the order of the run",
    ("ties", "random"): lambda c: "items of equal score were put in random order",
    ("ties", "expected"): lambda c: (
        f"values are expectations over all orders of items of equal score{cite(('mcsherry2008',))}"
    ),
    ("fallback", "none"): lambda c: "items that a system could not score were left out of its lists",
    ("fallback", "popularity"): lambda c: (
        "items that a system could not score followed the scored ones, the most rated first"
    ),
    ("fallback", "average_rating"): lambda c: (
        "items that a system could not score followed the scored ones by their mean rating"
    ),
    ("fallback", "random"): lambda c: "items that a system could not score followed the scored ones in random order",
    ("aggregation", "mean"): _mean,
    ("aggregation", "median"): lambda c: "the median over users",
    ("aggregation", "gmean"): lambda c: f"the geometric mean over users{cite(('robertson2006',))}",
    ("undefined", "zero"): lambda c: "users for whom a metric is undefined counted as 0, as in trec_eval",
    ("undefined", "skip"): lambda c: "users for whom a metric is undefined were left out",
    ("coverage", "zero"): lambda c: "users to whom a system recommended nothing counted as 0",
    ("coverage", "forgive"): lambda c: "each system was averaged over the users it recommended something to",
    ("coverage", "intersection"): lambda c: (
        "all systems were averaged over the users to whom every system recommended something"
    ),
    ("test", "t"): lambda c: "the paired two-sided t test",
    ("test", "permutation"): lambda c: f"the paired randomisation test with {c.samples:,} random sign flips",
    ("test", "wilcoxon"): lambda c: "the Wilcoxon signed-rank test",
    ("test", "sign"): lambda c: f"the exact {'two-sided' if c.alternative == 'two_sided' else 'one-sided'} sign test",
    ("test", "bootstrap"): lambda c: f"the studentised paired bootstrap test with {c.samples:,} resamples",
    ("test", "friedman"): lambda c: "Friedman's test followed by Nemenyi's",
    ("test", "tukey"): lambda c: "Tukey's HSD on the two-way layout of users and systems",
    ("test", "subsampled"): lambda c: f"{phrase(c.test)}, repeated on {c.subsets:,} random subsets of {c.size} users",
    ("test", "bayes"): lambda c: (
        f"the Bayesian {c.statistic.replace('_', '-')} test with a region of practical equivalence of ±{c.rope:g}"
    ),
    ("correction", "none"): lambda c: "were not corrected for the number of comparisons",
    ("correction", "holm"): lambda c: "were corrected for the number of comparisons by Holm's procedure",
    ("correction", "bonferroni"): lambda c: "were corrected for the number of comparisons by Bonferroni's procedure",
    ("correction", "sidak"): lambda c: "were corrected for the number of comparisons by Šidák's procedure",
    ("correction", "benjamini_hochberg"): lambda c: (
        "were adjusted by Benjamini and Hochberg's procedure, which bounds the false discovery rate"
    ),
}
"""(kind, key) → the phrase."""
