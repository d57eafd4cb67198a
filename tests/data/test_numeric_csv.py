"""The parser of plain numbers, beside the exact one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.data.files import rows

from heldout.data.readers import Csv
from heldout.errors import InputError

numbers = st.one_of(
    st.integers(-9, 10**12).map(str), st.sampled_from(["007", "", " 5", "1.5", "x", "-0", "0", "1e3", "4.50"])
)


times = st.one_of(st.integers(0, 2**31).map(str), st.sampled_from(["2001-01-01", "12.0"]))


@settings(max_examples=150, deadline=None)
@given(
    lines=st.lists(st.tuples(numbers, numbers, numbers, times), min_size=1, max_size=6),
    separator=st.sampled_from([",", "\t", "::", ";"]),
    end=st.sampled_from(["\n", "\r\n", "\n\n"]),
    last=st.booleans(),
)
def test_the_quick_parser_and_the_exact_one_agree(
    tmp_path_factory: pytest.TempPathFactory, lines: list[tuple[str, ...]], separator: str, end: str, last: bool
) -> None:
    path = tmp_path_factory.mktemp("agree") / "r.txt"
    path.write_text(end.join(separator.join(line) for line in lines) + (end if last else ""), newline="")
    reader = Csv(str(path), separator=separator, header=False)

    def outcome() -> Any:
        try:
            log = reader.read()
        except InputError as error:
            return str(error)
        return rows(log), None if log.time is None else log.time.tolist(), log.user_id.dtype, log.item_id.dtype

    quick = outcome()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("heldout.data.tabular.plain_columns", lambda *_: None)
        assert outcome() == quick
