"""`evalcore allow`: show what a workspace would run, and allow exactly that."""

import sys
from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from evalcore.cli.answering import Answer
from evalcore.cli.opening import open_for_judge
from evalcore.engine.scripts_of_workspace import Waiting, waiting
from evalcore.sandbox.trust import allow, forget, is_allowed, note_shown, trust_id, was_shown
from evalcore.sandbox.visible import visible


def allow_scripts(
    path: Path, suite: str | None, only: str | None, *, yes: bool, no: bool
) -> Answer:
    """Show the scripts of a folder; allow them with `yes`, allow them no longer with `no`.

    Only what an earlier call has shown is allowed, so that nothing takes its place in between. As
    JSON it is not shown: the files are only named. The answer is no if one is not allowed.
    """
    found = waiting(open_for_judge(path), suite)
    chosen = [each for each in found if only is None or trust_id(each.command).startswith(only)]
    for each in chosen:
        if no:
            forget(each.command)
        elif yes and was_shown(each.command):
            allow(each.command)
    allowed = all(is_allowed(each.command) for each in chosen)
    again = f"evalcore allow {quote(str(path))}"

    def shown() -> Iterator[str]:
        yield from lines(chosen)
        sys.stdout.flush()  # what could not be printed was not shown
        for each in () if yes or no else chosen:
            note_shown(each.command)
        if not (allowed or yes or no):
            yield f"Allow all that is shown: {again} --yes. Allow only one: add --only ID."

    documents = [
        {
            "id": trust_id(each.command),
            "suite": each.suite,
            "path": each.command.path,
            "script": each.command.text,
            "files": [str(path) for path in each.command.files],
            "allowed": is_allowed(each.command),
            "cases": each.cases,
        }
        for each in chosen
    ]
    refused = (
        "What is not allowed was changed since it was shown, or was never shown. "
        f"Look at it with: {again}, then allow it."
    )
    return Answer(
        lambda: documents,
        shown(),
        code=0 if allowed else 1,
        complaints=(refused,) if yes and not (allowed or no) else (),
    )


def lines(found: list[Waiting]) -> Iterator[str]:
    """Yield each script as it would be run, with all that is hidden in it made visible."""
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
