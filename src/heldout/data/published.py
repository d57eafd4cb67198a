"""Data sets that their publishers let anyone download: where they are, what they must contain, and on what terms."""

from __future__ import annotations

from dataclasses import dataclass, field

from heldout.catalogue.references import reference
from heldout.errors import SpecError, UnknownNameError

ML_100K = {
    "README": "4883b8cf340ed0059971b33f56ad3adc88a40792108ebca3d24aafc4c82e8b52",
    "u.data": "06416e597f82b7342361e41163890c81036900f418ad91315590814211dca490",
    "u.genre": "9757e0d3e6b298159a80dd48eaf938114690e911e39af97a76949ef1663610bb",
    "u.info": "5b0a40b2e47a729ee6203063f6dcf8790c2e63f5a18663e6ee318a72c5f3c27b",
    "u.item": "553841ebc7de3a0fd0d6b62a204ea30c1e651aacfb2814c7a6584ac52f2c5701",
    "u.occupation": "cd5fbec9afe345d993a62fc7817df1a4a9079c4feb267b3118763b8fd942137d",
    "u.user": "f120e114da2e8cf314fd28f99417c94ae9ddf1cb6db8ce0e4b5995d40e90e62c",
    "u1.base": "ce253ec86c448b44fb3ba9a30d12dcfc2e9210cbde71efada3730c22e9ac212a",
    "u1.test": "18c6014a4b2c7324f250a63f8904a7b16b2b19f911129e346141507b0cbac950",
    "u2.base": "6c06f0b5df4b256da1a994f3ac66edc8da4d3f09bc9282df6b14d893366d703e",
    "u2.test": "4de658d1e04ed9104629509a2e2528fce833ac8e048280183f1df167632038c3",
    "u3.base": "afdc155c291c6edc41c0407e39d7462eb98d341e064f0b0a12175b80b3c4af5d",
    "u3.test": "0f548b51c78327de4c156461d3e430b7e5579fe2b5681586a59416e48fd35f6d",
    "u4.base": "219f0f4d40dfe9c5141d425f53fa91ee23ed275f14e280bbf1b50117afb064ca",
    "u4.test": "7c02ad0a1e7ab1083c8b9d4b627203a051dd7b5eab46d99fa44de33470de8db9",
    "u5.base": "a9574e59ce961eec2121627760b6e9b0974ce1637b3fe69ac32cb14a4bfab485",
    "u5.test": "351cc52e0d15b6c721466276fc24671d40936899e3d01fadeaf312915b8c5634",
    "ua.base": "67b5bcdb380c29f85d56a012ecd88612ae020f30a6730d117a334ee8203b91f2",
    "ua.test": "d0497e202417720f57a184ec8c66be2d1afa4ff41bb53787c57b28d6bf79bc42",
    "ub.base": "237254d253b6ad7de84f919d041055428646254f34ed8f562703c899430cd881",
    "ub.test": "d54a72d05730d5892062734b2bec73e976f9b713d18c828a18b968d6cce442da",
}
ML_1M = {
    "README": "2d5ddce86ccbd247207456165827b4b9ddf27282bca93807d4c763e28414f133",
    "movies.dat": "0140fc2356357c1a851d0f52e893a1e4d3696df632c4141cea8d5bc3d621f0b9",
    "ratings.dat": "506d64ca44484487c11dc2d9a28de5c54948213e6b96285e298afe28d6ea4e0f",
    "users.dat": "1dc3a95300cb19f7c10e027daf29b8cdf1d908dab65b5edfb45950aa389a10a3",
}
LASTFM_2K = {
    "artists.dat": "c173881362c6b28551368fecb3c0be5a6a30a6cd859e1f5775413dfe46d48648",
    "readme.txt": "44c38757b3a24e68e844ac60c97ba7fd8e0f691cf1b00e9cf6bd8854df0dd64a",
    "tags.dat": "e95175f259be4c0c47644ae23d66131cd6d5767142a1405000e79f5584691d70",
    "user_artists.dat": "001400dc3c7d2667fca6e4ea6dc6acc31a9dd28ad5cd0f74cea988c019934d3b",
    "user_friends.dat": "9a3a8f7fa5f5ec832335e5b58ed69a4cf27c6f6f6afcde62134810eea46445a7",
}


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
