"""What every family module offers, and what it works with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from evalcore.disk.reader import Json, Reader
from evalcore.families.scoring import Scoring, passed_of_all
from evalcore.layouts.shapes import Document
from evalcore.tables.builder import Rows

if TYPE_CHECKING:
    import pandas as pd

    from evalcore.families.aggregating import Aggregates
    from evalcore.families.comparing import Comparing
    from evalcore.families.exporting import Exporting
    from evalcore.families.linting import Rules
    from evalcore.families.mapping import Mapped
    from evalcore.families.remembering import Placing
    from evalcore.families.running import Running
    from evalcore.families.versioning import Versioning
    from evalcore.shapes.fields import Document as Kind

CURRENT: Final = "current"
"""The version of what no document names a version of."""
PENDING: Final = "pending"
"""The status of a run without a grading that can be read."""

UNFINISHED: Final = frozenset({"timeout", "refused", "length_cut"})
"""The statuses of runs that a version did not bring to an end: every criterion is failed."""
FAILED_BY_STATUS: Final = UNFINISHED | {"gate_failed"}
IN_RATES: Final = FAILED_BY_STATUS | {"completed"}
"""The statuses of runs that count; those of all others are in no rate."""

ClaimedFile = tuple[str, str]
"""(path, kind): a file and the kind of document it is taken for."""


class Plan(NamedTuple):
    """One suite to read, with the files that belong to it.

    `root` holds versions and runs; `skill_path` holds the skill itself (both relative, `""` is the
    workspace's root). `found` is what a finder met, path by path, and keeps for the reader of the
    suite: content of its files, or the folders of outputs that have no grading.
    """

    suite: str
    family: str
    root: str
    skill_path: str | None
    files: tuple[ClaimedFile, ...]
    found: Mapping[str, Any] = MappingProxyType({})

    def of(self, kind: str) -> list[str]:
        """Return the suite's files of one kind."""
        return [path for path, found in self.files if found == kind]


Loose = Mapping[str, Document]
"""The files that no path rule claimed, parsed: path to document."""


class Advice(NamedTuple):
    """What to do with a document that was not read, and whether only its place is wrong."""

    step: str
    misplaced: bool = False


Finder = Callable[[Reader, Loose], "list[Plan]"]
"""Finds the suites of a family in the files of a workspace."""


class PreviousRows(NamedTuple):
    """Rows of a suite before gradings changed: `runs` of the unchanged ones, `gone` of others."""

    runs: pd.DataFrame
    gone: pd.DataFrame
    cases: pd.DataFrame
    criteria: pd.DataFrame
    versions: pd.DataFrame
    benchmarks: pd.DataFrame
    folders: frozenset[str]


class Update(NamedTuple):
    """How a family takes in changed gradings without reading the others again.

    `root(path)` is the root of the suite that a file is a grading of, None for any other file.
    `beside(path)` are the folders that matter to such a grading when they are there.
    `reread_kinds` names the kinds of documents that are read again with the changed gradings.
    `read(plan, reader, rows, previous)` adds the rows of those, and the versions and benchmarks of
    the suite; False when others depend on them, so that all must be read.
    """

    root: Callable[[str], str | None]
    beside: Callable[[str], list[str]]
    reread_kinds: tuple[str, ...]
    read: Callable[[Plan, Reader, Rows, PreviousRows], bool]


SHARE: Final = "share of runs passed"
EFFICIENCY: Final = "overall efficiency"
"""The two headlines that are not simply the mean of the runs' own fractions."""
MEAN_SCORE: Final = "mean score"
"""The headline where runs are scored, and no share of them or of their checks passes."""

Computed = Literal[
    "score",
    "max_score",
    "required_score",
    "fraction",
    "passed",
    "items_passed",
    "items_total",
    "items_rate",
]
"""What evalcore computes of a run: its own values, and counts of its expectations or assertions."""

SkillText = Literal["version folder", "skill snapshot", "description", "prompt record"]
"""Where a version's text is kept: the folder of the version, a copy of the skill made before it was
changed, a text with the hash that the version states, or a record with the text of a prompt."""

StoredPrompts = Literal["version folder", "beside runs"]
"""Where a version keeps the prompts of its cases: in the skill's own folder, or beside its runs."""


Part = tuple[str, str, Json]
"""(kind, pointer, value): one document in a file."""


class Documents(NamedTuple):
    """The kinds of documents of a dialect, for the strict check and docs/families.md.

    Where a `loose` kind, or a `shared` one of a neighbour, differs, that is only noted.
    `inside(path, kind, value)` returns the documents that a file holds. With `nan`, its tool writes
    NaN for what was not scored, which is no fault of a file.
    """

    kinds: tuple[Kind, ...]
    loose: bool = False
    shared: tuple[Kind, ...] = ()
    inside: Callable[[str, str, Json], Sequence[Part]] = lambda _, kind, value: ((kind, "", value),)
    nan: bool = False


def later(module: str, name: str) -> Callable[[], Any]:
    """Return what imports a name from a module of the families when it is asked for."""
    return lambda: getattr(import_module(f"evalcore.families.{module}"), name)


@dataclass(frozen=True, kw_only=True, eq=False)
class Dialect:
    """Documents of one kind of tool; `later` imports what opening does not need."""

    name: str
    about: str
    """What docs/families.md says of it."""
    documents: Callable[[], Documents]
    rules: Callable[[], Rules | None] = lambda: None
    """What its documents must keep beyond their shapes, imported for the full check."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Family(Dialect):
    """A dialect of suites: how they are found and read, and what is particular to them.

    `find(reader, loose)` returns the plans; a plan's files are then nobody else's. A finder that
    two families share is asked once. `by_content` finders are asked after all others, which look
    at paths first, with the values of the files that none of these took; then each `find_left` is.
    `read(plan, reader, rows)` adds every row of one suite, and notes problems on the reader.
    """

    looks_like: tuple[str, ...]
    """The documents that its suites are recognised by, in words for who found none."""
    headline: str
    """The headline metric, as it is named on screen."""
    achieved: str = "passed {value} of its checks over {cases}"
    """What a version did, in a sentence with its headline and the number of its cases; two
    headlines (`SHARE`, `EFFICIENCY`) have sentences of their own."""

    find: Finder
    read: Callable[[Plan, Reader, Rows], None]
    by_content: bool = False
    find_left: Finder | None = None
    placed: Callable[[str], tuple[str, str] | None] | None = None
    """Returns (root of the suite, kind) of the document whose own path a path is, if any."""
    update: Update | None = None
    file_names: frozenset[str] = frozenset()
    """The names of files that look like one of its documents, wherever they lie."""
    mapped: tuple[str, ...] = ()
    """The endings of tables that it reads once `evalcore rows` has stored a mapping beside them."""
    mapping: Callable[[], Mapped | None] = lambda: None
    """How it reads them, imported when somebody makes such a mapping."""
    shapes: tuple[frozenset[str], ...] = ()
    """The fields of objects that look like one of its documents: all of one set."""

    advice: Callable[[str, Document, Sequence[Plan]], Advice | None] = lambda *_: None
    """What to do with an unread document at a path, given all suites; None: it is not its."""

    aggregates: Callable[[], Aggregates | None] = lambda: None
    """What writes the documents that it makes of its runs, imported when somebody writes."""

    running: Callable[[], Running | None] = lambda: None
    """How new test runs are made and written, imported when somebody starts some."""

    @property
    def judged_here(self) -> bool:
        """Whether a model judges stored outputs here: it does where new runs are written."""
        return self.running() is not None

    exporting: Callable[[], Exporting | None] = lambda: None
    """Writes the runs of any suite as its tool has them, imported when somebody exports some."""

    comparing: Callable[[], Comparing | None] = lambda: None
    """Writes what people or a model said of two versions, imported when somebody compared them."""

    versioning: Callable[[], Versioning | None] = lambda: None
    """How copies of a skill are recorded as its versions, imported when somebody makes one."""

    placing: Callable[[], Placing | None] = lambda: None
    """Where a store has a new record, imported when somebody writes one; others have `reviews`."""

    scaled: bool = False
    """Whether a run's score stands on a scale, so that cells show it rather than a count."""
    verdicts: bool = False
    """Whether runs pass or fail: a score that moves within a verdict is then no change."""
    without_skill: bool = False
    """Whether its cases are also run without the skill, beside the runs with it."""
    bare_verdicts: bool = False
    """Whether a verdict alone is a whole result: nobody is asked for reasons that none has."""
    is_store: bool = False
    """Whether a suite is a store of records with ids of their own, and criteria of one kind."""
    scoring: Scoring = field(default_factory=lambda: Scoring(rule=passed_of_all))
    """How people's scores make a run's score."""
    stored: Mapping[str, Computed] = field(default_factory=dict)
    """Derived values that a run's document states: JSON pointer to the computed value beside it."""

    connections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Fields of its records that name a record of another tool, with the types it may be of."""
    steps_in_record: bool = False
    """Whether a run's own record, at the pointer of the run, tells the steps of its agent."""
    started_with: str = ""
    """How new runs are started where another tool does that: a sentence with its command."""
    skill_text: SkillText = "skill snapshot"
    names_run: str | None = None
    """The field by which a run's own document names the run; a copy of the run has another one."""
    of_skill: bool = False
    """Whether the skill's folder as it is now stands in for the newest version's text."""
    stored_prompts: StoredPrompts | None = None


SEVERAL: Final = " / "
"""What stands between the names of a case that has several."""

UNATTACHED: Final = "unattached"
"""The status of a score whose run is not here or does not ask its criterion: it counts nowhere."""
RECORDED: Final = "recorded"
"""The origin of what a document of the suite says, not a record beside it."""

RULES_FILE: Final = "rules.json"
"""The file of hand-written rules that decide criteria, beside the test cases of any family."""

REVIEWS: Final = "reviews"
SCHEMA: Final = 1
"""The form of the records that evalcore writes there, which each record states."""


def is_review(path: str | None) -> bool:
    """Say whether `path` lies in a `reviews` folder, which belongs to its suite and makes none."""
    return path is not None and REVIEWS in path and REVIEWS in path.split("/")[:-1]


def suite_id(path: str) -> str:
    """Return the id of the suite whose skill or workspace lies at `path`."""
    return path.removesuffix("-workspace") or "."
