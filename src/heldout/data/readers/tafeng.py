"""Ta-Feng grocery purchases."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl

from heldout.catalogue import REQUIRED, param
from heldout.data.column_table import BAD_ROWS, BadRows, log_of
from heldout.data.delimited import read_table, text_frame
from heldout.data.file_patterns import file_in
from heldout.data.reader import Reader
from heldout.data.sources import file_digest
from heldout.tables import Log, Side

_FILES = ("ta_feng_all_months_merged.csv",)
_WANTED = {
    "user": "CUSTOMER_ID",
    "item": "PRODUCT_ID",
    "value": "AMOUNT",
    "time": "TRANSACTION_DT",
    "price": "SALES_PRICE",
    "cost": "ASSET",
}


class TaFeng(Reader):
    """Ta-Feng: who bought what on which day; the value is the quantity, the utility the profit of the row.

    Assumes: the merged edition of the four months. The utility is price − cost as the row has them, which may be negative.
    A customer buys a product many times: say `duplicates(keep=sum)`, which adds quantities and profits.

    Example: a row of AMOUNT 2, ASSET 24 and SALES_PRICE 30 has value 2 and utility 6.
    """

    key = "tafeng"
    timed = True
    counts = True
    title = "Ta-Feng"
    aliases = ("ta_feng",)
    formula = "g(u, i) = Σ_rows (price − cost)"
    references = ("hsu2004",)
    recognised_files = {"*": r"(?=(.*,)?TRANSACTION_DT(,|\n|$))(?=(.*,)?PRODUCT_SUBCLASS(,|\n|$))"}
    recognised_folders = (_FILES,)

    path: str = param(REQUIRED, "the folder or the file, plain or compressed")
    on_bad_rows: BadRows = param("error", BAD_ROWS)

    def file(self) -> Path:
        """The file itself."""
        return file_in(self.path, _FILES, "Ta-Feng purchases")

    def read(self) -> Log:
        table = read_table(self.file(), _WANTED, separator=",", header=True)
        table = replace(table, time_format="%m/%d/%Y")
        if self.on_bad_rows == "skip":
            table = table.without_bad_rows()
        return replace(log_of(table), utility=table.numbers("price") - table.numbers("cost"))

    def source_digest(self) -> str:
        return file_digest(self.file())

    def item_table(self) -> Side | None:
        """The subclass of each product, the most frequent one where rows differ."""
        frame = text_frame(self.file(), separator=",", quoted=True)
        counted = frame.group_by("PRODUCT_ID", "PRODUCT_SUBCLASS").len().sort("PRODUCT_ID", "len", "PRODUCT_SUBCLASS")
        return Side.of(
            counted.unique("PRODUCT_ID", keep="last", maintain_order=True).drop("len"), "PRODUCT_ID", source=self.path
        )

    def user_table(self) -> Side | None:
        """Age group and residence of each customer, as of the last row."""
        frame = text_frame(self.file(), separator=",", quoted=True)
        last = frame.unique("CUSTOMER_ID", keep="last", maintain_order=True)
        kept = last.select("CUSTOMER_ID", pl.col("AGE_GROUP").replace("", None), "PIN_CODE")
        return Side.of(kept, "CUSTOMER_ID", source=self.path)
