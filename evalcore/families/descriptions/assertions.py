"""Read the assertions of a grading: each passed or failed, with a confidence in words."""

from typing import Final, NamedTuple

from evalcore.disk.reader import Json, Reader
from evalcore.disk.values import Node
from evalcore.families.descriptions.definitions import Case, Definitions
from evalcore.families.descriptions.documents import ASSERTION
from evalcore.shapes.judged import Items, Subject, judgment, label_of, numbered, unscored
from evalcore.shapes.remarks import About, RemarkColumns
from evalcore.shapes.restated import note_restated
from evalcore.tables.builder import Rows

ASSERTIONS: Final = Items(
    "assertions",
    "assertion",
    ASSERTION,
    words={"pass": True, "fail": False},
    spellings={"passed": True, "failed": False, "true": True, "false": False},
    defined="the text from eval_metadata.json",
)
_SCALE: Final = dict(zip(("min_score", "max_score"), ASSERTIONS.scale, strict=True))


class Outcome(NamedTuple):
    """The totals of the assertions of one grading."""

    passed: int
    judged: int

    @property
    def fraction(self) -> float | None:
        """The fraction of passing assertions; None if none was judged."""
        return self.passed / self.judged if self.judged else None


class Assertions:
    """Adds the judgments of gradings that deviate from the documented form."""

    def __init__(
        self,
        suite: str,
        reader: Reader,
        rows: Rows,
        definitions: Definitions,
        remarks: RemarkColumns,
    ) -> None:
        self.suite = suite
        self.reader = reader
        self.definitions = definitions
        self.remarks = remarks
        self._unknown: dict[tuple[str, str], str] = {}
        self._add = rows.tables["judgments"].add

    def read(
        self, path: str, items: list[Json], case: Case, about: About, subject: Subject
    ) -> Outcome:
        """Add the judgments of one grading and return their totals."""
        results: dict[str, bool | None] = {}
        for index, item in enumerate(items):
            node = Node(self.reader, path, item, f"/assertions/{index}", self.suite)
            label = label_of(node, ASSERTIONS)
            if label is None:
                continue
            name = numbered(label, results)
            note_restated(node, _SCALE)
            note = node.text("notes") or None
            row = judgment(node, ASSERTIONS, name, subject)._replace(rationale=note)
            results[name] = row.passed
            self._add(row)
            if note:
                self.remarks.note(node.path, f"{node.at}/notes", about, "assertion", note, name)
        if results.keys() != case.expected:
            self._complete(path, case, results, about, subject)
        met = sum(1 for passed in results.values() if passed)
        return Outcome(met, sum(1 for passed in results.values() if passed is not None))

    def finish(self) -> None:
        """Report once for all gradings the assertions that no test case defines."""
        for (case_id, name), path in self._unknown.items():
            self.reader.problem(
                path,
                "/assertions",
                "warning",
                "unknown-criterion",
                f"The test case {case_id!r} has no assertion {name!r}.",
                "Add it to eval_metadata.json, or write it word for word.",
                self.suite,
            )

    def _complete(
        self,
        path: str,
        case: Case,
        results: dict[str, bool | None],
        about: About,
        subject: Subject,
    ) -> None:
        """Add assertions that only this grading names, and those without a result."""
        case_id = about.case_id
        for index, name in enumerate(results):
            if name in case.expected or name in case.extra:
                continue
            if case.expected:
                self._unknown.setdefault((case_id, name), path)
            self.definitions.extend(case_id, name, path, f"/assertions/{index}")
        missing = [name for name in case.order if name not in results]
        for name in missing:
            self._add(unscored(path, "/assertions", ASSERTIONS, name, subject))
        if missing:
            self.reader.problem(
                path,
                "/assertions",
                "warning",
                "incomplete",
                f"{len(missing)} of {len(case.order)} assertions of {case_id!r} have no result: "
                f"{missing[0]!r}{' and others' if len(missing) > 1 else ''}.",
                "Grade the run again, or add the results.",
                self.suite,
            )
