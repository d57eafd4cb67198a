"""What a metric is: judged lists in, one value per list out."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Literal

import numpy as np

from heldout.catalogue import Component
from heldout.catalogue.lookup import check_values
from heldout.catalogue.prose import docstring_of
from heldout.errors import NotApplicableError
from heldout.metrics.sums_over_hits import GainSum, HitSum
from heldout.tables import Judged, Levels, Relevance
from heldout.tables.arrays import Bool, Float64, frozen
from heldout.tables.memo import once

Task = Literal["predict_ratings", "some_good_items", "all_good_items", "utility", "fixed_list"]

Negative = Literal["unjudged", "nonrelevant"]
"""What an item that was rated below 0 counts as."""

IfUndefined = Literal["skip", "zero"]
"""What becomes of users without a value under `undefined = zero`: left out all the same, or counted as 0."""

TIES = {
    "ordered": "in the order of the tie rule",
    "equal": "equal scores count as equal, whatever the tie rule",
    "none": "the order of the list does not matter",
}
"""How definition cards tell what becomes of equal scores."""


class Metric(Component, kind="metric"):
    """A value for every list, from the ranks and grades of the rated items met in it."""

    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    """The least interval that is known to hold all values, with default parameters."""
    other_range: ClassVar[str] = ""
    """In words, the range with parameters under which `limits` differ from `range`."""
    direction: ClassVar[Literal["higher", "lower", "none"]] = "higher"
    """Which values are better; "none" for diagnostics, which are shown and never tested."""
    descriptive: ClassVar[bool] = False
    """Whether it describes lists without saying whether they are good (novelty, diversity, coverage of the catalogue): it
    stands beside the leaderboard, and is compared only where a study names it under `objectives`."""
    undefined: ClassVar[str] = "never"
    """When the value is NaN, in words."""
    claims: ClassVar[tuple[str, ...]] = ()
    """Properties that hold and are tested: "ideal is 1", "moving a relevant item up never lowers"."""
    tasks: ClassVar[tuple[Task, ...]] = ()
    libraries: ClassVar[dict[str, str]] = {}
    """What other libraries mean by the same name."""

    by_relevance: ClassVar[Literal["always", "binary", "never"]] = "always"
    """Whether a value depends on which ratings the study calls relevant: always, with gain=binary alone, or
    never; a `utility` that asks for relevance says so itself."""
    same_users: ClassVar[bool] = False
    """Whether a diagnostic is averaged over the same users at every depth asked for: those with a value at each."""
    describes_pool: ClassVar[bool] = False
    """Whether a diagnostic of corrected values is of lists of the whole pool that items were sampled from."""
    per_user: ClassVar[bool] = True
    """Whether users have values of their own; otherwise every user is given the system's, and no test is made."""
    needs_lists: ClassVar[bool] = False
    """Whether it looks at the first items of lists, rated or not."""
    needs_ties: ClassVar[bool] = False
    """Whether it looks at which scores are equal, which is counted for all users only where a metric asks."""
    needs_all_scores: ClassVar[bool] = False
    """Whether it compares the scores of all users' targets with one another, so that these must be comparable."""
    needs_ratings: ClassVar[bool] = False
    """Whether scores must be predicted ratings."""
    needs_positives: ClassVar[bool] = False
    """Whether it looks at how many relevant ratings items have in train and test together."""
    needs_nonrelevant: ClassVar[bool] = False
    """Whether it compares relevant items with those rated and not relevant."""
    fragile: ClassVar[bool] = False
    """Whether Valcarce et al. (2018) found it of low robustness or discriminative power in top-n recommendation."""
    offsets_popularity: ClassVar[bool] = False
    """Whether popular items count for less, so that recommending them to everyone gains nothing."""
    capped: ClassVar[str] = ""
    """The metric that divides by min(n, R), for one that cannot reach 1 where R is larger than n."""
    constant_of_single: ClassVar[bool] = False
    """Whether it is the same for every rank of the one relevant item among unrated ones."""
    needs_whole_lists: ClassVar[bool] = False
    """Whether the order of all targets enters the value, so that of a run that ends early it is not known."""
    interval_ok: ClassVar[bool] = False
    """Whether unrated items may count with full gain (`unrated = interval`): neither R nor an ideal enters the value."""
    self_normalised: ClassVar[bool] = False
    """Whether its estimate by snips is on the scale of its plain value."""
    unnormalised: ClassVar[str] = ""
    """The metric that is its numerator, for one that divides by an ideal which only complete judgements tell."""
    additive: ClassVar[bool] = False
    """Whether a list of one relevant item has a value that depends on that item's rank and grade alone, so that values of
    sampled targets can be corrected."""
    ties: ClassVar[Literal["ordered", "equal", "none"]] = "ordered"
    """What becomes of equal scores: a key of `TIES`, tested against the values themselves."""
    pooling: ClassVar[Literal["", "sum", "square"]] = ""
    """Whether values may be pooled over users: "sum" where the value is a ratio whose parts add up, "square" where its
    square is (RMSE), empty where it is neither."""

    divides: ClassVar[str] = ""
    """What the value is divided by, where no `denominator` says it."""
    short_lists: ClassVar[str] = "places beyond the end of a list gain nothing"

    @classmethod
    def definition(cls) -> list[tuple[str, str]]:
        """What definition cards say besides: denominator, ties, short lists, and what it needs or cannot be asked."""
        divides = cls.divides
        if not divides and cls.denominator is not Metric.denominator:
            divides = docstring_of(cls.denominator).rstrip(".")
        ties = TIES[cls.ties]
        if cls.ties == "ordered" and cls.expected is not Metric.expected:
            ties += "; under ties=expected the exact mean over all orders"
        facts = [("Divided by", divides or "nothing"), ("Ties", ties), ("Short lists", cls.short_lists)]
        if cls.interval_ok:
            facts.append(("Unrated", "under unrated=interval also with every unrated item at full gain"))
        if cls.descriptive:
            facts.append(("Contest", "none: it describes lists; named under `objectives`, it is compared like any other"))
        if cls.needs_whole_lists:
            facts.append(("Runs", "refused for a run file whose lists lack candidates: their order is not known"))
        if not cls.per_user:
            facts.append(("Users", "one value for a whole system: no test of users is made on it"))
        return facts

    @abstractmethod
    def measure(self, judged: Judged) -> Float64:
        """One value per list; NaN where the metric's own denominator is 0."""

    def measured(self, judged: Judged, *, expected: bool = False) -> Float64:
        """What `measure` gives, or `expected`; ComponentError unless that is one finite number or NaN per list."""
        values = self.expected(judged) if expected else self.measure(judged)
        check_values(self, values, (len(judged),), "one for each list")
        return values

    def expected(self, judged: Judged) -> Float64:
        """The mean of `measure` over all orders of tied items (`ties = expected`), from `judged.above` and `judged.tied`.

        `heldout.metrics.expected` has the closed forms; a metric without one refuses.
        """
        raise no_closed_form(self)

    def list_weights(self, judged: Judged) -> Float64 | None:
        """What each list of one relevant item counts for in its user's mean over lists; None where all count the same."""
        return None

    def as_sum(self) -> HitSum | GainSum | None:
        """How the value is a sum over hits; None where it is not, or not with these parameters.

        A metric that says so is quick to average over samples of the test set; a subclass that measures otherwise says None.
        """
        return None

    def denominator(self, judged: Judged) -> Float64:
        """What each list's value (or its square) was divided by, for metrics that declare `pooling`; 0 where undefined."""
        raise NotImplementedError(f"{self.key} declares how it pools, and no denominator")

    @property
    def weighs_items(self) -> bool:
        """Whether items weigh by inverse propensities, so that a value is not of ranks and grades alone."""
        return False

    @property
    def is_additive(self) -> bool:
        """Whether values of sampled targets can be corrected, with these parameters."""
        return self.additive and not self.weighs_items

    @property
    def has_interval(self) -> bool:
        """Whether unrated items may count with full gain, with these parameters: they have no propensity."""
        return self.interval_ok and not self.weighs_items

    @property
    def skips_undefined(self) -> bool:
        """True if users without a value are left out of averages even under `undefined = zero`.

        Where lower is better, 0 would be the best value there is.
        """
        return self.direction == "lower"

    @property
    def needs_all_training(self) -> bool:
        """Whether it looks at the training ratings of all users at once, so that users cannot be judged in pieces."""
        return False

    @property
    def limits(self) -> tuple[float, float]:
        """The range with these parameters."""
        return self.range

    @property
    def tables(self) -> tuple[str | None, ...]:
        """Paths of the tables of items that it looks things up in; None is the data set's own."""
        return ()

    def beside(self) -> tuple[Metric, ...]:
        """Diagnostics that belong to this metric alone."""
        return ()


