"""Aggregates of large folders of iterations that lie just as skill-creator writes them.

Nothing is put into tables: each grading is decoded, counted, and its items travel on as bytes.
What is not usual in any way is refused, and then the tables answer: `writing.aggregates`.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec

from evalcore.disk.files import Files
from evalcore.disk.reader import Reader, parse
from evalcore.errors import PathOutside
from evalcore.families.base import Plan
from evalcore.families.iterations.aggregates.benchmark import About, benchmark, fits_in, key_of
from evalcore.families.iterations.aggregates.entries import Entry, Ids, entry_of, number_of, stated
from evalcore.families.iterations.aggregates.runs import Run
from evalcore.families.iterations.aggregates.summary import Counted
from evalcore.families.iterations.aggregates.writing import BENCHMARK, folder_of
from evalcore.families.iterations.case import Case
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.folders import OF_RUN, Folder, folders_of
from evalcore.families.iterations.runs import Checks
from evalcore.families.iterations.timing import usual
from evalcore.layouts.iterations import NONE
from evalcore.proposals.proposal import Proposal, Stored, Target, stored

_LARGEST: Final = 1024 * 1024
"""A document of more bytes is not a usual one."""

_OWN: Final = frozenset({"grading", "timing"})


class Unusual(Exception):
    """Something is not as skill-creator writes it."""


def _is_usual(folder: Folder) -> bool:
    """Say whether a run is where skill-creator puts it, with no documents but its own."""
    at, files = folder.at, folder.files
    return (
        not (folder.whole or folder.named or at.configuration == NONE)
        and files.keys() <= _OWN
        and f"{at.eval_folder}/{at.configuration}" == at.configuration_folder
        and not files["grading"].endswith("/outputs/grading.json")
    )


class _Grading(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A grading whose items stay as they are written; what no benchmark has is only skipped."""

    expectations: msgspec.Raw
    summary: dict[str, Any] | None = None
    execution_metrics: dict[str, Any] | None = None
    timing: dict[str, Any] | None = None
    user_notes_summary: dict[str, list[str]] | str | None = None
    claims: msgspec.Raw = msgspec.Raw()
    eval_feedback: msgspec.Raw = msgspec.Raw()


class _Item(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    text: str
    passed: bool
    evidence: str


class _Graded(NamedTuple):
    """One run before all is known of its case."""

    counted: Counted
    eval_id: Any
    case: Case
    grading: _Grading


_grading: Final = msgspec.json.Decoder(_Grading)
_items: Final = msgspec.json.Decoder(list[_Item])


def quick_proposals(plan: Plan, reader: Reader, version: str | None) -> list[Proposal] | None:
    """Return what shall become of the benchmarks of a suite; None where the tables must tell."""
    try:
        return list(_of_suite(plan, reader, version))
    except (Unusual, OSError, PathOutside, ValueError):
        return None


def _of_suite(plan: Plan, reader: Reader, version: str | None) -> Iterator[Proposal]:
    beside = plan._replace(files=tuple(file for file in plan.files if file[1] not in OF_RUN))
    cases = Cases(beside, reader)
    benchmarks = plan.of("benchmark")
    if cases.skill_name is None and benchmarks:
        raise Unusual  # one of them may name the skill
    by_version: dict[str, list[_Graded]] = defaultdict(list)
    for each in _Runs(plan, reader, cases).read():
        by_version[each.counted.run.version].append(each)
    name = cases.skill_name or (plan.skill_path or plan.suite).rpartition("/")[2] or plan.suite
    about = About(name, plan.skill_path or None, rubric=False)
    targets = {label: _target(plan, label, runs) for label, runs in by_version.items()}
    if not {target.path for target in targets.values()} >= set(benchmarks):
        raise Unusual
    for label, runs in by_version.items():
        if version in (None, label):
            yield _proposal(reader.files, targets[label], runs, about)


def _target(plan: Plan, label: str, runs: list[_Graded]) -> Target:
    folder = folder_of((each.counted.run.source for each in runs), label)
    if folder is None:
        raise Unusual
    return Target(plan.suite, label, f"{folder}{BENCHMARK}")


def _proposal(files: Files, target: Target, runs: list[_Graded], about: About) -> Proposal:
    there = stored(files, target.path)
    pairs = [(each.counted, _entry(each, there)) for each in runs]
    if there is not None and not fits_in(there.value, {key_of(entry) for _, entry in pairs}, ()):
        raise Unusual
    return benchmark(target, there, pairs, (), about, replace=False)


def _entry(each: _Graded, there: Stored | None) -> Entry:
    grading = each.grading
    items = grading.expectations if there is None else msgspec.json.decode(grading.expectations)
    return entry_of(
        each.counted,
        each.eval_id,
        each.case.names,
        items,
        grading.execution_metrics,
        grading.user_notes_summary,
    )


class _Runs:
    """Reads the runs of one suite that are all as usual."""

    def __init__(self, plan: Plan, reader: Reader, cases: Cases) -> None:
        self._plan = plan
        self._files = reader.files
        self._cases = cases
        self._ids = Ids(Files(reader.root))
        self._timings = set(plan.of("timing"))

    def read(self) -> Iterator[_Graded]:
        """Yield the runs; each is another one.

        Raises:
            Unusual: one of them is written or lies otherwise.
        """
        seen = set()
        for folder in folders_of(self._plan):
            if "grading" not in folder.files:
                if "structural" in folder.files:
                    raise Unusual
                continue
            each = self._run(folder)
            at = folder.at
            key = each.case.case_id, at.version, at.configuration, at.run
            if key in seen:
                raise Unusual
            seen.add(key)
            yield each

    def _run(self, folder: Folder) -> _Graded:
        at, path = folder.at, folder.files["grading"]
        if not _is_usual(folder):
            raise Unusual
        grading = _grading.decode(self._files.read(path, _LARGEST))
        items = _items.decode(grading.expectations)
        if not items:
            raise Unusual
        case = self._cases.at(at, None)
        checks = Checks([item.passed for item in items].count(True), len(items), 0)
        seconds, tokens = self._took(folder, grading)
        run = Run(
            run_id="",  # only tables are searched by it
            case_id=case.case_id,
            version=at.version,
            configuration=at.configuration,
            run=at.run,
            origin="grading",
            passed=checks.passed,
            total=checks.scored,
            rate=checks.rate,
            structural=False,
            normalized=None,
            efficiency=None,
            dimensions={},
            seconds=seconds,
            tokens=tokens,
            source=path,
            pointer="",
        )
        known = self._ids.of(at.eval_folder)
        eval_id = number_of(case.case_id if known is None else known)
        return _Graded(Counted(run, stated(grading.summary, run.rate)), eval_id, case, grading)

    def _took(self, folder: Folder, grading: _Grading) -> tuple[float | None, float | None]:
        path = folder.files.get("timing")
        if path is None:
            above = f"{folder.at.configuration_folder}/timing.json"
            if grading.timing is not None or above in self._timings:
                raise Unusual
            return None, None
        timing = usual(parse(self._files.read(path, _LARGEST)))
        if timing is None:
            raise Unusual
        return timing.seconds, timing.tokens
