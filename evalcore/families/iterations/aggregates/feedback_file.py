"""`feedback.json` as skill-creator's viewer writes it, made of what people noted about the runs."""

import copy
import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from evalcore.disk.files import Files
from evalcore.disk.parsing import MISSING
from evalcore.families.aggregating import Noted
from evalcore.families.iterations.aggregates.runs import folder_of
from evalcore.proposals.proposal import Proposal, Target, stored
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables

Json = Any

NAME: Final = "feedback.json"
OUTPUTS: Final = "outputs"
NONE: Final = "No run of it has an output folder or a note; there is nothing to review."
UNSAID: Final = (
    "Nobody noted anything about its runs. Name this version to write that there are no complaints."
)
SEVERAL: Final = "Its runs are in several folders, so it is not clear where the file belongs."


class _Run(NamedTuple):
    """A run as tables have it."""

    run_id: str
    case_id: str
    source: str | None
    origin: str
    outputs: str | None
    configuration: str
    run: str


def feedback_files(
    tables: Tables,
    files: Files,
    suite: str,
    version: str | None,
    noted: Mapping[str, Noted],
    now: str,
) -> list[Proposal]:
    """Return what shall become of the `feedback.json` of each iteration; nothing is written.

    `noted` is by run id. As its viewer does on "submit", every run with outputs gets a review, a
    blank one where nothing was noted, all of them complete. Reviews and fields that are there
    already stay. An iteration that nobody noted anything about is left alone unless it is the
    `version`. `now` is the time of the blank ones.
    """
    every: dict[str, list[_Run]] = defaultdict(list)
    for own, label, *about in cells(tables, "runs", "suite", "version", *_Run._fields):
        if own == suite and version in (None, label):
            every[label].append(_Run(*about))
    found = []
    for label, runs in every.items():
        if version is None and not any(run.run_id in noted for run in runs):
            found.append(Proposal(suite, label, None, "left", (UNSAID,)))
            continue
        graded = [run for run in runs if run.origin == "grading"]
        # A run without any document is where its output is.
        places = [run.source or run.outputs or "" for run in graded]
        folder = folder_of(places, label) if graded else None
        if folder is None:
            found.append(Proposal(suite, label, None, "left", (SEVERAL if graded else NONE,)))
            continue
        target, nothing = Target(suite, label, f"{folder}{NAME}"), Noted((), now)
        named = [
            (name, noted.get(run.run_id, nothing))
            for name, run, has_outputs in _as_viewed(graded, folder)
            if has_outputs or run.run_id in noted
        ]
        found.append(_proposal(files, target, named))
    return found


def _as_viewed(runs: Sequence[_Run], folder: str) -> list[tuple[str, _Run, bool]]:
    """Return the runs as the viewer names and orders them, with whether they have outputs."""
    found = []
    for run in runs:
        parent, _, last = (run.outputs or "").rpartition("/")
        own = parent if last == OUTPUTS else (run.source or "").rpartition("/")[0]
        found.append((own.removeprefix(folder).replace("/", "-"), run, last == OUTPUTS))
    times = Counter(name for name, _, _ in found)
    # Runs of several evals that share a folder are told apart by their evals.
    for at, (name, run, has_outputs) in enumerate(found):
        if times[name] > 1:
            side = "" if run.configuration == "-" else f"-{run.configuration}"
            own = f"{run.case_id}{side}-run-{run.run}".replace("/", "-")
            found[at] = own, run, has_outputs
    cases = {run.case_id for run in runs}
    numbers = {case: int(case) for case in cases if case.isdecimal() and case.isascii()}
    # Cases with a number come first, in its order.
    return sorted(found, key=lambda each: (numbers.get(each[1].case_id, math.inf), each[0]))


def _proposal(files: Files, target: Target, noted: Sequence[tuple[str, Noted]]) -> Proposal:
    """Return the proposal to write reviews, by the names of their runs."""
    if not noted:
        return target.left(NONE)
    old = stored(files, target.path)
    value: Json = {} if old is None else old.value
    if value is MISSING:
        return target.left("It cannot be read as plain JSON, so it was left unchanged.")
    listed = value.get("reviews", None if value else []) if isinstance(value, dict) else None
    if not isinstance(listed, list):
        return target.left("It has no list of reviews: another format. Move it away to write this.")
    value = {"reviews": [], **copy.deepcopy(value), "status": "complete"}
    reviews = value["reviews"]
    there = {one.get("run_id"): one for one in reviews if isinstance(one, dict)}
    changed, before = 0, len(reviews)
    for name, mine in noted:
        if name in there:
            changed += _renewed(there[name], mine)
        else:
            reviews.append({"run_id": name, "feedback": mine.words, "timestamp": mine.at})
    added = len(reviews) - before
    said = f"{len(reviews):,} review{'s' * (len(reviews) != 1)}"
    said += f", {changed:,} of them changed" if changed else ""
    said += f", {added:,} added" if added and changed + added < len(reviews) else ""
    blank = sum(
        not str(one.get("feedback") or "").strip() for one in reviews if isinstance(one, dict)
    )
    if blank:
        are = "is" if blank == 1 else "are"
        said += f". {blank:,} {are} blank, which says: no complaints"
    message = f"{said}."
    return target.fresh(value, message) if old is None else target.changed(old, value, message)


def _renewed(review: dict[str, Json], noted: Noted) -> bool:
    """Bring a review up to what was noted since; what somebody else wrote in it stays first."""
    current = review.get("feedback")
    current = current if isinstance(current, str) else ""
    other = current
    for note in sorted(filter(str.strip, (*noted.texts, *noted.former)), key=len, reverse=True):
        other = re.sub(rf"(?:\A|\n\n){re.escape(note)}(?=\n\n|\Z)", "", other, count=1)
    texts = [other.strip("\n"), *noted.texts]
    words = "\n\n".join(text for text in texts if text.strip())
    if current.strip() == words.strip():
        return False
    review["feedback"] = words
    review["timestamp"] = noted.at
    return True
