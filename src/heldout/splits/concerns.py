"""Warnings about the parts of a split: suspiciously small, or not cleanly cut."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.catalogue.notices import Concern, Notice
from heldout.splits.audit import audit
from heldout.tables import Split

SMALL_TEST = 1000
"""Test ratings below which averages vary a great deal."""
FEW_USERS = 50
"""Users below which averages vary a great deal."""
ACROSS = "are merged from rows before and after the cut"


class SmallTestSet(Concern):
    """The test part holds fewer than 1,000 ratings.

    Assumes: each fold counts for itself.

    Example: leave_out(1) of 300 users tests 300 ratings.
    """

    key = "HO501"
    title = "Small test set"
    severity = "warning"
    stage = "split"
    change = "hide more ratings or take more data, or show by folds or other seeds how far values vary"
    from_results = "whether the test part is large enough"
    explanation = """
The test part is very small: averages over so few ratings vary a great deal from split to split. Repeat the split with
other seeds or use folds."""


class FewUsersWithTestRatings(Concern):
    """Fewer than 50 users have test ratings.

    Assumes: counted before the rules under users.

    Example: test_users(20) tests 20 users.
    """

    key = "HO503"
    title = "Few users have test ratings"
    severity = "warning"
    stage = "split"
    change = "test more users"
    from_results = "how many users have test ratings"
    explanation = """
Averages are over users, and so few of them vary a great deal from sample to sample. Test more users, or repeat the split
with other seeds."""


class SmallTrainingSet(Concern):
    """Less is left to learn from than is tested.

    Assumes: also where users have fewer than 2 training ratings on average.

    Example: ratio(train=0.2) trains on a fifth and tests four fifths.
    """

    key = "HO504"
    title = "Small training set"
    severity = "warning"
    stage = "split"
    change = "hide less, unless new users are the question"
    from_results = "whether enough is left to learn from"
    explanation = """
Less is left to learn from than is tested, or users have hardly any training ratings: most recommenders then fall back to
popularity, and the comparison says little about the systems in use. Hide less, unless new users are the question."""


class RatingsInNoPart(Concern):
    """More than half of the ratings are neither in train nor in test.

    Assumes: ratings that a split drops are counted with the reason.

    Example: test_users(10, then=temporal(share=0.5)) drops what others rated after the cut.
    """

    key = "HO505"
    title = "Most ratings are in no part"
    severity = "warning"
    stage = "split"
    change = "say how many ratings were used, or choose a split that uses all"
    from_results = "how many ratings are in no part"
    explanation = """
More than half of the ratings are neither in train nor in test. The reasons and numbers stand beside the split. Results hold
for the part that is left, which may differ from the whole."""


class SmallValidation(Concern):
    """The validation part or a group of users is small.

    Assumes: validation below 1,000 ratings and below the test part, or a group below 50 users.

    Example: development = 10 of 500 users.
    """

    key = "HO506"
    title = "Small validation part or user group"
    severity = "warning"
    stage = "validation"
    references = ("gunawardana2009",)
    change = "carve out more, or choose among fewer variants"
    from_results = "whether what parameters are chosen on is large enough"
    explanation = """
Parameters and systems that are chosen on few ratings or few users are chosen by chance to a good part. Carve out more, or
choose among fewer."""


class MergedAcrossTheCut(Concern):
    """Repeated pairs were merged before a split by time, and some have rows on both sides of the cut.

    Assumes: the cut is the first test rating of all users, or of each user where the split goes by user. Pairs that stay in
    training are no finding where all training values are equal: nothing of their later rows is left.

    Example: duplicates(keep=latest) before temporal(share=0.2); not duplicates(keep=max, time=first) and binarise(1).
    """

    key = "HO512"
    title = "Pairs were merged across the cut in time"
    severity = "warning"
    stage = "filters"
    references = ("ji2023",)
    change = "write duplicates(…, time=first), then binarise(1), so that nothing after the cut is left in training"
    from_results = "how many merged pairs have rows on both sides of the cut in time"
    explanation = """
`duplicates` makes one rating of all rows of a user and an item before the split, and a split by time follows the one time
that the pair carries. Some pairs have rows both before and after the cut. With the latest time (`time=latest`, the default
of `keep=latest`) they are tested as if they were new, and what was known before the cut is missing in training. With the
first (`time=first`, the default of `sum` and `max`) they stay in training and nobody is tested on what they had met before,
but their values hold rows of the time that is predicted. Write `time=first`, and `binarise(1)` where the values are counts:
then nothing that comes after the cut is left in training."""


def concerns(split: Split) -> Iterator[Notice]:
    """What looks wrong with the parts of a fold."""
    train, test = split.train, split.test
    total = len(train) + len(test) + (len(split.validation) if split.validation is not None else 0)
    everything = total + sum(d.count for d in split.dropped)
    if len(test) < SMALL_TEST:
        yield SmallTestSet.notice(f"The test part holds {len(test):,} rating{'' if len(test) == 1 else 's'}")
    tested = int((test.user_counts > 0).sum())
    if tested < FEW_USERS:
        yield FewUsersWithTestRatings.notice(f"Only {tested:,} {'user has' if tested == 1 else 'users have'} test ratings")
    if len(train) < len(test):
        yield SmallTrainingSet.notice(
            f"The training part ({len(train):,} ratings) is smaller than the test part ({len(test):,})"
        )
    elif len(train) < 2 * int((train.user_counts > 0).sum()):
        yield SmallTrainingSet.notice(
            f"Users have {len(train) / max(1, int((train.user_counts > 0).sum())):.1f} training ratings on average"
        )
    gone = everything - total
    if gone * 2 > everything:
        yield RatingsInNoPart.notice(f"{gone:,} of {everything:,} ratings are in no part")
    if split.validation is not None and len(split.validation) < min(SMALL_TEST, len(test)):
        yield SmallValidation.notice(f"The validation part holds {len(split.validation):,} ratings")
    yield from _merged_across(split)
    if split.development is not None:
        with_test = test.user_counts > 0
        groups = (
            ("development", int((split.development & with_test).sum())),
            ("evaluation", int((~split.development & with_test).sum())),
        )
        small = [f"{n:,} {'user is' if n == 1 else 'users are'} for {name}" for name, n in groups if n < FEW_USERS]
        if small:
            yield SmallValidation.notice("Only " + " and ".join(small))


def _merged_across(split: Split) -> Iterator[Notice]:
    """HO512 where pairs merged across the cut in time are tested, or train with values that hold later rows."""
    train, test = split.train, split.test
    if train.merged_time is None and test.merged_time is None:
        return
    leaks = audit(split)
    tested, trained = leaks.straddling_test or 0, leaks.straddling_train or 0
    if tested:
        share = f"{tested:,} of {len(test):,} test pairs ({tested / len(test):.1%})"
        yield MergedAcrossTheCut.notice(
            f"{share} are merged from rows before and after the cut: their earlier rows are missing in training"
        )
    if trained and train.value.min() < train.value.max():
        share = f"{trained:,} of {len(train):,} training pairs ({trained / len(train):.1%})"
        yield MergedAcrossTheCut.notice(
            f"{share} are merged from rows before and after the cut: their values hold later rows"
        )
