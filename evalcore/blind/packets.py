"""Packets for judges without evalcore: what leaves in one, and the verdicts that come back.

A packet is for one judge, who has its name. What it shows of each task is sealed with the secret of
the study, so that no state is kept, and a packet or a file of verdicts that was changed is found.
"""

import hmac
import json
import secrets
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from evalcore.blind.judging import (
    Answer,
    Opened,
    all_tasks,
    give_verdict,
    invite,
    open_task,
    require_open,
    require_part,
    secret_here,
    take_back,
    tasks,
)
from evalcore.disk.head import read_head
from evalcore.disk.parsing import parse
from evalcore.disk.values import parse_time
from evalcore.errors import CannotImport, CannotJudge
from evalcore.families.reviews.review import Winner
from evalcore.judging.hiding import studies
from evalcore.judging.limits import LIMITS
from evalcore.judging.model import Judge
from evalcore.judging.studies import Study
from evalcore.shapes.faults import ISO_8601, is_timestamp
from evalcore.workspace.opened import Workspace

FORMAT: Final = "evalcore-blind-verdicts"
MAX_BYTES: Final = 16 * 1024 * 1024
MAX_VERDICTS: Final = 10_000
CLOCKS_DIFFER: Final = timedelta(days=1)
OLDER: Final = (
    "A verdict was taken back after it had been imported, so this file is older than that. Import "
    "the newest file of the packet."
)
_Hex = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]


class PacketVerdict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A verdict in a file that a packet saved; `winner` is null where it was taken back.

    `shown` is the sha256 of what was on the screen, `seal` what the packet says binds that to the
    study.
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")]
    task: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]
    shown: _Hex
    seal: _Hex
    winner: Winner | None
    scores: dict[str, tuple[float | None, float | None]] = msgspec.field(default_factory=dict)
    rationale: Annotated[str, msgspec.Meta(max_length=2 * LIMITS.rationale)] = ""
    knows: bool = False
    judged_at: str

    def __post_init__(self) -> None:
        """Raise `ValueError` where the time is none."""
        if not is_timestamp(self.judged_at):
            raise ValueError(f"judged_at {ISO_8601}")

    def given(self) -> dict[str, tuple[float, float]]:
        """Return the scores of criteria that are scored on both sides."""
        return {
            name: (left, right)
            for name, (left, right) in self.scores.items()
            if left is not None and right is not None
        }


