"""`evalcore allow`: show what a workspace would run, and allow exactly that."""

import sys
from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from evalcore.cli.hiding import open_for_judge
from evalcore.cli.json_text import json_text
from evalcore.cli.terminal import complain
from evalcore.engine.scripts_of_workspace import Waiting, waiting
from evalcore.sandbox.trust import allow, forget, is_allowed, note_shown, trust_id, was_shown
from evalcore.sandbox.visible import visible


def allow_scripts(
    path: Path, suite: str | None, only: str | None, *, yes: bool, no: bool, as_json: bool
) -> int:
    """Show the scripts of a folder; allow them with `yes`, allow them no longer with `no`.

    Only what an earlier call has shown is allowed, so that nothing takes its place in between. As
    JSON it is not shown: the files are only named. Returns 1 if one is not allowed afterwards.
    """
    found = list(waiting(open_for_judge(path), suite))
    chosen = [each for each in found if only is None or trust_id(each.command).startswith(only)]
    for each in chosen:
        if no:
            forget(each.command)
        elif yes and was_shown(each.command):
            allow(each.command)
    if as_json:
        sys.stdout.write(json_text(list(map(_document, chosen))))
    else:
        sys.stdout.write("".join(f"{line}\n" for line in _lines(chosen)))
        sys.stdout.flush()
        for each in () if yes or no else chosen:
            note_shown(each.command)
    waits = not no and not all(is_allowed(each.command) for each in chosen)
    if waits and yes:
        complain(
            "What is not allowed was changed since it was shown, or was never shown. "
            f"Look at it with: evalcore allow {quote(str(path))}, then allow it."
        )
    elif waits and not as_json:
        sys.stdout.write(
            f"Allow all that is shown: evalcore allow {quote(str(path))} --yes. "
            "Allow only one: add --only ID.\n"
        )
    return 0 if all(is_allowed(each.command) for each in chosen) else 1


def _document(each: Waiting) -> dict[str, object]:
    return {
        "id": trust_id(each.command),
        "suite": each.suite,
        "path": str(each.command.path),
        "script": each.command.text,
        "files": [str(path) for path in each.command.files],
        "allowed": is_allowed(each.command),
        "cases": list(each.cases),
    }


def _lines(found: list[Waiting]) -> Iterator[str]:
    for each in found:
        state = "allowed" if is_allowed(each.command) else "not allowed"
        yield f"{trust_id(each.command)[:12]}  {state}  {visible(str(each.command.path))}"
        named = f"cases: {', '.join(each.cases)}" if each.cases else "executor"
        yield f"  {visible(named)}"
        yield from (f"  | {line}" for line in visible(each.command.text).split("\n"))
        for path, data in each.command.files.items():
            yield f"  runs {visible(str(path))}:"
            text = visible(data.decode("utf-8", "backslashreplace"))
            yield from (f"  | {line}" for line in text.split("\n"))
    if not found:
        yield "No script in this folder would be run."