def no_closed_form(metric: Metric) -> NotApplicableError:
    """The error for a metric under `ties = expected` that has no closed form of its expected value."""
    what = f"{metric} has no closed form of its expected value under ties"
    return NotApplicableError(what, where="ties", hint="use ties=item or random")


def no_interval(metric: Metric) -> NotApplicableError:
    """The error for a metric under `unrated = interval` that is relative to the user's relevant items."""
    what = f"{metric} has no interval: its value is relative to the user's relevant items, which unrated items would join"
    return NotApplicableError(what, where="unrated", hint="P, HitRate, RR, DCG, RBP and ERR have one")


def check_ties_known(judged: Judged, asker: object) -> None:
    """Raise NotApplicableError if ties were not counted: equal scores would pass for different ones."""
    if judged.tied.min(initial=0) < 0:
        raise NotApplicableError("equal scores were not counted", where=str(asker))


class Gain(Component, kind="gain"):
    """How a rating becomes gain."""

    bounded: ClassVar[bool] = True
    """Whether gains stay within 0…1."""
    exponential: ClassVar[bool] = False
    """Whether it grows as a power of the rating, as is made for a few grades of relevance."""
    highest_grade: ClassVar[float] = np.inf
    """The highest rating that it accepts."""
    grows_with_rating: ClassVar[bool] = True
    """True if a rating twice as high gains more because of its size, as a formula says."""
    graded: ClassVar[bool] = True
    """Whether a higher rating may gain more; otherwise relevant items gain alike."""

    @abstractmethod
    def gain(self, grade: Float64, relevant: Bool, top_grade: float) -> Float64:
        """The gain of each rated item."""

    @property
    def word(self) -> str:
        """Before "gain" in prose: binary, linear, exponential."""
        return self.key.replace("_", " ")

    @property
    def within_one(self) -> bool:
        """Whether gains stay within 0…1 with these parameters."""
        return self.bounded

    def rows(self, relevance: Relevance, rel: float | None) -> Float64:
        """The gain of every row of the test set, worked out once."""

        def compute() -> Float64:
            levels = relevance.levels(rel)
            if levels is None:
                return frozen(self.gain(relevance.grade, relevance.relevant_at(rel), relevance.top_grade), np.float64)
            return frozen(self.of_levels(levels, relevance.top_grade)[levels.level], np.float64)

        return once(relevance, ("gain", self, rel), compute)

    def lowest(self, relevance: Relevance, rel: float | None) -> tuple[float, float]:
        """The lowest gain of a test rating, behind the grade that has it; there must be a test rating."""
        levels = relevance.levels(rel)
        if levels is None:
            grades, gains = relevance.grade, self.rows(relevance, rel)
        else:
            grades, gains = levels.grade[levels.used], self.of_levels(levels, relevance.top_grade)[levels.used]
        at = int(np.argmin(gains))
        return float(grades[at]), float(gains[at])

    def of_levels(self, levels: Levels, top_grade: float) -> Float64:
        """The gain of each distinct grade: there are few, and powers cost."""
        values = np.zeros(len(levels.grade))
        used = levels.used
        values[used] = self.gain(levels.grade[used], levels.relevant[used], top_grade)
        return values


