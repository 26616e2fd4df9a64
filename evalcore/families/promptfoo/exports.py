"""Find promptfoo's exports by content, and read each into results of one form."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from json import dumps
from typing import Any, Final, NamedTuple

import orjson

from evalcore.disk.reader import Json, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Loose, Plan
from evalcore.layouts.order import natural
from evalcore.layouts.shapes import Document

NAME: Final = "promptfoo"
EXPORT, TABLE, LINES = "promptfoo_export", "promptfoo_table", "promptfoo_lines"
"""The kinds of files: of version 3, of version 2, and one result a line."""
MOST: Final = 200_000
"""So many results of one file are read at most."""
LONGEST: Final = 60
TOO_DEEP: Final = "(nested too deeply to show here; see the raw document)"
_SUMMARY: Final = frozenset({"version", "timestamp", "stats"})
_LINE: Final = frozenset({"promptIdx", "testIdx", "success"})
_NUMBERED: Final = re.compile(r"[-_. ]*\d[\dTZ:_.-]*$")

Test = tuple[str, int]
"""A test case: its description with its variables, and its place among those that have the same."""


class Result(NamedTuple):
    """One output: its record, its test case with the variables, and the places of both."""

    node: Node
    test: Node
    variables: dict[str, Any]
    row: int
    column: int


@dataclass
class Export:
    """One file of results: `root` is the file, `summary` the object with the results."""

    path: str
    kind: str
    root: Node
    summary: Node
    results: list[Result]
    more: int = 0
    repeats: str | None = field(default=None, init=False)

    @cached_property
    def description(self) -> str:
        """What its configuration is called, else nothing."""
        text = self.root.child("config").get("description")
        return " ".join(text.split()) if isinstance(text, str) else ""

    @cached_property
    def eval_id(self) -> str | None:
        """The id of the evaluation that it was exported from."""
        found = self.root.get("evalId")
        return found if isinstance(found, str) and found else None

    @cached_property
    def created_at(self) -> datetime | None:
        """When the evaluation was made, as far as the export says it."""
        made = self.root.child("metadata").time("evaluationCreatedAt")
        return made or self.summary.time("timestamp")

    @cached_property
    def prompts(self) -> dict[int, Node]:
        """The prompt of each column, for one provider, in order."""
        head = self.summary.child("table").child("head")
        listed = head if self.kind == TABLE else self.summary
        if isinstance(listed.get("prompts"), list):
            return dict(enumerate(listed.items("prompts")))
        first = {result.column: result.node for result in reversed(self.results)}
        return {column: first[column].child("prompt") for column in sorted(first)}

    @cached_property
    def tests(self) -> dict[Test, list[Result]]:
        """The results of each test case by column, under what tells it in other exports too.

        That is its description with its variables, and its place among those of the same ones that
        assert something else. What is repeated differs in nothing.
        """
        asserted: dict[str, dict[str, int]] = {}
        found: dict[Test, list[Result]] = {}
        for result in sorted(self.results, key=lambda each: (each.row, each.column)):
            asked = as_text([result.test.get("description"), result.variables])
            known = asserted.setdefault(asked, {})
            number = known.setdefault(as_text(result.test.get("assert")), len(known))
            found.setdefault((asked, number), []).append(result)
        return found


def as_text(value: Json) -> str:
    """Return any JSON value as text in which equal values are equal."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except (TypeError, UnicodeError):
        pass  # deeper, or larger in its numbers, than the fast writer goes
    try:
        return dumps(value, sort_keys=True)
    except RecursionError:
        return TOO_DEEP


