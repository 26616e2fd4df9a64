"""Aggregates of large folders of iterations that lie just as skill-creator writes them.

Nothing is put into tables: each grading is decoded, counted, and its items travel on as bytes.
What is not usual in any way is refused, and then the tables answer: `aggregates`.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from evalcore.disk.files import Files
from evalcore.disk.reader import Reader, parse
from evalcore.errors import PathOutside
from evalcore.families.base import Plan
from evalcore.families.iterations.aggregates import benchmark, runs
from evalcore.families.iterations.case import Case
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.folders import OF_RUN, Folder, folders_of
from evalcore.families.iterations.measures import usual
from evalcore.families.iterations.runs import Checks
from evalcore.layouts.iterations import NONE
from evalcore.proposals.proposal import Proposal, Target, stored

_LARGEST: Final = 1024 * 1024
"""A document of more bytes is not a usual one."""


class Unusual(Exception):
    """Something is not as skill-creator writes it."""


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


_Graded = tuple[runs.Run, Any, Case, _Grading]
"""A run, the id of its eval, its case and its grading: before all is known of the case."""
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
    folders = list(folders_of(plan))
    cases = Cases(beside, reader, folders)
    benchmarks = plan.of("benchmark")
    if (cases.skill_name is None and benchmarks) or plan.of("meta"):
        raise Unusual  # one of them may name the skill, or who ran it
    by_version: dict[str, list[_Graded]] = defaultdict(list)
    for each in _runs(plan, reader, cases, folders):
        by_version[each[0].version].append(each)
    targets: dict[str, Target] = {}
    for label, graded in by_version.items():
        folder = runs.folder_of((run.source for run, *_ in graded), label)
        if folder is None:
            raise Unusual
        targets[label] = Target(plan.suite, label, f"{folder}{benchmark.NAME}")
    if not {target.path for target in targets.values()} >= set(benchmarks):
        raise Unusual
    name = cases.skill_name or (plan.skill_path or plan.suite).rpartition("/")[2] or plan.suite
    about = benchmark.About(name, plan.skill_path or None, rubric=False)
    for label, target in targets.items():
        if version not in (None, label):
            continue
        there = stored(reader.files, target.path)
        pairs = []
        for run, eval_id, case, grading in by_version[label]:
            raw: Any = grading.expectations
            items = raw if there is None else msgspec.json.decode(raw)
            metrics, notes = grading.execution_metrics, grading.user_notes_summary
            pairs.append((run, runs.entry_of(run, eval_id, case.names, items, metrics, notes)))
        keys = {benchmark.key_of(entry) for _, entry in pairs}
        if there is not None and not benchmark.fits_in(there.value, keys, ()):
            raise Unusual
        yield benchmark.benchmark(target, there, pairs, (), about, replace=False)


def _runs(plan: Plan, reader: Reader, cases: Cases, folders: list[Folder]) -> Iterator[_Graded]:
    """Yield the runs of a suite; each is another one.

    Raises:
        Unusual: one of them is written or lies otherwise, or has documents that are not its own.
    """
    files, ids, timings = reader.files, runs.Ids(Files(reader.root)), set(plan.of("timing"))
    seen = set()
    for folder in folders:
        at, documents = folder.at, folder.files
        path, timing = documents.get("grading"), documents.get("timing")
        if path is None:
            if "structural" in documents:
                raise Unusual
            continue
        if (
            folder.whole
            or folder.named
            or at.configuration == NONE
            or not documents.keys() <= {"grading", "timing"}
            or f"{at.eval_folder}/{at.configuration}" != at.configuration_folder
            or path.endswith("/outputs/grading.json")
        ):
            raise Unusual
        grading = _grading.decode(files.read(path, _LARGEST))
        verdicts = [item.passed for item in _items.decode(grading.expectations)]
        case = cases.at(at, None)
        key = case.case_id, at.version, at.configuration, at.run
        if not verdicts or key in seen:
            raise Unusual
        seen.add(key)
        seconds: float | None = None
        tokens: float | None = None
        if timing is not None:
            measured = usual(parse(files.read(timing, _LARGEST)))
            if measured is None:
                raise Unusual
            seconds, tokens = measured.seconds, measured.tokens
        elif grading.timing is not None or f"{at.configuration_folder}/timing.json" in timings:
            raise Unusual
        checks = Checks.of(verdicts)
        run = runs.Run(
            run_id="",  # only tables are searched by it
            case_id=case.case_id,
            version=at.version,
            configuration=at.configuration,
            run=at.run,
            origin="grading",
            source=path,
            pointer="",
            passed=checks.passed,
            total=checks.scored,
            rate=checks.rate,
            counted=runs.counted(grading.summary, checks.rate),
            seconds=seconds,
            tokens=tokens,
        )
        known = ids.of(at.eval_folder)
        yield run, runs.number_of(case.case_id if known is None else known), case, grading
