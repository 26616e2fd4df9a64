"""Turn the documents of one suite of the `descriptions` family into rows."""

from collections.abc import Sequence

from evalcore.disk.reader import Reader
from evalcore.families.base import PENDING, Plan
from evalcore.families.descriptions.benchmark import (
    UNASSIGNED,
    Assignment,
    Benchmark,
    Stated,
)
from evalcore.families.descriptions.comparisons import read_comparisons
from evalcore.families.descriptions.definitions import Definitions
from evalcore.families.descriptions.gradings import Gradings, output_of
from evalcore.ids import run_id
from evalcore.tables.builder import Rows
from evalcore.tables.rows import RunRow, SuiteRow

HEADLINE = "fraction of passing assertions"


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one suite; unreadable values are reported to the reader."""
    definitions = Definitions(plan, rows)
    for path in plan.of("eval_metadata"):
        definitions.read(path, reader)
    benchmark = Benchmark(plan, reader, rows, definitions)
    for path in plan.of("benchmark"):
        benchmark.read(path)
    folder = (plan.skill_path or "").rpartition("/")[2] or reader.listing.root.resolve().name
    rows.add(
        SuiteRow(
            suite=plan.suite,
            name=definitions.skill_name or benchmark.skill_name or folder or ".",
            family="descriptions",
            root=plan.root or ".",
            skill_path=None if plan.skill_path is None else plan.skill_path or ".",
            headline=HEADLINE,
        )
    )
    benchmark.add_versions()
    assignment = Assignment(plan, reader, benchmark.entries)
    paths = plan.of("grading")
    gradings = Gradings(plan, reader, rows, definitions)
    gradings.read(paths, assignment)
    versions = _add_ungraded(plan, rows, definitions, assignment, gradings.unread)
    runs = [run for run, given in gradings.assigned.items() if given.version == UNASSIGNED]
    if runs:
        source = next(
            (path for path in paths if f"/runs/{runs[0]}/grading/" in f"/{path}"), paths[0]
        )
        benchmark.version(UNASSIGNED, source, "/run_id")
        several = [run for run in runs if run in assignment.ambiguous]
        more = f" ({', '.join(several[:3])}: several entries have its numbers)" if several else ""
        message = (
            f"The version of {len(runs)} of {len(gradings.assigned)} runs is not known: "
            f"{', '.join(runs[:5])}{' and others' if len(runs) > 5 else ''}{more}."
        )
        hint = 'Write "run_id" into the entry of benchmark.json that was made from the run.'
        reader.problem(source, "/run_id", "info", "version-unassigned", message, hint, plan.suite)
    for run, given in gradings.assigned.items():
        said = assignment.stated(run) if given.entry is None else None
        if said is not None:
            versions.setdefault(said.version, said)
    for label, said in versions.items():
        pointer = "" if label == UNASSIGNED else "/description_version"
        benchmark.version(label, said.source, pointer, said.hash)
    benchmark.add_scores(gradings.graded, gradings.assigned)
    read_comparisons(plan, reader, rows, definitions, benchmark)
    if paths and not plan.of("eval_metadata"):
        message = (
            f"There is no eval_metadata.json in {plan.root or '.'}; the test cases are those of "
            "the gradings."
        )
        hint = "Add the file, so that prompts and missing assertions are known."
        reader.problem(paths[0], "", "warning", "metadata-not-found", message, hint, plan.suite)


def _add_ungraded(
    plan: Plan,
    rows: Rows,
    definitions: Definitions,
    assignment: Assignment,
    unread: Sequence[str],
) -> dict[str, Stated]:
    """Add the runs of known cases without a grading that can be read; return their versions.

    They have an output, or a grading that is `unread`. They are shown, and stand outside the rates.
    """
    versions: dict[str, Stated] = {}
    graded, outputs = set(plan.of("grading")) - set(unread), dict.fromkeys(plan.of("output"))
    lost = {output_of(path): path for path in unread}
    for path in outputs | lost if definitions.known else ():
        folder, _, name = path.rpartition("/")
        case_id, run = name.removesuffix(".json"), folder.rpartition("/")[2]
        if case_id not in definitions.cases or f"{folder}/grading/{name}" in graded:
            continue
        claim, said = assignment.named.get(run), assignment.stated(run)
        if claim is not None:
            said = Stated(claim.version, None, lost.get(path, path))
        elif said is None:
            said = Stated(UNASSIGNED, None, lost.get(path, path))
        versions.setdefault(said.version, said)
        rows.add(
            RunRow(
                run_id=run_id(plan.suite, case_id, said.version, "-", run),
                suite=plan.suite,
                case_id=case_id,
                version=said.version,
                configuration="-",
                run=run,
                benchmark_run=run,
                origin="grading",
                status=PENDING,
                outputs=path if path in outputs else None,
                source=lost.get(path),
            )
        )
    return versions
