"""A made workspace to use the Gradings page on, with known faults in known places."""

from pathlib import Path
from typing import Any

from tests.dashboard.live import write

CASES = 42
VERSIONS = ("iteration-1", "iteration-2")
CONFIGURATIONS = ("without_skill", "with_skill")
RUNS = 3
FAILING = (3, 9, 17, 25, 33, 40)
"""Cases that fail in the newest version with the skill; 9 fails most criteria."""
FLAKY = (17, 33)
UNSCORED = 5
NO_OUTPUTS = 7
NO_PROMPT = 13
NO_RUN = 42
CRITERIA = ("Names the customer", "States the total", "Is written in plain words")
WHY = (
    "The letter opens with a greeting to nobody in particular and never says who ordered, "
    "although the order form has the name in its first line."
)
QUOTE = "Dear customer, your parcel is late"


def write_graded(root: Path, cases: int = CASES) -> Path:
    """Write 42 cases in 2 versions, 2 configurations and 3 runs each; return the folder."""
    evals: list[dict[str, Any]] = [
        {
            "id": number,
            "name": name(number),
            "prompt": "" if number == NO_PROMPT else f"Write letter number {number}.",
            "expected_output": "A letter to the customer.",
            "expectations": list(CRITERIA),
        }
        for number in range(1, cases + 1)
    ]
    write(root / "letters/evals/evals.json", {"skill_name": "letters", "evals": evals})
    for version in VERSIONS:
        for number in range(1, cases + 1):
            if number == NO_RUN:
                continue
            folder = root / f"letters-workspace/{version}/eval-{number}"
            write(folder / "eval_metadata.json", {"eval_id": number, "eval_name": name(number)})
            for configuration in CONFIGURATIONS:
                for run in range(1, RUNS + 1):
                    _run(folder / configuration / f"run-{run}", version, number, run)
    return root


def name(number: int) -> str:
    """Return what a case is called."""
    return f"letter-{number:02}"


def _run(folder: Path, version: str, number: int, run: int) -> None:
    newest = version == VERSIONS[-1]
    failed = _failed(number, run) if newest and "with_skill" in folder.parts else 0
    if not newest:
        failed = 1
    passed = [index >= failed for index in range(len(CRITERIA))]
    expectations: list[dict[str, Any]] = [
        {
            "text": text,
            "passed": ok,
            "evidence": f'It reads "{QUOTE} {number}".'
            if ok
            else f'{WHY} "Nobody wrote this line."',
        }
        for text, ok in zip(CRITERIA, passed, strict=True)
    ]
    if number == UNSCORED and newest:
        expectations[-1] = {"text": CRITERIA[-1], "passed": None, "evidence": ""}
    count = sum(passed)
    grading = {
        "expectations": expectations,
        "summary": {
            "passed": count,
            "failed": len(passed) - count,
            "total": len(passed),
            "pass_rate": count / len(passed),
        },
    }
    write(folder / "grading.json", grading)
    if number != NO_OUTPUTS:
        outputs = folder / "outputs"
        outputs.mkdir(parents=True, exist_ok=True)
        body = "\n".join(f"Line {line} of letter {number}." for line in range(2, 30))
        # Each run is its own: else those of a case would be copies, and the versions' the same.
        ends = f"\nWritten with {version}." + "\n" * run
        (outputs / "letter.md").write_text(f"---\n{QUOTE} {number}.\n{body}{ends}", "utf-8")


def _failed(number: int, run: int) -> int:
    if number not in FAILING:
        return 0
    if number in FLAKY:
        return int(run == 1)
    return 3 if number == 9 else 1
