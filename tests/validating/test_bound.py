"""What judgments of a model rest on, and which of them are compared with which."""

import json
from datetime import UTC, datetime
from pathlib import Path

from evalcore.tables.rows import Row
from evalcore.validating.trust import Trust, trust
from tests import made


def judged(
    root: Path, number: int, passed: bool, version: str = "v0", criteria: str = "a"
) -> list[Row]:
    """Return a run of the one case that a model judged, with its grading on the disk."""
    name, source = f"{made.SUITE}::case-1@{version}/-#{number}", f"grading/r{number}.json"
    about = {"model": "small", "prompt_sha256": "f" * 64, "criteria_sha256": criteria * 64}
    path = root / source
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"evalcore": {"judging": about}}))
    when = datetime(2026, 3, number, tzinfo=UTC)
    return [
        made.run(run_id=name, version=version, run=str(number), source=source),
        made.judgment("tone", passed, run_id=name, judge="small", source=source, judged_at=when),
    ]


def labelled(number: int, version: str = "v0") -> Row:
    """Return what a person said of a run: passed."""
    name = f"{made.SUITE}::case-1@{version}/-#{number}"
    source = f"reviews/eval-judgment/{number}.json"
    return made.judgment(
        "tone", True, run_id=name, judge="ana-1", judge_type="human", source=source
    )


def told(root: Path, *rows: Row) -> Trust:
    """Return what is known of the one judge of a suite."""
    found = trust(made.workspace(root, made.suite(), made.case(), *rows), made.SUITE, ())
    assert found is not None
    assert len(found.judges) == 1
    return found


def test_what_a_case_was_asked_last_counts(tmp_path: Path) -> None:
    """A label of an older wording of its criteria is left out, and counted."""
    rows = [
        *judged(tmp_path, 1, True, criteria="a"),
        *judged(tmp_path, 2, True, criteria="b"),
        *judged(tmp_path, 3, True, criteria="b"),
        *(labelled(number) for number in (1, 2, 3)),
    ]
    found = told(tmp_path, *rows)
    assert found.checked is not None
    assert (found.checked.n, found.older, found.labels) == (2, 1, 3)


def test_runs_of_other_versions_are_no_flicker(tmp_path: Path) -> None:
    """Both runs of one version passed and both of the next failed: runs do not differ."""
    rows = [
        *judged(tmp_path, 1, True),
        *judged(tmp_path, 2, True),
        *judged(tmp_path, 3, False, "v1"),
        *judged(tmp_path, 4, False, "v1"),
    ]
    assert told(tmp_path, *rows).flicker.other_run == 0


def test_what_a_grading_does_not_say_is_unknown(tmp_path: Path) -> None:
    """One that is gone since it was read names no prompt."""
    rows = judged(tmp_path, 1, True)
    (tmp_path / "grading/r1.json").unlink()
    found = told(tmp_path, *rows)
    assert (found.judge.judge, found.judge.model, found.judge.prompt) == ("small", "", "")
