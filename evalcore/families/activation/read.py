"""Turn a trigger set and its results into rows."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, NamedTuple

from evalcore.disk.reader import Reader
from evalcore.disk.values import Node
from evalcore.families.activation.cases import Cases
from evalcore.families.activation.outcomes import PASSES, Run, finished, runs_of
from evalcore.families.activation.queries import Block, named, squeezed
from evalcore.families.activation.versions import ALONE, Measurement, add_versions, joined
from evalcore.families.base import Plan
from evalcore.layouts.order import natural
from evalcore.layouts.shapes import UNREAD, is_asked
from evalcore.names import CASES
from evalcore.problems import pointer
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow, DocumentRow, SuiteRow

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
    versions, repeated = joined([*measured, *trials.values()])
    add_versions(rows, versions, cases)
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
                answered.append(_answered(item, case.expected, runs))
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


def _answered(item: Node, expected: bool, runs: list[Run]) -> Answered:
    """Return whether a query was answered as expected: as its document says, else by most runs.

    What it says and no threshold explains is noted. Tools call a query failed of which runs
    crashed.
    """
    name = named(item.value, PASSES)
    passed = item.flag(name) if name is not None else None
    flags = {run.activated for run in runs}
    if passed is not None and flags in ({True}, {False}) and passed is not (flags == {expected}):
        said = (
            f"{name} is {str(passed).lower()}, but every run of this query "
            f"{'activated' if flags == {True} else 'did not activate'} the skill, which "
            f"{'should' if expected else 'should not'} be activated."
        )
        item.note("warning", "derived-mismatch", said, f"Recompute {name} from the runs.", name)
    if passed is None:
        ended = finished(runs)
        passed = (sum(ended) >= THRESHOLD * len(ended)) is expected
    return Answered(expected, runs, passed)


def _note_twice(item: Node) -> None:
    said = "This query appears twice in the list; the first one counts."
    item.note("warning", "duplicate-case", said, "Remove one.")


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
