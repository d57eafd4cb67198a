"""Results of the studies whose methods are told."""

from __future__ import annotations

import pytest
from tests.review.methods.sections import FILTERED, STUDY

import heldout as ho
from heldout import Methods


@pytest.fixture(scope="session")
def results() -> ho.Results:
    return ho.run(STUDY)


@pytest.fixture(scope="session")
def section(results: ho.Results) -> Methods:
    return ho.methods(results)


@pytest.fixture(scope="session")
def filtered() -> ho.Results:
    return ho.run(FILTERED)
