"""Read convention_compliance: the five fixed conventions of skill writing, kept or not."""

from evalcore.disk.reader import Json, Reader
from evalcore.disk.values import Node
from evalcore.families.improve.definitions import CONVENTIONS, Definitions
from evalcore.problems import pointer
from evalcore.tables.builder import Rows
from evalcore.tables.rows import JudgmentRow

_POINTERS = {key: f"/convention_compliance/{key}" for key in CONVENTIONS}


class Conventions:
    """Adds the judgments of the conventions of every grading of one suite."""

    def __init__(self, suite: str, reader: Reader, rows: Rows, definitions: Definitions) -> None:
        self.suite = suite
        self.reader = reader
        self.definitions = definitions
        self._unknown: dict[str, str] = {}
        self._add = rows.tables["judgments"].add

    def read(self, path: str, value: Json, case_id: str, key: str) -> None:
        """Add one judgment for each convention of one grading."""
        if type(value) is not dict:
            Node(self.reader, path, value, "/convention_compliance", self.suite).wrong_here(
                "an object"
            )
            return
        add = self._add
        make = tuple.__new__
        for name, item in value.items():
            at = _POINTERS.get(name)
            if at is not None and type(item) is dict:
                passed, details = item.get("passed"), item.get("details")
                if type(passed) is bool and type(details) is str:
                    score = 1.0 if passed else 0.0
                    add(
                        make(
                            JudgmentRow,
                            (key, "convention", name, None, "llm", score, 0, 1, score, passed,
                             None, None, None, "scored", path, at, details or None, None),
                        )
                    )  # fmt: skip
                    continue
            self._odd(path, name, item, case_id, key)
        if len(value) < len(CONVENTIONS):
            for name in CONVENTIONS.keys() - value.keys():
                add(_unscored(key, name, path, "/convention_compliance", None))

    def finish(self) -> None:
        """Say once for all gradings which conventions are none of the five."""
        for name, path in self._unknown.items():
            self.reader.problem(
                path, "/convention_compliance" + pointer(name), "warning", "unknown-convention",
                f"{name!r} is none of the five conventions; it is kept beside them.",
                f"The five are {', '.join(CONVENTIONS)}.", self.suite,
            )  # fmt: skip

    def _odd(self, path: str, name: str, item: Json, case_id: str, key: str) -> None:
        """Add a convention that is none of the five, or not quite as it should be."""
        if name not in CONVENTIONS:
            self._unknown.setdefault(name, path)
            self.definitions.conventions(case_id, {name: None}, path)
        at = "/convention_compliance" + pointer(name)
        node = Node(self.reader, path, item, at, self.suite)
        if isinstance(item, bool):
            node = Node(self.reader, path, {"passed": item}, at, self.suite)
        elif not isinstance(item, dict):
            if item is not None:
                node.wrong_here("an object")
            self._add(_unscored(key, name, path, at, None))
            return
        passed, details = node.flag("passed"), node.text("details") or None
        if passed is None:
            self._add(_unscored(key, name, path, at, details))
            return
        score = float(passed)
        self._add(
            JudgmentRow(key, "convention", name, None, "llm", score, 0, 1, score, passed, None,
                        None, None, "scored", path, at, details, None)
        )  # fmt: skip


def _unscored(key: str, name: str, path: str, at: str, details: str | None) -> JudgmentRow:
    return JudgmentRow(key, "convention", name, None, "llm", None, 0, 1, None, None, None, None,
                       None, "unscored", path, at, details, None)  # fmt: skip
