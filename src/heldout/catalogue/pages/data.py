"""Pages about data and splits."""

from __future__ import annotations

from heldout.catalogue.page import Page

PAGES: dict[str, Page] = {
    "HO507": Page(
        "The data were filtered",
        """
Filters leave another data set than the one that is named: users and items with few ratings, the difficult ones, are
gone, and the density is higher. Values are not comparable with those on the whole data, and which system wins can
depend on the filter (Cañamares, Castells and Moffat 2020, decision A1). State the filter and the sizes before and after
it (`heldout methods` does), and try the study without it: `filter = [["core(5)"], []]`.""",
    ),
    "HO508": Page(
        "Test ratings are older than training ratings",
        """
The split does not follow time, so models learn from ratings made after those they predict, including other people's
later ratings of the same items: a future that no system in use has. How systems are ordered then depends on how much
leaks (Ji, Sun, Zhang and Li 2023; Gunawardana and Shani 2009, section 4.2). Split by one moment for all,
`temporal(share=0.2)`, or `replay(times=5)`; each user's newest ratings, `temporal(by=user, share=0.2)`, still leak
across users. A random split is defensible where only the order of systems on static tastes is asked; say that it is
one.""",
    ),
    "HO509": Page(
        "One split, drawn once",
        """
All values come from one random division of the ratings. Tests over users tell whether a difference would hold for other
users, not for another division. Repeat it: `folds(5)`, several `split`s, or the same study with other seeds, and look
whether the winner stays.""",
    ),
    "HO510": Page(
        "Cold users or items in the test",
        """
Some test ratings are of users or items without a training rating. Most recommenders cannot score them, so values
measure coverage and fallback as much as quality, and differently for different systems. If new users or items are not
the question, test users with training ratings (`users = [["with_train", "with_test"]]`) and rank items that train
(`target = "TrainingItems"`); if they are, report them apart.""",
    ),
    "HO511": Page(
        "One data set",
        """
Data sets differ in density, in how popularity is spread and in how ratings came about, and systems are ordered
differently on them (Bellogín, Castells and Cantador 2017; Valcarce, Bellogín, Parapar and Castells 2018 need three to
see what holds generally). A claim about a method, rather than about a catalogue, needs several: `data = ["a.csv",
"b.csv"]`.""",
    ),
    "HO512": Page(
        "Pairs were merged across the cut in time",
        """
`duplicates` makes one rating of all rows of a user and an item before the split, and a split by time follows the one time
that the pair carries. Some pairs have rows both before and after the cut. With the latest time (`time=latest`, the default
of `keep=latest`) they are tested as if they were new, and what was known before the cut is missing in training. With the
first (`time=first`, the default of `sum` and `max`) they stay in training and nobody is tested on what they had met before,
but their values hold rows of the time that is predicted. Write `time=first`, and `binarise(1)` where the values are counts:
then nothing that comes after the cut is left in training.""",
    ),
    "HO513": Page(
        "Counts are taken for ratings",
        """
The values are counts of plays, purchases or clicks: their highest is more than 10 times their median. Neighbour methods and
others that weigh by ratings take them as they are, so that a few items with thousands of plays decide who is alike and what
is recommended, and such systems look far worse than they are beside those that ask only whether there is a value. Take each
as a 1, by the filter `binarise(1)` or by `values=binary` where a recommender has it, or make ratings of them by
`playcounts_to_ratings`. WRMF is not meant here: its confidence 1 + α r is made for counts. What models of your own do with
values is not known.""",
    ),
}
