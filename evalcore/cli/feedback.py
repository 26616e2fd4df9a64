"""What people keep beside a suite: `evalcore feedback` writes their notes, `views` lists views."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from evalcore.aggregates.propose import reads_notes
from evalcore.cli.aggregating import told_proposals, written
from evalcore.cli.answering import Answer, fields
from evalcore.cli.opening import open_for_judge, suites_of
from evalcore.errors import EvalcoreError
from evalcore.families import registry
from evalcore.judging.answering.saved_views import saved_views
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.views.gradings.notes import by_and_when, feedback_proposals, loops

NO_LOOP: Final = (
    "{} reads no feedback.json: only the loops of the families {} do. "
    "The notes stay where they are, in the folder reviews."
)

NO_VIEW: Final = "No view is saved here. Save one on the page Gradings, under Views."

NOT_YET: Final = "feedback.json is about all runs, and some are hidden. Judge them, then write it."


def feedback(path: Path, suite: str | None, version: str | None, *, write: bool) -> Answer:
    """Say what `feedback.json` would hold, or write it.

    Raises:
        EvalcoreError: no suite is of a family that has one, or a run is still hidden.
    """
    root = path.expanduser().absolute()
    workspace = open_for_judge(root)
    if not loops(workspace, suite):
        if loops(workspace.unmasked, suite):
            raise EvalcoreError(NOT_YET)
        known = [each.name for each in registry.FAMILIES if reads_notes(each.name)]
        whose = f"The loop of {suite}" if suite else "No suite here"
        raise EvalcoreError(NO_LOOP.format(whose, " and ".join(known)))
    found = feedback_proposals(workspace, suite, version)
    failed = written(root, found) if write else {}
    changes = any(each.data is not None for each in found)
    more = () if write or not changes else ("Add --write to write this.",)
    return told_proposals(root, found, failed, *more, dry=not write)


def views(path: Path, suite: str | None) -> Answer:
    """List the saved views of one suite or of all.

    Raises:
        UnknownName: there is no such suite.
    """
    ws = open_for_judge(path)
    found = [
        (each, view)
        for each in suites_of(ws, suite)
        for view in saved_views(load_reviews(review_folder(ws, each)))
    ]

    def document() -> list[dict[str, Any]]:
        parts = ("id", "name", "page", "address", "author", "created_at")
        return [{"suite": each, **fields(view, *parts)} for each, view in found]

    def lines() -> Iterator[str]:
        for each, view in found:
            yield f"{each}: {view.name} · {by_and_when(view.author, view.created_at)}"
            yield f"  {view.page}?{urlencode(view.address)}"

    return Answer(document, lines() if found else [NO_VIEW])
