"""What was sent to others, on the Data page: the list, and one of it with its texts."""

import json
from datetime import datetime
from typing import Final

from evalcore.benchmarks.messages import Message, described, listed, message_named, standing
from evalcore.counting.cells import typed, where
from evalcore.disk.values import decoded
from evalcore.errors import UnknownName
from evalcore.ids import parse_run_id
from evalcore.tables.rows import RunRow
from evalcore.views.blocks.base import Block, Link, link
from evalcore.views.blocks.evidence import Facts, Prompt, source_block
from evalcore.views.blocks.page import Cell, Chip, Heading, Links, Row, Say, Table, heads
from evalcore.views.blocks.paging import page_of
from evalcore.views.data.state import PAGE, DataView, pager_of, to
from evalcore.views.words import wording
from evalcore.views.words.messages import KIND_WORDS, notes_of, people_words, state_words
from evalcore.workspace.opened import Workspace

MAX_TEXT: Final = 140
UNFOLDED: Final = 8
"""With more rows than these the list scrolls by itself."""
NOTHING: Final = (
    "Nothing was sent in this suite. Tasks and messages follow from benchmark runs, lessons from "
    "failures that a model explained."
)
_OVER_RUNS: Final[dict[str, str | None]] = {"over": "benchmark-runs"}


def message_blocks(ws: Workspace, suite: str, view: DataView, now: datetime) -> list[Block]:
    """Describe one page of what was sent, the newest first, with the filter on what is open."""
    total, waiting = len(standing(ws, suite)), len(listed(ws, suite, only_open=True))
    if not total:
        return [Say(NOTHING)]
    places = listed(ws, suite, only_open=view.only_open)
    page = page_of(view.page, len(places), PAGE)
    rows = [
        _row(ws, each, view, now, on=each.id == view.message)
        for each in described(ws, suite, places[page.rows])
    ]
    chips = [
        Chip(text="all", n=total, link=to(view, only_open=False), on=not view.only_open),
        Chip(text="open", n=waiting, link=to(view, only_open=True), on=view.only_open),
    ]
    table = Table(
        "What was sent",
        heads("From and to", "What", "About", "State"),
        rows,
        empty="Nothing waits for anybody.",
        scroll=len(rows) > UNFOLDED,
    )
    return [Links("Show", chips), table, pager_of(view, page, total, "message")]


def chosen_message(ws: Workspace, suite: str, view: DataView) -> Message | None:
    """Return what the address opens, else the first of the list; None where it is not here."""
    if view.message is not None:
        try:
            return message_named(ws, suite, view.message)
        except UnknownName:
            return None
    places = listed(ws, suite, only_open=view.only_open)
    return described(ws, suite, places[:1])[0] if places else None


def detail_blocks(ws: Workspace, of: Message, now: datetime) -> list[Block]:
    """Describe one thing that was sent: who, about what, its texts as they are, its answers."""
    blocks: list[Block] = [Heading(of.subject or KIND_WORDS[of.kind], state_words(of, now))]
    is_memory = of.kind == "memory-item"
    value = decoded(of.payload) if of.payload is not None else None
    tags = value.get("tags") if is_memory and isinstance(value, dict) else None
    texts = [("Lesson" if is_memory else "Text", of.text)]
    if of.kind == "task" and isinstance(value, dict):
        texts.append(("What resolved it", str(value.get("resolution") or "")))
    elif value is not None and not is_memory:
        whole = isinstance(value, dict | list)
        payload = json.dumps(value, ensure_ascii=False, indent=2) if whole else str(value)
        texts.append(("Payload", payload))
    blocks += [Say(each) for each in notes_of(of)]
    facts = (
        ("what", KIND_WORDS[of.kind]),
        ("from", of.sender),
        ("for" if of.kind == "task" else "to", of.recipient or "not said"),
        ("about", _about(of)),
        ("answers", of.answers_to),
        ("sent", _moment(of.at)),
        ("written by", of.author),
        ("tags", ", ".join(map(str, tags)) if isinstance(tags, list) else ""),
        ("record", of.id),
    )
    blocks.append(Facts([(name, words, True) for name, words in facts if words]))
    if page := about_link(ws, of):
        blocks.append(Links("", [Chip(text="Open what it is about", link=page)]))
    blocks += [Prompt(name, text) for name, text in texts if text]
    for each in of.answers:
        who = f"Answer of {each.author or 'somebody'}, {_moment(each.at)}"
        blocks.append(Prompt(who, each.text or "without a text"))
    return [*blocks, source_block("Source", of.source, of.pointer or None)] if of.source else blocks


def about_link(ws: Workspace, of: Message) -> Link | None:
    """Return the page that shows what something is about; None where there is none."""
    name, kind = of.about, of.about_type
    if not name:
        return None
    if kind == "test-run":  # a store names runs by the ids of their records
        found = where(ws, "runs", run_id=name)
        found = found if len(found) else where(ws, "runs", suite=of.suite, run=name)
        rows = typed(ws, "runs", RunRow, found[:1])
        return link("gradings", run=rows[0].run_id) if rows else None
    pages = {
        "eval-failure": link("failures", failure=name),
        "test-case": link("gradings", case=name),
        "benchmark-run": link("trends", **_OVER_RUNS, point=name),
        "benchmark": link("trends", **_OVER_RUNS),
        "eval-trend": link("trends", **_OVER_RUNS),
        "prompt-comparison": link("compare"),
        "approval": link("compare"),
    }
    return pages.get(kind or "")


def _row(ws: Workspace, of: Message, view: DataView, now: datetime, *, on: bool) -> Row:
    notes = list(notes_of(of))
    opened = to(view, page=view.page, message=of.id)
    said = wording.line(of.text, MAX_TEXT)
    state = Cell(
        state_words(of, now),
        sub="look at this" if notes else "",
        mark="fail" if notes else None,
        keep=True,
    )
    return Row(
        [
            Cell(people_words(of), sub=KIND_WORDS[of.kind], link=opened, id=of.id),
            Cell(of.subject or said, sub=said if of.subject else "", clamp=True),
            Cell(_about(of) or "nothing", link=about_link(ws, of), quiet=not of.about, clamp=True),
            state,
        ],
        on,
    )


def _about(of: Message) -> str:
    kind = (of.about_type or "").removeprefix("eval-").replace("-", " ")
    key = parse_run_id(of.about or "")
    name = of.about if key is None else f"{key.case_id} · {key.version} · run {key.run}"
    return f"{kind} {name}".strip() if name else ""


def _moment(at: object) -> str:
    return wording.moment(at) if isinstance(at, datetime) else "without a date"
