"""A packet: one HTML file in which somebody without evalcore judges a blind study."""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from msgspec.structs import asdict

from evalcore.blind.judging import Opened, secret_here
from evalcore.blind.packets import seal
from evalcore.errors import CannotJudge
from evalcore.judging.model import Judge
from evalcore.judging.studies import Study
from evalcore.palette import css_variables
from evalcore.texts import diff
from evalcore.views.blind.task import all_parts, blind_task, whole_text
from evalcore.views.blocks.base import PanelData
from evalcore.views.blocks.plain import plain
from evalcore.views.files.diff import diff_block
from evalcore.views.panels.sources import HERE, as_panel, lean, own_only
from evalcore.workspace.opened import Workspace

MAX_BYTES: Final = 100_000_000
"""A larger file opens in no browser that people would judge in."""

_PANELS: Final = ("blind", "diff")
_PAGE: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Blind comparison</title>
<style>{style}</style>
<header>
<h1>Blind comparison</h1>
<p>Two outputs of one case: say which is better. Nothing tells who made which.</p>
<p id="keeps"></p>
<button id="save" type="button">Save my verdicts</button>
</header>
<main><div id="blind"></div><div id="diff" hidden></div></main>
<script type="application/json" id="packet">{data}</script>
<script>{script}</script>
</html>
"""


class Packet(NamedTuple):
    """A packet as a file: its bytes, how many pairs are in it, and for whom it is."""

    html: bytes
    pairs: int
    judge: str


def packet(ws: Workspace, study: Study, judge: Judge, opened: Sequence[Opened]) -> Packet:
    """Return the packet of a judge with these tasks; nothing in it tells a side.

    Raises:
        CannotJudge: the secret of the study is not on this machine, or the packet is too large.
    """
    secret = secret_here(study)
    tasks = []
    for each in opened:
        text = json.dumps(plain(_shows(ws, study, each)), ensure_ascii=False, separators=(",", ":"))
        shown = sha256(text.encode()).hexdigest()
        tasks.append({"text": text, "seal": seal(secret, judge.id, each.task, shown)})
    of_all = f":host{{{css_variables()}}}{lean(HERE / 'common.css')}"
    styles = {name: f"{of_all}{lean(HERE / f'{name}.css')}" for name in _PANELS}
    data: PanelData = {"packet": judge.id, "study": study.id, "tasks": tasks, "styles": styles}
    data["reasons"] = study.fields.reasons
    html = _page(data)
    if len(html) > MAX_BYTES:
        size = f"{len(html) / 1e6:,.0f} MB, at most {MAX_BYTES / 1e6:,.0f} MB open in a browser"
        raise CannotJudge(f"The packet would have {size}. Make a study of fewer cases.")
    return Packet(html, len(tasks), judge.id)


def _shows(ws: Workspace, study: Study, opened: Opened) -> PanelData:
    """Return all that is shown of a task: every portion of every file, and the differences."""
    task, shown, differences = blind_task(ws, study, opened), {}, {}
    for name in task.files or ("",):
        sides = all_parts(ws, study, opened, name)
        shown[name] = [[part._asdict() for part in side] for side in sides]
        runs = opened.left, opened.right
        left, right = (whole_text(ws, study, run, name, opened) for run in runs)
        differences[name] = diff_block(diff(left, right), name, "left", "right")
    return {
        "id": task.id,
        "prompt": task.prompt,
        "files": list(task.files),
        "criteria": [asdict(each) for each in task.criteria],
        "shown": shown,
        "differences": differences,
    }


def _page(data: PanelData) -> bytes:
    """Return the file: what it holds, and the scripts that draw it, each allowed by its hash."""
    style = f":root{{{css_variables()}}}{lean(HERE / 'packet.css')}"
    panels = ""
    for name in _PANELS:  # each an expression: the function that draws it
        code = as_panel(lean(HERE / "common.js") + lean(HERE / f"{name}.js"))
        panels += f"{name}: (() => {{\n{code}\nreturn panel;\n}})(),\n"
    script = f"'use strict';\nconst panels = {{{panels}}};\n{lean(HERE / 'packet.js')}"
    # Inside a script element only `<` could end it.
    told = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    policy = own_only(script, style)
    return _PAGE.format(policy=policy, style=style, data=told, script=script).encode()
