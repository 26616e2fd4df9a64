"""The head of the Data page, and its list of documents with their recognised kinds."""

from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from evalcore.benchmarks.messages import listed
from evalcore.counting.cells import where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.families.base import REVIEWS
from evalcore.families.registry import looked_for
from evalcore.hard_rules.checking import checked
from evalcore.problems import grouped
from evalcore.tables.exported import Listing
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Cell, Chip, Heading, Links, Row, Say, Table, heads
from evalcore.views.blocks.paging import page_of
from evalcore.views.data.problems import SEVERITY_WORDS
from evalcore.views.data.state import PAGE, DataView, Part, clear, pager_of, to
from evalcore.views.problems import Problems, has_text, so_far
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

UNPLACED: Final = "not recognised"
_COLUMNS: Final = ("path", "family", "kind", "suite", "records")


class Kind(NamedTuple):
    """A kind of document: the number of documents, and of records read from them."""

    family: str
    kind: str
    documents: int
    records: int

    @property
    def key(self) -> str:
        """The kind as the address names it."""
        return f"{self.family}/{self.kind}"


@memoize_per_workspace
def kinds(ws: Workspace) -> tuple[Kind, ...]:
    """Return the kinds of documents with their numbers."""
    groups = ws.tables.documents.groupby(["family", "kind"], observed=True, sort=False)["records"]
    found = groups.agg(["size", "sum"]).reset_index()
    return tuple(
        Kind(str(family), str(kind), int(size), int(records))
        for family, kind, size, records in found.itertuples(index=False, name=None)
    )


def summary(ws: Workspace, problems: Problems) -> str:
    """Return one sentence on what was recognised, what was not, and the problems."""
    lost = len(ws.unrecognised)
    if ws.tables.documents.empty and not lost and not problems.rows:
        return f"No evaluation document was found in {ws.root}."
    # Reviews are about documents of any family, and are none themselves.
    found = kinds(ws)
    families = {kind.family for kind in found} - {REVIEWS}
    reviews = sum(kind.documents for kind in found if kind.family == REVIEWS)
    documents = sum(kind.documents for kind in found) - reviews
    parts = []
    if documents:
        family = wording.count(len(families), "family")
        parts.append(f"{wording.count(documents, 'document')} of {family}")
    if reviews:
        parts.append(wording.count(reviews, "review"))
    left_over = "no evaluation file left over"
    if lost:
        looks, fits = ("looks", "fits") if lost == 1 else ("look", "fit")
        left_over = f"{lost:,} more {looks} like an evaluation and {fits} nowhere"
    counts = problems.counts("severity", problems.having("severity", None))
    wrong = ", ".join(
        wording.count(counts[name], word)
        for name, (word, _) in SEVERITY_WORDS.items()
        if counts.get(name)
    )
    recognised = f"{' and '.join(parts) or 'No document'} recognised"
    return f"{recognised}; {left_over}; {wrong or 'no problem found'}."


def part_words(ws: Workspace, problems: Problems, suite: str | None) -> dict[Part, str]:
    """Return the label of each part of the page, with its count."""
    cases, waiting, broken = 0, 0, 0
    if suite is not None:
        cases = len(where(ws, "cases", suite=suite))
        waiting = len(listed(ws, suite, only_open=True))
        broken = sum(found.standing == "broken" for found in checked(ws, suite))
    return {
        "files": f"Documents {len(ws.tables.documents) + len(ws.unrecognised):,}",
        "problems": f"Problems {problems.n:,}{so_far(problems)}",
        "rules": f"Hard rules {broken} broken" if broken else "Hard rules",
        "messages": f"Messages {waiting:,} open" if waiting else "Messages",
        "cases": f"Cases and criteria {cases:,}",
    }


def _matching(ws: Workspace, view: DataView) -> tuple[pd.DataFrame, int]:
    """Return the documents that the filters keep, and of how many; or what nothing reads."""
    if view.kind == UNPLACED:
        wanted = view.text.casefold()
        lost = [path for path in ws.unrecognised if wanted in path.casefold()]
        return pd.DataFrame({"path": lost}, columns=_COLUMNS), len(ws.unrecognised)
    documents = ws.tables.documents
    keep = np.ones(len(documents), bool)
    if view.kind is not None:
        family, _, kind = view.kind.partition("/")
        keep &= (documents["family"] == family).to_numpy(bool)
        if kind:
            keep &= (documents["kind"] == kind).to_numpy(bool)
    if view.text:
        keep &= has_text(documents["path"], view.text)
    return documents.iloc[np.flatnonzero(keep)][list(_COLUMNS)], len(documents)


