"""What a person wrote about the runs: feedback.json, as a list of reviews or as a map."""

from collections import defaultdict
from typing import Final

from evalcore.disk.values import Node
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.measures import moment
from evalcore.families.iterations.runs import Facts
from evalcore.layouts.iterations import CURRENT, NONE, container_of, gathered
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
        self._exact = _by_path(facts)
        self._ids = _viewer_ids(facts, cases)

    def read(self, node: Node) -> None:
        """Add a reviewer's words: `{reviews: [...]}`, a bare list, or a map of eval to text."""
        if isinstance(node.value, list) or isinstance(node.get("reviews"), list):
            done = str(node.get("status")).strip().lower() in DONE
            for item in node.items("reviews" if isinstance(node.value, dict) else None):
                self._review(item, _first(item, TARGETS), item, done=done)
        elif isinstance(node.value, dict):
            for name, inner in node.fields():
                if name not in BESIDE and isinstance(inner.value, (str, dict)):
                    self._review(node, name, inner, done=False)
        else:
            node.type_problem("an object")
        self._notes(node)

    def _notes(self, node: Node) -> None:
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

    def _review(self, item: Node, target: str | None, at: Node, *, done: bool) -> None:
        """Add one review; a blank one of a complete document says that nothing was found."""
        text = at.value if isinstance(at.value, str) else _first(at, TEXTS)
        blank = not text or not text.strip()
        if blank and not done:
            return
        version = version_of(at.path)
        found = self._runs(version, target or "")
        fact = found[0] if len(found) == 1 else None
        cases = {one.case_id for one in found}
        case_id = next(iter(cases)) if len(cases) == 1 else None
        if fact is None:
            _unsure(at, target, len(found))
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
        wanted = target.strip().replace("/", "-")
        if (exact := self._exact.get((version, wanted))) is not None:
            return exact
        if version is not None:
            return self._ids.get((version, wanted), [])
        whole = self._ids.get(("", wanted), [])
        return whole or [
            fact for (_, name), facts in self._ids.items() if name == wanted for fact in facts
        ]


def _unsure(at: Node, target: str | None, found: int) -> None:
    """Note a review whose run is not told by its id."""
    if found:
        at.note(
            "info",
            "review-of-several",
            f"{target!r} could be any of {found} runs; the review is shown with their case or "
            "version.",
            "Write the path of one run below the iteration, with - instead of /.",
        )
    else:
        at.note(
            "info",
            "review-without-run",
            f"No run is called {target!r}; the review is shown with its version.",
            "Write the path of the run below the iteration, with - instead of /.",
        )


def _by_path(facts: list[Facts]) -> dict[tuple[str | None, str], list[Facts]]:
    """Return (version, path below it with - for /) to the runs there, as the viewer calls them."""
    found: dict[tuple[str | None, str], list[Facts]] = defaultdict(list)
    for fact in facts:
        if fact.path:
            version = None if fact.version == CURRENT else fact.version
            found[version, fact.path.replace("/", "-")].append(fact)
    return found


def _viewer_ids(facts: list[Facts], cases: Cases | None) -> dict[tuple[str, str], list[Facts]]:
    """Return (version, viewer's id) to the runs that it may mean.

    The id of a run's eval or configuration folder means every run below it.
    """
    found: dict[tuple[str, str], dict[str, Facts]] = defaultdict(dict)
    for fact in facts:
        run = fact.run_id.rpartition("#")[2]
        for name in _names(fact, cases):
            side = name if fact.configuration == NONE else f"{name}-{fact.configuration}"
            for words in (name, side, f"{side}-run-{run}", f"{name}-run-{run}"):
                found[fact.version, words][fact.run_id] = fact
                found["", f"{fact.version}-{words}"][fact.run_id] = fact
    return {key: list(runs.values()) for key, runs in found.items()}


def _names(fact: Facts, cases: Cases | None) -> set[str]:
    """Return the names by which a viewer may call a run's eval: its folder's, above all."""
    case = cases.by_id.get(fact.case_id) if cases is not None else None
    folders = [
        folder.rpartition("/")[2]
        for folder in (cases.folders.get(fact.case_id, []) if cases is not None else [])
        if _of_version(folder, fact.version)
    ]
    words = [fact.case_id, f"eval-{fact.case_id}", *folders]
    words += [case.name, f"eval-{case.name}"] if case is not None and case.name else []
    for eval_id in cases.ids_in(fact.version, fact.case_id) if cases is not None else ():
        words += [eval_id, f"eval-{eval_id}"]
    return {name for name in words if name}


def _of_version(folder: str, version: str) -> bool:
    return version in folder.split("/") or gathered(folder) is None


def _first(node: Node, keys: tuple[str, ...]) -> str | None:
    for key in keys:
        value = node.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return None


def version_of(path: str) -> str | None:
    """Return the version that a document beside the runs belongs to."""
    found = container_of(path.rpartition("/")[0])
    return found[1] if found is not None else None
