"""What a checklist must keep."""

from collections.abc import Iterator
from typing import Any

from evalcore.problems import Problem, pointer


def steps_can_fail(path: str, kind: str, value: Any) -> Iterator[Problem]:
    """Yield a problem for each task without steps."""
    for name, task in value["tasks"].items() if kind == "checklist" else ():
        if not task["steps"]:
            hint = "Write what must happen."
            said = f"{name} has no step."
            yield Problem(path, pointer("tasks", name), "warning", "no-steps", said, hint)
