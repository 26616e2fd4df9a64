"""`feedback.json` as skill-creator's viewer writes it, made of what people noted about the runs."""

import copy
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from evalcore.disk.files import Files
from evalcore.disk.parsing import MISSING
from evalcore.families.aggregating import Noted
from evalcore.families.iterations.aggregates.writing import folder_of
from evalcore.proposals.proposal import Proposal, Stored, Target, stored
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
NO_JSON: Final = "It cannot be read as plain JSON, so it was left unchanged."
OTHER_FORM: Final = "It has no list of reviews: another format. Move it away to write this."


class _Run(NamedTuple):
    run_id: str
    case_id: str
    name: str
    has_outputs: bool


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
    every = _by_version(tables, suite)
    if version is not None:
        return [
            _proposal(files, suite, label, rows, noted, now)
            for label, rows in every.items()
            if label == version
        ]
    return [
        _proposal(files, suite, label, rows, noted, now)
        if any(row[0] in noted for row in rows)
        else Proposal(suite, label, None, "left", (UNSAID,))
        for label, rows in every.items()
    ]


def _proposal(
    files: Files,
    suite: str,
    label: str,
    rows: Sequence[tuple[Any, ...]],
    noted: Mapping[str, Noted],
    now: str,
) -> Proposal:
    graded = [row for row in rows if row[3] == "grading"]
    folder = folder_of((row[2] for row in graded), label) if graded else None
    if folder is None:
        return Proposal(suite, label, None, "left", (SEVERAL if graded else NONE,))
    runs = [run for run in _runs(graded, folder) if run.has_outputs or run.run_id in noted]
    target = Target(suite, label, f"{folder}{NAME}")
    if not runs:
        return target.left(NONE)
    return _written(target, stored(files, target.path), runs, noted, now)


def _written(
    target: Target, old: Stored | None, runs: Sequence[_Run], noted: Mapping[str, Noted], now: str
) -> Proposal:
    nothing = Noted((), now)
    if old is None:
        reviews = [_review(run.name, noted.get(run.run_id, nothing)) for run in runs]
        return target.fresh({"reviews": reviews, "status": "complete"}, *_messages(reviews))
    if old.value is MISSING:
        return target.left(NO_JSON)
    if not isinstance(old.value, dict) or not isinstance(old.value.get("reviews", []), list):
        return target.left(OTHER_FORM)
    if "reviews" not in old.value and old.value:
        return target.left(OTHER_FORM)
    value = {"reviews": [], **copy.deepcopy(old.value), "status": "complete"}
    reviews = value["reviews"]
    there = {one.get("run_id"): one for one in reviews if isinstance(one, dict)}
    changed, before = 0, len(reviews)
    for run in runs:
        mine = noted.get(run.run_id, nothing)
        if run.name not in there:
            reviews.append(_review(run.name, mine))
        else:
            changed += _renewed(there[run.name], mine)
    added = len(reviews) - before
    return target.changed(old, value, *_messages(reviews, changed, added))


def _review(name: str, noted: Noted) -> dict[str, Json]:
    return {"run_id": name, "feedback": noted.words, "timestamp": noted.at}


def _renewed(review: dict[str, Json], noted: Noted) -> bool:
    """Bring a review up to what was noted since; what somebody else wrote in it stays first."""
    current = review.get("feedback")
    current = current if isinstance(current, str) else ""
    texts = [_without(current, (*noted.texts, *noted.former)), *noted.texts]
    words = "\n\n".join(text for text in texts if text.strip())
    if current.strip() == words.strip():
        return False
    review["feedback"] = words
    review["timestamp"] = noted.at
    return True


def _without(text: str, ours: Iterable[str]) -> str:
    """Return a text without the paragraphs that are notes, of now or of before."""
    for note in sorted(filter(str.strip, ours), key=len, reverse=True):
        text = re.sub(rf"(?:\A|\n\n){re.escape(note)}(?=\n\n|\Z)", "", text, count=1)
    return text.strip("\n")


def _messages(reviews: Sequence[Json], changed: int = 0, added: int = 0) -> tuple[str, ...]:
    """Return how many reviews there are, how many are blank, and what becomes of them."""
    blank = sum(
        not str(one.get("feedback") or "").strip() for one in reviews if isinstance(one, dict)
    )
    parts = [f"{len(reviews):,} review{'s' * (len(reviews) != 1)}"]
    parts += [f"{changed:,} of them changed"] * bool(changed)
    parts += [f"{added:,} added"] * bool(added and changed + added < len(reviews))
    sentence = f"{', '.join(parts)}."
    if blank:
        sentence += f" {blank:,} {'is' if blank == 1 else 'are'} blank, which says: no complaints."
    return (sentence,)


def _by_version(tables: Tables, suite: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return (run id, case, source, origin, outputs, configuration, run) of each version's runs."""
    found: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    names = ("run_id", "case_id", "source", "origin", "outputs", "configuration", "run")
    for own, version, *row in cells(tables, "runs", "suite", "version", *names):
        if own == suite:
            found[version].append(tuple(row))
    return found


def _runs(rows: Iterable[tuple[Any, ...]], folder: str) -> Iterator[_Run]:
    """Yield the runs as the viewer names and orders them: by eval, then by name."""
    found = []
    for run_id, case_id, source, _, outputs, configuration, number in rows:
        parent, _, last = (outputs or "").rpartition("/")
        own = parent if last == OUTPUTS else source.rpartition("/")[0]
        name = own.removeprefix(folder).replace("/", "-")
        side = "" if configuration == "-" else f"-{configuration}"
        other = f"{case_id}{side}-run-{number}".replace("/", "-")
        found.append((_Run(run_id, case_id, name, last == OUTPUTS), other))
    times = Counter(run.name for run, _ in found)
    # Runs of several evals that share a folder are told apart by their evals.
    named = [run if times[run.name] == 1 else run._replace(name=other) for run, other in found]
    yield from sorted(named, key=lambda run: (_number(run.case_id), run.name))


def _number(case_id: str) -> float:
    return int(case_id) if case_id.isdecimal() and case_id.isascii() else float("inf")
