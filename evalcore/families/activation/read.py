"""Turn the queries of a suite, and their runs with each description of a skill, into rows."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, NamedTuple

from evalcore.disk.reader import Reader
from evalcore.disk.values import Node
from evalcore.families.activation.items import (
    CRITERIA,
    KIND,
    PASSES,
    Cases,
    Run,
    finished,
    runs_of,
)
from evalcore.families.activation.queries import About, Block, named, squeezed
from evalcore.families.base import Plan
from evalcore.ids import run_id
from evalcore.layouts.order import natural
from evalcore.layouts.shapes import UNREAD, is_asked
from evalcore.names import CASES
from evalcore.numbers import mean
from evalcore.problems import pointer
from evalcore.tables.builder import Rows
from evalcore.tables.rows import (
    BenchmarkRow,
    DocumentRow,
    JudgmentRow,
    RunRow,
    SuiteRow,
    VersionRow,
)

HEADLINE: Final = "share of queries answered as expected"
AS_EXPECTED: Final = "queries answered as expected"
MOST_RUNS: Final = 200_000
"""So many runs of one file are read at most."""
SHOULD_AT_LEAST: Final = 2
"""Of so many queries that should activate the skill, one is expected to do so once."""
THRESHOLD: Final = 0.5
"""From which share of its runs on skill-creator counts a query as activating the skill."""
BY_HAND: Final = (
    "Ask one of these queries by hand. If the skill answers, see whether it is installed where the "
    "runs look for it, and how they notice that it was used."
)
_LISTS: Final = ("results", "query_results", "cases", "queries")
_GENERIC: Final = frozenset({"results", "result", "output", "optimization-result", "summary"})
ALONE: Final = "-"
RATES: Final = {True: "hit rate", False: "false alarm rate"}


@dataclass
class Measurement:
    """The runs of one description in one document; `trial` where each run is a file of its own."""

    path: str
    about: About
    runs: dict[str, list[Run]] = field(default_factory=dict)
    """Case id to the runs of its query."""
    shares: list[BenchmarkRow] = field(default_factory=list)
    """The shares of queries answered as expected, as the document and its lists give them."""
    trial: bool = False

    def repeats(self, other: "Measurement") -> bool:
        """Say whether these are the runs of another document: all counts are the same."""
        for one, two in (
            (self.about.marks, other.about.marks),
            (self.about.model, other.about.model),
        ):
            if one and two and one != two:
                return False
        both = self.runs.keys() & other.runs.keys()
        own, others = (
            [Counter((run.activated, run.rate) for run in each.runs[case]) for case in both]
            for each in (self, other)
        )
        return self.path != other.path and bool(both) and own == others

    def join(self, other: "Measurement") -> None:
        """Take what only the other document has; a trial's runs are in their order."""
        for case, runs in other.runs.items():
            if case not in self.runs or (other.trial and not self.trial):
                self.runs[case] = runs
        self.shares += other.shares
        self.trial |= other.trial


Versions = Mapping[str, Sequence[Measurement]]
"""Label of each description to its measurements."""


