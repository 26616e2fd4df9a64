"""Small folders in skill-creator's own layout, and what aggregating makes of a folder."""

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from evalcore.aggregates.propose import proposals
from evalcore.proposals.proposal import Proposal, write
from evalcore.workspace.opened import Workspace, open_workspace

Json = Any

ITERATION = "pdf-workspace/iteration-1"


def dump(root: Path, path: str, value: Json) -> Path:
    """Write a document."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value, indent=2), "utf-8")
    return file


def load(root: Path, path: str) -> Json:
    """Read a document."""
    return json.loads((root / path).read_text("utf-8"))


def opened(root: Path) -> Workspace:
    """Open a folder without an index."""
    return open_workspace(root, cache=False)


def run(
    root: Path,
    place: str,
    verdicts: Sequence[bool | None],
    *,
    seconds: float | None = None,
    tokens: int | None = None,
    **more: Json,
) -> None:
    """Write a run's grading, `place` being `eval-1/with_skill/run-1`, and what it took."""
    passed = list(verdicts).count(True)
    document = {
        "expectations": [
            {"text": f"Does thing {n}", "passed": good, "evidence": f"seen {n}"}
            for n, good in enumerate(verdicts)
        ],
        "summary": {
            "passed": passed,
            "failed": len(verdicts) - passed,
            "total": len(verdicts),
            "pass_rate": round(passed / len(verdicts), 2),
        },
        **more,
    }
    dump(root, f"{ITERATION}/{place}/grading.json", document)
    if seconds is not None:
        timing = {"total_tokens": tokens, "total_duration_seconds": seconds}
        dump(root, f"{ITERATION}/{place}/timing.json", timing)


def proposed(root: Path, **asked: Json) -> dict[str | None, Proposal]:
    """Return what shall become of each document."""
    return {each.path: each for each in proposals(opened(root), **asked)}


def aggregated(root: Path, **asked: Json) -> dict[str | None, Proposal]:
    """Write what is proposed, and return it."""
    found = proposed(root, **asked)
    for each in found.values():
        write(root, each)
    return found


def digests(root: Path) -> dict[str, str]:
    """Return what tells a change of each file below a folder, its permissions too."""
    return {
        path.relative_to(root).as_posix(): (
            f"{path.lstat().st_mode:o} "
            + (sha256(path.read_bytes()).hexdigest() if path.is_file() else "")
        )
        for path in sorted(root.rglob("*"))
    }


def mismatches(root: Path, path: str) -> list[str]:
    """Return what opening finds contradictory about a document."""
    codes = {"derived-mismatch", "delta-inverted", "delta-without-baseline", "runs-miscounted"}
    found = opened(root).problems
    return [each.message for each in found if each.path == path and each.code in codes]
