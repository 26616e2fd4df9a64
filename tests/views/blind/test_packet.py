"""A packet is one file that reaches nothing, runs nothing else, and tells nothing of the sides."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random

import pytest

from evalcore.blind.creating import Design, create_study
from evalcore.blind.keys import keep_secret
from evalcore.blind.packets import packet_tasks
from evalcore.blind.proposing import propose, side_named
from evalcore.judging.answering.independent import Judges
from evalcore.judging.hiding import studies
from evalcore.judging.model import Judge
from evalcore.judging.storing.store import new_id
from evalcore.views.blind.packet import packet
from evalcore.workspace.opened import open_workspace
from tests.blind.packet_files import data_of
from tests.chance import Twin, differences
from tests.dashboard.twins import SECRET, SIDES, SUITE, TELLING, workspace
from tests.twin_folders import secret_like

JUDGE = Judge("packet-0123456789abcdef", "packet")
HOSTILE = "</script><script>alert(1)</script><!-- \u2028 \ud800".encode("utf-8", "replace")


def made(
    root: Path, monkeypatch: pytest.MonkeyPatch, *, swapped: bool = False, seed: int = 1
) -> str:
    """Return the packet of a study of a twin workspace."""
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(root.parent / "state"))
    ws = open_workspace(root, cache=False)
    a, b = (side_named(ws, SUITE, name) for name in SIDES)
    proposal, study = propose(a, b, chance=Random(1)), new_id()
    keep_secret(study, secret_like(SECRET, JUDGE.id, proposal.pairs, seed, swapped=swapped))
    create_study(ws, SUITE, proposal, Design((), Judges(())), Judge("ben-77c0", "Ben"), study)
    (found,) = studies(ws, SUITE)
    return packet(ws, found, JUDGE, packet_tasks(ws, found, JUDGE)).html.decode()


def test_twins_have_the_same_packet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for random ids and what is derived from the secret; no word tells a version."""
    packets = {}
    for seed, swapped in product((1, 2), (False, True)):
        root = workspace(tmp_path / f"{swapped}-{seed}" / SUITE, swapped=swapped)
        html = made(root, monkeypatch, swapped=swapped, seed=seed)
        packets[swapped, seed] = {"packet": [html]}
        one = html
    twin, swapped_twin = (Twin(packets[each, 1], packets[each, 2]) for each in (False, True))
    assert differences(twin, swapped_twin) == []
    # The check can see a side: without the exchange of sides the texts stand elsewhere.
    unlike = []
    for seed in (1, 2):
        root = workspace(tmp_path / f"control-{seed}" / SUITE, swapped=True)
        unlike.append({"packet": [made(root, monkeypatch, seed=seed)]})
    assert differences(twin, Twin(*unlike))
    assert [word for word in (*TELLING, "Ben", str(tmp_path)) if word in one] == []


def test_only_its_own_script_and_style_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The policy names the hash of each, and lets nothing be fetched."""
    html = made(workspace(tmp_path / SUITE, swapped=False), monkeypatch)
    (policy,) = re.findall(r'Security-Policy" content="(.*?)">', html)
    (style,), (script,) = (
        re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL) for tag in ("style", "script")
    )
    for text in (style, script):
        assert f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert re.findall(r"https?:(?!//www\.w3\.org/2000/svg)", html) == []  # a name, never fetched


def test_an_output_cannot_leave_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Markup in it stays text; what is shown is what was written."""
    root = workspace(tmp_path / SUITE, swapped=False)
    for file in root.rglob("letter.md"):
        file.write_bytes(HOSTILE)
    html = made(root, monkeypatch)
    assert html.count("<script") == 2
    (left, _) = json.loads(data_of(html.encode())["tasks"][0]["text"])["shown"]["output.md"]
    assert left[0]["text"].startswith("</script><script>alert(1)")


def test_long_outputs_are_there_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the same parts as on the page."""
    root = workspace(tmp_path / SUITE, swapped=False)
    text = "".join(f"line {number}\n" for number in range(20_000))
    for file in root.rglob("letter.md"):
        file.write_text(text, "utf-8")
    data = data_of(made(root, monkeypatch).encode())
    (left, _) = json.loads(data["tasks"][0]["text"])["shown"]["output.md"]
    assert len(left) > 1
    assert "\n".join(part["text"] for part in left) == text
