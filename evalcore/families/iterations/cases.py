"""The cases of a suite: defined in evals.json, in eval_metadata.json, or only met in a grading."""

import re
from typing import Any, NamedTuple

import orjson

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.layouts.iterations import RunPlace, folder_words
from evalcore.tables.builder import Rows
from evalcore.tables.rows import CaseRow, CriterionRow

WORD = re.compile(r"\w+")
ANCHORED = (1.0, 5.0)
ALIKE = 40
SHORT = 16


class Dimension(NamedTuple):
    """One dimension of a quality rubric."""

    name: str
    weight: float


class Criterion(NamedTuple):
    """What is checked, as a document defines it or a grading names it."""

    kind: str
    name: str
    description: str | None = None
    critical: bool | None = None
    weight: float | None = None
    scale: tuple[float, float] = (0.0, 1.0)
    guide: str | None = None


class Case:
    """One test case with the criteria it has so far."""

    def __init__(self, case_id: str, name: str | None, prompt: str | None) -> None:
        self.case_id = case_id
        self.name = name
        self.prompt = prompt
        self.expected: str | None = None
        self.tags: list[str] = []
        self.files: list[str] = []
        self.source: str | None = None
        self.pointer = ""
        self.defined = False
        self.dimensions: dict[str, Dimension] = {}
        self.criteria: dict[tuple[str, str], CriterionRow] = {}
        self.alias: dict[str, str] = {}
        self.critical: dict[str, bool] = {}
        self.structural_ids: dict[str, int] = {}

    def known_as(self, kind: str, text: str) -> str:
        """Return the defined wording of a criterion that a judge shortened or touched up.

        What begins alike for 40 letters, or is the beginning of the other, is taken for the same;
        where none or several do, `text` stands for itself.
        """
        known = text
        if (kind, text) not in self.criteria and len(text) >= SHORT:
            start = text[:ALIKE].casefold()
            near = [
                name
                for other, name in self.criteria
                if other == kind and name[: len(start)].casefold() == start
            ]
            known = near[0] if len(near) == 1 else text
        self.alias[text] = known
        return known

    def add(self, suite: str, known: Criterion, source: str, pointer: str) -> None:
        """Add a criterion unless it is there already."""
        kind, name = known.kind, known.name
        if (kind, name) not in self.criteria:
            low, high = known.scale
            self.criteria[kind, name] = CriterionRow(
                suite, self.case_id, kind, name, known.description, None, known.critical,
                known.weight, low, high, None if kind == "rubric" else 1.0, known.guide, None,
                source, pointer,
            )  # fmt: skip


