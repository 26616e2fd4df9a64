"""`eval/benchmark.json` of the `descriptions` family: one entry for each description measured."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from evalcore.disk.files import Files
from evalcore.disk.parsing import parse
from evalcore.disk.values import parse_time
from evalcore.errors import PathOutside
from evalcore.families.aggregating import Aggregates
from evalcore.families.base import PENDING
from evalcore.families.descriptions.benchmark import UNASSIGNED, statistics
from evalcore.numbers import disagrees, mean
from evalcore.proposals.proposal import Proposal, Stored, Target, merged, stored
from evalcore.proposals.stats import shortened
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables

_LABEL: Final = re.compile(r"d?(\d+)")
_FRONT: Final = re.compile(r"\A---\r?\n(.*?)^---\s*$", re.DOTALL | re.MULTILINE)
_TEXT: Final = re.compile(r"^description:[ \t]*(\S.*?)[ \t]*\r?$(?!\n[ \t]+\S)", re.MULTILINE)
_QUOTED: Final = re.compile(r"(?P<quote>['\"])([^'\"\\]*)(?P=quote)")


class Case(NamedTuple):
    """One test case in one run."""

    case_id: str
    score: float | None
    seconds: float | None
    source: str


Runs = dict[str, list[Case]]
"""Run to its test cases."""


class _Document(NamedTuple):
    """The benchmark of a suite: as it is stored, as it shall be, and the skill that it is of."""

    target: Target
    stored: Stored | None
    value: dict[str, Any]
    skill: str | None

    def proposal(self, messages: Sequence[str] = ()) -> Proposal:
        """Return what has become of it as a proposal."""
        if self.stored is not None:
            return self.target.changed(self.stored, self.value, *messages)
        if self.value["entries"]:
            return self.target.fresh(self.value, *messages)
        return self.target.left(*messages)


def aggregates(
    tables: Tables, files: Files, suite: str, version: str | None, *, replace: bool
) -> Iterator[Proposal]:
    """Yield proposals for the benchmark of a suite.

    An entry is added for runs without one: they are of the current description unless `version`
    says another one. Existing entries are corrected if their runs differ.
    """
    del replace  # a benchmark of another shape is none of this family
    label = _number(version)
    document = _document(tables, files, suite, version, label)
    if isinstance(document, Proposal):
        yield document
        return
    if version is not None and label is None:
        message = f"{version!r} is not a description version; they are called d1, d2."
        yield document.target.left(message)
        return
    runs, free = _runs(tables, suite)
    path, entries = document.target.path, document.value["entries"]
    messages = list(_mended(tables, path, entries, runs, label))
    if free:
        names = f"{', '.join(free[:5])}{' and others' if len(free) > 5 else ''}"
        current = _number(document.value.get("description_version"))
        number = current if label is None else label
        taken = {_number(entry.get("description_version")) for entry in entries}
        if number is None or (label is None and len(free) > 1):
            messages.append(
                f"No entry is of {names}: --version d2 says which description they measured."
            )
        elif number in taken:
            messages.append(
                f"No entry is of {names}, and d{number} has one. Write run_id into the entry that "
                "was made from it, or name another --version."
            )
        else:
            is_current = current in (None, number)
            digest = description_hash(files, document.skill) if is_current else None
            entries.append(_entry(files, number, digest, {run: runs[run] for run in free}))
            messages.append(f"d{number}: an entry was made from {names}.")
    yield document.proposal(messages)


def measured(
    tables: Tables, files: Files, suite: str, number: int, digest: str | None, wanted: Sequence[str]
) -> Proposal:
    """Return the proposal of one entry for each of some runs, all of one description.

    A run that an entry names is left as it is; one of which a grading is lacking makes no entry.
    """
    document = _document(tables, files, suite, f"d{number}", number)
    if isinstance(document, Proposal):
        return document
    value = document.value
    runs, _ = _runs(tables, suite)
    named = {run for entry in value["entries"] for run in _named(entry)}
    rows = cells(tables, "runs", "suite", "run", "status")
    open_ = {run for own, run, status in rows if own == suite and status == PENDING}
    for run in wanted:
        if run in runs and run not in named and run not in open_:
            value["entries"].append(_entry(files, number, digest, {run: runs[run]}))
    current = _number(value.get("description_version"))
    value["description_version"] = number if current is None else max(current, number)
    return document.proposal()


def _document(
    tables: Tables, files: Files, suite: str, version: str | None, number: int | None
) -> _Document | Proposal:
    """Return the benchmark of a suite, a new one if it has none, or why it is left alone."""
    rows = cells(tables, "suites", "suite", "root", "skill_path", "name")
    root, skill, name = next(row[1:] for row in rows if row[0] == suite)
    folder = "" if root == "." else f"{root}/"
    for path, kind, own in cells(tables, "documents", "path", "kind", "suite"):
        if own == suite and kind in ("eval_metadata", "benchmark"):
            folder = path[: path.rfind("/") + 1]
            break
    target = Target(suite, version, f"{folder}benchmark.json")
    there = stored(files, target.path)
    if there is None:
        value = {
            "skill_name": name,
            "description_version": number,
            "created_at": _now(),
            "entries": [],
        }
        return _Document(target, None, value, skill)
    entries = there.value.get("entries") if isinstance(there.value, dict) else None
    if isinstance(entries, list) and all(isinstance(each, dict) for each in entries):
        return _Document(target, there, deepcopy(there.value), skill)
    return target.left("It contains no list of entries, so it was left unchanged.")


def _runs(tables: Tables, suite: str) -> tuple[Runs, list[str]]:
    """Return the runs of a suite, and those without an entry."""
    found: Runs = defaultdict(list)
    free: dict[str, None] = {}
    names = ("suite", "case_id", "version", "run", "fraction", "duration_s", "source", "status")
    for own, case, version, run, score, seconds, source, status in cells(tables, "runs", *names):
        if own == suite and status != PENDING:
            found[run].append(Case(case, score, seconds, source))
            if version == UNASSIGNED:
                free[run] = None
    return found, list(free)


def _mended(
    tables: Tables, path: str, entries: list[dict[str, Any]], runs: Runs, label: int | None
) -> Iterator[str]:
    """Correct the numbers of entries with known runs; yield why others are left alone."""
    rows = cells(tables, "benchmark_runs", "source", "pointer", "runs")
    graded = {pointer for source, pointer, count in rows if source == path and count}
    for index, entry in enumerate(entries):
        if label not in (None, _number(entry.get("description_version"))):
            continue
        if f"/entries/{index}" not in graded:
            yield f"Entry {index + 1}: there are no gradings of it; it was left unchanged."
            continue
        named = [run for run in _named(entry) if run in runs]
        listed = entry.get("per_test_case")
        old = {
            each["test_case_id"]: each
            for each in (listed if isinstance(listed, list) else ())
            if isinstance(each, dict) and isinstance(each.get("test_case_id"), str)
        }
        found = {case["test_case_id"]: case for case in _cases([runs[run] for run in named])}
        if named and not old.keys() <= found.keys():
            yield f"Entry {index + 1}: some of its cases have no gradings; it was left unchanged."
            continue
        if found:
            entry["per_test_case"] = [merged(old.get(name, {}), found[name]) for name in found]
        entry.update(_numbers(entry, list((found or old).values())))


def _named(entry: dict[str, Any]) -> list[str]:
    several = entry.get("run_ids")
    names = [entry.get("run_id"), *(several if isinstance(several, list) else ())]
    return [run for run in names if isinstance(run, str)]


def _cases(runs: Iterable[Sequence[Case]]) -> list[dict[str, Any]]:
    """Return the test cases of some runs in the form of an entry, each the mean over the runs."""
    by_case: dict[str, list[Case]] = defaultdict(list)
    for run in runs:
        for case in run:
            by_case[case.case_id].append(case)
    return [
        {
            "test_case_id": case_id,
            "score": _short(mean(each.score for each in cases)),
            "duration_seconds": _short(mean(each.seconds for each in cases)),
        }
        for case_id, cases in by_case.items()
    ]


def _numbers(entry: dict[str, Any], cases: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the numbers computed from an entry's test cases; equal stored ones are kept."""
    own = statistics(_value(case.get("score")) for case in cases)
    found = {
        "mean": _short(own.mean),
        "median": _short(own.median),
        "std_dev": _short(own.stddev),
        "min": _short(own.min),
        "max": _short(own.max),
    }
    old = entry.get("scores")
    stated = old.get("std_dev") if isinstance(old, dict) else None
    if stated and own.stddev and own.n:
        of_population = own.stddev * ((own.n - 1) / own.n) ** 0.5
        if not disagrees(stated, of_population):
            found["std_dev"] = stated  # that of a population, which some tools write
    seconds = [s for case in cases if (s := _value(case.get("duration_seconds"))) is not None]
    new = {
        "scores": found,
        "num_test_cases": len(cases),
        "total_duration_seconds": _short(sum(seconds)) if seconds else None,
    }
    return {name: merged(entry.get(name), value) for name, value in new.items()}


