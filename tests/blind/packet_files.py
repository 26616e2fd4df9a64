"""What a packet's window saves, written by hand: the file that `blind import` takes."""

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

from evalcore.blind.judging import invite
from evalcore.blind.packets import new_packet, packet_tasks
from evalcore.judging.model import Judge
from evalcore.judging.studies import Study
from evalcore.views.blind.packet import packet
from evalcore.workspace.opened import Workspace


def exported(ws: Workspace, study: Study) -> tuple[Judge, dict[str, Any]]:
    """Return a packet of a study that was saved: its judge, and what its window reads."""
    judge = new_packet()
    html = packet(ws, study, judge, packet_tasks(ws, study, judge)).html
    invite(ws, study, judge)
    return judge, data_of(html)


def data_of(html: bytes) -> dict[str, Any]:
    """Return what the window of a packet reads."""
    (text,) = re.findall(
        r'<script type="application/json" id="packet">(.*?)</script>', html.decode()
    )
    found: dict[str, Any] = json.loads(text)
    return found


def verdict(data: dict[str, Any], place: int = 0, winner: str | None = "left") -> dict[str, Any]:
    """Return a verdict on a task of a packet."""
    task = data["tasks"][place]
    return {
        "id": str(uuid4()),
        "task": json.loads(task["text"])["id"],
        "shown": sha256(task["text"].encode()).hexdigest(),
        "seal": task["seal"],
        "winner": winner,
        "rationale": "It is closer to what was asked." if winner else "",
        "judged_at": "2026-11-24T10:00:00.000Z",
    }


def saved(folder: Path, data: dict[str, Any], *verdicts: dict[str, Any], **other: Any) -> Path:
    """Write the file that a packet saves."""
    value = {
        "format": "evalcore-blind-verdicts",
        "version": 1,
        "packet": data["packet"],
        "study": data["study"],
        "verdicts": list(verdicts),
        **other,
    }
    file = folder / f"verdicts-{uuid4()}.json"
    file.write_text(json.dumps(value), "utf-8")
    return file