class Cases:
    """The cases of one suite; finds the case that an eval folder means."""

    def __init__(self, plan: Plan, reader: Reader) -> None:
        self.suite = plan.suite
        self.reader = reader
        self.by_id: dict[str, Case] = {}
        self.config = Node(reader, "", {})
        self.skill_name: str | None = None
        self._by_folder: dict[str, Case] = {}
        self._by_number: dict[tuple[str, str], Case | None] = {}
        self._metadata = {path.rpartition("/")[0]: path for path in plan.of("eval_metadata")}
        for path in plan.of("evals"):
            self._define(path)

    def _define(self, path: str) -> None:
        value = self.reader.json(path)
        if value is MISSING:
            return
        root = Node(self.reader, path, value, suite=self.suite)
        self.config = root.child("eval_config")
        self.skill_name = root.text("skill_name") if isinstance(value, dict) else None
        for item in root.items("evals" if isinstance(value, dict) else None):
            number = item.text("id")
            case_id = number if number is not None else (item.text("name") or str(len(self.by_id)))
            if case_id in self.by_id:
                item.note(
                    "warning",
                    "duplicate-id",
                    f"The id {case_id!r} is used twice; the first is kept.",
                    "Give each eval an id of its own.",
                    "id",
                )
                continue
            case = Case(case_id, item.text("name") or item.text("eval_name"), item.text("prompt"))
            case.defined = True
            self.by_id[case_id] = case
            self._fill(case, item)

    def _fill(self, case: Case, item: Node) -> None:
        """Take a case's own fields and its criteria of all three kinds."""
        case.source, case.pointer = item.path, item.at
        case.expected = item.text("expected_output") or case.expected
        case.files = [text for text, _ in item.texts("files")] or case.files
        case.tags = [text for text, _ in item.texts("tags")] or case.tags
        for key in ("expectations", "assertions"):
            for node in item.all_items(key) if isinstance(item.get(key), list) else ():
                self._expectation(case, node)
        for node in item.items("structural_expectations"):
            self._structural(case, node)
        for node in item.child("quality_rubric").items("dimensions"):
            self._dimension(case, node)

    def _expectation(self, case: Case, node: Node) -> None:
        text, label = node.value, None
        if isinstance(node.value, dict):
            text = next(
                (node.get(k) for k in ("text", "description", "name", "id") if node.get(k)), None
            )
            label = node.get("id") or node.get("name")
        if not isinstance(text, str):
            node.wrong_here("a text, or an object with a text")
            return
        if isinstance(label, str):
            case.alias[label] = text
        case.add(self.suite, Criterion("expectation", text, text), node.path, node.at)

    def _structural(self, case: Case, node: Node) -> None:
        told = node.text("id") or node.text("description") or f"S{len(case.critical) + 1}"
        name = numbered(told, case.structural_ids)
        critical = node.flag("critical")
        case.critical[name] = bool(critical)
        rule = {k: v for k, v in node.value.items() if k not in ("id", "description", "critical")}
        known = Criterion("structural", name, node.text("description"), critical, guide=_json(rule))
        case.add(self.suite, known, node.path, node.at)

    def _dimension(self, case: Case, node: Node) -> None:
        name = node.text("name") or node.text("id")
        if name is None:
            node.note(
                "warning",
                "no-name",
                "This dimension has neither a name nor an id.",
                "Give it a name.",
            )
            return
        weight = node.number("weight")
        case.dimensions[name] = Dimension(name, 1.0 if weight is None else weight)
        anchors = node.get("scoring")
        guide = _json(anchors) if isinstance(anchors, dict) else None
        described = node.text("description")
        known = Criterion("rubric", name, described, None, weight, ANCHORED, guide)
        case.add(self.suite, known, node.path, node.at)

    def at(self, place: RunPlace, grading: Any) -> Case:
        """Return the case that a run's eval folder means, making one when none is defined."""
        folder = place.eval_folder
        case = self._by_folder.get(folder)
        if case is None:
            case = self._by_folder[folder] = self._find(place, grading)
        return case

    def numbered(self, version: str, eval_id: Any) -> Case | None:
        """Return the case that a version's own folders give this eval id, when it is one case."""
        return self._by_number.get((version, str(eval_id)))

    def _remember(self, version: str, eval_id: str, case: Case) -> None:
        known = self._by_number.setdefault((version, eval_id), case)
        if known is not case:
            self._by_number[version, eval_id] = None

    def _find(self, place: RunPlace, grading: Any) -> Case:
        meta = self._meta(place)
        number, words = folder_words(place.eval_folder)
        own = grading.get("eval_id") if isinstance(grading, dict) else None
        wanted = next(
            (str(v) for v in (meta.get("eval_id"), number, own) if isinstance(v, (str, int))), None
        )
        name = meta.text("eval_name") or words
        prompt = meta.text("prompt")
        case = self._known(wanted, name, prompt)
        if case is None:
            key = (
                name
                if number is not None and words == place.eval_folder.rpartition("/")[2]
                else words
            )
            case = self._new(key, name, prompt)
        if wanted is not None:
            self._remember(place.version, wanted, case)
        if case.source is None and isinstance(meta.value, dict):
            case.source, case.pointer = meta.path, ""
        case.prompt = case.prompt or prompt
        case.name = case.name or name
        if isinstance(meta.value, dict):
            self._fill_missing(case, meta)
        return case

    def _known(self, wanted: str | None, name: str, prompt: str | None) -> Case | None:
        case = self.by_id.get(wanted) if wanted is not None else None
        if case is not None and case.defined and _same(case, name, prompt):
            return case
        for case in self.by_id.values():
            if case.defined and (
                (case.name or case.case_id) == name or (prompt and case.prompt == prompt)
            ):
                return case
        return None

    def _new(self, key: str, name: str, prompt: str | None) -> Case:
        """Return the undefined case of this folder name, the same in every iteration."""
        case = self.by_id.get(key)
        if case is None or case.defined:
            key = key if case is None else f"{key} (folder)"
            case = self.by_id.setdefault(key, Case(key, name, prompt))
        return case

    def _meta(self, place: RunPlace) -> Node:
        for folder in (place.eval_folder, place.configuration_folder, place.folder):
            path = self._metadata.get(folder)
            value = self.reader.json(path) if path is not None else MISSING
            if path is not None and value is not MISSING:
                return Node(self.reader, path, value, suite=self.suite)
        return Node(self.reader, place.eval_folder, None)

    def _fill_missing(self, case: Case, meta: Node) -> None:
        """Take from a run's own metadata what evals.json does not say."""
        if not case.defined:
            self._fill(case, meta)
            return
        for key in ("expectations", "assertions"):
            for node in meta.all_items(key) if isinstance(meta.get(key), list) else ():
                if isinstance(node.value, dict) and isinstance(node.get("id"), str):
                    case.alias.setdefault(node.get("id"), node.get("text") or node.get("id"))

    def emit(self, rows: Rows) -> None:
        """Add the rows of all cases and their criteria."""
        for case in self.by_id.values():
            rows.add(
                CaseRow(self.suite, case.case_id, case.name, case.prompt, case.expected,
                        _json(case.tags), None, "active", _json(case.files), case.source,
                        case.pointer)
            )  # fmt: skip
            for position, row in enumerate(case.criteria.values()):
                rows.add(row._replace(position=position))


def _json(value: Any) -> str:
    """Return a value as JSON text; what is nested too deeply for that as an empty object."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return "{}"


def _same(case: Case, name: str, prompt: str | None) -> bool:
    """Say whether a folder with the id of `case` means it: ids are used anew for other tasks."""
    if not prompt or not case.prompt or prompt == case.prompt:
        return True
    if case.name and case.name == name:
        return True
    one, two = set(WORD.findall(prompt.lower())), set(WORD.findall(case.prompt.lower()))
    return len(one & two) >= 0.5 * min(len(one), len(two), 40)


def numbered(name: str, seen: dict[str, int]) -> str:
    """Return `name`, or `name#2` and so on where it was met before; `seen` counts."""
    seen[name] = seen.get(name, 0) + 1
    return name if seen[name] == 1 else f"{name}#{seen[name]}"
