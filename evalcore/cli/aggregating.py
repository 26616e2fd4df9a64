"""`evalcore aggregate`: write the aggregate documents beside the runs."""

import json
from pathlib import Path
from typing import Any, Final

from evalcore.aggregates.propose import proposals
from evalcore.cli.answering import Answer, fields
from evalcore.cli.opening import open_for_judge
from evalcore.errors import CannotWrite, MayBeWritten, UnknownName
from evalcore.problems import pointer
from evalcore.proposals.proposal import Proposal, write
from evalcore.tables.cells import cells

_SHOWN: Final = 5
"""How many changed numbers of one document a person is shown; `--json` has all."""

_DONE: Final = {"new": "written, new", "changed": "changed", "same": "already right",
                "left": "left alone"}  # fmt: skip
_WOULD: Final = {**_DONE, "new": "would be written, new", "changed": "would be changed"}
_LONG: Final = 60


def aggregate(
    path: Path, suite: str | None, version: str | None, *, dry: bool, replace: bool
) -> Answer:
    """Write the aggregates of a folder, or only say what would be written."""
    root = path.expanduser().absolute()
    shown = open_for_judge(root)
    hidden, workspace = shown.hidden, shown.unmasked  # what is written counts all runs
    found = proposals(workspace, suite, version, replace=replace)
    if version is not None and not found:
        known = {label for (label,) in cells(workspace.tables, "versions", "version")}
        raise UnknownName("version", version, known)
    failed = {} if dry else written(root, found)
    # No numbers are shown of a suite that has a hidden run.
    why = f"What is in it is hidden until {hidden.judge} has judged."
    told = [
        each._replace(found=(), messages=(why,)) if each.suite in hidden.suites else each
        for each in found
    ]
    return told_proposals(root, told, failed, dry=dry)


def written(root: Path, found: list[Proposal]) -> dict[str, CannotWrite]:
    """Write the proposals; return the failures by path."""
    failed = {}
    for proposal in found:
        try:
            write(root, proposal)
        except CannotWrite as error:
            failed[proposal.path or ""] = error
    return failed


def told_proposals(
    root: Path,
    found: list[Proposal],
    failed: dict[str, CannotWrite],
    *more: str,
    dry: bool,
) -> Answer:
    """Say what was done, or would be, and `more`; no if something could not be written."""

    def document() -> dict[str, Any]:
        documents = [
            {
                **fields(each, "suite", "version", "path", "state"),
                "written": each.data is not None and not dry and each.path not in failed,
                "error": str(failed[each.path]) if each.path in failed else None,
                "changes": [
                    {"pointer": pointer(*one.path), **fields(one, "before", "after")}
                    for one in each.found
                ],
                "messages": each.messages,
            }
            for each in found
        ]
        return {"root": root, "dry_run": dry, "documents": documents}

    lines = []
    for each in found:
        error = failed.get(each.path or "")
        words = (_WOULD if dry else _DONE)[each.state]
        if error:
            words = "perhaps written" if isinstance(error, MayBeWritten) else "not written"
        of = f"{each.suite} {each.version}" if each.version else each.suite
        lines.append(f"{each.path or of}: {words}")
        if error:
            lines.append(f"  {error}")
            continue
        lines += [
            f"  {one.dotted_path}: {_value(one.before)} → {_value(one.after)}"
            for one in each.found[:_SHOWN]
        ]
        if len(each.found) > _SHOWN:
            lines.append(f"  and {len(each.found) - _SHOWN:,} more (all with --json)")
        lines += [f"  {message}" for message in each.messages]
    if not found:
        lines.append("No graded run was recognised here; there is nothing to aggregate.")
    number = sum(each.data is not None for each in found) - (0 if dry else len(failed))
    what = f"{number} document{'s' * (number != 1)} {'would be written' if dry else 'written'}"
    lines += [what + (f", {len(failed)} not." if failed else "."), *more]
    return Answer(document, lines, 1 if failed else 0)


def _value(value: Any) -> str:
    """Return a value as a line of a terminal shows it."""
    if value is None:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"
