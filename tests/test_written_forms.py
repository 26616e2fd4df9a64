"""What evalcore writes is in the form of its seed, and `check` finds nothing in it."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

import evalcore.cli.main  # noqa: F401 - registers the commands
from evalcore.cli.app import app
from evalcore.engine.finishing import finish_all
from evalcore.engine.plan import OfBenchmark
from evalcore.families.comparing import SIDE, Compared, Said
from evalcore.families.registry import family as family_of
from evalcore.lint.run import check
from evalcore.memory.defining import Definition, create
from tests.engine.comparing_model import workspace
from tests.engine.conftest import opened, own_folders, ran, write  # noqa: F401 - a fixture
from tests.engine.judging_model import configured, verdicts
from tests.engine.people import ANA, BEN, CY, FAMILIES, OPEN, STORE, run_of, score
from tests.seed_forms import complaints

FIVE = tuple(FAMILIES)
NOTHING = {"vague": [], "missing": [], "suggested": [], "overall": ""}


def files(root: Path) -> dict[str, str]:
    """Return the texts of all JSON documents of a folder."""
    return {str(each.relative_to(root)): each.read_text() for each in root.rglob("*.json")}


def found(root: Path) -> set[tuple[str, str]]:
    """Return code and message of everything that `check` finds but notes on what is not here."""
    return {
        (each.code, each.message) for each in check(opened(root)) if each.code != "not-followed"
    }


def assert_in_form(root: Path, family: str, before: dict[str, str], *, wanted: set[str]) -> None:
    """Hold everything that was written since against the seeds; `wanted` must be among it."""
    seen = set()
    for path, text in files(root).items():
        if before.get(path) != text:
            kind, wrong = complaints(family, path, text)
            assert wrong == [], f"{path}: {wrong}\n{text}"
            seen.add(kind)
    assert wanted <= seen, f"{wanted - seen} not written, but {seen}"


GRADED = {
    "improve": {"history", "grading"},
    "iterations": {"grading"},
    "rubric": {"grading", "structural", "benchmark"},
    "descriptions": {"grading", "benchmark"},
    "records": {"test-run", "eval-judgment"},
}
WHOLE = ("iterations", "descriptions")
"""Their criteria are passed or failed."""


@pytest.mark.parametrize("family", FIVE)
@pytest.mark.parametrize("shares", [(0.5, 0.75), (1.0, 0.75, 0.5)])
def test_what_people_decide(tmp_path: Path, family: str, shares: tuple[float, ...]) -> None:
    """Their median may lie between two scores, which most forms have no word for."""
    root = tmp_path / "folder"
    folder = run_of(root, family, judge="human", judges=len(shares))
    problems, run = found(root), folder.plan.runs[0].run_id
    for share, who in zip(shares, (ANA, BEN, CY), strict=False):
        score(root, run, 1.0 if family in WHOLE else share, who)
    before = files(root)
    assert finish_all(root).written == (run,)
    kinds = GRADED[family] & {"grading", "test-run", "eval-judgment"}
    assert_in_form(root, family, before, wanted=kinds)
    assert found(root) <= problems


@pytest.mark.parametrize(
    "prompt", ["write=a.txt", "fine", "wait=9"], ids=["passed", "failed", "late"]
)
@pytest.mark.parametrize("family", FIVE)
def test_what_rules_decide(tmp_path: Path, family: str, prompt: str) -> None:
    """All criteria by rules; those that nobody can decide are neither passed nor failed."""
    root = decided(tmp_path / "folder", family, prompt)
    before, problems = files(root), found(root)
    ran(root, configurations=(), runs=4, limits={"seconds": 2.0 if prompt == "wait=9" else 60.0})
    gate = {"grading"} if family == "rubric" and prompt != "write=a.txt" else set[str]()
    assert_in_form(root, family, before, wanted=GRADED[family] - gate)
    assert found(root) <= problems


def decided(root: Path, family: str, prompt: str) -> Path:
    """Write a suite whose criteria rules decide, and whose case has this prompt."""
    FAMILIES[family](root)
    home = {"descriptions": "writer/eval", "records": f"{STORE}/test-case"}
    rules = dict.fromkeys(("tone", "depth", OPEN), 'contains "a.txt"')
    write(root / home.get(family, "writer/evals") / "rules.json", {"*": rules})
    for path in root.rglob("*.json"):
        path.write_text(path.read_text().replace("write=a.txt", prompt))
    if family == "rubric":
        path = root / "writer/evals/evals.json"
        value = json.loads(path.read_text())
        script = {"id": "S2", "type": "custom_script", "description": "x", "script": "true"}
        value["evals"][0]["structural_expectations"].append({**script, "critical": False})
        write(path, value)
    return root


@pytest.mark.parametrize("said", [{}, {"claims": [], "feedback": NOTHING}], ids=["much", "little"])
@pytest.mark.parametrize("family", FIVE)
def test_what_a_model_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, family: str, said: dict[str, Any]
) -> None:
    """With claims and suggestions, and without any."""
    monkeypatch.setenv("JUDGE_KEY", "sk-1")
    root = tmp_path / "folder"
    FAMILIES[family](root)
    before, problems = files(root), found(root)
    with configured(tmp_path) as fake:
        fake.reply = lambda body: json.dumps(verdicts(body) | said)
        ran(root, configurations=(), judge="model")
    kinds = {"eval_feedback_aggregate"} if family == "rubric" and not said else set[str]()
    assert_in_form(root, family, before, wanted=GRADED[family] | kinds)
    assert found(root) <= problems
    if kinds:
        (path,) = root.rglob("eval_feedback_aggregate.json")
        named = [each["assertion"] for each in json.loads(path.read_text())["suggestions"]]
        assert named == ["Q2", None, None]
        assert opened(root).tables.feedback["action"].isna().all()  # nobody has answered it


@pytest.mark.parametrize("critical", [False, True])
def test_a_check_that_was_not_run_is_neither_passed_nor_failed(
    tmp_path: Path, critical: bool
) -> None:
    """For any tool that counts: it stands in no number, and its own word is null."""
    root = decided(tmp_path / "folder", "rubric", "write=a.txt")
    path = root / "writer/evals/evals.json"
    value = json.loads(path.read_text())
    first, script = value["evals"][0]["structural_expectations"]
    value["evals"][0]["structural_expectations"] = [first, script | {"critical": critical}]
    write(path, value)
    before = found(root)
    ran(root, configurations=("with_skill",), runs=1)
    (path,) = root.rglob("structural.json")
    structural = json.loads(path.read_text())
    assert [each["passed"] for each in structural["expectations"]] == [True, None]
    assert structural["summary"] == {"passed": 1, "failed": 0, "total": 1, "pass_rate": 1.0}
    assert structural["gate_passed"] is not critical
    ws = opened(root)
    assert ws.tables.runs["status"].tolist() == ["not_run" if critical else "completed"]
    assert found(root) <= before


def two_versions(root: Path, family: str) -> Path:
    """Write a suite with two versions."""
    if family == "improve":
        workspace(root, cases={"one": "write=a.txt one"})
        return root
    decided(root, family, "write=a.txt")
    for text in ("Use when", "Use if"):
        (root / "writer/SKILL.md").write_text(f"---\nname: writer\ndescription: {text}\n---\nX\n")
        ran(root, configurations=())
    return root


CRITERIA = {"improve": (1, 10), "descriptions": (1, 5)}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("family", CRITERIA)
def test_what_was_compared(tmp_path: Path, family: str, seed: int) -> None:
    """By people, who may choose the side that they scored lower, or by a model, in both orders."""
    root, chance = two_versions(tmp_path / "folder", family), Random(seed)
    before, problems, ws = files(root), found(root), opened(root)
    (suite,) = ws.tables.suites.itertuples()
    labels = ("v0", "v1") if family == "improve" else ("d1", "d2")
    low, high = CRITERIA[family]
    verdicts_ = []
    for number in range(12):
        a, b = (chance.choice((0, 0.5)) for _ in range(2))
        scores = {
            name: (
                min(high, chance.randint(low, high) + a),
                min(high, chance.randint(low, high) + b),
            )
            for name in ("one", "two", "three")
        }
        verdicts_.append(
            Said(
                id=f"0000000{number:02}-0000-7000-8000-000000000000"[-36:],
                case="one",
                left=labels[number % 2],
                right=labels[1 - number % 2],
                winner=chance.choice(tuple(SIDE)),
                scores=scores,
                rationale="It says why.",
                judge="ana-3f2a",
                at="2026-02-01T08:00:00Z",
                judge_type=chance.choice(("human", "llm")),
            )
        )
    study = Compared(
        "study", str(suite.suite), str(suite.root), ws.tables, *labels, CRITERIA[family], 0.5, 1,
        "", "2026-02-01T08:00:00Z", tuple(verdicts_),
    )  # fmt: skip
    comparing = family_of(family).comparing()
    assert comparing is not None
    made = comparing.write(study)
    for each in made.documents:
        write(root / each.path, each.value)
    assert_in_form(root, family, before, wanted={"comparison"})
    ties = [each for each in made.documents if each.value.get("winner") == "tie"]
    assert len(ties) == sum(SIDE[each.winner] == "tie" for each in verdicts_)
    left_out = sum(int(each.partition(" ")[0]) for each in made.left_out)
    comparisons = [each for each in made.documents if "winner" in each.value]
    assert len(comparisons) + left_out == len(verdicts_)
    assert found(root) <= problems


def test_what_is_remembered(tmp_path: Path) -> None:
    """A benchmark, two runs of it with a drop, its trend, and why runs failed."""
    root = decided(tmp_path / "folder", "improve", "fine")
    ran(root, configurations=())
    problems = found(root)
    before = files(root)
    create(
        opened(root), "writer", Definition("Weekly", ("one",), "quality", 0.8, "ana"), "ana-3f2a"
    )
    for _ in range(2):
        ran(root, configurations=(), runs=1, benchmark=OfBenchmark("Weekly", triggered_by="ana"))
    recorded = CliRunner().invoke(app, ["failures", str(root), "--record"])
    assert recorded.exit_code == 0, recorded.output
    kinds = {"benchmark", "benchmark-run", "eval-trend", "eval-failure"}
    assert_in_form(root, "improve", before, wanted=kinds)
    assert {code for code, _ in found(root)} <= {code for code, _ in problems}


def test_what_a_new_suite_begins_with(tmp_path: Path) -> None:
    """A first case, and each version of the skill."""
    skill = tmp_path / "folder/writer"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: writer\ndescription: Use when\n---\nWrite.\n")
    assert CliRunner().invoke(app, ["init", str(skill)]).exit_code == 0
    (skill / "SKILL.md").write_text("---\nname: writer\ndescription: Use if\n---\nWrite.\n")
    asked = ["snapshot", str(skill.parent / "writer-workspace"), "--description", "another"]
    assert CliRunner().invoke(app, asked).exit_code == 0
    assert_in_form(skill.parent, "improve", {}, wanted={"evals", "history"})
    assert found(skill.parent) == set()


@pytest.mark.parametrize(
    ("family", "path", "value", "wrong"),
    [
        ("improve", "grading/one_v0_run1.json", {"score": 3.5}, "3.5 is no"),
        ("descriptions", "comparisons/c.json", {"winner": "tie", "total_score_a": 1,
                                               "total_score_b": 2}, "the winner is tie"),
        ("rubric", "eval_feedback_aggregate.json", {"suggestions": [{"action": None}]}, "None"),
        ("rubric", "structural.json", {"summary": {"passed": 1, "failed": 0, "total": 2}}, "total"),
        ("records", "x.json", {"type": "eval-failure", "fields": {"rootCause": None}}, "rootCause"),
    ],
)  # fmt: skip
def test_the_strict_reader_complains(
    family: str, path: str, value: dict[str, Any], wrong: str
) -> None:
    """Of what was written until now."""
    value = {"results": [value], "convention_compliance": {}} if "score" in value else value
    if "results" in value:
        value["results"][0]["passed"] = True
    _, said = complaints(family, path, json.dumps(value))
    assert any(wrong in each for each in said), said
