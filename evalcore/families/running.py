"""The interface of a family for new test runs: what can be run, and how a result is written."""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, Literal, NamedTuple

import msgspec

from evalcore.disk.files import Files
from evalcore.errors import EvalcoreError
from evalcore.families.base import PENDING
from evalcore.families.graded import Graded, Json, Verdict
from evalcore.ids import run_id
from evalcore.proposals.proposal import Proposal
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables

WITH_SKILL: Final = "with_skill"
WITHOUT_SKILL: Final = "without_skill"
OLD_SKILL: Final = "old_skill"
PRODUCED: Final = "/files"
"""The pointer to the produced files in a document that keeps them itself, as texts by name."""
CLAIM: Final = ".claim"
"""How the name of a mark ends by which a run owns a place before anything is written there."""
ONLY: Final = "-"
"""The configuration of families that have none."""


RunStatus = Literal[
    "completed",
    "timeout",
    "refused",
    "length_cut",
    "error",
    "cancelled",
    "interrupted",
    "rate_limited",
    "budget_stopped",
    "not_run",
    "pending",
]


class Criterion(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is checked in a case, the `rules` that decide it, and its object in the document."""

    kind: str
    name: str
    text: str
    low: float | None = None
    high: float | None = None
    weight: float | None = None
    required: bool | None = None
    critical: bool | None = None
    guide: str | None = None
    rules: tuple[str, ...] = ()
    definition: Json = None


class Case(msgspec.Struct, frozen=True, omit_defaults=True):
    """A case as it is asked; `files` are relative to the workspace, `laid` where each is laid.

    `gate` says whether critical checks that failed skip the judge. `definition` is what the family
    needs for the gradings.
    """

    id: str
    name: str | None
    prompt: str
    criteria: tuple[Criterion, ...] = ()
    files: tuple[str, ...] = ()
    laid: tuple[str, ...] = ()
    expected: Json = None
    gate: bool = True
    source: str | None = None
    definition: Json = None


class TestRun(msgspec.Struct, frozen=True, omit_defaults=True):
    """One planned execution of one case.

    `place` is the folder or file of its own, `skill` the folder of the skill that is laid before
    the executor. `stored` is what an earlier run produced and is graded instead: a folder, a file,
    or `path#/pointer`. With `again` it has a grading, which stays; the new one stands beside it.
    """

    run_id: str
    case: str
    version: str
    configuration: str
    run: str
    place: str
    skill: str | None = None
    stored: str | None = None
    again: bool = False
    execution: Json = None


class Execution(msgspec.Struct, frozen=True, omit_defaults=True):
    """How one case was executed: what the executor replied, produced and took.

    `output` is the JSON value of a reply that is one, or the texts of the files. `taken` is the
    sha256 of a stored output that was read, `prompt_sha256` that of the prompt version.
    """

    status: RunStatus
    why: str = ""
    started_at: str = ""
    ended_at: str = ""
    seconds: float | None = None
    tokens: int | None = None
    cost_usd: float | None = None
    model: str | None = None
    reply: str = ""
    files: tuple[str, ...] = ()
    output: Json = None
    taken: str | None = None
    calls: int | None = None
    prompt_sha256: str | None = None
    tool_calls: Json = None


class KnownRun(NamedTuple):
    """A run that the workspace has already, as the tables tell it."""

    version: str
    configuration: str
    run: str
    run_id: str
    status: str
    outputs: str | None
    source: str | None
    origin: str | None = None
    pointer: str | None = None


@dataclass(frozen=True)
class Suite:
    """A suite of an open workspace, as planning needs it: for thousands of cases, each asked of."""

    suite: str
    name: str
    root: str
    skill_path: str | None
    runs_per_case: int | None
    tables: Tables
    files: Files
    raw: Callable[[str, str], Json]

    @cached_property
    def runs(self) -> Mapping[str, Sequence[KnownRun]]:
        """Its runs by case, in the order of the tables."""
        found: dict[str, list[KnownRun]] = {}
        for case, *about in self.rows("runs", "case_id", *KnownRun._fields):
            found.setdefault(case, []).append(KnownRun(*about))
        return found

    @cached_property
    def documents(self) -> Mapping[str, Sequence[str]]:
        """The paths of its documents by kind, in the order of the tables."""
        found: dict[str, list[str]] = {}
        for kind, path in self.rows("documents", "kind", "path"):
            found.setdefault(kind, []).append(path)
        return found

    def rows(self, table: str, *names: str) -> list[tuple[Json, ...]]:
        """Return columns of its rows in a table."""
        return values_of(self.tables, table, self.suite, *names)

    def runs_of(self, case: Case, target: "Target") -> Iterator[KnownRun]:
        """Yield the runs of a case in a version and configuration."""
        for run in self.runs.get(case.id, ()):
            if (run.version, run.configuration) == (target.version, target.configuration):
                yield run

    def below(self, *names: str) -> str:
        """Return a path below the folder that holds versions and runs."""
        return below(self.root, *names)


def named(version: str, configuration: str) -> str:
    """Return a version under a configuration in words: `iteration-4 with_skill`."""
    return version if configuration == ONLY else f"{version} {configuration}"


class Target(NamedTuple):
    """A version under a configuration, made by the run if `is_new`; `why_not` it cannot be run."""

    version: str
    configuration: str
    skill: str | None
    is_new: bool = False
    why_not: str | None = None


class Offer(NamedTuple):
    """What can be run in a suite; `chosen` are run where nobody chooses, `runs` times each case."""

    targets: tuple[Target, ...]
    chosen: tuple[Target, ...]
    runs: int


class Document(NamedTuple):
    """A document that is created and never changed; a shared one stays where it exists."""

    path: str
    value: Json
    shared: bool = False


class Running(ABC):
    """What a family does for new test runs: it derives from this, and sets what is data.

    The places are those of a run's documents, of which `{place}` is the folder or file of its own;
    one that is None is not kept.
    """

    has_conventions: ClassVar[bool] = False
    """Whether its gradings also say how a skill that was written keeps the conventions."""
    files_below: ClassVar[tuple[Literal["root", "skill_path"], ...]] = ("skill_path", "root")
    """The folders of a suite that files of cases are relative to, the most likely one first."""
    grading_place: ClassVar[str] = "{place}/grading.json"
    """The grading, which says that a test run is judged."""
    shown_place: ClassVar[str] = "{place}"
    """What people see as the output of a run: a folder, a document or a part of one."""
    outputs_place: ClassVar[str | None] = None
    """The folder that produced files are written to; None: they are in a document."""
    transcript_place: ClassVar[str | None] = None

    @abstractmethod
    def offer(self, suite: Suite) -> Offer:
        """Return what can be run."""

    def bases(self, suite: Suite) -> Sequence[str]:
        """Return the folders that files of cases are relative to, most likely one first."""
        folders = (getattr(suite, each) for each in self.files_below)
        return [each for each in folders if each is not None]

    def case(self, suite: Suite, case: Case) -> Case:
        """Return a case with what its gradings need beside it, by default nothing."""
        return msgspec.structs.replace(case, definition=None)

    @abstractmethod
    def runs(self, suite: Suite, case: Case, target: Target, count: int, at: str) -> list[TestRun]:
        """Return further runs of a case in free places; `at` is the time of the plan."""

    def next_place(self, run: TestRun) -> tuple[str, str]:
        """Return number and place of a further test run, where another run owns those of `run`."""
        number = str(int(run.run) + 1)
        return number, run.place.removesuffix(run.run) + number

    def grading_path(self, run: TestRun) -> str:
        """Return the path of the grading."""
        return self.grading_place.format(place=run.place, case=run.case)

    def shown(self, run: TestRun) -> str:
        """Return what people see as the output of a run."""
        return self.shown_place.format(place=run.place, case=run.case)

    def outputs(self, run: TestRun) -> str | None:
        """Return the folder that produced files are written to, if there is one."""
        return self.outputs_place and self.outputs_place.format(place=run.place)

    def transcript(self, run: TestRun) -> str | None:
        """Return the path of the transcript; None if the family keeps none."""
        return self.transcript_place and self.transcript_place.format(place=run.place)

    def of_stored(self, suite: Suite, run: TestRun, known: KnownRun) -> TestRun:
        """Return a test run that grades what a known run produced, with where that is stored."""
        return run

    def waits(self, run: KnownRun) -> bool:
        """Return whether an earlier run was executed and has no grading yet."""
        return run.status == PENDING and not self.is_unread(run)

    def is_unread(self, run: KnownRun) -> bool:
        """Return whether a run has a grading that cannot be read; it may still be being written."""
        return run.status == PENDING and run.origin == "grading" and run.source is not None

    def stored(self, suite: Suite, run: KnownRun) -> str | None:
        """Return where the output of an earlier run is, as in `TestRun`; None if it is not here."""
        return run.outputs if run.outputs and exists(suite, run.outputs) else None

    def score(self, criterion: Criterion, verdict: Verdict) -> float:
        """Return the score of a decided criterion, as its grading would have it."""
        return float(verdict.passed is True)

    def tool_calls(self, suite: Suite, run: KnownRun) -> Json:
        """Return the log of the tools that an agent called in a run; None where there is none."""
        return None

    def documents(self, case: Case, run: TestRun, done: Execution) -> list[Document]:
        """Return the documents of an execution beside its grading, which several runs may share."""
        return []

    @abstractmethod
    def grading(self, case: Case, run: TestRun, done: Execution, graded: Graded) -> list[Document]:
        """Return the documents of the verdicts, the grading last; without one if incomplete."""

    def aggregates(
        self, tables: Tables, files: Files, suite: str, runs: Sequence[TestRun]
    ) -> list[Proposal] | None:
        """Return proposals for the aggregates of new runs; None: those of their versions."""
        return None


def further_runs(
    suite: Suite, running: Running, case: Case, target: Target, count: int, place: str
) -> list[TestRun]:
    """Return `count` runs with the next numbers whose places are free: `place` and the number."""
    numbers = (int(each.run) for each in suite.runs_of(case, target) if each.run.isdecimal())
    number, free = max(numbers, default=0), list[TestRun]()
    while len(free) < count:
        number += 1
        run = test_run(suite, case, target, str(number), f"{place}{number}")
        taken = (run.place, running.grading_path(run), claim_of(run))
        if not any(exists(suite, path) for path in taken):
            free.append(run)
    return free


def claim_of(run: TestRun) -> str:
    """Return the path of the mark beside a test run's place, which says that a run owns it."""
    home, slash, name = run.place.rpartition("/")
    return f"{home}{slash}.{name}{CLAIM}"


def test_run(suite: Suite, case: Case, target: Target, run: str, place: str) -> TestRun:
    """Return a planned run."""
    key = run_id(suite.suite, case.id, target.version, target.configuration, run)
    return TestRun(key, case.id, target.version, target.configuration, run, place, target.skill)


def exists(suite: Suite, path: str) -> bool:
    """Return whether anything has this path in the workspace."""
    return os.path.lexists(os.path.join(suite.files.root, path))  # noqa: PTH118 - as it is named


def value_there(suite: Suite, source: str, pointer: str) -> bool:
    """Return whether a document can be read and has a value that is not empty at a pointer."""
    try:
        return suite.raw(source, pointer) not in (None, "", {}, [])
    except EvalcoreError:
        return False


def values_of(tables: Tables, table: str, suite: str, *names: str) -> list[tuple[Json, ...]]:
    """Return columns of the rows of a suite in a table."""
    return [row[1:] for row in cells(tables, table, "suite", *names) if row[0] == suite]


def below(root: str, *names: str) -> str:
    """Return a path below the folder that holds versions and runs, which may be the workspace."""
    return "/".join((*(() if root in (".", "") else (root,)), *names))
