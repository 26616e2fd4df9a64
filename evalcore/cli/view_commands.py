"""The command that lists the saved views of a suite."""

from evalcore.cli.answering import Answer, fields
from evalcore.cli.app import Folder, OnlySuite, command

NONE = "No view is saved here. Save one on the page Gradings, under Views."


@command
def views(path: Folder, suite: OnlySuite = None) -> Answer:
    """List the saved views: name, address, and who saved it when."""
    from urllib.parse import urlencode  # noqa: PLC0415 - quick start

    from evalcore.cli.opening import open_for_judge, suites_of  # noqa: PLC0415 - quick start
    from evalcore.judging.answering.saved_views import saved_views  # noqa: PLC0415 - quick start
    from evalcore.judging.storing.stored_reviews import (  # noqa: PLC0415 - quick start
        load_reviews,
        review_folder,
    )
    from evalcore.views.gradings.notes import by_and_when  # noqa: PLC0415 - quick start

    ws = open_for_judge(path)
    found = [
        (each, view)
        for each in suites_of(ws, suite)
        for view in saved_views(load_reviews(review_folder(ws, each)))
    ]
    lines = []
    for each, view in found:
        lines.append(f"{each}: {view.name} · {by_and_when(view.author, view.created_at)}")
        lines.append(f"  {view.page}?{urlencode(view.address)}")

    def document() -> list[dict[str, object]]:
        parts = ("id", "name", "page", "address", "author", "created_at")
        return [{"suite": each, **fields(view, *parts)} for each, view in found]

    return Answer(document, lines or [NONE])
