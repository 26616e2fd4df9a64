"""The executor `stored`: take what an earlier run produced instead of executing the case again."""

import json
import os
from pathlib import Path

from evalcore.disk.files import Files
from evalcore.disk.outputs import list_outputs
from evalcore.disk.parsing import parse
from evalcore.disk.values import value_at
from evalcore.engine.kept import Keep
from evalcore.engine.plan import Plan
from evalcore.families.running import Execution, TestRun


def read_stored(plan: Plan, run: TestRun, keep: Keep) -> Execution:
    """Return an execution of the output that is stored at `run.stored`.

    That is a folder, a file, or a value in a JSON file as `path#/pointer`.
    """
    root = Path(plan.workspace)
    path, _, pointer = (run.stored or "").partition("#")
    if pointer:
        value = value_at(parse(Files(root).read(path)), path, pointer)
        keep(root, [], "")
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        return Execution("completed", reply=text, output=value)
    names = [os.path.relpath(each.path, path) for each in list_outputs(root, path)]
    if names in ([], ["."]):
        return Execution("not_run", f"Nothing is stored at {path}.")
    keep(root / path, names, "")
    return Execution("completed", files=tuple(names))