class Discount(Component, kind="discount"):
    """How much of an item's worth is left at a rank."""

    @abstractmethod
    def weight(self, rank: Float64) -> Float64:
        """What is left at each of these ranks (1, 2, …), at most 1 at the first."""

    def weights(self, deepest: int) -> Float64:
        """What is left at ranks 0 (nothing stands there) to `deepest`: a table, because a look-up costs least."""
        table = np.zeros(deepest + 1)
        table[1:] = self.weight(np.arange(1.0, deepest + 1))
        return table

    def of_entries(self, judged: Judged) -> Float64:
        """What is left at the rank of every entry, worked out once."""
        return once(judged, ("discounted", self), lambda: self.weights(judged.deepest)[judged.rank])


class Utility(Component, kind="utility"):
    """What a test rating is worth to whom a system works for."""

    by_relevance: ClassVar[bool] = False
    """Whether the worth of a rating depends on which ratings the study calls relevant."""

    @abstractmethod
    def of_rows(self, relevance: Relevance, asker: object) -> Float64:
        """The worth of every row of the test set; NotApplicableError where it cannot be known."""


class Propensity(Component, kind="propensity"):
    """How likely a relevant item was to be rated at all."""

    @property
    @abstractmethod
    def absolute(self) -> bool:
        """Whether these are probabilities, and not only proportional to them."""

    @property
    def tables(self) -> tuple[str | None, ...]:
        """Paths of the tables of items that it is looked up in; None is the data set's own."""
        return ()

    @abstractmethod
    def of_rows(self, relevance: Relevance, asker: object) -> Float64:
        """One number above 0 for every test rating; NotApplicableError where it cannot be known."""
