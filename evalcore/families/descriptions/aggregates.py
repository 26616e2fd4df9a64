"""`eval/benchmark.json` of the `descriptions` family: one entry for each description measured."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from evalcore.disk.files import Files
from evalcore.disk.parsing import parse
from evalcore.disk.values import parse_time
from evalcore.errors import PathOutside
from evalcore.families.aggregating import Aggregates
from evalcore.families.base import PENDING
from evalcore.families.descriptions.assign import UNASSIGNED
from evalcore.families.descriptions.benchmark import statistics
from evalcore.numbers import disagrees, mean
from evalcore.proposals.proposal import Proposal, Stored, Target, merged, stored
from evalcore.proposals.stats import shortened
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables

_LABEL: Final = re.compile(r"d?(\d+)")
_FRONT: Final = re.compile(r"\A---\r?\n(.*?)^---\s*$", re.DOTALL | re.MULTILINE)
_TEXT: Final = re.compile(r"^description:[ \t]*(\S.*?)[ \t]*\r?$(?!\n[ \t]+\S)", re.MULTILINE)
_QUOTED: Final = re.compile(r"(?P<quote>['\"])([^'\"\\]*)(?P=quote)")


_RUN: Final = ("suite", "case_id", "version", "run", "fraction", "duration_s", "source", "status")


class Case(NamedTuple):
    """One test case in one run."""

    case_id: str
    score: float | None
    seconds: float | None
    source: str


Runs = dict[str, list[Case]]
"""Run to its test cases."""


def aggregates(
    tables: Tables, files: Files, suite: str, version: str | None, *, replace: bool
) -> Iterator[Proposal]:
    """Yield proposals for the benchmark of a suite.

    An entry is added for runs without one: they are of the current description unless `version`
    says another one. Existing entries are corrected if their runs differ.
    """
    del replace  # a benchmark of another shape is none of this family
    root, skill, name = _about(tables, suite)
    target = Target(suite, version, f"{root}benchmark.json")
    there = stored(files, target.path)
    if there is not None and not _is_benchmark(there.value):
        yield target.left("It contains no list of entries, so it was left unchanged.")
        return
    label = _number(version)
    if version is not None and label is None:
        yield target.left(f"{version!r} is not a description version; they are called d1, d2.")
        return
    old = _fresh(name, label) if there is None else deepcopy(there.value)
    runs, free = _runs(tables, suite)
    messages = list(_mended(tables, target.path, old["entries"], runs, label))
    messages += _added(files, old, {run: runs[run] for run in free}, label, skill)
    yield _proposal(target, there, old, messages)


def _fresh(name: str, number: int | None) -> dict[str, Any]:
    return {
        "skill_name": name,
        "description_version": number,
        "created_at": _now(),
        "entries": [],
    }


def _proposal(
    target: Target, there: Stored | None, value: dict[str, Any], messages: Sequence[str]
) -> Proposal:
    if there is not None:
        return target.changed(there, value, *messages)
    return target.fresh(value, *messages) if value["entries"] else target.left(*messages)


def _about(tables: Tables, suite: str) -> tuple[str, str | None, str]:
    """Return the folder of the evaluation with a slash, that of the skill, and the skill's name."""
    rows = cells(tables, "suites", "suite", "root", "skill_path", "name")
    root, skill, name = next(row[1:] for row in rows if row[0] == suite)
    documents = cells(tables, "documents", "path", "kind", "suite")
    for path, kind, own in documents:
        if own == suite and kind in ("eval_metadata", "benchmark"):
            return path[: path.rfind("/") + 1], skill, name
    return "" if root == "." else f"{root}/", skill, name


def _is_benchmark(value: Any) -> bool:
    entries = value.get("entries") if isinstance(value, dict) else None
    return isinstance(entries, list) and all(isinstance(each, dict) for each in entries)


def _runs(tables: Tables, suite: str) -> tuple[Runs, list[str]]:
    """Return the runs of a suite, and those without an entry."""
    found: Runs = defaultdict(list)
    free: dict[str, None] = {}
    for own, case, version, run, score, seconds, source, status in cells(tables, "runs", *_RUN):
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
        old = {each["test_case_id"]: each for each in _listed(entry)}
        found = {case["test_case_id"]: case for case in _cases([runs[run] for run in named])}
        if named and not old.keys() <= found.keys():
            yield f"Entry {index + 1}: some of its cases have no gradings; it was left unchanged."
            continue
        cases = list((found or old).values())
        listed = (
            {"per_test_case": [merged(old.get(each["test_case_id"], {}), each) for each in cases]}
            if found
            else {}
        )
        entry |= {**listed, **_numbers(entry, cases)}


