"""Several machines store in one folder of a file server, which answers as file servers do."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

from evalcore.errors import CannotWrite, MayBeWritten
from evalcore.judging.storing.store import new_id
from tests.reliability.file_server import served
from tests.reliability.outcome import Line, made_workspace, verified
from tests.reliability.processes import CONTEXT, Book, acknowledged, lines, started
from tests.reliability.writers import WRITERS, record

MACHINES = 4


def at_once(folder: Path, server: str, rounds: int, seed: int, way: str = "ours") -> Line:
    """Store on machines that share a folder, one submission by all and one of each in turn.

    A refusal of what is there all the same counts as duplicated: it would be typed once more.
    """
    root = made_workspace(folder / "shared")
    books = [folder / f"book-{each}" for each in range(MACHINES)]
    gate, names = CONTEXT.Barrier(MACHINES), [new_id() for _ in range(rounds)]
    plan = [(way, root, book, gate, names, server, seed + at) for at, book in enumerate(books)]
    machines = [started(store_on, *given) for given in plan]
    for machine in machines:
        machine.join(300)
        machine.kill()
    found = [words for book in books for words in lines(book)]
    assert sum(words[0] == "end" for words in found) == MACHINES, "a machine did not get through"
    acks = [words for words in found if words[0] == "ack"]
    line = verified(root, acknowledged(*books), kind="", number=len(acks), seed=seed)
    shas = {(words[1], words[2]) for words in acks}
    refused = [words[1] for words in found if words[0] == "refused"]
    unsure = sum(words[0] == "unsure" for words in found)
    return replace(
        line,
        kind=f"file server, {server} ({way})",
        number=2 * rounds * MACHINES,
        acknowledged=len(acks),
        lost=line.lost + len(shas) - len(dict(shas)),
        duplicated=line.duplicated + sum(_is_there(root, name) for name in refused),
        remark=f"refused {len(refused):,}, not known {unsure:,}",
    )


def _is_there(root: Path, name: str) -> bool:
    return any((root / "reviews").glob(f"*/{name}.json"))


def store_on(
    way: str, root: Path, book_path: Path, gate: Any, names: list[str], server: str, seed: int
) -> None:
    """Store records on a file server, at the same moments as other machines."""
    book, chance = Book(book_path), random.Random(seed)

    def told(name: str) -> str:
        """Store one record, every other time again if need be; return what was said last."""
        one, said = record(name, name), ""
        for _ in range(chance.choice((1, 2))):
            with served(server, chance):
                try:
                    stored = WRITERS[way](root, one)
                    return f"ack {name} {stored.sha256}"
                except MayBeWritten:
                    said = "unsure"
                except (CannotWrite, OSError):
                    said = said or "refused"
        return f"{said} {name}"

    for name in names:
        gate.wait(60)
        # Of what all store, another machine's may be there.
        book.note(told(name).replace("refused", "left"))
        book.note(told(new_id()))
    book.note("end")
