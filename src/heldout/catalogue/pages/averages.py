"""Pages about how users become one number, and about users whom a system does not serve."""

from __future__ import annotations

from heldout.catalogue.page import Page

PAGES: dict[str, Page] = {
    "HO602": Page(
        "Undefined values count as 0",
        """
Users without a relevant test item have no recall, average precision or nDCG. Under `undefined = zero` they count as 0,
as in trec_eval: all values shrink by the share of such users, and are not comparable with those of tools that leave
them out. The order of systems stays, differences and effect sizes shrink. Test only users who have something to find,
`users = [["with_train", "with_relevant"]]`, or choose `undefined = skip`, and say so.""",
    ),
    "HO603": Page(
        "Systems cover different shares",
        """
One system fills its lists for more users, or further, than another. With the uncovered at 0 the comparison mixes two
things: how good recommendations are, and to how many they are given (Cañamares, Castells and Moffat 2020, decisions B2
and C4, figures 7 and 8). Report both: coverage beside each value, and a second rule, `coverage = ["zero",
"intersection"]`, or fill the lists of all systems by the same `fallback = "popularity"`.""",
    ),
    "HO604": Page(
        "Lists are left short",
        """
A system cannot score all candidates, and `fallback = none` leaves its lists short: empty places count as misses. In use
something would be shown there. With a fallback all systems are compared on full lists (Cañamares, Castells and Moffat
2020, decision B2): `fallback = ["none", "popularity"]` shows both.""",
    ),
}
