"""What a person wrote about the runs: feedback.json, as a list of reviews or as a map."""

from collections import defaultdict
from typing import Final

from evalcore.disk.values import Node
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.measures import moment
from evalcore.families.iterations.runs import Facts
from evalcore.layouts.iterations import CURRENT, NONE, gathered, version_of
from evalcore.names import slashed
from evalcore.tables.builder import Rows
from evalcore.tables.rows import FeedbackRow, NoteRow

TARGETS: Final = ("run_id", "run", "eval_id", "eval", "eval_name", "case_id", "id", "name")
TEXTS: Final = ("feedback", "comment", "comments", "text", "review")
AUTHORS: Final = ("author", "reviewer", "user")
TIMES: Final = ("timestamp", "created_at", "reviewed_at")
NOTES: Final = ("notes", "note", "summary")
DONE: Final = ("complete", "completed", "done", "submitted")
BESIDE: Final = frozenset(("status", "reviews", *TIMES, *NOTES, *AUTHORS))


class Reviews:
    """Reads the feedback of one suite, and finds the runs that it speaks of."""

    def __init__(self, suite: str, rows: Rows, facts: list[Facts], cases: Cases | None) -> None:
        self.suite = suite
        self.rows = rows
        self._by_path: dict[tuple[str | None, str], list[Facts]] = defaultdict(list)
        """Version and path below it, with - for /, as the viewer calls runs, to those there."""
        self._by_name: dict[tuple[str, str], dict[str, Facts]] = defaultdict(dict)
        """Version and viewer's id to the runs that it may mean: that of a folder, all below it."""
        for fact in facts:
            if fact.path:
                version = None if fact.version == CURRENT else fact.version
                self._by_path[version, fact.path.replace("/", "-")].append(fact)
            run = fact.run_id.rpartition("#")[2]
            for name in _names(fact, cases):
                side = name if fact.configuration == NONE else f"{name}-{fact.configuration}"
                for words in (name, side, f"{side}-run-{run}", f"{name}-run-{run}"):
                    self._by_name[fact.version, words][fact.run_id] = fact
                    self._by_name["", f"{fact.version}-{words}"][fact.run_id] = fact

    def read(self, node: Node) -> None:
        """Add a reviewer's words: `{reviews: [...]}`, a bare list, or a map of eval to text."""
        if isinstance(node.value, list) or isinstance(node.get("reviews"), list):
            done = str(node.get("status")).strip().lower() in DONE
            for item in node.items("reviews" if isinstance(node.value, dict) else None):
                self._review(item, _first(item, TARGETS), item, done=done)
        elif isinstance(node.value, dict):
            for name, inner in node.fields():
                if name not in BESIDE and isinstance(inner.value, (str, dict)):
                    self._review(node, name, inner, done=False, of_eval=True)
        else:
            node.type_problem("an object")
        for name in NOTES:
            for text, at in node.texts(name) if isinstance(node.get(name), (str, list)) else ():
                self.rows.add(
                    NoteRow(
                        suite=self.suite,
                        version=version_of(node.path),
                        kind="feedback",
                        text=text,
                        source=node.path,
                        pointer=at,
                    )
                )

    def _review(
        self, item: Node, target: str | None, at: Node, *, done: bool, of_eval: bool = False
    ) -> None:
        """Add one review; a blank one of a complete document says that nothing was found.

        One that is `of_eval` may be of all runs of an eval, as the open standard has it.
        """
        text = at.value if isinstance(at.value, str) else _first(at, TEXTS)
        blank = not text or not text.strip()
        if blank and not done:
            return
        version = version_of(at.path)
        found = self._runs(version, target or "")
        fact = found[0] if len(found) == 1 else None
        cases = {one.case_id for one in found}
        case_id = next(iter(cases)) if len(cases) == 1 else None
        if len(found) > 1 and not (of_eval and case_id is not None):
            at.note(
                "info",
                "review-of-several",
                f"{target!r} could be any of {len(found)} runs; the review is shown with their "
                "case or version.",
                "Write the path of one run below the iteration, with - instead of /.",
            )
        elif not found:
            at.note(
                "info",
                "review-without-run",
                f"No run is called {target!r}; the review is shown with its version.",
                "Write the path of the run below the iteration, with - instead of /.",
            )
        created = next((m for key in TIMES if (m := moment(item.get(key))) is not None), None)
        self.rows.add(
            FeedbackRow(
                suite=self.suite,
                run_id=fact.run_id if fact else None,
                case_id=case_id,
                version=version,
                kind="review",
                target=target,
                text=None if blank else text,
                author=_first(item, AUTHORS),
                created_at=created,
                source=at.path,
                pointer=at.at,
            )
        )

    def _runs(self, version: str | None, target: str) -> list[Facts]:
        """Return the runs that a viewer's id may mean: a path with `/` as `-`."""
        wanted = slashed(target.strip()).replace("/", "-")
        if (exact := self._by_path.get((version, wanted))) is not None:
            return exact
        found = self._by_name.get((version or "", wanted))
        if found or version is not None:
            return list((found or {}).values())
        every = [runs for (_, name), runs in self._by_name.items() if name == wanted]
        return [fact for runs in every for fact in runs.values()]


def _names(fact: Facts, cases: Cases | None) -> set[str]:
    """Return the names by which a viewer may call a run's eval: its folder's, above all."""
    names = {fact.case_id}
    if cases is not None:
        names.update(cases.ids_in(fact.version, fact.case_id))
        case = cases.by_id.get(fact.case_id)
        names.update([case.name] if case is not None and case.name else [])
    names |= {f"eval-{name}" for name in names}
    for folder in cases.folders.get(fact.case_id, []) if cases is not None else ():
        if fact.version in folder.split("/") or gathered(folder) is None:
            names.add(folder.rpartition("/")[2])
    return {name for name in names if name}


def _first(node: Node, keys: tuple[str, ...]) -> str | None:
    for key in keys:
        value = node.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return None
