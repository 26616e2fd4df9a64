"""What the documents of an eval folder say was asked in it, and which defined case that means."""

import re
from collections import defaultdict
from collections.abc import Hashable, Mapping
from typing import Any, Final, NamedTuple

from evalcore.families.iterations.case import Case
from evalcore.names import spelled

FILES: Final = ("file", "entry_point")
REVISED: Final = re.compile(r"[-_]v\d+$", re.IGNORECASE)
WORD: Final = re.compile(r"\w+")
BETWEEN: Final = re.compile(r"[\W_]+")
MOST_WORDS: Final = 40


class Said(NamedTuple):
    """What the documents and the name of an eval folder say of its eval.

    `stated` is the name that its metadata gives, `words` are those of the folder's own name.
    """

    eval_id: str | None
    stated: str | None
    words: str
    prompt: str | None

    @property
    def name(self) -> str:
        """What the eval is called: by its metadata, else by its folder."""
        return self.stated or self.words

    def may_ask(self, case: Case) -> bool:
        """Say whether the prompts of a folder and of a case, if both are known, are alike."""
        return not (self.prompt and case.prompt) or alike_prompts(self.prompt, case.prompt)

    def differs(self, other: "Said") -> bool:
        """Say whether two folders that mean one case are known to ask for different things."""
        renamed = None not in (self.stated, other.stated) and self.stated != other.stated
        if not self.prompt or not other.prompt:
            return renamed
        same = self.prompt == other.prompt
        return not same and (renamed or not alike_prompts(self.prompt, other.prompt))

    def marks(self, key: str, grading: Any) -> list[tuple[str, ...]]:
        """Return what two folders of one undefined eval share, of which this is called `key`.

        They are id and prompt, or the file that a run was about and the name without `_v2`.
        """
        found: list[tuple[str, ...]] = []
        if self.eval_id is not None and self.prompt:
            found.append(("prompt", self.eval_id, self.prompt))
        files = (grading.get(name) for name in FILES) if isinstance(grading, dict) else ()
        file = next((text for text in files if isinstance(text, str) and text), None)
        if file is not None:
            name = REVISED.sub("", key)
            stem = file.rpartition("/")[2].partition(".")[0]
            of_file = name in (stem, file.replace("/", "-"))
            found.append(("file", file, stem if of_file else name))
        return found


class Defined:
    """The cases that evals.json defines, by what eval folders may say of them.

    What two cases share means neither. A case that only the evals.json of one version defines is
    meant in that version, and goes before the others there.
    """

    def __init__(self, cases: Mapping[str, Case], own: Mapping[tuple[str, str], Case]) -> None:
        """Take the cases by their ids, and those of one version (`own`) by version and id."""
        self._cases = dict(cases)
        self._own = own
        self._version = {case.case_id: version for (version, _), case in own.items()}
        self._marks: dict[Hashable, list[Case]] = defaultdict(list)
        for case in cases.values():
            name = case.name or case.case_id
            for mark in {("id", case.case_id), ("name", name), ("plain", plain(name))}:
                self._marks[mark].append(case)
            if case.prompt:
                self._marks["prompt", case.prompt].append(case)

    def find(self, version: str, said: Said) -> Case | None:
        """Return the case that an eval folder of a version names.

        An id that was used anew for another task, by its prompt, names none.
        """
        case = self._own.get((version, said.eval_id or ""))
        if case is not None:
            return case
        case = self._cases.get(said.eval_id) if said.eval_id is not None else None
        if case is not None and (said.may_ask(case) or (case.name and case.name == said.name)):
            return case
        marks = [("name", said.name), ("plain", plain(said.name)), ("prompt", said.prompt)]
        if said.eval_id is None:
            marks.insert(0, ("id", said.words))
        for mark in marks:
            found = self._marks.get(mark, [])
            here = [each for each in found if self._version.get(each.case_id) == version]
            here = here or [each for each in found if each.case_id not in self._version]
            if len(here) == 1:
                return here[0]
        return None

    def by_texts(self) -> dict[frozenset[str], Case]:
        """Return the cases by their expectations, those left out that others have too."""
        found: dict[frozenset[str], list[Case]] = defaultdict(list)
        for case in self._cases.values():
            texts = frozenset(spelled(of) for kind, of in case.ruled if kind == "expectation")
            found[texts].append(case)
        return {texts: same[0] for texts, same in found.items() if texts and len(same) == 1}


def plain(name: str) -> str:
    """Return a name as runners make a folder's of it: small letters, and - between its words."""
    return BETWEEN.sub("-", spelled(name)).strip("-")


def alike_prompts(one: str, two: str) -> bool:
    """Return whether two prompts are one, perhaps reworded: half of the words are shared."""
    if one == two:
        return True
    first, second = set(WORD.findall(one.lower())), set(WORD.findall(two.lower()))
    return len(first & second) >= 0.5 * min(len(first), len(second), MOST_WORDS)
