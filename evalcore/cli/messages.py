"""`evalcore messages`: what was sent to others, as a list or one document, and how to answer it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from rich.console import RenderableType

from evalcore.benchmarks.messages import Message, described, listed, names
from evalcore.cli.answering import Answer, fields
from evalcore.cli.opening import open_for_judge, suites_of
from evalcore.cli.screen import wrapped
from evalcore.disk.values import decoded
from evalcore.errors import CannotAnswer, UnknownName
from evalcore.judging.storing.judges import clean_name, only_known_judge
from evalcore.memory.answering import answer, sent, set_done
from evalcore.views.words.messages import about_words, head_words, notes_of, state_words

SHOWN: Final = 100
"""So much of a suite is in its list; `--json` has all."""
MAX_TEXT: Final = 200


def listing(path: Path, suite: str | None, *, only_open: bool) -> Answer:
    """List what was sent in one suite or in all.

    Raises:
        UnknownName: there is no such suite.
    """
    ws = open_for_judge(path)
    places = {each: listed(ws, each, only_open=only_open) for each in suites_of(ws, suite)}

    def document() -> dict[str, Any]:
        found = [
            {"suite": each, "messages": [_document(one) for one in described(ws, each, of)]}
            for each, of in places.items()
        ]
        return {"root": ws.root, "suites": found}

    def lines() -> Iterator[RenderableType]:
        now = datetime.now(UTC)
        for each, of in places.items():
            yield wrapped(f"{each}: {len(of):,} sent", "bold")
            for one in described(ws, each, of[:SHOWN]):
                yield from map(wrapped, _lines(one, now))
            if len(of) > SHOWN:
                yield f"  and {len(of) - SHOWN:,} more (all with --json)"

    return Answer(document, lines())


def reply(
    path: Path, suite: str | None, name: str, text: str, by: str | None, *, is_done: bool
) -> Answer:
    """Answer a message or set a task done.

    Raises:
        UnknownName: there is no such suite, message or task.
        CannotAnswer: it cannot be answered, or nobody says who answers.
        CannotWrite: the record cannot be written.
    """
    ws = open_for_judge(path)
    suites, found = suites_of(ws, suite), list[str]()
    for each in suites:
        try:
            sent(ws, each, name)
        except UnknownName:
            continue
        found.append(each)
    if len(found) != 1:
        raise UnknownName("message", name, [one for each in suites for one in names(ws, each)])
    if by is not None and by.strip():
        author = clean_name(by)
    elif judge := only_known_judge():
        author = judge.id
    else:
        raise CannotAnswer("Say who answers: --by NAME.")
    receipt = (set_done if is_done else answer)(ws, found[0], name, text, author)
    how = "Stored in" if receipt.new else "It was there already:"
    return Answer(lambda: fields(receipt, "id", "path"), [f"{how} {receipt.path}."])


def _lines(each: Message, now: datetime) -> Iterator[str]:
    yield f"  {each.id}  {each.kind}  {state_words(each, now)}"
    yield f"    {head_words(each)}{about_words(each)}"
    said = " ".join(each.text.split())
    if said:
        yield f"    {said if len(said) <= MAX_TEXT else said[: MAX_TEXT - 1] + '…'}"
    yield from (f"    {note}" for note in notes_of(each))
    yield from (f"    {one.author or 'somebody'}: {one.text}" for one in each.answers)


def _document(each: Message) -> dict[str, Any]:
    return {
        **fields(each, "id", "kind", "state", "at", "sender", "recipient", "subject", "text"),
        "payload": None if each.payload is None else decoded(each.payload),
        **fields(each, "about_type", "about", "answers_to"),
        "answers": [
            {"id": one.id or None, **fields(one, "author", "at", "text")} for one in each.answers
        ],
        "lost": each.is_lost,
        **fields(each, "rivals", "author", "source"),
    }
