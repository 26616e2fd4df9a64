"""Turn the documents of one suite of the `descriptions` family into rows."""

from evalcore.disk.reader import Reader
from evalcore.families.base import Plan
from evalcore.families.descriptions.assign import UNASSIGNED, Assignment, assignment_of
from evalcore.families.descriptions.benchmark import Benchmark
from evalcore.families.descriptions.comparisons import Comparisons
from evalcore.families.descriptions.definitions import Definitions
from evalcore.families.descriptions.gradings import Gradings
from evalcore.families.descriptions.ungraded import add_ungraded, ungraded
from evalcore.tables.builder import Rows
from evalcore.tables.rows import SuiteRow

HEADLINE = "fraction of passing assertions"


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one suite; unreadable values are reported to the reader."""
    definitions = Definitions(plan, rows)
    for path in plan.of("eval_metadata"):
        definitions.read(path, reader)
    benchmark = Benchmark(plan, reader, rows, definitions)
    for path in plan.of("benchmark"):
        benchmark.read(path)
    name = definitions.skill_name or benchmark.skill_name or _folder_name(plan, reader)
    skill = None if plan.skill_path is None else plan.skill_path or "."
    rows.add(
        SuiteRow(
            suite=plan.suite,
            name=name,
            family="descriptions",
            root=plan.root or ".",
            skill_path=skill,
            headline=HEADLINE,
        )
    )
    benchmark.add_versions()
    assignment = assignment_of(reader, benchmark.claims(), plan.of("grading"))
    gradings = Gradings(plan, reader, rows, definitions)
    gradings.read(plan.of("grading"), assignment)
    gradings.finish()
    stated = gradings.stated
    open_ = ungraded(plan, definitions, set(plan.of("grading"))) if definitions.known else []
    versions = add_ungraded(plan, rows, open_, assignment, stated)
    _unassigned(plan, reader, gradings, assignment, benchmark)
    for run, given in gradings.assigned.items():
        said = stated.of(run) if given.entry is None else None
        if said is not None:
            versions.setdefault(said.version, said)
    for label, said in versions.items():
        pointer = "" if label == UNASSIGNED else "/description_version"
        benchmark.version(label, said.source, pointer, said.hash)
    benchmark.add_scores(gradings.graded, gradings.assigned)
    comparisons = Comparisons(plan, reader, rows, definitions, benchmark)
    for path in plan.of("comparison"):
        comparisons.read(path)
    if plan.of("grading") and not plan.of("eval_metadata"):
        reader.problem(
            plan.of("grading")[0],
            "",
            "warning",
            "metadata-not-found",
            f"There is no eval_metadata.json in {plan.root or '.'}; the test cases are those of "
            "the gradings.",
            "Add the file, so that prompts and missing assertions are known.",
            plan.suite,
        )


def _folder_name(plan: Plan, reader: Reader) -> str:
    if plan.skill_path:
        return plan.skill_path.rpartition("/")[2]
    return reader.listing.root.resolve().name or "."


def _unassigned(
    plan: Plan,
    reader: Reader,
    gradings: Gradings,
    assignment: Assignment,
    benchmark: Benchmark,
) -> None:
    """Report runs without a version, and add a version for them."""
    runs = [run for run, given in gradings.assigned.items() if given.version == UNASSIGNED]
    if not runs:
        return
    gradings_of = f"/runs/{runs[0]}/grading/"
    paths = plan.of("grading")
    source = next((path for path in paths if gradings_of in f"/{path}"), paths[0])
    benchmark.version(UNASSIGNED, source, "/run_id")
    several = [run for run in runs if run in assignment.ambiguous]
    more = f" ({', '.join(several[:3])}: several entries have its numbers)" if several else ""
    reader.problem(
        source,
        "/run_id",
        "info",
        "version-unassigned",
        f"The version of {len(runs)} of {len(gradings.assigned)} runs is not known: "
        f"{', '.join(runs[:5])}{' and others' if len(runs) > 5 else ''}{more}.",
        'Write "run_id" into the entry of benchmark.json that was made from the run.',
        plan.suite,
    )
