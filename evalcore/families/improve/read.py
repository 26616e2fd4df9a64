"""Turn the documents of one suite of the `improve` family into rows."""

from evalcore.disk.reader import Reader
from evalcore.families.base import SHARE, Plan
from evalcore.families.improve.comparisons import read_comparisons
from evalcore.families.improve.definitions import Definitions
from evalcore.families.improve.gradings import Gradings
from evalcore.families.improve.history import History
from evalcore.families.improve.ungraded import add_ungraded
from evalcore.tables.builder import Rows
from evalcore.tables.rows import SuiteRow


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one suite; unreadable values are reported to the reader."""
    definitions = Definitions(plan, rows)
    for path in plan.of("evals"):
        definitions.read(path, reader)
    rows.add(
        SuiteRow(
            suite=plan.suite,
            name=_name(plan, reader, definitions),
            family="improve",
            root=plan.root or ".",
            skill_path=None if plan.skill_path is None else plan.skill_path or ".",
            headline=SHARE,
        )
    )
    history = History(plan, reader, rows)
    for path in plan.of("history"):
        history.read(path)
    gradings = Gradings(plan, reader, rows, definitions)
    gradings.read_all(plan.of("grading"))
    gradings.finish()
    add_versions(history, gradings)
    if definitions.known:
        known = definitions.cases, {*history.labels, *gradings.versions}
        add_ungraded(plan, reader, rows, *known, gradings.seen)
    history.averages(gradings.scores)
    read_comparisons(plan, reader, rows, definitions, history.labels)
    _say_what_is_missing(plan, reader)


def _name(plan: Plan, reader: Reader, definitions: Definitions) -> str:
    """Return the name of the skill: the last part of its path."""
    if plan.suite != ".":
        return plan.suite.rpartition("/")[2]
    stated = (definitions.skill or "").replace("\\", "/").rstrip("/").rpartition("/")[2]
    return stated or reader.listing.root.resolve().name.removesuffix("-workspace") or "."


def add_versions(history: History, gradings: Gradings) -> None:
    """Add the versions that only gradings name, in the order of their numbers."""
    known = set(history.labels)
    found = [(number, label, path) for label, (number, path) in gradings.versions.items()]
    for number, label, path in sorted(found, key=lambda item: (item[0] is None, item[0] or 0)):
        if label not in known:
            history.add(label, number, path)


def _say_what_is_missing(plan: Plan, reader: Reader) -> None:
    gradings = plan.of("grading")
    where = plan.root or "."
    if gradings and not plan.of("evals"):
        name = where.rpartition("/")[2].removesuffix("-workspace")
        reader.problem(
            gradings[0],
            "",
            "warning",
            "evals-not-found",
            f"No test cases were found for {where}, so it is not known what is required; a run "
            "passed where its grading says so. Looked "
            f"for evals/evals.json in {name!r} beside it and in the folders around it, in "
            "vN/skill, and for one with the same case ids.",
            "Open the folder that holds both the skill and its workspace.",
            plan.suite,
        )
    if gradings and not plan.of("history"):
        reader.problem(
            gradings[0],
            "",
            "info",
            "history-not-found",
            f"There is no history.json in {where}; the versions are those of the gradings.",
            "Add a history.json that names each version.",
            plan.suite,
        )
