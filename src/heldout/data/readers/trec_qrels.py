"""TREC relevance judgements."""

from __future__ import annotations

from pathlib import Path

from heldout.catalogue import REQUIRED, param
from heldout.data.column_table import BAD_ROWS, BadRows, log_of
from heldout.data.delimited import read_table
from heldout.data.dialect import WHITESPACE, is_number, split_blanks
from heldout.data.file_patterns import digest_all, read_all
from heldout.data.reader import Reader
from heldout.data.sniffing import first_lines
from heldout.data.sources import read_head
from heldout.errors import InputError
from heldout.tables import Log


class TrecQrels(Reader):
    """Judgements in the form of trec_eval: `user 0 item grade`, separated by any run of blanks and tabs.

    Assumes: no header; the second column and any after the fourth are not looked at; grades are any numbers. A run
    (`user Q0 item rank score tag`) is refused: its ranks would pass for grades.

    Example: the line `u1 0 i7 2` gives user u1, item i7, value 2.
    """

    key = "trec_qrels"
    aliases = ("qrels",)
    recognised_files = {"*.qrels": "", "*.qrel": ""}

    path: str = param(REQUIRED, "the file, plain or compressed, or a pattern of many")
    on_bad_rows: BadRows = param("error", BAD_ROWS)

    def read(self) -> Log:
        return read_all(self.path, self._read)

    def _read(self, file: Path) -> Log:
        refuse_run(first_lines(read_head(file), 20), file)
        wanted = {"user": "1", "item": "3", "value": "4"}
        table = read_table(file, wanted, separator=WHITESPACE, header=False)
        return log_of(table, self.on_bad_rows)

    def source_digest(self) -> str:
        return digest_all(self.path)


def refuse_run(lines: list[str], file: object) -> None:
    """InputError when the first lines are those of a run, where judgements or ratings are expected."""
    rows = [split_blanks(line) for line in lines]
    if rows and all(len(r) == 6 and r[1] in ("Q0", "0") and is_number(r[3]) and is_number(r[4]) for r in rows):
        raise InputError(
            "this is a run (user Q0 item rank score tag)",
            file=file,
            expected="ratings or judgements",
            hint="judgements are `user 0 item grade`; a run belongs where runs are named",
        )