def _entry(files: Files, number: int, digest: str | None, runs: Runs) -> dict[str, Any]:
    """Return the entry of a description version, measured by some runs together."""
    sources = [case.source for cases in runs.values() for case in cases]
    stated = [parse(files.read(source)).get("timestamp") for source in sources]
    times = {time: text for text in stated if (time := parse_time(text)) is not None}
    cases = _cases(runs.values())
    entry = {
        "description_version": number,
        **({"description_hash": digest} if digest else {}),
        "timestamp": times[max(times)] if times else _now(),  # the time of the last grading
        **({"run_id": next(iter(runs))} if len(runs) == 1 else {"run_ids": list(runs)}),
    }
    numbers = _numbers({}, cases)
    return entry | {"scores": numbers.pop("scores"), "per_test_case": cases, **numbers}


def description_hash(files: Files, skill: str | None) -> str | None:
    """Return the SHA-256 of a skill's description; None if its text is uncertain."""
    if skill is None:
        return None
    try:
        text = files.read("SKILL.md" if skill == "." else f"{skill}/SKILL.md").decode()
    except (OSError, PathOutside, UnicodeDecodeError):
        return None
    front = _FRONT.match(text)
    line = _TEXT.search(front[1]) if front else None
    if line is None or line[1][0] in "|>&*!":
        return None
    quoted = _QUOTED.fullmatch(line[1])
    if quoted is None and line[1][0] in "'\"":
        return None
    return hashlib.sha256((quoted[2] if quoted else line[1]).encode()).hexdigest()


def _number(label: Any) -> int | None:
    """Return the number of a description version: 2 of 2, "2" or "d2"."""
    if type(label) is int:
        return label
    found = _LABEL.fullmatch(label.strip()) if isinstance(label, str) else None
    return int(found[1]) if found else None


def _value(stated: Any) -> float | None:
    return stated if type(stated) in (int, float) else None


def _short(value: float | None) -> float | None:
    return None if value is None else shortened(value)


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


AGGREGATES: Final = Aggregates(aggregates, unassigned=UNASSIGNED)