def short(text: str, most: int = LONGEST) -> str:
    """Return a text on one line, cut where it is long."""
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def find(reader: Reader, loose: Loose) -> list[Plan]:
    """Return one plan for each configuration in a folder, with its exports as versions.

    Exports that describe their configuration alike belong together. One without a description
    joins the suite in its folder of which it has half of the test cases of the smaller one.
    """
    read = (_export(reader, path, loose[path]) for path in sorted(loose, key=natural))
    found = [export for export in read if export is not None]
    _mark_repeated(found)
    suites: dict[tuple[str, str], list[Export]] = {}
    asking: dict[tuple[str, Test], str] = {}
    sizes: dict[tuple[str, str], int] = {}
    for export in sorted(found, key=lambda each: not each.description):
        folder, _, file = export.path.rpartition("/")
        name = export.description
        if not name:
            shared = Counter(asking.get((folder, test), "") for test in export.tests)
            shared.pop("", None)
            for other, count in shared.most_common(1):
                fewer = min(len(export.tests), sizes[folder, other])
                name = other if 2 * count >= fewer else ""
        if not name:
            stem = file.rpartition(".")[0]
            name = _NUMBERED.sub("", stem) or stem
            name = stem if (folder, name) in suites else name
        suites.setdefault((folder, name), []).append(export)
        size = sizes.get((folder, name), len(export.tests))
        sizes[folder, name] = min(size, len(export.tests))
        for test in export.tests:
            asking.setdefault((folder, test), name)
    plans = []
    for (folder, name), own in suites.items():
        suite = f"{folder}/{short(name.replace('/', '-'))}".lstrip("/")
        files = tuple((export.path, export.kind) for export in own)
        plans.append(Plan(suite, NAME, folder, None, files, {each.path: each for each in own}))
    return sorted(plans, key=lambda plan: plan.suite)


def _export(reader: Reader, path: str, document: Document) -> Export | None:
    """Return the export in a file, if it is one; a look at two fields says so."""
    root = Node(reader, path, document.value)
    if isinstance(document.value, list):
        first = document.value[0] if document.value else None
        if not isinstance(first, dict) or not first.keys() >= _LINE:
            return None
        results = list(_listed(root))
        return Export(path, LINES, root, root, results[:MOST], max(len(results) - MOST, 0))
    inner = document.fields.get("results")
    if not isinstance(inner, dict):
        summary = root if isinstance(inner, list) and document.fields.keys() >= _SUMMARY else None
    else:
        summary = root.child("results") if {"version", "stats"} & inner.keys() else None
    if summary is None:
        return None
    table = summary.get("table")
    if isinstance(table, dict) and isinstance(table.get("body"), list):
        kind, results = TABLE, list(_in_table(summary.child("table")))
    elif isinstance(summary.get("results"), list):
        kind, results = EXPORT, list(_listed(summary.child("results")))
    else:
        return None
    return Export(path, kind, root, summary, results[:MOST], max(len(results) - MOST, 0))


def _listed(results: Node) -> Iterator[Result]:
    """Yield the results of a list."""
    for at, node in enumerate(results.items()):
        test = node.child("testCase")
        held = next((e for e in (test.get("vars"), node.get("vars")) if isinstance(e, dict)), {})
        row, column = node.get("testIdx"), node.get("promptIdx")
        places = (row if type(row) is int else at, column if type(column) is int else 0)
        yield Result(node, test, held, *places)


def _in_table(table: Node) -> Iterator[Result]:
    """Yield the results of a table, row by row."""
    names = [text for text, _ in table.child("head").texts("vars")]
    for row, line in enumerate(table.items("body")):
        test, own, values = line.child("test"), line.child("test").get("vars"), line.get("vars")
        pairs = zip(names, values, strict=False) if isinstance(values, list) else ()
        held = own if isinstance(own, dict) else dict(pairs)
        for column, node in enumerate(line.items("outputs")):
            yield Result(node, test, held, row, column)


def _mark_repeated(found: list[Export]) -> None:
    """Mark the exports of an evaluation that a later one exports again, or that lists its results.

    Lines of JSON name no evaluation, and are told by the ids of their results.
    """
    by_id: dict[str, Export] = {}

    def exported_at(export: Export) -> str:
        return str(export.root.child("metadata").get("exportedAt") or "")

    for export in sorted(found, key=exported_at, reverse=True):
        if export.eval_id is not None:
            first = by_id.setdefault(export.eval_id, export)
            export.repeats = first.path if first is not export else None
    of_result: dict[str, str] = {}
    for export in sorted(found, key=lambda each: each.kind == LINES):
        ids = [each.node.get("id") for each in export.results]
        known = [each for each in ids if isinstance(each, str) and each]
        if export.kind == LINES and known and known[0] in of_result:
            export.repeats = of_result[known[0]]
        elif export.repeats is None:
            of_result |= dict.fromkeys(known, export.path)
