"""Join what belongs to one skill but lies at several places: runs, evals, and copies of evals."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import Reader
from evalcore.families.base import REVIEWS
from evalcore.families.iterations.asked import alike_prompts
from evalcore.families.iterations.drafts import Draft, peeked, skill_names
from evalcore.layouts.iterations import folder_words, run_location

COMMON: Final = frozenset(
    {"", "workspace", "eval-workspace", "evals", "eval", "iterations", "results", "tests", "test",
     "benchmarks", "benchmark", "runs", "skills", "skill"}
)  # fmt: skip
"""Names of folders that name no skill."""
LABELS: Final = ("eval_id", "id", "eval_name", "name", "eval", "case_id")
DEEPEST: Final = 3


class Eval(NamedTuple):
    """An eval as some document names it."""

    labels: frozenset[str]
    prompt: str | None = None


def join_evals(drafts: list[Draft], loose: dict[str, str], reader: Reader) -> list[Draft]:
    """Return all drafts, each with the evals of its skill that lie elsewhere.

    `loose` are the evals that are no draft's (skill's folder to path). Names must agree, and what
    is asked: by ids, and by prompts where both are known. What fits nowhere is a draft of its own.
    """
    known = [_Known(draft, reader) for draft in drafts] if loose else []
    for skill in sorted(loose, key=_hidden_last):
        own = Draft(skill, skill, [(loose[skill], "evals")], skill)
        mine = _Known(own, reader)
        taken = f"{skill}/{REVIEWS}" in reader.listing.folders
        best = None if taken else max(known, key=mine.likeness, default=None)
        if best is None or mine.likeness(best) == 0:
            known.append(mine)
            continue
        best.take(own)
    return [each.draft for each in known] if loose else drafts


def join_empty(drafts: list[Draft], reader: Reader) -> list[Draft]:
    """Return the drafts, those that hold no run put to the one of the same skill that does."""
    by_skill: dict[str, list[Draft]] = {}
    for draft in drafts:
        if draft.skill is not None:
            by_skill.setdefault(draft.skill, []).append(draft)
    gone: set[int] = set()
    for same in by_skill.values():
        full = [draft for draft in same if len(same) > 1 and draft.has_runs(reader)]
        for draft in same if len(full) == 1 else ():
            if draft is not full[0]:
                full[0].files += draft.files
                gone.add(id(draft))
    return [draft for draft in drafts if id(draft) not in gone]


class _Known:
    """A draft with what it says of its skill, looked at when it is asked for."""

    def __init__(self, draft: Draft, reader: Reader) -> None:
        self.draft = draft
        self.reader = reader
        self._names: frozenset[str] | None = None
        self._evals: list[Eval] | None = None

    @property
    def names(self) -> frozenset[str]:
        """The names of its skill in small letters: its folder's, and those that files state."""
        if self._names is None:
            folders = (self.draft.home, self.draft.skill or "")
            found = [name.rpartition("/")[2].removesuffix("-workspace") for name in folders]
            for path in (*self.draft.of("evals"), *self.draft.of("benchmark")):
                found += skill_names(self.reader, path)
            self._names = frozenset(name.casefold() for name in found) - COMMON
        return self._names

    @property
    def evals(self) -> list[Eval]:
        """The evals that its evals.json define; without any, those that its runs name."""
        if self._evals is None:
            defined = list(_evals(peeked(self.reader, self.draft.of("evals"))))
            self._evals = defined or list(dict.fromkeys(self._asked()))
        return self._evals

    def take(self, evals: Draft) -> None:
        """Add the evals of its skill; the first of several folders is the skill's."""
        self.draft.files += evals.files
        self.draft.skill = evals.skill if self.draft.skill is None else self.draft.skill
        self._names = self._evals = None

    def _asked(self) -> Iterator[Eval]:
        """Yield the evals that folders, their metadata and benchmarks name."""
        kinds = ("eval_metadata", "benchmark")
        paths = [path for kind in kinds for path in self.draft.of(kind)]
        yield from _evals(peeked(self.reader, paths))
        for path in self.draft.of("grading"):
            at = run_location(path.rpartition("/")[0])
            if at is not None:
                yield Eval(frozenset(filter(None, folder_words(at.eval_folder))))

    def likeness(self, other: "_Known") -> int:
        """Return how many evals of another draft are this one's; 0 where they are two skills."""
        if self.names.isdisjoint(other.names):
            return 0
        shared = _shared(self.evals, other.evals)
        least = min(len(self.evals), len(other.evals))
        if not other.evals and not other.draft.has_runs(self.reader):
            return 1
        return shared if shared * 2 > least else 0


def _shared(mine: list[Eval], others: list[Eval]) -> int:
    """Return how many of some evals have one of the others' labels, and no other prompt."""
    known: dict[str, list[str | None]] = {}
    for each in others:
        for label in each.labels:
            known.setdefault(label, []).append(each.prompt)
    return sum(
        any(_fits(each.prompt, prompt) for label in each.labels for prompt in known.get(label, ()))
        for each in mine
    )


def _fits(one: str | None, two: str | None) -> bool:
    return not one or not two or alike_prompts(one, two)


def _evals(values: Iterable[Any]) -> Iterator[Eval]:
    """Yield the evals in documents: every object in a list, or the document, that has an id."""
    for value in values:
        for item in _objects(value, 0):
            labels = [str(item[key]) for key in LABELS if isinstance(item.get(key), (str, int))]
            if labels:
                prompt = item.get("prompt")
                yield Eval(frozenset(labels), prompt if isinstance(prompt, str) else None)


def _objects(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        found = False
        for inner in value.values() if depth < DEEPEST else ():
            if isinstance(inner, list) and any(isinstance(item, dict) for item in inner):
                found = True
                yield from _objects(inner, depth + 1)
        if not found or depth:
            yield value
    elif isinstance(value, list) and depth < DEEPEST:
        for item in value:
            yield from _objects(item, depth + 1)


def _hidden_last(skill: str) -> tuple[bool, int, str]:
    """Order the folders of one skill: an agent's hidden copy of it last."""
    return any(part.startswith(".") for part in skill.split("/")), skill.count("/"), skill
