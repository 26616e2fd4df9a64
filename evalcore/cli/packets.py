"""`evalcore blind export` and `import`: packets for outside judges, and their verdicts."""

import os
from contextlib import suppress
from pathlib import Path

from evalcore.blind.closing import study_named
from evalcore.blind.judging import invite
from evalcore.blind.packets import (
    import_verdicts,
    load_verdicts,
    new_packet,
    packet_tasks,
)
from evalcore.cli.answering import Answer
from evalcore.cli.blind import open_whole
from evalcore.cli.opening import open_for_judge
from evalcore.counting.rates import rates
from evalcore.disk.creating import why
from evalcore.errors import CannotWrite, UnknownName
from evalcore.judging.hiding import studies
from evalcore.views.blind.packet import packet
from evalcore.views.blind.words import crowded_words, imported_words
from evalcore.views.words.wording import count


def export(path: Path, suite: str | None, study: str | None, out: Path) -> Answer:
    """Write a packet for one judge."""
    if os.path.lexists(out):
        raise CannotWrite(out, "it exists already; choose another name")
    ws, name = open_whole(path, suite)
    chosen = study_named(studies(ws, name), study)
    judge = new_packet()
    made = packet(ws, chosen, judge, packet_tasks(ws, chosen, judge))
    _write(out, made.html)
    invite(ws, chosen, judge)
    joined = study_named(studies(ws, name), chosen.id)
    missing = len(chosen.fields.pairs) - made.pairs
    document = {
        "study": chosen.id,
        "packet": made.judge,
        "path": str(out),
        "pairs": made.pairs,
        "left_out": missing,
        "bytes": len(made.html),
    }
    lines = [
        f"Written: {out}, {count(made.pairs, 'pair')}, {len(made.html) / 1e6:.1f} MB.",
        f"It is for one judge, called {made.judge} here. Send it to them.",
        "Import the file they send back with: evalcore blind import.",
    ]
    if crowded := crowded_words(joined):
        lines.append(crowded)
    if missing:
        because = "enough judges have compared them, or an output has changed"
        lines.append(f"{count(missing, 'pair')} left out: {because}.")
    return Answer(lambda: document, lines)


def import_(path: Path, suite: str | None, study: str | None, file: Path) -> Answer:
    """Store the verdicts that a packet saved; no if some could not be stored."""
    found = load_verdicts(file)
    ws = open_for_judge(path).unmasked
    known = [each for name in ([suite] if suite else rates(ws)) for each in studies(ws, name)]
    chosen = next((each for each in known if each.id == found.study), None)
    if chosen is None:
        raise UnknownName("study", found.study, [each.id for each in known])
    if study is not None:
        chosen = study_named(known, study)
    result = import_verdicts(ws, chosen, file, found)
    return Answer(
        lambda: {"study": chosen.id, **result._asdict()},
        imported_words(result).splitlines(),
        code=1 if result.left_out else 0,
    )


def _write(out: Path, data: bytes) -> None:
    """Write a file that did not exist; what was begun is removed where it cannot be finished."""
    try:
        with out.open("xb") as file:
            try:
                file.write(data)
                file.flush()
            except OSError:
                with suppress(OSError):
                    out.unlink()
                raise
    except OSError as error:
        raise CannotWrite(out, why(error)) from error
