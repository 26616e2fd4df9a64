"""Turn a trigger set and its results into rows."""

from collections.abc import Iterable
from typing import Final

from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.disk.values import Node
from evalcore.families.activation.blocks import Block, blocks, first_block, is_query
from evalcore.families.activation.cases import Case, Cases
from evalcore.families.activation.items import PASSES, SKILLS, named, squeezed, text_of
from evalcore.families.activation.measured import Measurement, Measurements
from evalcore.families.activation.outcomes import Run, runs_of
from evalcore.families.activation.rows import add_runs, add_versions
from evalcore.families.activation.totals import Answered, computed, stated
from evalcore.families.base import Plan
from evalcore.layouts.order import natural
from evalcore.tables.builder import Rows
from evalcore.tables.rows import DocumentRow, SuiteRow

HEADLINE: Final = "share of queries answered as expected"
MOST_RUNS: Final = 200_000
"""So many runs of one file are read at most."""


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one suite; what cannot be read is noted on the reader."""
    suite = _Suite(plan, reader, rows)
    for path in plan.of("trigger_set"):
        suite.read_set(path)
    for path in sorted(plan.of("trigger_results"), key=natural):
        suite.read_results(path)
    suite.read_trials(sorted(plan.of("trigger_trial"), key=natural))
    for path in plan.of("trigger_queries"):
        suite.document(path, "trigger_queries", 0)
    suite.finish()


class _Suite:
    """Reads the documents of one suite, and adds the rows when all are read."""

    def __init__(self, plan: Plan, reader: Reader, rows: Rows) -> None:
        self.plan = plan
        self.reader = reader
        self.rows = rows
        self.found = {path: self._blocks(path, kind) for path, kind in plan.files}
        self.skills = {skill for found in self.found.values() for skill in _skills(found)}
        self.cases = Cases(plan.suite, several=len(self.skills) > 1)
        self.measurements = Measurements()

    def read_set(self, path: str) -> None:
        """Read the queries of a trigger set."""
        count = 0
        for block in self.found[path]:
            met: set[str] = set()
            for item in self._items(path, block):
                case = self._case(block, item)
                if case is None:
                    continue
                count += 1
                if case.case_id in met:
                    _note_twice(item)
                met.add(case.case_id)
        self.document(path, "trigger_set", count)

    def read_results(self, path: str) -> None:
        """Read the runs of every description that a document has results of."""
        measured: dict[tuple[str | None, int | None], Measurement] = {}
        left = MOST_RUNS
        for block in _together(self.found[path]):
            key = block.about.description, block.about.iteration
            own = measured.setdefault(key, Measurement(path, block.about))
            left -= self._block(path, block, own, left)
        for each in measured.values():
            self.measurements.add(each)
        self.document(path, "trigger_results", MOST_RUNS - left)

    def _block(self, path: str, block: Block, own: Measurement, left: int) -> int:
        """Read one list of results; return how many runs it adds."""
        answered, added, met = [], 0, set[str]()
        for item in self._items(path, block):
            case = self._case(block, item)
            if case is None:
                continue
            runs = runs_of(item, block.about.repeats)
            if case.expected is not None and runs:
                answered.append(Answered(case.expected, runs, _stated(item, case.expected, runs)))
            if case.case_id in met:
                _note_twice(item)
            elif runs and case.case_id not in own.runs and len(runs) <= left - added:
                own.runs[case.case_id] = runs
                added += len(runs)
            elif case.case_id not in own.runs and runs:
                _note_full(item)
            met.add(case.case_id)
        self._totals(path, block, own, answered, added)
        return added

    def _totals(
        self, path: str, block: Block, own: Measurement, answered: list[Answered], added: int
    ) -> None:
        """Check the totals of a list; those of a list that repeats another are no new ones."""
        shares = {
            "stored": stated(self.reader, path, self.plan.suite, block, answered),
            "computed": computed(answered),
        }
        for origin, share in shares.items():
            if share is not None and added:
                own.shares.append((block.about.split, origin, share))

    def read_trials(self, paths: list[str]) -> None:
        """Read files that each hold one run of every query, those of a folder as one set."""
        found: dict[tuple[str, str], Measurement] = {}
        for path in paths:
            for block in self.found[path]:
                key = path.rpartition("/")[0], squeezed(block.about.description or "")
                own = found.setdefault(key, Measurement(path, block.about, trial=True))
                self._trial(path, block, own)
            self.document(path, "trigger_trial", sum(len(b.items) for b in self.found[path]))
        for each in found.values():
            self.measurements.add(each)

    def _trial(self, path: str, block: Block, own: Measurement) -> None:
        for item in self._items(path, block):
            case = self._case(block, item)
            runs = runs_of(item, None) if case is not None else []
            if case is not None and runs:
                own.runs.setdefault(case.case_id, []).extend(runs)

    def finish(self) -> None:
        """Add the rows of the suite, its cases, versions and runs."""
        name = _name(self.plan, self.skills)
        root, skill = self.plan.root or ".", self.plan.skill_path
        self.rows.add(
            SuiteRow(
                suite=self.plan.suite,
                name=name,
                family="activation",
                root=root,
                skill_path=None if skill is None else skill or ".",
                headline=HEADLINE,
            )
        )
        self.cases.add_rows(self.rows)
        versions = list(self.measurements.versions())
        add_versions(self.rows, self.plan.suite, versions, self.cases)
        for version in versions:
            add_runs(self.rows, self.plan.suite, version, self.cases)
        for new, same in self.measurements.repeated:
            _note_repeated(self.reader, self.plan.suite, new, same)

    def document(self, path: str, kind: str, records: int) -> None:
        """Add the row of a document."""
        self.rows.add(DocumentRow(path, "activation", kind, self.plan.suite, records))

    def _blocks(self, path: str, kind: str) -> list[Block]:
        value, lines = self._value(path)
        if value is MISSING:
            return []
        if kind in ("trigger_set", "trigger_results"):
            found = list(blocks(value))
        else:
            first = first_block(value, is_query)
            found = [] if first is None else [first]
        return [block._replace(lines=lines if not block.at else None) for block in found]

    def _value(self, path: str) -> tuple[Json, list[int] | None]:
        """Return the value of a file, and the numbers of its lines where it has one a line."""
        if not path.endswith(".jsonl"):
            return self.reader.json(path), None
        pairs = self.reader.jsonl(path)
        return [value for _, value in pairs], [line for line, _ in pairs]

    def _items(self, path: str, block: Block) -> list[Node]:
        places = block.lines or range(len(block.items))
        return [
            Node(self.reader, path, item, f"{block.at}/{place}", self.plan.suite)
            for place, item in zip(places, block.items, strict=True)
        ]

    def _case(self, block: Block, item: Node) -> Case | None:
        return self.cases.read(block, item)


def _skills(found: Iterable[Block]) -> dict[str, str]:
    """Return the skills that lists of queries name, each with its description, in order."""
    named: dict[str, str] = {}
    for block in found:
        if block.about.skill is not None:
            named[block.about.skill] = block.about.description or named.get(block.about.skill, "")
        for item in block.items:
            if (skill := text_of(item, SKILLS)) is not None:
                named.setdefault(skill, "")
    return named


def _together(found: list[Block]) -> list[Block]:
    """Return lists of several skills with what describes all: they were measured together."""
    if len({block.about.skill for block in found}) < 2:
        return found
    by_skill = _skills(found)
    text = "\n\n".join(f"{skill}: {words}" for skill, words in by_skill.items() if words)
    return [block._replace(about=block.about._replace(description=text or None)) for block in found]


def _stated(item: Node, expected: bool, runs: list[Run]) -> bool | None:
    """Return what a document calls a query, after noting what no threshold explains."""
    name = named(item.value, PASSES)
    value = item.flag(name) if name is not None else None
    flags = {run.activated for run in runs}
    if value is not None and len(flags) == 1 and value is not (flags == {expected}):
        item.note(
            "warning",
            "derived-mismatch",
            f"{name} is {str(value).lower()}, but every run of this query "
            f"{'activated' if flags == {True} else 'did not activate'} the skill, which "
            f"{'should' if expected else 'should not'} be activated.",
            f"Recompute {name} from the runs.",
            name,
        )
    return value


def _note_twice(item: Node) -> None:
    item.note(
        "warning",
        "duplicate-case",
        "This query appears twice in the list; the first one counts.",
        "Remove one.",
    )


def _note_full(item: Node) -> None:
    item.note(
        "error",
        "too-many-runs",
        f"The file has more runs than the {MOST_RUNS:,} that are read of one.",
        "Split it into several files.",
    )


def _note_repeated(reader: Reader, suite: str, new: Measurement, same: Measurement) -> None:
    reader.problem(
        new.path,
        "",
        "info",
        "results-repeated",
        f"All counts here are those of {same.path} for the same description, so these runs count "
        "once.",
        'If they are separate measurements, add a "date" to both files.',
        suite,
    )


def _name(plan: Plan, skills: set[str]) -> str:
    """Return the name of the skill, else of its folder, else of the set's file."""
    stem = plan.files[0][0].rpartition("/")[2].rpartition(".")[0]
    own = next(iter(skills)) if len(skills) == 1 else (plan.skill_path or "").rpartition("/")[2]
    return f"{own} (triggers)" if own else stem
