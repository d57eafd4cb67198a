"""TREC relevance judgements."""

from __future__ import annotations

from heldout.catalogue import REQUIRED, param
from heldout.data.dialect import WHITESPACE
from heldout.data.reader import Reader
from heldout.data.sources import file_digest
from heldout.data.tabular import read_table
from heldout.data.typed import log_of
from heldout.tables import Log


class TrecQrels(Reader):
    """Judgements in the form of trec_eval: `user 0 item grade`, separated by any run of blanks and tabs.

    Assumes: no header; the second column is not looked at; grades are any numbers.

    Example: the line `u1 0 i7 2` gives user u1, item i7, value 2.
    """

    key = "trec_qrels"
    aliases = ("qrels",)

    path: str = param(REQUIRED, "the file, plain or compressed")

    def read(self) -> Log:
        wanted = {"user": "1", "item": "3", "value": "4"}
        return log_of(read_table(self.path, wanted, separator=WHITESPACE, header=False))

    def source_digest(self) -> str:
        return file_digest(self.path)
