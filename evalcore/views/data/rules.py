"""The hard rules of a suite: how each stands, and the files behind what breaks it."""

from typing import Final, NamedTuple

from evalcore.hard_rules.checking import CHECKS, Broken, Found, Rule, Standing, checked
from evalcore.views.blocks.base import Block, Link, link
from evalcore.views.blocks.page import Cell, Heading, Row, Say, Table, heads
from evalcore.views.blocks.paging import page_of
from evalcore.views.data.state import PAGE, DataView, pager_of, to
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace


class _Words(NamedTuple):
    """A rule in words: its name, what it asks, of what, why not of each, and how to begin."""

    name: str
    asks: str
    noun: str
    unknown: str = ""
    hint: str = ""


WORDS: Final[dict[Rule, _Words]] = {
    "outputs": _Words(
        "Outputs are not modified",
        "What an agent made is observed and scored, never changed after it was judged or compared.",
        "run",
        "no record says what the output was",
    ),
    "rationales": _Words(
        "Every score has a rationale", "A score without reasoning is invalid.", "score"
    ),
    "failures": _Words(
        "Every failed run has its failure",
        "For each run that failed, an eval-failure says why.",
        "failed run",
        hint="To write one for each: evalcore failures FOLDER --suite SUITE --record",
    ),
    "regressions": _Words(
        "Regressions are surfaced at once",
        "Where a pass rate fell by more than 10 points, critical failures, a task and a message "
        "tell of it.",
        "regression",
        "what was sent of it is hidden until you have judged",
    ),
    "approvals": _Words(
        "Approvals are justified",
        "A version is approved only on a benchmark run that shows improvement over the version "
        "that it replaces, as both still are; a waiver names owner, reason and end.",
        "approval",
    ),
}
MOST_PLACES: Final = 3
"""So many documents behind one thing are listed; its message says how many there are."""
MARKS: Final[dict[Standing, str | None]] = {"kept": "pass", "broken": "fail"}
NOT_ASKED: Final = "This suite keeps no such records yet, so none is missed."


def chosen_rule(ws: Workspace, suite: str, view: DataView) -> Rule:
    """Return the rule that the address names, else the first broken one."""
    found = checked(ws, suite)
    named = [each.rule for each in found if each.rule == view.rule]
    broken = [each.rule for each in found if each.standing == "broken"]
    return (*named, *broken, found[0].rule)[0]


def rule_blocks(ws: Workspace, suite: str, view: DataView) -> list[Block]:
    """Describe how each rule stands in a suite."""
    rows = []
    for found in checked(ws, suite):
        rule, how = found.rule, found.standing
        name = Cell(WORDS[rule].name, sub=_sentence(found), link=to(view, rule=rule), id=rule)
        stands = Cell(how, mark=MARKS.get(how), quiet=how not in MARKS, keep=True)
        rows.append(Row([name, stands], on=rule == view.rule))
    return [Table("Hard rules", heads("rule", "how it stands"), rows)]


def _sentence(found: Found) -> str:
    """Say in one sentence what was counted."""
    words, parts = WORDS[found.rule], []
    if found.kept:
        parts.append(f"kept by {wording.count(found.kept, words.noun)}")
    if broken := len(found.broken):
        how = "broken by" if found.asked else "not recorded for"
        parts.append(f"{how} {wording.count(broken, words.noun)}")
    if found.unknown:
        unknown = wording.count(found.unknown, words.noun)
        parts.append(f"{unknown} cannot be checked, as {words.unknown}")
    told = "; ".join(parts) or "there is nothing to check yet"
    return f"{told[0].upper()}{told[1:]}."


def broken_blocks(ws: Workspace, suite: str, view: DataView) -> list[Block]:
    """Describe what breaks the chosen rule, one page of it, each with its files."""
    at = next(at for at, check in enumerate(CHECKS) if check.rule == view.rule)
    found, words = checked(ws, suite)[at], WORDS[CHECKS[at].rule]
    blocks: list[Block] = [
        Heading(words.name, found.standing, MARKS.get(found.standing)),
        Say(f"{words.asks} {_sentence(found)}", quiet=True),
    ]
    if not found.asked and len(found.broken):
        blocks.append(Say(f"{NOT_ASKED} {words.hint}".rstrip()))
    if not len(found.broken):
        return blocks
    page, rows = page_of(view.page, len(found.broken), PAGE), []
    for each in CHECKS[at].describe(ws, found.broken[page.rows]):
        for place, (what, path, pointer) in enumerate(each.places[:MOST_PLACES]):
            first = Cell(what, quiet=True)
            if place == 0:
                first = Cell(each.id, sub=each.message, link=_there(suite, each))
            there = to(DataView("files", text=path), file=path, at=pointer)
            rows.append(Row([first, Cell(path, link=there)]))
        more = len(each.places) - MOST_PLACES
        if more > 0:
            rows.append(Row([Cell(f"and {more:,} more", quiet=True), Cell("", quiet=True)]))
    table = Table("What breaks it", heads("what breaks it", "files"), rows)
    return [*blocks, table, pager_of(view, page, page.total, words.noun)]


def _there(suite: str, each: Broken) -> Link:
    if each.about == "benchmark run":
        return link("trends", suite=suite, over="benchmark-runs", point=each.id, metric=None)
    if each.about == "approval":
        return link("compare", suite=suite)
    return link("gradings", suite=suite, run=each.id)