class PacketVerdicts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file that a packet saves: all verdicts in the order in which they were given."""

    format: Literal["evalcore-blind-verdicts"]
    version: Literal[1]
    packet: Annotated[str, msgspec.Meta(pattern=r"^packet-[0-9a-f]{16}\Z")]
    study: Annotated[str, msgspec.Meta(max_length=64)]
    verdicts: Annotated[list[PacketVerdict], msgspec.Meta(max_length=MAX_VERDICTS)]


class Imported(NamedTuple):
    """How many verdicts an import stored, took back and found stored, and where the packet stands.

    `compared` of the study's pairs have a verdict now; `left_out` says why verdicts were not
    stored.
    """

    packet: str
    new: int
    taken_back: int
    known: int
    compared: int
    of: int
    left_out: tuple[str, ...]


def new_packet() -> Judge:
    """Return the judge of a new packet, whom nothing identifies."""
    name = f"packet-{secrets.token_hex(8)}"
    return Judge(name, name)


def packet_tasks(ws: Workspace, study: Study, packet: Judge) -> list[Opened]:
    """Return the tasks of a packet that can be judged, in its order.

    A pair with an output that changed since the study was made is left out. The packet takes part
    once it is saved (`judging.invite`), so that one that nobody has leaves no judge.

    Raises:
        CannotJudge: the study is closed, its secret is not on this machine, or no pair is left.
    """
    require_open(study)
    study = _joined(study, packet)
    opened = (open_task(ws, study, packet, task) for task in tasks(study, packet))
    found = [task for task in opened if not task.changed]
    if not found:
        raise CannotJudge(
            "No pair is left for another judge: enough compared each, or its outputs changed. "
            "Create a study that asks for more judges."
        )
    return found


def _joined(study: Study, packet: Judge) -> Study:
    """Return a study as it is once the packet takes part."""
    return study._replace(parts={**study.parts, packet.id: "joined"})


def seal(secret: bytes, packet: str, task: str, shown: str) -> str:
    """Return what binds a task of a packet to what it shows; `shown` is the sha256 of that."""
    text = json.dumps(["packet", packet, task, shown])
    return hmac.digest(secret, text.encode(), "sha256").hex()


def load_verdicts(file: Path) -> PacketVerdicts:
    """Return the verdicts in a file that a packet saved.

    Raises:
        CannotImport: it cannot be read, is too large, or is no such file.
    """
    try:
        head = read_head(file.parent, file.name, MAX_BYTES)
    except OSError as error:
        raise CannotImport(file, f"it cannot be read ({error.strerror})") from error
    if head.cut:
        raise CannotImport(file, "it is larger than any file of verdicts")
    value = parse(head.data)
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise CannotImport(file, "it is not a file of verdicts that a packet saved")
    try:
        return msgspec.json.decode(head.data, type=PacketVerdicts)
    except msgspec.DecodeError as error:
        raise CannotImport(file, f"it is not as the packet wrote it: {error}") from error


def import_verdicts(ws: Workspace, study: Study, file: Path, found: PacketVerdicts) -> Imported:
    """Store the verdicts of a packet; those that are there already are stored once.

    That all is of this study and was shown as its packet has it is checked before anything is
    stored. A packet of which nothing says that it was saved takes part from now on.

    Raises:
        CannotImport: it is of another study, or what was shown is not what this study's packet
            shows, or other verdicts of this packet were imported that the file does not have.
        CannotJudge: the study is closed, or its secret is not on this machine.
        CannotWrite: a verdict could not be written; importing again stores the rest.
    """
    packet = Judge(found.packet, found.packet)
    _require_own(study, packet, file, found)
    known = {each.id for each in study.judged_by(packet.id).values()}
    said = {each.id for each in found.verdicts}
    of = len(study.fields.pairs)
    if said <= known:
        return Imported(packet.id, 0, 0, len(known), len(known), of, ())
    if packet.id not in study.parts:  # sealed here, and the server ended before it noted the saving
        invite(ws, study, packet)
        study = _joined(study, packet)
    require_part(study, packet)
    if known - said:
        raise CannotImport(
            file,
            "other verdicts of this packet were imported that this file does not have. A packet is "
            "for one judge in one browser; export one for each. An older file needs no import",
        )
    last = {each.task: each for each in found.verdicts}
    tried = [_store(ws, study, packet, each) for each in last.values() if each.id not in known]
    now = next(each for each in studies(ws, study.suite) if each.id == study.id)
    return Imported(
        packet=packet.id,
        new=tried.count(_STORED),
        taken_back=tried.count(_TAKEN_BACK),
        known=sum(each.id in known for each in last.values()),
        compared=len(now.judged_by(packet.id)),
        of=of,
        left_out=tuple(each for each in tried if each not in (_STORED, _TAKEN_BACK, _NOTHING)),
    )


def _require_own(study: Study, packet: Judge, file: Path, found: PacketVerdicts) -> None:
    """Raise `CannotImport` where a file is not of a packet of this study, or was changed."""
    if found.study != study.id:
        raise CannotImport(file, f"it is of the study {found.study}, not of {study.id}")
    secret = secret_here(study)
    places = {task: at for at, task in enumerate(all_tasks(study, secret, packet.id), 1)}
    for each in found.verdicts:
        if each.task not in places:
            raise CannotImport(file, f"it judges a pair that is not in {packet.id}")
        own = seal(secret, packet.id, each.task, each.shown)
        if not hmac.compare_digest(own, each.seal):
            raise CannotImport(
                file,
                f"what was shown for pair {places[each.task]} is not what the packet had when it "
                "was exported. The packet or this file was changed",
            )


_STORED, _TAKEN_BACK, _NOTHING = "stored", "taken back", "nothing to do"


def _store(ws: Workspace, study: Study, packet: Judge, said: PacketVerdict) -> str:
    """Store one verdict, or that it was taken back; return which, or why it was left out."""
    task = open_task(ws, study, packet, said.task)
    at = parse_time(said.judged_at)
    try:
        if said.winner is None:
            if task.pair.pair not in study.judged_by(packet.id):
                return _NOTHING
            take_back(ws, study, task.pair.pair, packet)
            return _TAKEN_BACK
        if at is None or at > datetime.now(UTC) + CLOCKS_DIFFER:
            return f"A verdict is dated {said.judged_at}, after now. Correct its judged_at."
        # What was judged is what the study is about, whatever has become of the files since.
        answer = Answer(said.winner, said.given(), said.rationale, said.knows, said.judged_at)
        receipt = give_verdict(ws, study, task._replace(changed=False), answer, packet, said.id)
    except CannotJudge as fault:
        return str(fault)
    return _STORED if receipt.new else OLDER
