"""Data sets that their publishers let anyone download: where they are, what they must contain, and on what terms."""

from __future__ import annotations

from dataclasses import dataclass, field

from heldout.catalogue.references import reference
from heldout.data.member_digests import LASTFM_2K, ML_1M, ML_100K
from heldout.errors import SpecError, UnknownNameError

_GROUPLENS = (
    "For research. Acknowledge GroupLens in publications and do not state or imply its endorsement; the data may not be "
    "redistributed without separate permission, nor used commercially without permission of GroupLens. Full terms: the "
    "README inside."
)


@dataclass(frozen=True, kw_only=True)
class Published:
    """One data set on its publisher's server."""

    name: str
    title: str
    url: str
    licence: str
    reference: str
    reader: str
    """The text form that reads it, with {} for its folder."""
    checksum: str = ""
    """Of the file that is downloaded: `md5:…` or `sha256:…`; empty when only its members are known."""
    members: dict[str, str] = field(default_factory=dict)
    """sha256 of files inside, where they are known."""
    others: tuple[str, ...] = ()
    """Files inside whose digests are not known: unpacked only where the archive's own checksum is."""
    folder: str = ""
    """The folder that the archive unpacks to, when it does."""

    @property
    def citation(self) -> str:
        """The publication to cite."""
        return reference(self.reference)


def _movielens(size: str, md5: str, folder: str = "", members: dict[str, str] | None = None) -> Published:
    name = f"ml-{size}"
    return Published(
        name=name,
        title=f"MovieLens {size.upper()}",
        url=f"https://files.grouplens.org/datasets/movielens/{name}.zip",
        licence=_GROUPLENS,
        reference="harper2015",
        reader='movielens("{}")',
        checksum=f"md5:{md5}",
        members=members or {},
        folder=folder or name,
    )


PUBLISHED: dict[str, Published] = {
    data_set.name: data_set
    for data_set in (
        _movielens("100k", "0e33842e24a9c977be4e0107933c0723", members=ML_100K),
        _movielens("1m", "c4d9eecfca2ab87c1945afe126590906", members=ML_1M),
        _movielens("10m", "ce571fd55effeba0271552578f2648bd", "ml-10M100K"),
        _movielens("20m", "cd245b17a1ae2cc31bb14903e1204af3"),
        _movielens("25m", "6b51fb2759a8657d3bfcbfc42b592ada"),
        _movielens("32m", "d472be332d4daa821edc399621853b57"),
        Published(
            name="lastfm-2k",
            title="Last.fm of HetRec 2011",
            url="https://files.grouplens.org/datasets/hetrec2011/hetrec2011-lastfm-2k.zip",
            licence="For non-commercial use; acknowledge Last.fm and the HetRec 2011 workshop. Full terms: the readme "
            "inside.",
            reference="cantador2011",
            reader='lastfm("{}")',
            members=LASTFM_2K,
            others=("user_taggedartists.dat", "user_taggedartists-timestamps.dat"),
        ),
        Published(
            name="retail",
            title="Belgian retail baskets of the FIMI repository",
            url="http://fimi.uantwerpen.be/data/retail.dat",
            licence="For research, with acknowledgement of Tom Brijs and the supermarket, which stays anonymous; the "
            "donor's terms are at http://fimi.uantwerpen.be/data/retail.pdf.",
            reference="brijs1999",
            reader='fimi("{}/retail.dat")',
            checksum="sha256:d967431ba522e32f0fbb243f2ee113ecd4cb374cb0234c1b0858dae1d499a055",
            members={"retail.dat": "d967431ba522e32f0fbb243f2ee113ecd4cb374cb0234c1b0858dae1d499a055"},
        ),
    )
}


def published(name: str) -> Published:
    """The data set of this name; UnknownNameError suggests near ones."""
    if not isinstance(name, str):
        names = ", ".join(PUBLISHED)
        raise SpecError(found=name, expected="the name of a data set", hint=f"known: {names}")
    data_set = PUBLISHED.get(name.casefold())
    if data_set is None:
        raise UnknownNameError("data set to fetch", name, PUBLISHED)
    return data_set
