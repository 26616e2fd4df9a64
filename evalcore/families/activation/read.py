"""Turn the queries of a suite, and their runs with each description of a skill, into rows."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from evalcore.disk.reader import Json, Reader
from evalcore.disk.values import Node
from evalcore.families.activation.documents import RESULT
from evalcore.families.activation.queries import QUERIES, SHOULD, Block, named, squeezed
from evalcore.families.activation.runs import PASSES, Run, runs_of
from evalcore.families.base import Plan
from evalcore.families.foreign import Suite, judged
from evalcore.families.scoring import Criterion
from evalcore.layouts.order import natural
from evalcore.layouts.shapes import UNREAD, is_asked
from evalcore.names import CASES
from evalcore.numbers import mean
from evalcore.problems import pointer
from evalcore.shapes.judge import RULE
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow, CaseRow, VersionRow

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
KIND: Final = "expectation"
CRITERIA: Final = {
    True: Criterion(KIND, "activates", "The query activates the skill.", low=0.0, high=1.0),
    False: Criterion(
        KIND, "stays silent", "The query does not activate the skill.", low=0.0, high=1.0
    ),
}
EXPECTED: Final = {True: "should trigger", False: "should not trigger"}
RATES: Final = {True: "hit rate", False: "false alarm rate"}
DIGITS: Final = 8
LONGEST: Final = 60
ALONE: Final = "-"
_TAGS: Final = RESULT.by_name["category"].names
_LISTS: Final = ("results", "query_results", "cases", "queries")
_GENERIC: Final = frozenset({"results", "result", "output", "optimization-result", "summary"})


@dataclass
class Case:
    """One query; `expected` is None where no document says what should happen."""

    case_id: str
    skill: str | None
    text: str
    expected: bool | None
    source: str
    pointer: str
    tags: dict[str, None] = field(default_factory=dict)


@dataclass
class Measurement:
    """The runs of one description in one document, or in a file each (`trial`), with its totals."""

    path: str
    about: Block
    description: str | None
    trial: bool = False
    runs: dict[str, list[Run]] = field(default_factory=dict)
    shares: list[BenchmarkRow] = field(default_factory=list)

    def repeats(self, other: "Measurement") -> bool:
        """Say whether these are the runs of another document: all counts are the same."""
        one, two = self.about, other.about
        for own, others in ((one.marks, two.marks), (one.model, two.model)):
            if own and others and own != others:
                return False
        both = self.runs.keys() & other.runs.keys()
        counts = [
            [Counter((run.activated, run.rate) for run in each.runs[case]) for case in both]
            for each in (self, other)
        ]
        return self.path != other.path and bool(both) and counts[0] == counts[1]


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one suite; what cannot be read is noted on the reader."""
    found = {path: _lists(plan, reader, path, kind) for path, kind in plan.files}
    skills = _skills(block for lists in found.values() for block in lists)
    # The name of the one skill, else of its folder, else of the set's file.
    folder = (plan.skill_path or "").rpartition("/")[2]
    name = next(iter(skills)) if len(skills) == 1 else folder
    stem = plan.files[0][0].rpartition("/")[2].rpartition(".")[0]
    name = f"{name} (triggers)" if name else stem
    suite = _Suite(plan, rows, name, reader, several=len(skills) > 1)
    records: dict[str, int] = {}
    for path in plan.of("trigger_set"):
        records[path] = 0
        for block in found[path]:
            for item, _, again in suite.queries(path, block):
                records[path] += 1
                if again:
                    _note_twice(item)
    measured: list[Measurement] = []
    for path in sorted(plan.of("trigger_results"), key=natural):
        own = suite.results(path, found[path])
        records[path] = sum(len(runs) for each in own for runs in each.runs.values())
        measured += own
    # Files that each hold one run of every query: those of a folder are one measurement.
    trials: dict[tuple[str, str], Measurement] = {}
    for path in sorted(plan.of("trigger_trial"), key=natural):
        for block in found[path]:
            key = path.rpartition("/")[0], squeezed(block.description or "")
            first = Measurement(path, block, block.description, trial=True)
            trial = trials.setdefault(key, first)
            for item, case, _ in suite.queries(path, block):
                if runs := runs_of(item, None):
                    trial.runs.setdefault(case.case_id, []).extend(runs)
        records[path] = sum(len(block.queries) for block in found[path])
    records |= dict.fromkeys(plan.of("trigger_queries"), 0)
    kinds = dict(plan.files)
    for path, number in records.items():
        suite.document(path, kinds[path], number)
    suite.add_cases()
    versions, repeated = _joined([*measured, *trials.values()])
    for position, (version, joint) in enumerate(versions.items()):
        suite.add_version(version, position, joint)
    suite.note_measurements(chain(*versions.values()))
    for path, same in repeated:
        said = (
            f"All counts here are those of {same} for the same description, so these runs "
            "count once."
        )
        hint = 'If they are separate measurements, add a "date" to both files.'
        reader.problem(path, "", "info", "results-repeated", said, hint, plan.suite)


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
        if block.skill is not None:
            known[block.skill] = block.description or known.get(block.skill, "")
        for query in block.queries:
            if query.skill is not None:
                known.setdefault(query.skill, "")
    return known


