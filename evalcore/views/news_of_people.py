"""Review records among the changed files, summarised in a few words."""

from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from evalcore.families.base import REVIEWS
from evalcore.judging.storing.names import person
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.views.words.wording import count, listed
from evalcore.workspace.opened import Workspace

NOUNS: Final = {
    "eval-judgment": "judgment",
    "adjudication": "decision",
    "exclusion": "exclusion",
    "note": "note",
    "skip": "skipped run",
    "approval-request": "run sent to judging",
    "independent-batch": "run to judge independently",
    "reveal": "run given up",
}
_PLURALS: Final = {
    "approval-request": "runs sent to judging",
    "independent-batch": "runs to judge independently",
    "reveal": "runs given up",
}
_NAME_LENGTH: Final = 40


class Stored(NamedTuple):
    """A stored record: its kind and its author, never its content."""

    kind: str
    author: str


def stored_in(ws: Workspace, paths: Iterable[str]) -> dict[str, Stored]:
    """Return the review records among the files that exist, by path."""
    wanted = {path for path in paths if f"/{REVIEWS}/" in f"/{path}" and path.endswith(".json")}
    found: dict[str, Stored] = {}
    if not wanted:
        return found
    for suite in ws.tables.suites["suite"].astype(str):
        reviews = review_folder(ws, suite)
        if any(path.startswith(f"{reviews.path}/") for path in wanted):
            records = (each for each in load_reviews(reviews) if each.path in wanted)
            found |= {each.path: Stored(each.type, each.created_by) for each in records}
    return found


def stored_sentence(stored: Iterable[Stored]) -> str:
    """Return who stored what: `Ana stored 4 judgments`; with several people the sum."""
    records = list(stored)
    kinds = Counter(each.kind for each in records)
    counts = [_counted(kind, kinds[kind]) for kind in NOUNS if kinds[kind]]
    counts += [count(kinds[kind], "record") for kind in kinds if kind not in NOUNS]
    words = listed(counts)
    authors = {each.author for each in records}
    one = _plain(person(next(iter(authors)))) if len(authors) == 1 else ""
    return f"{one} stored {words}" if one else f"{words} stored"


def _counted(kind: str, amount: int) -> str:
    if amount > 1 and kind in _PLURALS:
        return f"{amount:,} {_PLURALS[kind]}"
    return count(amount, NOUNS[kind])


def _plain(name: str) -> str:
    """Return a name in one line; the file is untrusted."""
    plain = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in name)
    return plain if len(plain) <= _NAME_LENGTH else f"{plain[:_NAME_LENGTH]}…"