class Answered(NamedTuple):
    """One query of a list: what is expected, its runs, and whether it was answered so."""

    expected: bool
    runs: list[Run]
    passed: bool


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one suite; what cannot be read is noted on the reader."""
    found = {path: _lists(plan, reader, path, kind) for path, kind in plan.files}
    skills = _skills(block for lists in found.values() for block in lists)
    cases = Cases(plan.suite, reader, several=len(skills) > 1)
    kinds = dict(plan.files)

    def add_document(path: str, records: int) -> None:
        rows.add(DocumentRow(path, "activation", kinds[path], plan.suite, records))

    for path in plan.of("trigger_set"):
        queries = 0
        for block in found[path]:
            for item, _, again in cases.read(path, block):
                queries += 1
                if again:
                    _note_twice(item)
        add_document(path, queries)
    measured: list[Measurement] = []
    for path in sorted(plan.of("trigger_results"), key=natural):
        own = _results(path, found[path], cases)
        add_document(path, sum(len(runs) for each in own for runs in each.runs.values()))
        measured += own
    # Files that each hold one run of every query: those of a folder are one measurement.
    trials: dict[tuple[str, str], Measurement] = {}
    for path in sorted(plan.of("trigger_trial"), key=natural):
        for block in found[path]:
            key = path.rpartition("/")[0], squeezed(block.about.description or "")
            trial = trials.setdefault(key, Measurement(path, block.about, trial=True))
            for item, case, _ in cases.read(path, block):
                if runs := runs_of(item, None):
                    trial.runs.setdefault(case.case_id, []).extend(runs)
        add_document(path, sum(len(block.items) for block in found[path]))
    for path in plan.of("trigger_queries"):
        add_document(path, 0)
    # The name of the one skill, else of its folder, else of the set's file.
    folder = (plan.skill_path or "").rpartition("/")[2]
    name = next(iter(skills)) if len(skills) == 1 else folder
    stem = plan.files[0][0].rpartition("/")[2].rpartition(".")[0]
    rows.add(
        SuiteRow(
            suite=plan.suite,
            name=f"{name} (triggers)" if name else stem,
            family="activation",
            root=plan.root or ".",
            skill_path=None if plan.skill_path is None else plan.skill_path or ".",
            headline=HEADLINE,
        )
    )
    cases.add_rows(rows)
    versions, repeated = _joined([*measured, *trials.values()])
    for position, (version, joint) in enumerate(versions.items()):
        _add_version(rows, version, position, joint, cases)
    _note_measurements(chain(*versions.values()), cases)
    for new, same in repeated:
        said = (
            f"All counts here are those of {same.path} for the same description, so these runs "
            "count once."
        )
        hint = 'If they are separate measurements, add a "date" to both files.'
        reader.problem(new.path, "", "info", "results-repeated", said, hint, plan.suite)


def _lists(plan: Plan, reader: Reader, path: str, kind: str) -> list[Block]:
    """Return the lists of queries of a file that was found to be of this kind."""
    document, (sets, queries, _) = plan.found[path]
    lists: list[Block] = sets
    if kind not in ("trigger_set", "trigger_results"):
        lists = [] if queries is None else [queries]
    for name in CASES:
        items = document.fields.get(name)
        is_read = any(block.at.startswith(pointer(name)) for block in lists)
        others = items if isinstance(items, list) and not is_read else []
        if any(is_asked(each) for each in others if isinstance(each, dict)):
            said = f"These cases were not read: {name!r}."
            reader.problem(path, pointer(name), "info", "unread-fields", said, UNREAD)
    return lists


def _skills(found: Iterable[Block]) -> dict[str, str]:
    """Return the skills that lists of queries name, each with its description, in order."""
    known: dict[str, str] = {}
    for block in found:
        if block.about.skill is not None:
            known[block.about.skill] = block.about.description or known.get(block.about.skill, "")
        for query in block.queries:
            if query.skill is not None:
                known.setdefault(query.skill, "")
    return known


def _results(path: str, lists: list[Block], cases: Cases) -> list[Measurement]:
    """Return the runs of each description in a document."""
    left = MOST_RUNS
    measured: dict[tuple[str | None, int | None], Measurement] = {}
    # Lists of several skills were measured together: one text describes all.
    several = len({block.about.skill for block in lists}) > 1
    texts = (f"{skill}: {text}" for skill, text in _skills(lists).items() if text)
    together = "\n\n".join(texts) or None
    for block in lists:
        about = block.about._replace(description=together) if several else block.about
        own = measured.setdefault((about.description, about.iteration), Measurement(path, about))
        answered: list[Answered] = []
        before = left
        for item, case, again in cases.read(path, block):
            runs = runs_of(item, block.about.repeats)
            if case.expected is not None and runs:
                passed = _as_expected(item, case.expected, runs)
                answered.append(Answered(case.expected, runs, passed))
            if again:
                _note_twice(item)
            elif len(runs) > left and case.case_id not in own.runs:
                said = f"The file has more runs than the {MOST_RUNS:,} that are read of one."
                item.note("error", "too-many-runs", said, "Split it into several files.")
            elif runs and case.case_id not in own.runs:
                own.runs[case.case_id] = runs
                left -= len(runs)
        shares = list(_shares(path, block, answered, cases))
        # The totals of a list that repeats another are no new ones.
        own.shares += shares if left < before else []
    return list(measured.values())


def _shares(path: str, block: Block, found: list[Answered], cases: Cases) -> Iterator[BenchmarkRow]:
    """Yield the share of queries that stands beside a list, and the one that it itself gives.

    A total that contradicts the list is noted. Tools count runs that crashed, and queries
    without any other, in ways of their own: where there are some, and where the runs are not
    known, a total contradicts nothing.
    """
    split = block.about.split
    metric = AS_EXPECTED if split is None else f"{AS_EXPECTED} ({split})"
    row = BenchmarkRow(cases.suite, "", ALONE, metric=metric)
    passed = sum(each.passed for each in found)
    triggers, runs = {True: 0, False: 0}, {True: 0, False: 0}
    for each in found:
        triggers[each.expected] += sum(finished(each.runs))
        runs[each.expected] += len(each.runs)
    whole = all(len(finished(each.runs)) == len(each.runs) for each in found)
    # The objects that may have totals of the list, and what the names of these begin with.
    value, name = block.around[-1] if block.around else ({}, 0)
    above = pointer(*(key for _, key in block.around[:-1]))
    owner = Node(cases.reader, path, value, above, cases.suite)
    places = []
    if name in _LISTS:
        inner = ((owner.child("summary"), ""), (owner.child("metrics"), "query_"))
        places = [(owner, ""), *(each for each in inner if isinstance(each[0].value, dict))]
    elif isinstance(name, str) and name.endswith("_results"):
        prefix = name.removesuffix("results")
        places = [(owner, prefix)] if f"{prefix}total" in value else []
    stored = None
    for node, prefix in places:
        counts = {
            f"{prefix}passed": passed,
            f"{prefix}failed": len(found) - passed,
            f"{prefix}total": len(found),
            "total_queries": len(found),
            "tp": triggers[True],
            "fn": runs[True] - triggers[True],
            "fp": triggers[False],
            "tn": runs[False] - triggers[False],
        }
        for name, own in counts.items():
            value = node.get(name)
            if whole and type(value) is int and value != own:
                said = f"{name} is {value:,}, but the listed queries give {own:,}."
                node.note("warning", "derived-mismatch", said, "Count the queries again.", name)
        first, total = node.get(f"{prefix}passed"), node.get(f"{prefix}total")
        if stored is None and type(first) is int and type(total) is int and total > 0:
            stored = row._replace(mean=first / total, n=total, origin="stored")
            stored = stored._replace(source=path, pointer=node.at)
    if stored is not None:
        yield stored
    known = [each.passed for each in found if finished(each.runs)]
    if known:
        yield row._replace(mean=sum(known) / len(known), n=len(known), origin="computed")


def _as_expected(item: Node, expected: bool, runs: list[Run]) -> bool:
    """Return whether a query was answered as expected: as its document says, else by most runs.

    What it says and no threshold explains is noted. Tools call a query failed of which runs
    crashed.
    """
    name = named(item.value, PASSES)
    passed = item.flag(name) if name is not None else None
    if passed is None:
        ended = finished(runs)
        return (sum(ended) >= THRESHOLD * len(ended)) is expected
    flags = {run.activated for run in runs}
    if flags in ({True}, {False}) and passed is not (expected in flags):
        said = (
            f"{name} is {str(passed).lower()}, but every run of this query "
            f"{'activated' if flags == {True} else 'did not activate'} the skill, which "
            f"{'should' if expected else 'should not'} be activated."
        )
        item.note("warning", "derived-mismatch", said, f"Recompute {name} from the runs.", name)
    return passed


def _note_twice(item: Node) -> None:
    said = "This query appears twice in the list; the first one counts."
    item.note("warning", "duplicate-case", said, "Remove one.")


def _joined(
    found: Iterable[Measurement],
) -> tuple[Versions, list[tuple[Measurement, Measurement]]]:
    """Return the measurements by description, and those that repeat another document's.

    A label is the iteration, else the stated one, else the name of the document; further ones have
    the document's name beside it, and then a number.
    """
    by_description: dict[object, list[Measurement]] = {}
    repeated = []
    for new in found:
        # Without its text, a description is told by the file and the iteration.
        text = new.about.description
        key = (new.path, new.about.iteration) if text is None else squeezed(text)
        known = by_description.setdefault(key, [])
        same = next((each for each in known if new.repeats(each)), None)
        if same is None:
            known.append(new)
            continue
        if not new.trial:
            repeated.append((new, same))
        same.join(new)
    versions: dict[str, list[Measurement]] = {}
    for measured in by_description.values():
        abouts = [each.about for each in measured]
        iteration = next((a.iteration for a in abouts if a.iteration is not None), None)
        stated = next((a.label for a in abouts if a.label is not None), None)
        # The name of a file, or of its folder where all such files have the same name.
        folder, _, file = measured[0].path.rpartition("/")
        stem, above = file.rpartition(".")[0], folder.rpartition("/")[2]
        name = above if stem.lower() in _GENERIC and above else stem or file
        label = first = f"iteration-{iteration}" if iteration is not None else stated or name
        number = 1
        while label in versions:
            label = f"{first} ({name} {number})" if number > 1 else f"{first} ({name})"
            number += 1
        versions[label] = measured
    return versions, repeated


def _add_version(
    rows: Rows, version: str, position: int, measured: Sequence[Measurement], cases: Cases
) -> None:
    """Add a description as a version, with its totals as stated and as computed, and its runs.

    Its runs are numbered by case over all its measurements. The rates are hits and false alarms:
    how often queries activated the skill, mean over queries.
    """
    first = measured[0]
    text = first.about.description
    rows.add(
        VersionRow(
            suite=cases.suite,
            version=version,
            position=position,
            description=text,
            content_hash=None if text is None else hashlib.sha256(text.encode()).hexdigest(),
            source=first.path,
            pointer=first.about.described_at,
        )
    )
    numbers: Counter[str] = Counter()
    flags: dict[str, list[bool]] = {}
    total = BenchmarkRow(cases.suite, version, ALONE)
    for measurement in measured:
        for share in measurement.shares:
            rows.add(share._replace(version=version))
        for case_id, runs in measurement.runs.items():
            expected = cases.all[case_id].expected
            flags.setdefault(case_id, []).extend(finished(runs))
            for run in runs:
                numbers[case_id] += 1
                known = None not in (expected, run.activated)
                passed = run.activated is expected if known else None
                score = None if passed is None else float(passed)
                name = run_id(cases.suite, case_id, version, ALONE, numbers[case_id])
                rows.add(
                    RunRow(
                        run_id=name,
                        suite=cases.suite,
                        case_id=case_id,
                        version=version,
                        configuration=ALONE,
                        run=str(numbers[case_id]),
                        origin="grading" if run.rate is None else "benchmark",
                        status="error" if run.crashed else "completed",
                        passed=passed,
                        score=score,
                        max_score=None if passed is None else 1.0,
                        fraction=score,
                        checks_passed=None if passed is None else int(passed),
                        checks_total=None if passed is None else 1,
                        activated=run.activated,
                        judge_type="heuristic",
                        model=measurement.about.model,
                        source=run.source,
                        pointer=run.pointer,
                    )
                )
                if expected is not None and not run.crashed:
                    rows.add(
                        JudgmentRow(
                            run_id=name,
                            kind=KIND,
                            criterion=CRITERIA[expected],
                            judge_type="heuristic",
                            score=score,
                            min_score=0.0,
                            max_score=1.0,
                            fraction=score,
                            passed=passed,
                            status="unscored" if passed is None else "scored",
                            source=run.source,
                            pointer=run.pointer,
                            rationale=run.rationale,
                        )
                    )
                if run.rate is not None:
                    stated = total._replace(
                        configuration=None,
                        case_id=case_id,
                        origin="stored",
                        source=run.source,
                        pointer=run.pointer,
                    )
                    rows.add(stated._replace(metric="trigger_rate", mean=run.rate))
                    if run.passed is not None:
                        rows.add(stated._replace(metric="pass", text=str(run.passed).lower()))
    for expected, metric in RATES.items():
        known_flags = ((cases.all[name].expected, each) for name, each in flags.items() if each)
        own = [mean(each) for should, each in known_flags if should is expected]
        if own:
            rate = mean(own)
            rows.add(total._replace(metric=metric, mean=rate, n=len(own), origin="computed"))


def _note_measurements(measured: Iterable[Measurement], cases: Cases) -> None:
    """Note of each document how many of its runs crashed, and if none activated the skill."""
    by_path: dict[str, list[tuple[str, list[Run]]]] = {}
    for each in measured:
        by_path.setdefault(each.path, []).extend(each.runs.items())
    for path, found in by_path.items():
        runs = [run for _, own in found for run in own]
        known = [run for run in runs if not run.crashed]
        crashed = len(runs) - len(known)
        if crashed:
            said = (
                f"Of {len(runs):,} runs {crashed:,} crashed: they are errors, outside every "
                f"rate. Of the {len(known):,} that finished, {sum(finished(runs)):,} activated the "
                "skill."
            )
            hint = "Run the queries again whose runs crashed."
            cases.reader.problem(path, "", "info", "crashed-runs", said, hint, cases.suite)
        if any(run.activated or run.rate for run in known):
            continue
        asked = {case for case, own in found if not all(run.crashed for run in own)}
        should = sum(cases.all[case].expected is True for case in asked)
        if should >= SHOULD_AT_LEAST:
            said = (
                f"0 of {len(known):,} runs activated the skill, though {should:,} of "
                f"{len(asked):,} queries should: the measurement itself is suspect, and so is "
                "every rate of it."
            )
            cases.reader.problem(path, "", "warning", "never-activated", said, BY_HAND, cases.suite)
