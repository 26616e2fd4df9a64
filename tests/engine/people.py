"""Suites of each kind that people can judge new runs of, and short words for judging them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from evalcore.engine.store import RunFolder
from evalcore.families.reviews.review import Review
from evalcore.judging.answering.submitting import submit
from evalcore.judging.asking.tasks import task
from evalcore.judging.model import Answer, Entry, Judge
from evalcore.judging.queueing.queue import queue
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.workspace.opened import Workspace
from tests.engine.conftest import opened, ran, write

ANA, BEN, CY = Judge("ana-3f2a", "Ana"), Judge("ben-77c0", "Ben"), Judge("cy-0001", "Cy")
SKILL = "---\nname: writer\ndescription: Use when\n---\nWrite.\n"
RULE, OPEN = 'contains "done"', "Its tone is friendly."


def _skill(root: Path) -> Path:
    skill = root / "writer"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text(SKILL)
    return skill


def iterations(root: Path) -> None:
    """Two expectations, of which a rule decides the first."""
    case = {"id": 1, "prompt": "write=a.txt", "expected_output": "", "expectations": [RULE, OPEN]}
    write(_skill(root) / "evals/evals.json", {"skill_name": "writer", "evals": [case]})


def rubric(root: Path) -> None:
    """A structural check and two dimensions."""
    checks = [
        {"id": "S1", "type": "file_exists", "description": "x", "pattern": "*", "critical": True}
    ]
    steps = {"1": "bad", "3": "fine", "5": "good"}
    dimensions = [
        {"id": f"Q{at}", "name": name, "description": name, "weight": 1.0, "scoring": steps}
        for at, name in enumerate(("tone", "depth"), 1)
    ]
    case = {
        "id": 1, "name": "One", "prompt": "write=a.txt", "expected_output": "", "files": [],
        "structural_expectations": checks, "quality_rubric": {"dimensions": dimensions},
    }  # fmt: skip
    config = {"structural_gate": True}
    evals = {"skill_name": "writer", "eval_config": config, "evals": [case]}
    write(_skill(root) / "evals/evals.json", evals)


def improve(root: Path) -> None:
    """Two criteria, of which a rule decides the first; one version."""
    expected = [
        {"criterion": "done", "description": RULE, "required": True},
        {"criterion": "tone", "description": OPEN, "required": True},
    ]
    case = {"id": "one", "prompt": "write=a.txt", "files": [], "expectations": expected}
    write(_skill(root) / "evals/evals.json", {"version": "1", "skill": "writer", "cases": [case]})
    home = root / "writer-workspace"
    (home / "v0/skill").mkdir(parents=True)
    (home / "v0/skill/SKILL.md").write_text(SKILL)
    version = {
        "version": 0, "timestamp": "2026-01-01T00:00:00Z", "description": "first",
        "git_hash": None, "path": "v0/skill", "average_score": None,
    }  # fmt: skip
    write(home / "history.json", {"current_version": 0, "versions": [version]})


def descriptions(root: Path) -> None:
    """Two assertions, of which a rule decides the first."""
    case = {"id": "one", "prompt": "write=a.txt", "assertions": [RULE, OPEN]}
    value = {"skill_name": "writer", "version": "1.0.0", "test_cases": [case]}
    write(_skill(root) / "eval/eval_metadata.json", value)


STORE = "writer/records"
CASE_ID = "11111111-1111-4111-8111-111111111111"


def store(root: Path, *, sharded: bool = False) -> None:
    """A rubric with two criteria on a scale of 1 to 5, of which a rule decides the first."""
    guides = {"done": f"rule: {RULE}", "tone": OPEN}
    scale = {"weight": 0.5, "minScore": 1, "maxScore": 5, "rubricId": "rubric", "description": ""}
    fields: dict[tuple[str, str], dict[str, Any]] = {
        ("rubric-criterion", name): {**scale, "name": name, "scoringGuide": guide}
        for name, guide in guides.items()
    }
    fields["rubric", "rubric"] = {
        "name": "Good", "description": "", "criteriaIds": list(guides), "passingThreshold": 3,
        "version": 1, "isActive": True,
    }  # fmt: skip
    fields["test-case", CASE_ID] = {
        "name": "One", "description": "", "promptVersionRef": "reply@1", "rubricId": "rubric",
        "inputs": {"prompt": "write=a.txt"}, "expectedOutputs": {}, "tags": [], "status": "active",
        "createdAt": "2026-01-01T00:00:00Z", "createdBy": "x",
    }  # fmt: skip
    fields["prompt-version", "reply@1"] = {"name": "reply", "version": 1, "content": "Be brief."}
    for (kind, name), own in fields.items():
        times = {"createdAt": "2026-01-01T00:00:00Z"}
        if sharded:
            head = {"id": name, "title": name, "minionTypeId": kind}
            path = f"writer/.minions/{name[:2]}/{name[2:4]}/{name}.json"
        else:
            head, path = {"id": name, "type": kind}, f"{STORE}/{kind}/{name}.json"
        write(root / path, {**head, "fields": own, **times})


FAMILIES: dict[str, Callable[[Path], None]] = {
    "iterations": iterations,
    "rubric": rubric,
    "improve": improve,
    "descriptions": descriptions,
    "records": store,
}


def run_of(root: Path, family: str, **asked: Any) -> RunFolder:
    """Make a suite of a family and carry out one run of its case."""
    FAMILIES[family](root)
    if family in ("improve", "descriptions", "records"):
        asked = {"configurations": (), **asked}
    return ran(root, **{"runs": 1, **asked})


def records(ws: Workspace, kind: str = "approval-request") -> list[Review]:
    """Return the records of a type, the oldest first."""
    found = load_reviews(review_folder(ws, "writer"))
    return [each for each in found if each.type == kind]


def entries(ws: Workspace, judge: Judge = ANA) -> tuple[Entry, ...]:
    """Return a judge's queue."""
    return queue(ws, "writer", judge, load_reviews(review_folder(ws, "writer"))).entries


def score(
    root: Path, run_id: str, share: float = 1.0, judge: Judge = ANA, only: str = "", why: str = ""
) -> None:
    """Judge a run, or one criterion of it: a part of the scale for each."""
    ws = opened(root)
    of = task(ws, run_id, judge, load_reviews(review_folder(ws, "writer")))
    given = [
        Answer(each.key, each.low + share * (each.high - each.low), why or f"Says {judge.name}.")
        for each in of.criteria
        if only in each.key
    ]
    submit(ws, of, given, judge, partial=bool(only))
