"""A made workspace to use the Compare page on: two versions with known changes of known cases."""

from pathlib import Path
from typing import Any

from tests.dashboard.live import write

CASES = 42
RUNS = 3
IMPROVED = (2, 5, 8, 11, 14, 17, 20, 23, 26, 29)
REGRESSED = (9, 33)
MIXED = 29
"""An improved case of which the last run of the old version already passes."""
ONLY_NEW = 42
CRITERIA = ("Names the customer", "States the total", "Is written in plain words")
WHY = "The letter opens with a greeting to nobody in particular and never says who ordered."
WHY_NOT = "The first line greets Mrs Iwasaki by her name, as the order form has it."
OLD = "Dear customer, your parcel is late"
NEW = "Dear Mrs Iwasaki, your parcel is late"
VERSIONS = ("iteration-1", "iteration-2")


def write_compared(root: Path) -> Path:
    """Write 42 cases in 2 versions, 2 configurations and 3 runs each; return the folder."""
    evals: list[dict[str, Any]] = [
        {
            "id": number,
            "name": name(number),
            "prompt": f"Write letter number {number}.",
            "expected_output": "A letter to the customer.",
            "expectations": list(CRITERIA),
        }
        for number in range(1, CASES + 1)
    ]
    write(root / "letters/evals/evals.json", {"skill_name": "letters", "evals": evals})
    for version in VERSIONS:
        for number in range(1, CASES + 1):
            if number == ONLY_NEW and version == VERSIONS[0]:
                continue
            folder = root / f"letters-workspace/{version}/eval-{number}"
            write(folder / "eval_metadata.json", {"eval_id": number, "eval_name": name(number)})
            for configuration in ("without_skill", "with_skill"):
                for run in range(1, RUNS + 1):
                    _run(folder / configuration / f"run-{run}", version, number)
    return root


def name(number: int) -> str:
    """Return what a case is called."""
    return f"letter-{number:02}"


def _run(folder: Path, version: str, number: int) -> None:
    with_skill = "with_skill" in folder.parts
    newest = version == VERSIONS[-1]
    early = number == MIXED and folder.name == f"run-{RUNS}"
    greets = (
        newest or early if number in IMPROVED else not newest if number in REGRESSED else with_skill
    )
    if not with_skill:
        greets = False
    passed = [greets, True, True]
    expectations: list[dict[str, Any]] = [
        {"text": text, "passed": ok, "evidence": WHY_NOT if ok else WHY}
        for text, ok in zip(CRITERIA, passed, strict=True)
    ]
    summary = {
        "passed": sum(passed),
        "failed": 3 - sum(passed),
        "total": 3,
        "pass_rate": sum(passed) / 3,
    }
    write(folder / "grading.json", {"expectations": expectations, "summary": summary})
    # Each run took its own time: else the runs of a case would be copies of one.
    took = 30 + number % 7 + int(folder.name[-1]) / 1000
    write(folder / "timing.json", {"total_duration_seconds": took})
    body = "\n".join(f"Line {line} of letter {number}." for line in range(2, 12))
    text = f"---\n{NEW if greets else OLD} {number}.\n{body}\n"
    (folder / "outputs").mkdir(parents=True, exist_ok=True)
    (folder / "outputs/letter.md").write_text(text, "utf-8")
