"""`evalcore aggregate`: write the aggregate documents beside the runs."""

import json
import sys
from pathlib import Path
from typing import Any, Final

from evalcore.aggregates.propose import proposals
from evalcore.cli.hiding import open_for_judge
from evalcore.cli.terminal import harmless
from evalcore.errors import CannotWrite, MayBeWritten, UnknownName
from evalcore.problems import pointer
from evalcore.proposals.proposal import Proposal, write
from evalcore.tables.cells import cells
from evalcore.workspace.hidden import Hidden

_SHOWN: Final = 5
"""How many changed numbers of one document a person is shown; `--json` has all."""

_DONE: Final = {"new": "written, new", "changed": "changed", "same": "already right",
                "left": "left alone"}  # fmt: skip
_WOULD: Final = {**_DONE, "new": "would be written, new", "changed": "would be changed"}
_LONG: Final = 60


def aggregate(
    path: Path, suite: str | None, version: str | None, *, dry: bool, as_json: bool, replace: bool
) -> int:
    """Write the aggregates of a folder, or only print what would be written.

    Returns 1 if a document could not be written.
    """
    root = path.expanduser().absolute()
    shown = open_for_judge(root)
    workspace = shown.unmasked  # what is written counts all runs
    found = proposals(workspace, suite, version, replace=replace)
    if version is not None and not found:
        known = {label for (label,) in cells(workspace.tables, "versions", "version")}
        raise UnknownName("version", version, known)
    failed = {} if dry else written(root, found)
    found = [_told(each, shown.hidden) for each in found]
    if as_json:
        sys.stdout.write(document_of(root, found, failed, dry=dry))
    else:
        sys.stdout.write("".join(f"{line}\n" for line in lines_of(found, failed, dry=dry)))
    return 1 if failed else 0


def _told(proposal: Proposal, hidden: Hidden) -> Proposal:
    """Return a proposal as it may be shown: no numbers of a suite that has a hidden run."""
    if proposal.suite not in hidden.suites:
        return proposal
    why = f"What is in it is hidden until {hidden.judge} has judged."
    return proposal._replace(found=(), messages=(why,))


def written(root: Path, found: list[Proposal]) -> dict[str, CannotWrite]:
    """Write the proposals; return the failures by path."""
    failed = {}
    for proposal in found:
        try:
            write(root, proposal)
        except CannotWrite as error:
            failed[proposal.path or ""] = error
    return failed


def lines_of(found: list[Proposal], failed: dict[str, CannotWrite], *, dry: bool) -> list[str]:
    """Return what was done, or would be, as lines for a terminal."""
    lines = []
    for proposal in found:
        words = (_WOULD if dry else _DONE)[proposal.state]
        about = proposal.path or (
            f"{proposal.suite} {proposal.version}" if proposal.version else proposal.suite
        )
        error = failed.get(proposal.path or "")
        if error:
            words = "perhaps written" if isinstance(error, MayBeWritten) else "not written"
        lines.append(f"{harmless(about)}: {words}")
        lines += [f"  {harmless(line)}" for line in ([str(error)] if error else _more(proposal))]
    if not found:
        lines.append("No graded run was recognised here; there is nothing to aggregate.")
    wanted = [each for each in found if each.data is not None]
    number = len(wanted) if dry else len(wanted) - len(failed)
    what = f"{number} document{'s' * (number != 1)} {'would be written' if dry else 'written'}"
    lines.append(what + (f", {len(failed)} not." if failed else "."))
    return lines


def _more(proposal: Proposal) -> list[str]:
    """Return the detail lines of a document: its changes and remarks."""
    lines = [
        (f"{each.dotted_path}: {_value(each.before)} → {_value(each.after)}")
        for each in proposal.found[:_SHOWN]
    ]
    if len(proposal.found) > _SHOWN:
        lines.append(f"and {len(proposal.found) - _SHOWN:,} more (all with --json)")
    return [*lines, *proposal.messages]


def _value(value: Any) -> str:
    """Return a value as a line of a terminal shows it."""
    if value is None:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"


def document_of(
    root: Path, found: list[Proposal], failed: dict[str, CannotWrite], *, dry: bool
) -> str:
    """Return what was done as one JSON document in ASCII, safe on any terminal."""
    documents = [
        {
            "suite": each.suite,
            "version": each.version,
            "path": each.path,
            "state": each.state,
            "written": each.data is not None and not dry and each.path not in failed,
            "error": str(failed[each.path or ""]) if (each.path or "") in failed else None,
            "changes": [
                {"pointer": pointer(*one.path), "before": one.before, "after": one.after}
                for one in each.found
            ],
            "messages": list(each.messages),
        }
        for each in found
    ]
    whole = {"root": str(root), "dry_run": dry, "documents": documents}
    return json.dumps(whole, indent=2) + "\n"
