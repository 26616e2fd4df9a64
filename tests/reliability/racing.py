"""Several processes write at the same moment."""

import json
from dataclasses import replace
from pathlib import Path

from evalcore.judging.storing.store import new_id
from tests.reliability import jobs
from tests.reliability.outcome import Line, made_workspace, verified
from tests.reliability.processes import CONTEXT, acknowledged, lines, started


def at_once(folder: Path, kind: str, writers: int, rounds: int, way: str = "ours") -> Line:
    """Let writers store at the same moment, again and again.

    `kind` is `same` (one submission, the same content: one of them makes the record and all get
    its receipt), `other` (one id, different contents: one wins and the others are refused) or
    `own` (a submission each: all are stored). A round that ends in another way counts as
    duplicated.
    """
    root = made_workspace(folder / f"{way}-{kind}-{writers}")
    names = [new_id() for _ in range(rounds)]
    books = [folder / f"book-{way}-{kind}-{writers}-{each}" for each in range(writers)]
    gate = CONTEXT.Barrier(writers)
    plan = [(name, kind) for name in names]
    processes = [started(jobs.race, way, root, book, gate, plan) for book in books]
    for process in processes:
        process.join(300)
    found = [words for book in books for words in lines(book)]
    line = verified(
        root, acknowledged(*books), kind=f"{writers} writers at once, {kind} ({way})", number=rounds
    )
    answers = sum(words[0] == "ack" for words in found)
    odd = sum(_is_odd([words for words in found if words[1] == name], kind) for name in names)
    if kind == "own":
        odd = writers * rounds - answers
    return replace(line, acknowledged=answers, duplicated=line.duplicated + odd)


def _is_odd(answers: list[list[str]], kind: str) -> bool:
    """Say whether the answers of a round are not what they should be."""
    won = [words for words in answers if words[0] == "ack" and words[3] == "new"]
    shas = {words[2] for words in answers if words[0] == "ack"}
    acked = sum(words[0] == "ack" for words in answers)
    every = acked == len(answers) if kind == "same" else acked == 1
    return kind != "own" and not (len(won) == 1 and len(shas) == 1 and every)


def counting_up(
    folder: Path, writers: int, times: int, way: str = "ours", server: str = ""
) -> Line:
    """Let processes change one document that others write too: no change may be lost.

    With `server`, they do so on a file server of that kind.
    """
    root = made_workspace(folder / f"{way}-count")
    path = root / "history.json"
    path.write_text('{"count": 0}', "utf-8")
    books = [folder / f"book-{way}-count-{each}" for each in range(writers)]
    gate = CONTEXT.Barrier(writers)
    processes = [started(jobs.count_up, way, path, book, gate, times, server) for book in books]
    for process in processes:
        process.join(300)
    done = len(acknowledged(*books))
    try:
        counted, torn = int(json.loads(path.read_text("utf-8"))["count"]), 0
    except ValueError:
        counted, torn = 0, 1
    where = f", {server}" if server else ""
    kind = f"{writers} processes change one document{where} ({way})"
    line = verified(root, {}, kind=kind, number=done)
    return replace(line, acknowledged=done, lost=abs(done - counted), torn=torn)
