"""Pages about which items compete and what counts as relevant."""

from __future__ import annotations

from heldout.catalogue.page import Page

PAGES: dict[str, Page] = {
    "HO203": Page(
        "Popular items have an advantage",
        """
Where test ratings are drawn at random from all ratings, an item has as many test ratings as it is popular, so
recommending popular items to everyone is rewarded whether or not it serves anyone (Bellogín, Castells and Cantador
2017). Personal systems that lean on popularity share in it. Add a protocol in which popularity gains nothing: `target =
"P1R(99)"` ranks each relevant item among items of its own popularity; `split = "uniform_test"` with `UAR` or `U1R(99)`
gives every test item the same number of test ratings; `targets(head=0.1)` leaves the most popular tenth out of the test
(Cremonesi, Koren and Turrin 2010). If an order of systems holds there too, it is not popularity's doing.""",
    ),
    "HO204": Page(
        "A cut-off read off a sample",
        """
Rank k among N sampled items stands for about rank k · (items / N) in the catalogue: the top 10 of 100 is the top tenth
of all items, which no user sees. As the sample gets smaller every metric tends to the area under the ROC curve, and
differences at the top of the list disappear (Krichene and Rendle 2020). Rank all items, correct the estimate
(`corrected=bv(gamma=0.1)`), or sample so many that the cut-off is a small share of the list.""",
    ),
    "HO205": Page(
        "Unrated items count as not relevant",
        """
In a full ranking most of the first places hold items that the user never rated; they count as misses. On MovieLens 1M
more than half of the top 10 is unrated at every split ratio (Cañamares, Castells and Moffat 2020, Figure 3), so a value
says what is known of a list, not how good it is. Show how far the truth may lie away: `unrated = ["zero", "interval"]`
puts the value with every unrated item at full gain beside it, as a bound that decides no contest; `condense` looks at rated
items alone. Where the bounds of two systems overlap widely, the data do not tell which list is better.""",
    ),
    "HO206": Page(
        "Many equal scores",
        """
Many items have the score of another, so their order is the tie rule's and not the system's. Under `ties = "item"` it is
the order of the catalogue, the same for all users: what stands early in the file is favoured, and values change when
the file is sorted otherwise. Use `ties = "expected"`, the mean over all orders of equal items, or `random`, and look
for the cause: scores that are rounded, or a system that knows few levels.""",
    ),
    "HO207": Page(
        "Lists of one relevant item are averaged in an unstated way",
        """
With one list for each relevant item there are two averages: every list counts the same, so that users with many
relevant items weigh more (Bellogín, Castells and Cantador 2017, equation 1), or lists are averaged per user first, and
users count the same (Bellogín, Castells and Cantador 2011, section 2.5). They can order systems differently. Say which
one is meant: `average=user` or `average=rating` in the target.""",
    ),
    "HO208": Page(
        "The relevance rule does not fit the ratings",
        """
Under the rule no rating, or every rating, is relevant. With none there is nothing to find and every value is 0 or
undefined; with all of them a disliked item counts as found, and precision measures only whether an item was rated. Look
at the distribution of ratings (`heldout data describe`) and set the threshold within the scale, or keep all ratings as
relevant on purpose and say so, as for clicks and purchases.""",
    ),
    "HO209": Page(
        "Popularity classes too small for the sample",
        """
Each relevant item competes with a sample of its own popularity class, and some classes hold fewer items than are to be
sampled: their lists are shorter, so that even a random ranking finds the relevant item more often there. Values are then not
comparable with those of full samples. Sample fewer items, cut the items into fewer classes (`percentiles`), or test more
ratings, so that rare items are candidates too.""",
    ),
}