class _Suite(Suite):
    """Reads one suite: its queries in the order in which documents name them, and their runs."""

    def __init__(self, plan: Plan, rows: Rows, name: str, reader: Reader, several: bool) -> None:
        """Begin without cases; with `several` skills, each query belongs to one of them."""
        super().__init__(plan, rows, name, HEADLINE)
        self.reader = reader
        self.several = several
        self.cases: dict[str, Case] = {}
        self._by_text: dict[str, list[Case]] = {}

    def queries(self, path: str, block: Block) -> Iterator[tuple[Node, Case, bool]]:
        """Yield the queries of a list, each with its case, and if it is met again."""
        met: set[str] = set()
        for place, value, text, expected, named_skill in block.queries:
            item = Node(self.reader, path, value, f"{block.at}/{place}", self.id)
            if text is None:
                if not isinstance(value, dict):
                    item.type_problem("an object")
                elif (other := named(value, QUERIES)) is not None:
                    item.wrong(other, "a text")
                else:
                    hint = 'Write it as "query".'
                    item.note("error", "missing-query", "This item has no query.", hint)
                continue
            skill = named_skill or block.skill
            same_text = self._by_text.setdefault(squeezed(text), [])
            found = [
                case
                for case in same_text
                if not self.several or None in (skill, case.skill) or skill == case.skill
            ]
            if found:
                # Of several skills' queries the one with the same expectation is meant.
                case = next((each for each in found if each.expected == expected), found[0])
                if case.expected is None:
                    case.expected = expected
                elif expected is not None and case.expected is not expected:
                    is_in = f"{EXPECTED[case.expected]} in {case.source}"
                    said = f"The same query {is_in}, which counts."
                    hint = "Write the same expectation in both."
                    item.note("warning", "expectation-differs", said, hint)
            else:
                if expected is None and (name := named(value, SHOULD)) is not None:
                    item.wrong(name, "true or false")
                elif expected is None:
                    said = (
                        "It is not stated whether this query should activate the skill, so it has "
                        "no score."
                    )
                    hint = 'Write "should_trigger": true or false.'
                    item.note("warning", "missing-expectation", said, hint)
                case = Case(self._id(value, skill, text), skill, text, expected, path, item.at)
                self.cases[case.case_id] = case
                same_text.append(case)
            if block.split is not None:
                case.tags[block.split] = None
            for name in _TAGS if isinstance(value, dict) else ():
                tags = value.get(name)
                for tag in tags if isinstance(tags, list) else [tags]:
                    if isinstance(tag, str) and tag.strip():
                        case.tags[_short(tag)] = None
            yield item, case, case.case_id in met
            met.add(case.case_id)

    def _id(self, item: Json, skill: str | None, text: str) -> str:
        """Return the item's own id where it is free, else one from a digest of the query."""
        own = item.get("id") if isinstance(item, dict) else None
        if type(own) in (int, str) and str(own).strip() and str(own).strip() not in self.cases:
            return str(own).strip()
        digest = hashlib.sha256(f"{skill if self.several else ''}\0{text}".encode()).hexdigest()
        length = DIGITS
        while f"q-{digest[:length]}" in self.cases and length < len(digest):
            length += DIGITS
        return f"q-{digest[:length]}"

    def add_cases(self) -> None:
        """Add all cases and their criteria."""
        for case in self.cases.values():
            expected = None if case.expected is None else EXPECTED[case.expected]
            own = case.skill if self.several else None
            tags = list(dict.fromkeys(filter(None, [expected, own, *case.tags])))
            row = CaseRow(self.id, case.case_id, _short(case.text), case.text, expected)
            listed = json.dumps(tags, ensure_ascii=False) if tags else None
            place = case.source, case.pointer
            row = row._replace(tags=listed, status="active", source=place[0], pointer=place[1])
            self.add(row)
            if case.expected is not None:
                self.criterion(case.case_id, CRITERIA[case.expected], 0, *place)

    def results(self, path: str, lists: list[Block]) -> list[Measurement]:
        """Return the runs of each description in a document."""
        left = MOST_RUNS
        measured: dict[tuple[str | None, int | None], Measurement] = {}
        # Lists of several skills were measured together: one text describes all.
        several = len({block.skill for block in lists}) > 1
        texts = (f"{skill}: {text}" for skill, text in _skills(lists).items() if text)
        together = "\n\n".join(texts) or None
        for block in lists:
            text = together if several else block.description
            own = measured.setdefault((text, block.iteration), Measurement(path, block, text))
            answered: list[tuple[bool, list[Run], bool]] = []
            before = left
            for item, case, again in self.queries(path, block):
                runs = runs_of(item, block.repeats)
                if case.expected is not None and runs:
                    passed = _as_expected(item, case.expected, runs)
                    answered.append((case.expected, runs, passed))
                if again:
                    _note_twice(item)
                elif len(runs) > left and case.case_id not in own.runs:
                    said = f"The file has more runs than the {MOST_RUNS:,} that are read of one."
                    item.note("error", "too-many-runs", said, "Split it into several files.")
                elif runs and case.case_id not in own.runs:
                    own.runs[case.case_id] = runs
                    left -= len(runs)
            shares = list(self._shares(path, block, answered))
            # The totals of a list that repeats another are no new ones.
            own.shares += shares if left < before else []
        return list(measured.values())

    def _shares(
        self, path: str, block: Block, answered: list[tuple[bool, list[Run], bool]]
    ) -> Iterator[BenchmarkRow]:
        """Yield the share of queries that stands beside a list, and the one that it itself gives.

        `answered` are the queries: what is expected, the runs, and whether it was answered so. A
        total that contradicts them is noted. Tools count runs that crashed, and queries without
        any other, in ways of their own: where there are some, and where the runs are not known, a
        total contradicts nothing.
        """
        metric = AS_EXPECTED if block.split is None else f"{AS_EXPECTED} ({block.split})"
        row = BenchmarkRow(self.id, "", ALONE, metric=metric)
        known: list[bool] = []
        triggers, runs, whole = Counter[bool](), Counter[bool](), True
        for expected, own, as_expected in answered:
            ended = _finished(own)
            triggers[expected] += sum(ended)
            runs[expected] += len(own)
            whole &= len(ended) == len(own)
            if ended:
                known.append(as_expected)
        passed = sum(as_expected for _, _, as_expected in answered)
        # The objects that may have totals of the list, and what the names of these begin with.
        value, name = block.around[-1] if block.around else ({}, 0)
        above = pointer(*(key for _, key in block.around[:-1]))
        owner = Node(self.reader, path, value, above, self.id)
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
                f"{prefix}failed": len(answered) - passed,
                f"{prefix}total": len(answered),
                "total_queries": len(answered),
                "tp": triggers[True],
                "fn": runs[True] - triggers[True],
                "fp": triggers[False],
                "tn": runs[False] - triggers[False],
            }
            for name, count in counts.items():
                value = node.get(name)
                if whole and type(value) is int and value != count:
                    said = f"{name} is {value:,}, but the listed queries give {count:,}."
                    node.note("warning", "derived-mismatch", said, "Count the queries again.", name)
            first, total = node.get(f"{prefix}passed"), node.get(f"{prefix}total")
            if stored is None and type(first) is int and type(total) is int and total > 0:
                stored = row._replace(mean=first / total, n=total, origin="stored")
                stored = stored._replace(source=path, pointer=node.at)
        if stored is not None:
            yield stored
        if known:
            yield row._replace(mean=sum(known) / len(known), n=len(known), origin="computed")

    def add_version(self, version: str, position: int, measured: Sequence[Measurement]) -> None:
        """Add a description as a version, with its totals as stated and as computed, and its runs.

        Its runs are numbered by case over all its measurements. The rates are hits and false
        alarms: how often queries activated the skill, mean over queries.
        """
        first = measured[0]
        text = first.description
        self.add(
            VersionRow(
                suite=self.id,
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
        total = BenchmarkRow(self.id, version, ALONE)
        for measurement in measured:
            for share in measurement.shares:
                self.add(share._replace(version=version))
            for case_id, runs in measurement.runs.items():
                flags.setdefault(case_id, []).extend(_finished(runs))
                for run in runs:
                    numbers[case_id] += 1
                    number = str(numbers[case_id])
                    self._add_run(case_id, version, number, run, measurement.about.model)
                    if run.rate is not None:
                        stated = total._replace(
                            configuration=None,
                            case_id=case_id,
                            origin="stored",
                            source=run.source,
                            pointer=run.pointer,
                        )
                        self.add(stated._replace(metric="trigger_rate", mean=run.rate))
                        if run.passed is not None:
                            verdict = str(run.passed).lower()
                            self.add(stated._replace(metric="pass", text=verdict))
        for expected, metric in RATES.items():
            own = [
                mean(each)
                for name, each in flags.items()
                if each and self.cases[name].expected is expected
            ]
            if own:
                rate = total._replace(metric=metric, mean=mean(own), n=len(own), origin="computed")
                self.add(rate)

    def _add_run(
        self, case_id: str, version: str, number: str, run: Run, model: str | None
    ) -> None:
        """Add a run of a query, and its judgment where something is expected."""
        expected = self.cases[case_id].expected
        known = None not in (expected, run.activated)
        passed = run.activated is expected if known else None
        score = None if passed is None else float(passed)
        row = self.run(case_id, version, ALONE, number)._replace(
            origin="grading" if run.rate is None else "benchmark",
            status="error" if run.crashed else "completed",
            passed=passed,
            score=score,
            max_score=None if passed is None else 1.0,
            fraction=score,
            checks_passed=None if passed is None else int(passed),
            checks_total=None if passed is None else 1,
            activated=run.activated,
            judge_type=RULE,
            model=model,
            source=run.source,
            pointer=run.pointer,
        )
        self.add(row)
        if expected is not None and not run.crashed:
            told = {"judge_type": RULE, "passed": passed, "rationale": run.rationale}
            place = {"source": run.source, "pointer": run.pointer}
            self.add(judged(row.run_id, CRITERIA[expected], score, **told, **place))

    def note_measurements(self, measured: Iterable[Measurement]) -> None:
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
                    f"rate. Of the {len(known):,} that finished, {sum(_finished(runs)):,} "
                    "activated the skill."
                )
                hint = "Run the queries again whose runs crashed."
                self.reader.problem(path, "", "info", "crashed-runs", said, hint, self.id)
            if any(run.activated or run.rate for run in known):
                continue
            asked = {case for case, own in found if not all(run.crashed for run in own)}
            should = sum(self.cases[case].expected is True for case in asked)
            if should >= SHOULD_AT_LEAST:
                said = (
                    f"0 of {len(known):,} runs activated the skill, though {should:,} of "
                    f"{len(asked):,} queries should: the measurement itself is suspect, and so is "
                    "every rate of it."
                )
                code = "never-activated"
                self.reader.problem(path, "", "warning", code, said, BY_HAND, self.id)


def _short(text: str) -> str:
    """Return a text on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"


def _finished(runs: Iterable[Run]) -> list[bool]:
    """Return for each run that came to an end whether it activated the skill."""
    return [run.activated for run in runs if run.activated is not None]


def _as_expected(item: Node, expected: bool, runs: list[Run]) -> bool:
    """Return whether a query was answered as expected: as its document says, else by most runs."""
    name = named(item.value, PASSES)
    passed = item.flag(name) if name is not None else None
    if passed is None:
        ended = _finished(runs)
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
) -> tuple[dict[str, list[Measurement]], list[tuple[str, str]]]:
    """Return the measurements by description, and the documents that repeat another one.

    A label is the iteration, else the stated one, else the name of the document; further ones have
    the document's name beside it, and then a number.
    """
    by_description: dict[object, list[Measurement]] = {}
    repeated = []
    for new in found:
        # Without its text, a description is told by the file and the iteration.
        text = new.description
        key = (new.path, new.about.iteration) if text is None else squeezed(text)
        known = by_description.setdefault(key, [])
        same = next((each for each in known if new.repeats(each)), None)
        if same is None:
            known.append(new)
            continue
        if not new.trial:
            repeated.append((new.path, same.path))
        # What only the other document has is taken over; a trial's runs are in their order.
        for case, runs in new.runs.items():
            if case not in same.runs or (new.trial and not same.trial):
                same.runs[case] = runs
        same.shares += new.shares
        same.trial |= new.trial
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
