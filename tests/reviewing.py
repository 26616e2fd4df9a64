"""Write records of people beside suites, as plain JSON files."""

import json
from pathlib import Path
from typing import Any

FIRST = "2026-03-01T10:00:00Z"


def record_id(number: int) -> str:
    """An id like those that evalcore makes; a larger number is a later one."""
    return f"0195f3a0-7c1e-7000-8000-{number:012x}"


class Reviews:
    """The `reviews` folder of one suite, in a workspace that may be written to."""

    count = 0

    def __init__(self, root: Path, suite_root: str = "") -> None:
        self.root = root
        self.folder = root / suite_root / "reviews"

    def put(self, kind: str, fields: dict[str, Any], by: str = "ana-1", **envelope: Any) -> str:
        """Write one record and return its id."""
        Reviews.count += 1
        name = record_id(Reviews.count)
        value = {
            "id": name,
            "type": kind,
            "schema": 1,
            "fields": fields,
            "createdAt": FIRST,
            "createdBy": by,
            **envelope,
        }
        return self.file(kind, name, json.dumps(value))

    def file(self, kind: str, name: str, text: str) -> str:
        """Write a file into the folder of a type, whatever it says."""
        path = self.folder / kind / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return name

    def judge(
        self,
        run: str,
        key: str,
        score: float | None,
        by: str = "ana-1",
        scale: tuple[float, float] = (0, 1),
        rationale: str = "It says so.",
        kind: str = "human",
        **envelope: Any,
    ) -> str:
        """Write a judgment of one criterion and return its id."""
        fields = {
            "testRunId": run,
            "criterionId": key,
            "score": score,
            "minScore": scale[0],
            "maxScore": scale[1],
            "rationale": rationale,
            "judgedBy": by,
            "judgedByType": kind,
            "judgedAt": FIRST,
        }
        return self.put("eval-judgment", fields, by, **envelope)

    def decide(self, run: str, key: str, score: float, scale: tuple[float, float] = (0, 1)) -> str:
        """Write an adjudication of one criterion and return its id."""
        fields = {
            "testRunId": run,
            "criterionId": key,
            "score": score,
            "minScore": scale[0],
            "maxScore": scale[1],
            "rationale": "Both looked again.",
            "judgedBy": "eva-9",
            "judgedAt": FIRST,
        }
        return self.put("adjudication", fields, "eva-9")

    def path(self, kind: str, name: str) -> str:
        """The path of a record relative to the workspace."""
        return (self.folder / kind / f"{name}.json").relative_to(self.root).as_posix()