def _named(entry: dict[str, Any]) -> list[str]:
    several = entry.get("run_ids")
    names = [entry.get("run_id"), *(several if isinstance(several, list) else ())]
    return [run for run in names if isinstance(run, str)]


def _listed(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the test cases that an entry lists."""
    listed = entry.get("per_test_case")
    return [
        each
        for each in (listed if isinstance(listed, list) else ())
        if isinstance(each, dict) and isinstance(each.get("test_case_id"), str)
    ]


def _cases(runs: Sequence[Sequence[Case]]) -> list[dict[str, Any]]:
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
    scores = [_value(case.get("score")) for case in cases]
    mean_, median, spread, low, high, n = statistics(scores)
    found = dict(
        zip(
            ("mean", "median", "std_dev", "min", "max"),
            map(_short, (mean_, median, spread, low, high)),
            strict=True,
        )
    )
    old = entry.get("scores")
    stated = old.get("std_dev") if isinstance(old, dict) else None
    if stated and spread and n and not disagrees(stated, spread * ((n - 1) / n) ** 0.5):
        found["std_dev"] = stated  # that of a population, which some tools write
    seconds = [s for case in cases if (s := _value(case.get("duration_seconds"))) is not None]
    new = {
        "scores": found,
        "num_test_cases": len(cases),
        "total_duration_seconds": _short(sum(seconds)) if seconds else None,
    }
    return {name: merged(entry.get(name), value) for name, value in new.items()}


def _added(
    files: Files, value: dict[str, Any], free: Runs, label: int | None, skill: str | None
) -> Iterator[str]:
    """Add an entry for runs without one, or yield why it cannot be added."""
    if not free:
        return
    names = f"{', '.join(list(free)[:5])}{' and others' if len(free) > 5 else ''}"
    current = _number(value.get("description_version"))
    number = current if label is None else label
    taken = {_number(entry.get("description_version")) for entry in value["entries"]}
    if number is None or (label is None and len(free) > 1):
        yield f"No entry is of {names}: --version d2 says which description they measured."
        return
    if number in taken:
        yield (
            f"No entry is of {names}, and d{number} has one. Write run_id into the entry that "
            "was made from it, or name another --version."
        )
        return
    digest = description_hash(files, skill) if number == current or current is None else None
    value["entries"].append(_entry(files, number, digest, free))
    yield f"d{number}: an entry was made from {names}."


def _entry(files: Files, number: int, digest: str | None, runs: Runs) -> dict[str, Any]:
    """Return the entry of a description version, measured by some runs together."""
    cases = _cases(list(runs.values()))
    entry = {
        "description_version": number,
        **({"description_hash": digest} if digest else {}),
        "timestamp": _latest(files, runs) or _now(),
        **({"run_id": next(iter(runs))} if len(runs) == 1 else {"run_ids": list(runs)}),
    }
    numbers = _numbers({}, cases)
    return entry | {"scores": numbers.pop("scores"), "per_test_case": cases, **numbers}


def measured(
    tables: Tables, files: Files, suite: str, number: int, digest: str | None, wanted: Sequence[str]
) -> Proposal:
    """Return the proposal of one entry for each of some runs, all of one description.

    A run that an entry names is left as it is; one of which a grading is lacking makes no entry.
    """
    root, _, name = _about(tables, suite)
    target = Target(suite, f"d{number}", f"{root}benchmark.json")
    there = stored(files, target.path)
    if there is not None and not _is_benchmark(there.value):
        return target.left("It contains no list of entries, so it was left unchanged.")
    value: dict[str, Any] = deepcopy(there.value) if there is not None else _fresh(name, number)
    runs, _ = _runs(tables, suite)
    named = {run for entry in value["entries"] for run in _named(entry)}
    rows = cells(tables, "runs", "suite", "run", "status")
    open_ = {run for own, run, status in rows if own == suite and status == PENDING}
    for run in wanted:
        if run in runs and run not in named and run not in open_:
            value["entries"].append(_entry(files, number, digest, {run: runs[run]}))
    current = _number(value.get("description_version"))
    value["description_version"] = number if current is None else max(current, number)
    return _proposal(target, there, value, ())


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


def _latest(files: Files, runs: Runs) -> str | None:
    """Return the time of the last of some gradings, as recorded in them."""
    stated = [
        parse(files.read(case.source)).get("timestamp") for cases in runs.values() for case in cases
    ]
    times = {time: text for text in stated if (time := parse_time(text)) is not None}
    return times[max(times)] if times else None


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