def _lines(found: pd.DataFrame, problems: Problems) -> list[tuple[Any, ...]]:
    """Return documents as path, family, kind, suite, records and problems; None is not known."""
    cells = found.astype(object).where(found.notna(), None)
    return [
        (*each, len(grouped(problems.at(each[0]))))
        for each in cells.itertuples(index=False, name=None)
    ]


def file_blocks(ws: Workspace, view: DataView, problems: Problems) -> list[Block]:
    """Describe one page of the documents, with filters by family and, inside one, by kind."""
    found, total = _matching(ws, view)
    page = page_of(view.page, len(found), PAGE)
    rows = []
    for path, family, kind, suite, records, n in _lines(found.iloc[page.rows], problems):
        known = Cell(UNPLACED, mark="fail") if family is None else Cell(f"{family} {kind}")
        wrong = to(DataView("problems"), text=path) if n else None
        read = f"{records:,}" if records is not None else "nothing"
        cells = [
            Cell(path, link=to(view, page=view.page, file=path)),
            known,
            Cell(suite or "none", quiet=suite is None),
            Cell(read, num=True, quiet=not records),
            Cell(f"{n:,}", num=True, link=wrong, quiet=not n),
        ]
        rows.append(Row(cells, on=path == view.file))
    blocks = _kind_chips(ws, view)
    if view.kind == UNPLACED:
        unread = (
            "These look like evaluation documents, but nothing reads them. The problem of "
            "each says where it would be read, or what it lacks."
        )
        blocks.append(Say(unread, quiet=True))
    head = heads("document", "recognised as", "suite", "#items", "#problems")
    empty = "No document matches. Remove a filter, or search for less."
    if not total:
        empty = f"{looked_for()} Open the folder that holds them: evalcore open FOLDER"
    return [
        *blocks,
        Table("Documents", head, rows, empty=empty, scroll=True),
        *clear(view, page),
        pager_of(view, page, total, "document"),
    ]


def _kind_chips(ws: Workspace, view: DataView) -> list[Block]:
    """Describe the filters: one for each family, and one for each kind of the chosen family."""
    found, family = kinds(ws), (view.kind or "").partition("/")[0]

    def chip(text: str, n: int, key: str, on: bool, otherwise: str | None = None) -> Chip:
        mark = "fail" if key == UNPLACED else None
        return Chip(text=text, n=n, mark=mark, on=on, link=to(view, kind=otherwise if on else key))

    sizes = {kind.family: 0 for kind in found}
    for kind in found:
        sizes[kind.family] += kind.documents
    chips = [chip(name, n, name, family == name) for name, n in sizes.items()]
    if ws.unrecognised:
        unplaced = chip(UNPLACED, len(ws.unrecognised), UNPLACED, view.kind == UNPLACED)
        chips.insert(0, unplaced)
    inner = [
        chip(kind.kind, kind.documents, kind.key, view.kind == kind.key, family)
        for kind in found
        if kind.family == family
    ]
    blocks: list[Block] = [Links("", chips)] if len(chips) > 1 else []
    return [*blocks, Links("", inner)] if inner else blocks


def kind_blocks(ws: Workspace, view: DataView) -> list[Block]:
    """Describe the kinds of all documents."""
    rows = []
    for kind in kinds(ws):
        cells = [
            Cell(kind.family, quiet=True),
            Cell(kind.kind, link=to(view, kind=kind.key), id=kind.key),
            Cell(f"{kind.documents:,}", num=True),
            Cell(f"{kind.records:,}", num=True, quiet=not kind.records),
        ]
        rows.append(Row(cells, on=view.kind == kind.key))
    if not rows:
        return []
    return [
        Heading("Recognised as", "choose a document to see its content on disk"),
        Table("Recognised as", heads("family", "document", "#files", "#items"), rows),
    ]


def documents_listing(ws: Workspace, view: DataView, problems: Problems) -> Listing:
    """Return every document that the filters keep."""
    rows = _lines(_matching(ws, view)[0], problems)
    return Listing("documents", (*_COLUMNS, "problems"), rows)


def suite_of_file(ws: Workspace, path: str | None) -> str | None:
    """Return the suite of a document; None for a file that is none."""
    documents = ws.tables.documents
    found = documents["suite"][(documents["path"] == path).to_numpy(bool)]
    return None if found.empty else str(found.iloc[0])
