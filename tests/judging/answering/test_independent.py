"""Independent batches: how their runs are drawn, and what is stored."""

import hashlib
import json
from pathlib import Path
from random import Random

import pytest

from evalcore.errors import CannotJudge, CannotWrite
from evalcore.families.reviews.models import ReviewRecord
from evalcore.judging.answering import independent
from evalcore.judging.answering.independent import Judges, chosen, drawn, start_batch
from evalcore.judging.model import Receipt
from evalcore.judging.storing.populations import by_column, column_of
from evalcore.judging.storing.store import new_id, store
from evalcore.judging.storing.stored_reviews import ReviewFolder
from tests.judging.notes_and_exclusions import ANA, BASELINE, BEN, OTHER, RUN, records, small


def test_a_random_sample_has_each_run_once_and_all_alike() -> None:
    """Over many draws, each of ten runs is drawn as often as another."""
    runs, chance = [str(number) for number in range(10)], Random(7)
    draws = [drawn(runs * 2, 3, chance) for _ in range(2_000)]
    assert all(len(set(each.runs)) == 3 and each.out_of == 10 for each in draws)
    often = [sum(run in each.runs for each in draws) for run in runs]
    assert all(520 < n < 680 for n in often), often


def test_a_sample_larger_than_what_there_is_takes_all() -> None:
    """And chance is the system's own, which nobody can predict."""
    found = drawn([RUN, OTHER], 5)
    assert (set(found.runs), found.drawn, found.out_of) == ({RUN, OTHER}, "random", 2)


def test_each_run_of_a_batch_is_a_record(tmp_path: Path) -> None:
    """It says who judges, how it was chosen, and why; a double click stores it once."""
    ws, submission = small(tmp_path), new_id()
    judges = Judges((BEN.id,), (" Dora \n",))
    draw = chosen([RUN, BASELINE, RUN], 3)
    first, second = (
        start_batch(ws, draw, judges, ANA, reason=" odd ", submission=submission) for _ in "ab"
    )
    assert [each.id for each in first.receipts] == [each.id for each in second.receipts]
    assert {record.fields["testRunId"] for record in records(ws)} == {RUN, BASELINE}
    for record in records(ws):
        assert {**record.fields, "testRunId": ""} == {
            "testRunId": "",
            "batch": first.batch,
            "judges": [BEN.id],
            "names": ["Dora"],
            "drawn": "chosen",
            "outOf": 3,
            "population": [],
            "reason": "odd",
        }


def test_a_random_batch_says_what_it_was_drawn_from(tmp_path: Path) -> None:
    """By version and configuration, with the sha256 of the ids of all their runs."""
    ws = small(tmp_path)
    start_batch(ws, drawn([RUN, BASELINE, OTHER], 2, Random(1)), Judges((BEN.id,)), ANA)
    stated = {json.dumps(record.fields["population"]) for record in records(ws)}
    assert len(stated) == 1
    population = {each["column"]: each for each in json.loads(stated.pop())}
    assert set(population) == {column_of(run) for run in (RUN, BASELINE, OTHER)}
    for column, runs in by_column([RUN, BASELINE, OTHER]).items():
        text = "".join(f"{run.partition('::')[2]}\n" for run in sorted(runs))
        assert population[column]["runs"] == len(runs)
        assert population[column]["sha256"] == hashlib.sha256(text.encode()).hexdigest()


def test_all_runs_there_are_leave_nothing_to_chance(tmp_path: Path) -> None:
    """They state what they are all of; some that were chosen state nothing."""
    ws = small(tmp_path)
    start_batch(ws, chosen([RUN, OTHER], 2), Judges((BEN.id,)), ANA)
    assert all(record.fields["population"] for record in records(ws))


@pytest.mark.parametrize(
    ("runs", "judges", "why"),
    [
        ((), Judges(("a",)), "No run is left"),
        ((RUN,), Judges(()), "Say who"),
        ((RUN,), Judges(("a",) * 21), "At most 20 judges"),
        (tuple(f"pdf::{n}@a/b#1" for n in range(501)), Judges(("a",)), "At most 500 runs"),
    ],
)
def test_a_batch_needs_runs_and_judges(
    tmp_path: Path, runs: tuple[str, ...], judges: Judges, why: str
) -> None:
    """And not too many of either; nothing is stored then."""
    ws = small(tmp_path)
    with pytest.raises(CannotJudge, match=why):
        start_batch(ws, chosen(runs, 1), judges, ANA)
    assert records(ws) == ()


def test_what_was_stored_before_a_failure_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The runs that could be written are in the batch."""
    ws = small(tmp_path)
    asked: list[object] = []

    def full(reviews: ReviewFolder, record: ReviewRecord) -> Receipt:
        asked.append(record)
        if len(asked) > 1:
            raise CannotWrite(tmp_path, "the disk is full")
        return store(reviews, record)

    monkeypatch.setattr(independent, "store", full)
    found = start_batch(ws, chosen([RUN, OTHER], 2), Judges((BEN.id,)), ANA)
    assert len(found.receipts) == len(records(ws)) == 1
    assert "the disk is full" in (found.failed or "")
