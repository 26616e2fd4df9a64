"""Who does the same at once stores it once, and each process says what is true."""

import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from evalcore import open_workspace
from evalcore.benchmarks.definitions import benchmarks
from evalcore.families.reviews.models import MessageFields, TaskFields
from evalcore.judging.answering.classifying import Classified, classify
from evalcore.judging.answering.deciding import Decided, decide
from evalcore.judging.answering.excluding import exclude, lift
from evalcore.judging.answering.notes import add_note
from evalcore.judging.answering.saved_views import save_view
from evalcore.judging.answering.sending import send
from evalcore.judging.answering.skips import finish_request, skip, unskip
from evalcore.judging.storing.store import new_id
from evalcore.lint.run import check
from evalcore.memory.store import New, remember
from evalcore.workspace.opened import Workspace
from tests.judging.copies import ANA, DEMO, INVOICES, NOTES_RUN, copied
from tests.memory.remembered import AT, NOTES, SUPPORT
from tests.racing import Racers, racers

FOLDERS = (NOTES, f"{NOTES}-workspace", SUPPORT, INVOICES, f"{INVOICES}-workspace")
TASK, ASKED = (f"{n}3333333-0000-4000-8000-00000000000{{}}" for n in (3, 4))
ON = ("--suite", NOTES)
SIDES = ("iteration-2@with_skill", "iteration-3@with_skill")
AGAIN = ("benchmark run", "B", "--version", "v1", "--again", *ON)


class Race(NamedTuple):
    """A command that several do at once: what type of record comes of it, how many, what is said.

    `apart`: each opens the folder when the one before has done it, though all began before.
    """

    line: tuple[str, ...]
    kind: str
    number: int = 1
    there: str = ""
    apart: bool = False


def told(suite: str, place: int) -> list[Race]:
    """What is done with a task and a message of a suite."""
    task, asked = TASK.format(place), ASKED.format(place)
    done = ("messages", "--done", task, "--text", "Mended.", "--by", "Ana", "--suite", suite)
    answer = ("messages", "--answer", asked, "--text", "Yes.", "--by", "Ana", "--suite", suite)
    return [
        Race(done, "task", there="It was there already"),
        Race(done, "task", 0, "It was there already"),
        Race(answer, "message", there="It was there already"),
        Race(answer, "message", 0, "It was there already"),
    ]


