"""Find checklists and read them."""

from typing import Any

from evalcore.disk.reader import Reader
from evalcore.families.base import SHARE, Loose, Plan, suite_id
from evalcore.ids import run_id
from evalcore.problems import pointer
from evalcore.tables.builder import Rows
from evalcore.tables.rows import (
    CaseRow,
    CriterionRow,
    DocumentRow,
    JudgmentRow,
    RunRow,
    SuiteRow,
    VersionRow,
)


def find(reader: Reader, loose: Loose) -> list[Plan]:
    """Return one plan for each folder with a checklist.json."""
    del loose
    plans = []
    for path in reader.listing.paths:
        root, _, name = path.rpartition("/")
        if name == "checklist.json":
            inside = (each for each in reader.listing.paths if each.startswith(f"{root}/"))
            kinds = [(each, kind) for each in inside if (kind := _kind(each, root))]
            plans.append(Plan(suite_id(root), "checklists", root, root, tuple(kinds)))
    return plans


def _kind(path: str, root: str) -> str | None:
    names = {f"{root}/checklist.json": "checklist", f"{root}/tally.json": "tally"}
    return "round" if path.startswith(f"{root}/rounds/") else names.get(path)


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add the rows of one suite."""
    suite, root = plan.suite, plan.root
    rows.add(SuiteRow(suite, suite, "checklists", root, root, SHARE))
    for path, kind in plan.files:
        rows.add(DocumentRow(path, "checklists", kind, suite, 1))
    for name, task in reader.json(plan.of("checklist")[0])["tasks"].items():
        _case(suite, plan.of("checklist")[0], name, task, rows)
    versions = sorted({path.split("/")[-2] for path in plan.of("round")})
    for position, version in enumerate(versions):
        folder = f"{root}/rounds/{version}/recipe"
        rows.add(VersionRow(suite, version, position, path=folder))
    for path in plan.of("round"):
        _run(suite, path, reader.json(path), rows)


def _case(suite: str, path: str, name: str, task: dict[str, Any], rows: Rows) -> None:
    at = pointer("tasks", name)
    rows.add(CaseRow(suite, name, name, task["ask"], source=path, pointer=at))
    for index, step in enumerate(task["steps"]):
        place = at + pointer("steps", index)
        rows.add(
            CriterionRow(
                suite, name, "assertion", step, step, position=index, source=path, pointer=place
            )
        )


def _run(suite: str, path: str, value: dict[str, Any], rows: Rows) -> None:
    version, case, done = path.split("/")[-2], value["task"], value["done"]
    run = run_id(suite, case, version, "-", 1)
    met = sum(done.values())
    rows.add(
        RunRow(
            run,
            suite,
            case,
            version,
            "-",
            "1",
            origin="grading",
            status="completed",
            passed=met == len(done),
            score=met,
            max_score=len(done),
            fraction=met / len(done),
            checks_passed=met,
            checks_total=len(done),
            source=path,
            pointer="",
        )
    )
    for step, passed in done.items():
        rows.add(
            JudgmentRow(
                run,
                "assertion",
                step,
                judge="kettle",
                judge_type="llm",
                score=float(passed),
                min_score=0.0,
                max_score=1.0,
                fraction=float(passed),
                passed=passed,
                status="scored",
                source=path,
                pointer=pointer("done", step),
                rationale=f"Seen: {step}.",
            )
        )
