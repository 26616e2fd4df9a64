"""What a picture says beside its chart: what is compared, n, whose scores, source and date."""

import re
from collections.abc import Iterable
from typing import Final

import pandas as pd

from evalcore.counting.cells import where
from evalcore.counting.choices import TOP
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.people import Scores
from evalcore.views.charts.model import Caption, Chart, Picture
from evalcore.views.words import wording
from evalcore.views.words.score_source import scores_words
from evalcore.workspace.opened import Workspace

LONGEST_STEM: Final = 80


def picture(
    ws: Workspace,
    suite: str,
    chart: Chart,
    title: str,
    facts: Iterable[str],
    scores: Scores = "recorded",
) -> Picture:
    """Return a chart of a suite with its caption; `facts` say what is compared, and n.

    Nothing in it depends on the clock or on where the folder is on this machine.
    """
    source = ws.name if suite == TOP else f"{ws.name} · {suite}"
    counted = scores_words(scores).strip()
    whose = f"Counted {counted}." if counted else "Scores as recorded."
    caption = Caption(
        title, (*facts, whose), source, newest_run(ws, suite), stem(ws.name, suite, title)
    )
    return Picture(caption, chart)


@memoize_per_workspace
def newest_run(ws: Workspace, suite: str) -> str:
    """Return in words when the newest run of a suite was made, else its newest version."""
    found = [
        getattr(ws.tables, name)[column].iloc[where(ws, name, suite=suite)].max()
        for name, column in (("runs", "started_at"), ("versions", "created_at"))
    ]
    known = [each for each in found if pd.notna(each)]
    if not known:
        return "no date is recorded"
    day, *_ = wording.moment(known[0].to_pydatetime()).partition(",")
    return f"newest run {day}"


def stem(*parts: str) -> str:
    """Return a file name without extension that every system takes: letters, digits and hyphens."""
    words = re.findall(r"[^\W_]+", " ".join(parts))
    return "-".join(words).lower()[:LONGEST_STEM].rstrip("-") or "chart"
