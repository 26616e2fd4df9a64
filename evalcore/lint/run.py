"""The full check of a workspace: the problems found at open, and those of slower checks."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Final

import numpy as np

from evalcore.counting.cells import typed
from evalcore.counting.coded import coded
from evalcore.counting.copies import copied
from evalcore.disk.archives import ARCHIVES
from evalcore.disk.files import Files
from evalcore.disk.parsing import MISSING, parsed
from evalcore.errors import PathOutside
from evalcore.families import registry
from evalcore.families.base import ClaimedFile, Dialect, Part
from evalcore.families.linting import Known
from evalcore.hard_rules.checking import broken_rules
from evalcore.lint.syntax import NOT_A_NUMBER, findings, is_plain
from evalcore.names import spelled
from evalcore.problems import Problem, rank
from evalcore.shapes.faults import Fault, faults
from evalcore.tables.cells import cells
from evalcore.tables.rows import AnalysisRow, RunRow
from evalcore.workspace.opened import Workspace

Progress = Callable[[int, int], None]
"""Called with the number of documents looked at, and of all."""

# Evidence beside the documents: valid JSON is all that is asked of it.
_EVIDENCE: Final = frozenset({"output", "broken"})
_INDEX: Final = re.compile(r"/[0-9]+(?=/|$)")
_ITEM: Final = re.compile(r"^Item [0-9]+")


_Document = tuple[str, str, str, str | None]
"""(path, family, kind, suite)"""


class _Found:
    """The problems so far; each is kept once."""

    def __init__(self, known: list[Problem]) -> None:
        # A file that is read twice is complained of twice; what names its suite says more.
        once = {problem[:5]: problem for problem in sorted(known, key=lambda p: p.suite or "")}
        self.problems = list(once.values())
        self._codes = {(*problem[:2], problem.code) for problem in known}
        self._places = {problem[:2] for problem in known}

    def add(self, problem: Problem) -> None:
        """Add a problem unless the same is known at its place."""
        key = (problem.path, problem.pointer, problem.code)
        if key not in self._codes:
            self._codes.add(key)
            self._places.add(key[:2])
            self.problems.append(problem)

    def add_shape(self, problem: Problem) -> None:
        """Add a shape fault unless its place, or the object around it, already has a problem."""
        around = problem.pointer.rpartition("/")[0]
        places = {(problem.path, problem.pointer)}
        if around:
            places.add((problem.path, around))
        if not places & self._places:
            self.problems.append(problem)


def check(workspace: Workspace, progress: Progress | None = None) -> list[Problem]:
    """Return every problem of a workspace: found at open, then syntax, rules, shapes, hard rules.

    Errors come first, then warnings, then notes; each problem stands once. Reads every recognised
    document again, one at a time, and changes nothing. Of runs that are hidden in the workspace
    nothing is said.
    """
    found = _Found(workspace.problems)
    rows = cells(workspace.tables, "documents", "path", "family", "kind", "suite")
    # Of a path that stands there twice, the first row counts.
    once: dict[str, _Document] = {row[0]: row for row in reversed(list(rows))}
    hidden, files = workspace.hidden.tells, Files(workspace.root)
    documents = [document for path, document in reversed(once.items()) if not hidden(path)]
    shapes: list[Problem] = []
    known = Known(workspace.tables, workspace.root)
    for index, document in enumerate(documents):
        for problem in _document_problems(files, document, known, shapes):
            found.add(problem)
        if progress is not None:
            progress(index + 1, len(documents))
    for problem in _rules(workspace, documents, known):
        found.add(problem)
    for problem in shapes:
        found.add_shape(problem)
    beside = (_copies(workspace), _unfounded(workspace), _alike(workspace))
    for problem in chain(*beside, broken_rules(workspace)):
        found.add(problem)
    return sorted(found.problems, key=rank)


def _copies(workspace: Workspace) -> Iterator[Problem]:
    """Yield the runs that are copies of others, which count nowhere."""
    of = copied(workspace)
    rows = np.flatnonzero(of >= 0)
    pairs = (typed(workspace, "runs", RunRow, at) for at in (rows, of[rows]))
    for run, original in zip(*pairs, strict=True):
        yield Problem(
            run.source or "",
            "",
            "warning",
            "copied-run",
            f"Everything that run {run.run} left is the same as what run {original.run} left "
            f"({original.source}), so it is a copy and does not count.",
            "Remove the copy, or run the case again.",
            run.suite,
        )


def _unfounded(workspace: Workspace) -> Iterator[Problem]:
    """Yield the suggestions whose text is nowhere in the skill that they would change."""
    rows = np.flatnonzero(coded(workspace, "analyses", "kind").among({"suggestion"}))
    if not len(rows):
        return
    from evalcore.comparing.skill_places import unfounded  # noqa: PLC0415 - few suites have any

    for row in typed(workspace, "analyses", AnalysisRow, rows):
        said = unfounded(workspace, row)
        if said is not None:
            where = row.source or "", f"{row.pointer or ''}/before"
            hint = "Quote the text as it stands there, unless this sums it up."
            yield Problem(*where, "info", "before-not-in-skill", said, hint, row.suite)


def _alike(workspace: Workspace) -> Iterator[Problem]:
    """Yield the names of a suite that differ only in case or Unicode form, and so are two."""
    for table, column in (("versions", "version"), ("runs", "configuration"), ("cases", "case_id")):
        sources: dict[tuple[str, str], str | None] = {}
        for suite, name, source in cells(workspace.tables, table, "suite", column, "source"):
            if name is not None and " " not in name:  # a sentence is no name
                sources.setdefault((suite, name), source)
        firsts: dict[tuple[str, str], str] = {}
        for (suite, name), source in sources.items():
            first = firsts.setdefault((suite, spelled(name)), name)
            if first != name:
                yield Problem(
                    source or "",
                    "",
                    "warning",
                    "names-alike",
                    f"{first!r} and {name!r} differ only in case or Unicode form, and are read as "
                    f"two {'configurations' if column == 'configuration' else table}.",
                    "Spell both the same way, also in the names of folders.",
                    suite,
                )


def _document_problems(
    files: Files, document: _Document, known: Known, shapes: list[Problem]
) -> Iterator[Problem]:
    """Yield the syntax and rule problems of one document; add shape faults to `shapes`."""
    path, name, kind, suite = document
    if path.endswith(ARCHIVES):
        return  # its entries are read by the family, which says what is wrong with them
    try:
        data = files.read(path)
    except (OSError, PathOutside):
        # Opening has said so; a file that went away since then is nobody's fault.
        return
    texts = [("", data)]
    if path.endswith(".jsonl"):
        lines = enumerate(data.split(b"\n"))
        texts = [(f"/{index}", line) for index, line in lines if line.strip()]
    for at, part in texts:
        value, fault = parsed(part)
        if value is MISSING:
            continue
        dialect = registry.dialect(name)
        if fault is not None or not is_plain(part, value):
            for where, code, message, hint in findings(part):
                if not (code == NOT_A_NUMBER and dialect.documents().nan):
                    yield Problem(path, at + where, "warning", code, message, hint, suite)
        if kind not in _EVIDENCE:
            rules = dialect.rules()
            if rules is not None:
                yield from rules.of_document(path, kind, value, suite, known)
            inside = dialect.documents().inside(path, kind, value)
            parts = [(of, at + inner, part) for of, inner, part in inside]
            shapes.extend(_shape_problems(path, suite, dialect, parts))


def _shape_problems(
    path: str, suite: str | None, dialect: Dialect, parts: Iterable[Part]
) -> Iterator[Problem]:
    """Yield one problem for each kind of deviation in the documents of a file."""
    documents = dialect.documents()
    own = {each.kind: each for each in documents.kinds}
    shared = {each.kind: each for each in documents.shared}
    for kind, at, value in parts:
        known = own.get(kind) or shared.get(kind)
        if known is None:
            continue
        loose = documents.loose or kind not in own
        # Faults that differ by an index only are told once.
        alike: dict[tuple[str, str], list[Fault]] = {}
        for fault in faults(known, value):
            text = _ITEM.sub("Item", fault.message.partition(", but is")[0])
            alike.setdefault((_INDEX.sub("/*", fault.pointer), text), []).append(fault)
        for fault, *others in alike.values():
            more = len(others)
            also = f" {more} more places like this one." if more > 1 else ""
            also = " One more place is like this one." if more == 1 else also
            # Stores write lists as text, and the reader takes them so.
            noted = loose or 'must be a list, but is "[' in fault.message
            yield Problem(
                path,
                at + fault.pointer,
                "info" if noted else "warning",
                "not-as-documented",
                fault.message + also,
                known.hint,
                suite,
            )


def _rules(workspace: Workspace, documents: list[_Document], known: Known) -> Iterator[Problem]:
    """Yield the rule problems of the rows of suites, and of what they are read again for."""
    of: dict[tuple[str | None, str], list[ClaimedFile]] = defaultdict(list)
    for path, family, kind, suite in documents:
        of[suite, family].append((path, kind))
    for suite, name in cells(workspace.tables, "suites", "suite", "family"):
        rules = registry.family(name).rules()
        # What is read again may be of hidden runs.
        again = None if suite in workspace.hidden.suites else of[suite, name]
        yield from rules.of_suite(suite, again, known) if rules is not None else ()
