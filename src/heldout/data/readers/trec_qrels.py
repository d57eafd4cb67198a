"""TREC relevance judgements."""

from __future__ import annotations

from pathlib import Path

from heldout.catalogue import REQUIRED, param
from heldout.data.dialect import WHITESPACE
from heldout.data.many import digest_all, read_all
from heldout.data.reader import Reader
from heldout.data.tabular import read_table
from heldout.data.typed import BAD_ROWS, BadRows, log_of
from heldout.tables import Log


class TrecQrels(Reader):
    """Judgements in the form of trec_eval: `user 0 item grade`, separated by any run of blanks and tabs.

    Assumes: no header; the second column is not looked at; grades are any numbers.

    Example: the line `u1 0 i7 2` gives user u1, item i7, value 2.
    """

    key = "trec_qrels"
    aliases = ("qrels",)

    path: str = param(REQUIRED, "the file, plain or compressed, or a pattern of many")
    on_bad_rows: BadRows = param("error", BAD_ROWS)

    def read(self) -> Log:
        return read_all(self.path, self._read)

    def _read(self, file: Path) -> Log:
        wanted = {"user": "1", "item": "3", "value": "4"}
        table = read_table(file, wanted, separator=WHITESPACE, header=False, bad_rows=self.on_bad_rows)
        return log_of(table, self.on_bad_rows)

    def source_digest(self) -> str:
        return digest_all(self.path)