WAIVE = ("--owner", "Bo", "--reason", "x", "--until", "2099-01-01")
STORIES = {
    "benchmarks": [
        Race(("benchmark create", "B", "--dimension", "q", *ON), "benchmark", there="the same"),
        Race(
            ("benchmark create", "B", "--dimension", "q", "--replace", *ON),
            "benchmark",
            there="There was the same benchmark already",
        ),
        Race(
            ("benchmark run", "B", "--version", "v1", *ON),
            "benchmark-run",
            there="Another process recorded it",
        ),
        Race(AGAIN, "benchmark-run", there="Another process recorded it"),
        Race(AGAIN, "benchmark-run", there="Another process recorded it", apart=True),
        Race(
            ("benchmark run", "B", "--version", "v3", *ON),
            "benchmark-run",
            there="Another process recorded it",
            apart=True,
        ),
        Race(("benchmark compare", "B", "v2", "v3", "--take", *ON), "prompt-comparison"),
        Race(("approval approve", "v3", "--over", "v2", *ON), "approval", there="there already"),
        Race(("approval approve", "v3", "--over", "v2", *ON), "approval", 0, "there already"),
        Race(
            ("approval waive", "v3", "--over", "v2", *WAIVE, *ON), "approval", there="there already"
        ),
        Race(("approval withdraw", "v3", "--reason", "y", *ON), "approval", there="there already"),
        Race(("benchmark retire", "B", *ON), "benchmark"),
    ],
    "failures": [Race(("failures", "--record", "--suite", INVOICES), "eval-failure", 26)],
    "messages beside a suite": told(NOTES, 0),
    "messages in a store": told(SUPPORT, 1),
    "studies": [
        Race(
            ("blind create", *SIDES, "--suite", INVOICES),
            "blind-study",
            there="Another process created this study",
        ),
        Race(("blind close", "--suite", INVOICES), "blind-key"),
        Race(
            ("blind create", *SIDES, "--suite", INVOICES),
            "blind-study",
            there="Another process created this study",
            apart=True,
        ),
    ],
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return suites of the demo, in two of which something was sent."""
    root = tmp_path_factory.mktemp("racing") / "workspace"
    for name in FOLDERS:
        shutil.copytree(DEMO / name, root / name)
    ws = open_workspace(root, cache=False)
    for place, suite in enumerate((NOTES, SUPPORT)):
        task = TaskFields(title="Look at it", description="It fell.")
        asked = MessageFields(sender="a", recipient="b", subject="s", text="t", expects_answer=True)
        new = [New("task", TASK.format(place), task, at=AT)]
        remember(ws, suite, [*new, New("message", ASKED.format(place), asked, at=AT)])
    return root


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Racers]:
    with racers(tmp_path_factory.mktemp("racers") / "four") as found:
        yield found


def stored(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*.json") if ".tmp" not in path.parts}


def conflicts(root: Path) -> list[str]:
    found = check(open_workspace(root, cache=False))
    return [each.message for each in found if each.code in ("conflict", "repeated-name")]


@pytest.mark.parametrize("story", STORIES)
def test_a_command_that_several_do_at_once_stores_one_record(
    root: Path, four: Racers, story: str
) -> None:
    """Nothing is in conflict, nothing is changed, and whoever came second says so and succeeds."""
    for line, kind, number, there, apart in STORIES[story]:
        before = stored(root)
        said = four.race(*line[0].split(), root, *line[1:], apart=apart)
        now = stored(root)
        new = Counter(path.parent.name for path in now.keys() - before.keys())
        assert (new[kind], len({each.code for each in said})) == (number, 1), (line, said)
        assert said[0].code == 0, (line, said)
        second = sum(there in each.out for each in said)
        assert second == (4 if not there else 3 if number else 4), (line, said)
        assert conflicts(root) == [], line


def test_runs_of_several_versions_at_once_leave_one_benchmark(root: Path, four: Racers) -> None:
    """Each is written, and follows up on what the ones before left."""
    four.race("benchmark", "create", root, "All", "--dimension", "q", *ON)
    before = stored(root)
    said = four.race("benchmark", "run", root, "All", "--version", "v{}", *ON)
    assert {each.code for each in said} <= {0, 1}, said
    new = Counter(path.parent.name for path in stored(root).keys() - before.keys())
    assert (new["benchmark-run"], conflicts(root)) == (4, [])
    (row,) = (each for each in benchmarks(open_workspace(root), NOTES) if each.name == "All")
    runs = open_workspace(root).tables.benchmark_runs
    assert row.last_run_at == runs[runs["benchmark"] == row.id]["ran_at"].max()


CLASSIFIED = Classified(NOTES_RUN, "wrong-output", "major", "It is short.", resolution="Mended.")
DECIDED = Decided("Ask for a number.", None, NOTES_RUN, "accepted")
ACTS: dict[str, Callable[[Workspace, str], object]] = {
    "skip": lambda ws, _: skip(ws, NOTES_RUN, ANA),
    "come back": lambda ws, _: unskip(ws, NOTES_RUN, ANA),
    "skip again": lambda ws, _: skip(ws, NOTES_RUN, ANA),
    "send to judging": lambda ws, name: send(ws, [NOTES_RUN], "Look.", ANA, submission=name),
    "close the request": lambda ws, _: finish_request(ws, NOTES_RUN, ANA),
    "exclude": lambda ws, name: exclude(ws, NOTES_RUN, "A fault.", ANA, submission=name),
    "include": lambda ws, _: lift(ws, NOTES_RUN, ANA),
    "resolve": lambda ws, name: classify(ws, NOTES, CLASSIFIED, ANA, submission=name),
    "accept": lambda ws, name: decide(ws, NOTES, DECIDED, ANA, submission=name),
    "note": lambda ws, name: add_note(ws, NOTES, NOTES_RUN, "Look.", ANA, submission=name),
    "view": lambda ws, name: save_view(
        ws, NOTES, "Mine", "gradings", {"filter": "failing"}, ANA, submission=name
    ),
}


def test_what_is_pressed_several_times_at_once_is_stored_once(tmp_path: Path) -> None:
    """A form names its act; what has no form follows from what it replaces."""
    root = copied(tmp_path, NOTES).root
    for name, act in ACTS.items():
        before, submission, start = stored(root), new_id(), threading.Barrier(6)

        def press(
            _: int,
            act: Callable[[Workspace, str], object] = act,
            submission: str = submission,
            start: threading.Barrier = start,
        ) -> None:
            ws = open_workspace(root, cache=False)
            start.wait()
            act(ws, submission)

        with ThreadPoolExecutor(6) as pool:
            list(pool.map(press, range(6)))
        assert len(stored(root)) - len(before) == 1, name
        assert conflicts(root) == [], name
