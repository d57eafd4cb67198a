"""§6.1: sizes of the data sets."""

from __future__ import annotations

from dataclasses import replace

from heldout.papers.data_sets import BOOKCROSSING, KOSARAK, NETFLIX, RETAIL, TA_FENG, NeededData
from heldout.papers.gunawardana2009 import causes
from heldout.papers.paper import Claim, ClaimFinding, Expectation, Experiment, MeasuredTables, Pick
from heldout.papers.rating_counts import RatingCounts

EACH = "ratings of a user"
PUBLISHED: tuple[tuple[NeededData, int, int, int], ...] = (
    (BOOKCROSSING, 105_283, 340_556, 10),
    (RETAIL, 88_162, 16_470, 10),
    (KOSARAK, 990_002, 41_270, 8),
    (TA_FENG, 32_266, 23_812, 23),
)
"""Users, baskets or sessions, items, and how many items each has on average."""
NETFLIX_WHOLE = (480_000, 17_700)
"""Users and films as printed, rounded to thousands and hundreds."""
NETFLIX_ACTIVE = (21_179, 17_415, 117)
"""Of users who rated more than 100 films."""


def _size(row: str, nearest: int) -> Pick:
    """A size, rounded to the nearest so many."""

    def number(measured: MeasuredTables) -> list[float]:
        data = measured.tables["data"].row(0, named=True)
        size = data["ratings"] / data["users"] if row == EACH else data[row]
        return [float(nearest * round(size / nearest))]

    return number


def _expected(row: str, published: int, *, nearest: int = 1, why: tuple[str, ...] = ()) -> Expectation:
    rounded = "" if nearest == 1 else f", to the nearest {nearest:,}"
    return Expectation(
        row=f"{row}{rounded}",
        column="",
        published=published,
        pick=_size(row, nearest),
        kind="count",
        decimals=0,
        standing="size",
        causes=why,
    )


def _above_middle(measured: MeasuredTables) -> ClaimFinding:
    share = float(measured.tables["users"]["positive"].sum() / measured.tables["data"]["ratings"][0])
    return ClaimFinding(share > 0.5, f"{share:.1%}")


def _sparser(measured: MeasuredTables) -> ClaimFinding:
    data = measured.tables["data"].row(0, named=True)
    each = data["ratings"] / data["users"]
    _, films, of_films = NETFLIX_ACTIVE
    return ClaimFinding(data["items"] > films and each < of_films, f"{data['items']:,} items, {each:.1f} ratings of a user")


def _small_fraction(measured: MeasuredTables) -> ClaimFinding:
    films = measured.tables["data"]["items"][0]
    share = float((measured.tables["users"]["ratings"] < films / 10).mean())
    return ClaimFinding(share > 0.5, f"{share:.1%} of the users")


def _positive_claim(scale: str) -> Claim:
    return Claim(
        words="“Ratings are also skewed towards positive ratings in both cases”",
        section="§6.1.1",
        rule=f"more than half of the ratings are above the middle of the scale, {scale}",
        check=_above_middle,
    )


CLAIMS: dict[str, tuple[Claim, ...]] = {
    BOOKCROSSING.key: (
        _positive_claim("6 to 10"),
        Claim(
            words="“This data set is even more sparse than the Netflix data set that we used, as there are more items and "
            "less ratings per user”",
            section="§6.1.1",
            rule="more than 17,415 items and fewer than 117 ratings of a user, as printed of Netflix (rule written after "
            "the sizes had been seen)",
            check=_sparser,
        ),
    ),
    NETFLIX.key: (
        _positive_claim("4 and 5"),
        Claim(
            words="“The data set is very sparse—users mostly rated a small fraction of the available movies”",
            section="§6.1.1",
            rule="more than half of the users rated less than a tenth of the films",
            check=_small_fraction,
        ),
    ),
}
MIDDLE = {BOOKCROSSING.key: 6, NETFLIX.key: 4}
"""The first rating above the middle of the scale."""


def _sizes(data: NeededData, *rows: Expectation) -> Experiment:
    return Experiment(
        key=f"sizes-{data.key}",
        title="Size of the data set",
        did="Counts users, baskets or sessions, and items (§6.1).",
        data=data,
        minutes=3 if data is NETFLIX else 0.1,
        work=RatingCounts(positive=MIDDLE.get(data.key, 1), duplicates="max"),
        expectations=rows,
        claims=CLAIMS.get(data.key, ()),
    )


def _published(data: NeededData, users: int, items: int, each: int) -> Experiment:
    zeros = (causes.WITH_ZEROS,) if data is BOOKCROSSING else ()
    rows = {"users": users, "items": items, EACH: each}
    return _sizes(data, *(_expected(row, number, why=zeros) for row, number in rows.items()))


SIZES: tuple[Experiment, ...] = (
    *(_published(*row) for row in PUBLISHED),
    _sizes(
        NETFLIX,
        *(
            _expected(row, number, nearest=nearest)
            for row, number, nearest in zip(("users", "items"), NETFLIX_WHOLE, (1000, 100), strict=True)
        ),
    ),
    replace(
        _sizes(NETFLIX, *(_expected(row, n) for row, n in zip(("users", "items", EACH), NETFLIX_ACTIVE, strict=True))),
        key=f"sizes-{NETFLIX.key}-active",
        did="Counts the users who rated more than 100 films, and the films that they rated (§6.1.1).",
        work=RatingCounts(positive=1, filters=("min_ratings(user=101)",)),
        claims=(),
    ),
)
