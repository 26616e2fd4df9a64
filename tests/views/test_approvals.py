"""Decisions on versions in words."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from evalcore.approvals.standing import decisions
from evalcore.judging.model import Judge
from evalcore.memory.approving import Waiver, waive
from evalcore.memory.evidence import evidence_of
from evalcore.views.approvals import decision_words
from tests.memory.approval_cases import measured
from tests.memory.remembered import NOTES, again

WAIVED = "v2 has a waiver in place of v1 until {}, owner Ana: Urgent."
LAPSED = "v2 had a waiver in place of v1 until {}, which has lapsed: It has ended."


@pytest.mark.parametrize(
    ("asked", "last"),
    [
        ("2099-01-31", "the end of 31 Jan 2099 (UTC)"),
        ("2099-01-31T12:30:00Z", "31 Jan 2099, 12:30 UTC"),
    ],
)
@pytest.mark.parametrize(("year", "said"), [(2099, WAIVED), (2100, LAPSED)])
def test_a_waiver_says_its_last_day(
    tmp_path: Path, asked: str, last: str, year: int, said: str
) -> None:
    """As long as it holds and once it has ended; a time of day is said where one was given."""
    ws = measured(tmp_path, "v1", "v2")
    evidence = evidence_of(ws, NOTES, "v2", "v1")
    waive(ws, NOTES, evidence, Judge("ana-3f2a", "Ana"), Waiver("Ana", "Urgent.", asked))
    (found,) = decisions(again(ws), NOTES, datetime(year, 1, 1, tzinfo=UTC))
    assert decision_words(found) == said.format(last)
