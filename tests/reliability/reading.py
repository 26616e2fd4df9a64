"""Files are replaced, cut off, swapped for links and pipes and removed while they are read."""

import time
from dataclasses import replace
from pathlib import Path
from statistics import median

from evalcore import open_workspace
from evalcore.judging.storing import stored_reviews
from evalcore.judging.storing.store import new_id
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews
from tests.reliability import jobs
from tests.reliability.outcome import Line, made_workspace, verified
from tests.reliability.processes import Book, lines, started
from tests.reliability.writers import ours, record

OUTSIDE = "judge-of-another-folder"
RECORDS = 12


def read_on(root: Path, book_path: Path, seconds: float, done: Path) -> None:
    """Read the records, alone and with the whole workspace, and note how long each time took."""
    book = Book(book_path)
    _workspace(root)  # all code is loaded
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        stored_reviews._folders.clear()  # as a process that sees them for the first time
        for way in (_records, _workspace):
            start = time.monotonic()
            text = way(root)
            book.note("read", f"{time.monotonic() - start:.3f}", int(OUTSIDE in text))
    book.note("end")
    done.touch()


def _records(root: Path) -> str:
    return " ".join(review.created_by for review in load_reviews(ReviewFolder(root, "reviews")))


def _workspace(root: Path) -> str:
    ws = open_workspace(root)
    return str(ws.tables.judgments.to_dict()) + str(ws.problems)


def while_disturbed(folder: Path, seconds: float, seed: int) -> Line:
    """Read while another process plays tricks with the files.

    A crash counts as torn, and so does a reading of more than two seconds (on a busy machine, of
    more than twenty times the usual); what was read from outside of the workspace as foreign.
    """
    root = made_workspace(folder / "disturbed")
    made = [ours(root, record(new_id(), number)) for number in range(RECORDS)]
    inner, outside = root / "reviews/eval-judgment", folder / "outside"
    outside.mkdir()
    kept = (inner / f"{made[0].id}.json").read_text("utf-8")
    (outside / "secret.json").write_text(kept.replace("judge-3f2a", OUTSIDE), "utf-8")
    book, done = folder / "book-disturbed", folder / "done"
    trickster = started(jobs.disturb, inner, outside, done, seed)
    reader = started(read_on, root, book, seconds, done)
    reader.join(seconds + 60)
    done.touch()
    trickster.join(60)
    reader.kill()
    times = [words for words in lines(book) if words[0] == "read"]
    seconds_each = [float(words[1]) for words in times] or [0.0]
    patience = max(2.0, 20 * median(seconds_each))
    odd = (lines(book)[-1:] != [["end"]]) + sum(each > patience for each in seconds_each)
    line = verified(
        root,
        {each.id: each.sha256 for each in made},
        kind="files swapped while they are read",
        number=len(times),
        seed=seed,
    )
    read_outside = sum(words[2] == "1" for words in times)
    total = line + Line("", 0, 0, torn=odd, foreign=read_outside)
    return replace(total, remark=f"longest reading {max(seconds_each):.2f} s")
