"""Turn a trigger set and its results into rows."""

from collections.abc import Iterable, Iterator
from typing import Final

from evalcore.disk.reader import Reader
from evalcore.disk.values import Node
from evalcore.families.activation.cases import Case, Cases
from evalcore.families.activation.outcomes import PASSES, Run, finished, runs_of
from evalcore.families.activation.queries import (
    SKILLS,
    Block,
    Searched,
    named,
    searched,
    squeezed,
    text_of,
)
from evalcore.families.activation.totals import Answered, computed, stated
from evalcore.families.activation.versions import Measurement, Measurements, add_runs, add_versions
from evalcore.families.base import Plan
from evalcore.layouts.order import natural
from evalcore.layouts.shapes import UNREAD, is_asked
from evalcore.names import CASES
from evalcore.problems import pointer
from evalcore.tables.builder import Rows
from evalcore.tables.rows import DocumentRow, SuiteRow

HEADLINE: Final = "share of queries answered as expected"
MOST_RUNS: Final = 200_000
"""So many runs of one file are read at most."""
SHOULD_AT_LEAST: Final = 2
"""Of so many queries that should activate the skill, one is expected to do so once."""


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one suite; what cannot be read is noted on the reader."""
    found = {path: _lists(reader, path, kind, plan.found[path]) for path, kind in plan.files}
    skills = {skill for lists in found.values() for skill in _skills(lists)}
    suite = _Suite(plan, reader, found, Cases(plan.suite, several=len(skills) > 1))
    records = {path: suite.read_set(path) for path in plan.of("trigger_set")}
    for path in sorted(plan.of("trigger_results"), key=natural):
        records[path] = suite.read_results(path)
    trials = sorted(plan.of("trigger_trial"), key=natural)
    suite.read_trials(trials)
    records |= {path: sum(len(block.items) for block in found[path]) for path in trials}
    records |= dict.fromkeys(plan.of("trigger_queries"), 0)
    kinds = dict(plan.files)
    for path, number in records.items():
        rows.add(DocumentRow(path, "activation", kinds[path], plan.suite, number))
    # The name of the one skill, else of its folder, else of the set's file.
    folder = (plan.skill_path or "").rpartition("/")[2]
    own = next(iter(skills)) if len(skills) == 1 else folder
    stem = plan.files[0][0].rpartition("/")[2].rpartition(".")[0]
    rows.add(
        SuiteRow(
            suite=plan.suite,
            name=f"{own} (triggers)" if own else stem,
            family="activation",
            root=plan.root or ".",
            skill_path=None if plan.skill_path is None else plan.skill_path or ".",
            headline=HEADLINE,
        )
    )
    suite.cases.add_rows(rows)
    versions = suite.measurements.versions()
    add_versions(rows, plan.suite, versions, suite.cases)
    for version in versions:
        add_runs(rows, plan.suite, version, suite.cases)
    suite.note_measurements([each for version in versions for each in version.measured])
    for new, same in suite.measurements.repeated:
        reader.problem(
            new.path,
            "",
            "info",
            "results-repeated",
            f"All counts here are those of {same.path} for the same description, so these runs "
            "count once.",
            'If they are separate measurements, add a "date" to both files.',
            plan.suite,
        )


class _Suite:
    """The cases and the measurements of one suite, from the lists of queries of its documents."""

    def __init__(
        self, plan: Plan, reader: Reader, found: dict[str, list[Block]], cases: Cases
    ) -> None:
        self.plan = plan
        self.reader = reader
        self.found = found
        self.cases = cases
        self.measurements = Measurements()

    def read_set(self, path: str) -> int:
        """Read a trigger set; return how many queries it has."""
        count = 0
        for block in self.found[path]:
            met: set[str] = set()
            for item, case in self._queries(path, block):
                count += 1
                if case.case_id in met:
                    _note_twice(item)
                met.add(case.case_id)
        return count

    def read_results(self, path: str) -> int:
        """Read the runs of each description in a document; return how many there are."""
        measured: dict[tuple[str | None, int | None], Measurement] = {}
        left = MOST_RUNS
        for block in _together(self.found[path]):
            key = block.about.description, block.about.iteration
            own = measured.setdefault(key, Measurement(path, block.about))
            left -= self._read_list(path, block, own, left)
        for each in measured.values():
            self.measurements.add(each)
        return MOST_RUNS - left

    def _read_list(self, path: str, block: Block, own: Measurement, left: int) -> int:
        """Read one list of results; return how many runs it adds."""
        answered, added, met = [], 0, set[str]()
        for item, case in self._queries(path, block):
            runs = runs_of(item, block.about.repeats)
            if case.expected is not None and runs:
                answered.append(Answered(case.expected, runs, _stated(item, case.expected, runs)))
            if case.case_id in met:
                _note_twice(item)
            elif runs and case.case_id not in own.runs:
                if len(runs) <= left - added:
                    own.runs[case.case_id] = runs
                    added += len(runs)
                else:
                    item.note(
                        "error",
                        "too-many-runs",
                        f"The file has more runs than the {MOST_RUNS:,} that are read of one.",
                        "Split it into several files.",
                    )
            met.add(case.case_id)
        shares = {
            "stored": stated(self.reader, path, self.plan.suite, block, answered),
            "computed": computed(answered),
        }
        # The totals of a list that repeats another are no new ones.
        for origin, share in shares.items():
            if share is not None and added:
                own.shares.append((block.about.split, origin, share))
        return added

    def read_trials(self, paths: list[str]) -> None:
        """Read files that each hold one run of every query, those of a folder as one set."""
        found: dict[tuple[str, str], Measurement] = {}
        for path in paths:
            for block in self.found[path]:
                key = path.rpartition("/")[0], squeezed(block.about.description or "")
                own = found.setdefault(key, Measurement(path, block.about, trial=True))
                for item, case in self._queries(path, block):
                    if runs := runs_of(item, None):
                        own.runs.setdefault(case.case_id, []).extend(runs)
        for each in found.values():
            self.measurements.add(each)

    def note_measurements(self, measured: Iterable[Measurement]) -> None:
        """Note of each document how many of its runs crashed, and if none activated the skill."""
        by_path: dict[str, list[Measurement]] = {}
        for each in measured:
            by_path.setdefault(each.path, []).append(each)
        for path, own in by_path.items():
            runs = [run for each in own for found in each.runs.values() for run in found]
            crashed = sum(run.crashed for run in runs)
            if crashed:
                self.reader.problem(
                    path,
                    "",
                    "info",
                    "crashed-runs",
                    f"Of {len(runs):,} runs {crashed:,} crashed: they are errors, outside every "
                    f"rate. Of the {len(runs) - crashed:,} that finished, "
                    f"{sum(finished(runs)):,} activated the skill.",
                    "Run the queries again whose runs crashed.",
                    self.plan.suite,
                )
            known = [run for run in runs if not run.crashed]
            if any(run.activated or run.rate for run in known):
                continue
            asked = {
                case
                for each in own
                for case, found in each.runs.items()
                if not all(run.crashed for run in found)
            }
            should = sum(self.cases.all[case].expected is True for case in asked)
            if should >= SHOULD_AT_LEAST:
                self.reader.problem(
                    path,
                    "",
                    "warning",
                    "never-activated",
                    f"0 of {len(known):,} runs activated the skill, though {should:,} of "
                    f"{len(asked):,} queries should: the measurement itself is suspect, and so is "
                    "every rate of it.",
                    "Ask one of these queries by hand. If the skill answers, see whether it is "
                    "installed where the runs look for it, and how they notice that it was used.",
                    self.plan.suite,
                )

    def _queries(self, path: str, block: Block) -> Iterator[tuple[Node, Case]]:
        """Yield the items of a list that are queries, each with its case."""
        places = block.lines or range(len(block.items))
        for place, value in zip(places, block.items, strict=True):
            item = Node(self.reader, path, value, f"{block.at}/{place}", self.plan.suite)
            if (case := self.cases.read(block, item)) is not None:
                yield item, case


def _lists(reader: Reader, path: str, kind: str, found: Searched) -> list[Block]:
    """Return the lists of queries of a file that was found to be of this kind."""
    lines, value = None, None
    if path.endswith(".jsonl"):
        pairs = reader.jsonl(path)
        found, lines = searched([value for _, value in pairs]), [line for line, _ in pairs]
    else:
        value = reader.json(path)  # which is held until it is read
    lists = found.sets
    if kind not in ("trigger_set", "trigger_results"):
        lists = [] if found.queries is None else [found.queries]
    fields = value if isinstance(value, dict) else {}
    for name in CASES:
        items = fields.get(name)
        is_read = any(block.at.startswith(pointer(name)) for block in lists)
        cases = items if isinstance(items, list) and not is_read else []
        if any(is_asked(each) for each in cases if isinstance(each, dict)):
            reader.problem(
                path,
                pointer(name),
                "info",
                "unread-fields",
                f"These cases were not read: {name!r}.",
                UNREAD,
            )
    return [block._replace(lines=lines if not block.at else None) for block in lists]


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
    """Return what a document calls a query, after noting what no threshold explains.

    Tools call a query failed of which runs crashed.
    """
    name = named(item.value, PASSES)
    value = item.flag(name) if name is not None else None
    flags = {run.activated for run in runs}
    if value is not None and flags in ({True}, {False}) and value is not (flags == {expected}):
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
