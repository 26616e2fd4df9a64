"""What standard gradings say beside their scores, to the rows that `remarks` gives."""

from functools import lru_cache
from typing import Final

from evalcore.families.iterations.remarks import NOTES
from evalcore.families.iterations.runs import Desk, Place
from evalcore.families.iterations.standard import Feedback, Grading
from evalcore.problems import pointer
from evalcore.tables.builder import Same

_NOTES: Final = "/user_notes_summary"
_FEEDBACK: Final = "/eval_feedback"


_Rows = list[tuple[str | bool | None, ...]]

_COLUMNS: Final = {
    "claims": ("run_id", "claim", "type", "verified", "evidence", "source", "pointer"),
    "notes": ("run_id", "version", "kind", "text", "source", "pointer"),
    "feedback": ("run_id", "version", "case_id", "kind", "target", "text", "source", "pointer"),
}


class Said:
    """Takes down claims, notes and feedback of many gradings; they reach the tables by `flush`."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._claims: _Rows = []
        self._notes: _Rows = []
        self._feedback: _Rows = []

    def add(self, key: str, place: Place, path: str, grading: Grading) -> None:
        """Take down what one grading says."""
        version = place.at.version
        for index, told in enumerate(grading.claims or ()):
            self._claims.append(
                (key, told.claim, told.type, told.verified, told.evidence, path, f"/claims/{index}")
            )
        notes = grading.user_notes_summary
        if isinstance(notes, dict):
            for kind, texts in notes.items():
                for index, text in enumerate(texts):
                    self._notes.append(
                        (key, version, NOTES.get(kind, kind), text, path, _of_note(kind, index))
                    )
        elif notes:
            self._notes.append((key, version, "user_notes", notes, path, _NOTES))
        about = (key, version, place.case.case_id)
        for remark in _remarks(grading.eval_feedback) if grading.eval_feedback else ():
            self._feedback.append((*about, *remark[:3], path, remark[3]))

    def flush(self) -> None:
        """Move what was taken down into the tables."""
        kept = {"claims": self._claims, "notes": self._notes, "feedback": self._feedback}
        for name, rows in kept.items():
            if rows:
                table = self.desk.rows.tables[name]
                told = zip(_COLUMNS[name], zip(*rows, strict=True), strict=True)
                suite = {"suite": Same(self.desk.suite)} if "suite" in table.columns else {}
                table.extend(len(rows), {**suite, **dict(told)})
                rows.clear()


@lru_cache(maxsize=256)
def _of_note(kind: str, index: int) -> str:
    return f"{_NOTES}{pointer(kind)}/{index}"


def _remarks(told: Feedback | str) -> list[tuple[str, str | None, str, str]]:
    """Return kind, target, text and pointer of all that is said about the evals."""
    if isinstance(told, str):
        return [("overall", None, told, _FEEDBACK)]
    said: list[tuple[str, str | None, str, str]] = []
    if told.overall:
        said.append(("overall", None, told.overall, f"{_FEEDBACK}/overall"))
    for index, each in enumerate(told.suggestions):
        target, text = (None, each) if isinstance(each, str) else (each.assertion, each.reason)
        if text:
            said.append(("suggestion", target, text, f"{_FEEDBACK}/suggestions/{index}"))
    return said
