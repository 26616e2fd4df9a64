"""`evalcore messages`: what was sent to others, as a list or one document, and how to answer it."""

import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from rich.text import Text

from evalcore.benchmarks.messages import Message, described, listed, names
from evalcore.cli.hiding import open_for_judge
from evalcore.cli.json_text import json_text
from evalcore.cli.screen import console
from evalcore.cli.terminal import harmless
from evalcore.counting.choices import suite_ids
from evalcore.disk.values import decoded
from evalcore.errors import CannotAnswer, UnknownName
from evalcore.judging.storing.judges import clean_name, only_known_judge
from evalcore.memory.answering import answer, sent, set_done
from evalcore.views.words.messages import about_words, head_words, notes_of, state_words
from evalcore.workspace.opened import Workspace

SHOWN: Final = 100
"""So much of a suite is in its list; `--json` has all."""
MAX_TEXT: Final = 200


class Asked(NamedTuple):
    """Which message or task is answered, with what, and by whom."""

    path: Path
    suite: str | None
    name: str
    text: str
    by: str | None


def listing(path: Path, suite: str | None, *, only_open: bool, as_json: bool) -> int:
    """Print what was sent in one suite or in all; return 0.

    Raises:
        UnknownName: there is no such suite.
    """
    ws = open_for_judge(path)
    places = {each: listed(ws, each, only_open=only_open) for each in _suites(ws, suite)}
    if as_json:
        found = [
            {"suite": each, "messages": [_document(one) for one in described(ws, each, of)]}
            for each, of in places.items()
        ]
        sys.stdout.write(json_text({"root": str(ws.root), "suites": found}))
        return 0
    now = datetime.now(UTC)
    for each, of in places.items():
        console().print(Text(harmless(f"{each}: {len(of):,} sent"), "bold"))
        for line in _lines(described(ws, each, of[:SHOWN]), now):
            console().print(Text(harmless(line)))
        if len(of) > SHOWN:
            console().print(f"  and {len(of) - SHOWN:,} more (all with --json)")
    return 0


def reply(asked: Asked, *, is_done: bool, as_json: bool) -> int:
    """Answer a message or set a task done, and print the record; return 0.

    Raises:
        UnknownName: there is no such suite, message or task.
        CannotAnswer: it cannot be answered, or nobody says who answers.
        CannotWrite: the record cannot be written.
    """
    ws = open_for_judge(asked.path)
    suite = _suite_of(ws, asked)
    work = set_done if is_done else answer
    receipt = work(ws, suite, asked.name, asked.text, _author(asked.by))
    if as_json:
        sys.stdout.write(json_text({"id": receipt.id, "path": receipt.path}))
    else:
        how = "Stored in" if receipt.new else "It was there already:"
        sys.stdout.write(harmless(f"{how} {receipt.path}.") + "\n")
    return 0


def _suites(ws: Workspace, suite: str | None) -> Sequence[str]:
    known = suite_ids(ws)
    if suite is not None and suite not in known:
        raise UnknownName("suite", suite, known)
    return known if suite is None else (suite,)


def _suite_of(ws: Workspace, asked: Asked) -> str:
    """Return the suite in which something was sent."""
    found = list[str]()
    for suite in _suites(ws, asked.suite):
        try:
            sent(ws, suite, asked.name)
        except UnknownName:
            continue
        found.append(suite)
    if len(found) != 1:
        known = [each for of in _suites(ws, asked.suite) for each in names(ws, of)]
        raise UnknownName("message", asked.name, known)
    return found[0]


def _author(by: str | None) -> str:
    judge = only_known_judge()
    if by is not None and by.strip():
        return clean_name(by)
    if judge is None:
        raise CannotAnswer("Say who answers: --by NAME.")
    return judge.id


def _lines(found: Sequence[Message], now: datetime) -> Iterator[str]:
    for each in found:
        yield f"  {each.id}  {each.kind}  {state_words(each, now)}"
        yield f"    {head_words(each)}{about_words(each)}"
        said = " ".join(each.text.split())
        if said:
            yield f"    {said if len(said) <= MAX_TEXT else said[: MAX_TEXT - 1] + '…'}"
        yield from (f"    {note}" for note in notes_of(each))
        yield from (f"    {one.author or 'somebody'}: {one.text}" for one in each.answers)


def _document(each: Message) -> dict[str, Any]:
    return {
        "id": each.id,
        "kind": each.kind,
        "state": each.state,
        "at": _time(each.at),
        "sender": each.sender,
        "recipient": each.recipient,
        "subject": each.subject,
        "text": each.text,
        "payload": None if each.payload is None else decoded(each.payload),
        "about_type": each.about_type,
        "about": each.about,
        "answers_to": each.answers_to,
        "answers": [
            {"id": one.id or None, "author": one.author, "at": _time(one.at), "text": one.text}
            for one in each.answers
        ],
        "lost": each.is_lost,
        "rivals": list(each.rivals),
        "author": each.author,
        "source": each.source,
    }


def _time(at: object) -> str | None:
    return at.isoformat() if isinstance(at, datetime) else None
