"""A test case with its criteria, and which defined case the documents of an eval folder mean."""

import re
from collections import defaultdict
from collections.abc import Container, Hashable, Mapping
from typing import Final, NamedTuple

from evalcore.families.base import SEVERAL
from evalcore.names import spelled
from evalcore.tables.rows import CriterionRow

ALIKE: Final = 40
SHORT: Final = 16
WORD: Final = re.compile(r"\w+")
BETWEEN: Final = re.compile(r"[\W_]+")
MOST_WORDS: Final = 40


class Case:
    """One test case with the criteria it has so far."""

    def __init__(self, suite: str, case_id: str, name: str | None, prompt: str | None) -> None:
        self.suite = suite
        self.case_id = case_id
        self.name = name
        self.also: list[str] = []
        """Further names that it has elsewhere."""
        self.prompt = prompt
        self.expected: str | None = None
        self.tags: list[str] = []
        self.files: list[str] = []
        self.source: str | None = None
        self.pointer = ""
        self.defined = False
        self.dimensions: dict[str, float] = {}
        """The weights of the dimensions of its rubric."""
        self.criteria: dict[tuple[str, str], CriterionRow] = {}
        self._spelled: dict[str, dict[str, str]] = defaultdict(dict)
        """Kind to its criteria, each as it is compared with what graders wrote."""
        self.alias: dict[str, str] = {}
        self.ruled: dict[str, dict[str, CriterionRow]] = defaultdict(dict)
        """Kind to the criteria that a definition says something of; `criteria` has all of them."""
        self._stated: dict[tuple[str, str], dict[str, bool | float | None]] = {}
        self.structural_ids: dict[str, int] = {}

    @property
    def names(self) -> str | None:
        """Its name, and any others behind it."""
        return SEVERAL.join(filter(None, [self.name, *self.also])) or None

    def call(self, *names: str) -> None:
        """Note names that it goes by besides its own."""
        for name in names:
            if name not in (self.case_id, self.name, *self.also):
                self.also.append(name)

    def known_as(self, kind: str, text: str) -> str:
        """Return the defined wording of a criterion that a judge shortened or touched up.

        A wording met before means what it meant then. What differs only in case or Unicode form,
        begins alike for 40 letters, or is the beginning of the other, is taken for the same; where
        none or several do, `text` is returned.
        """
        known = self.alias.get(text)
        if known is None:
            known = text
            if (kind, text) not in self.criteria:
                wanted = spelled(text)
                names = self._spelled[kind].items()
                near = [name for name, plain in names if plain == wanted]
                if not near and len(text) >= SHORT:
                    start = wanted[:ALIKE]
                    near = [name for name, plain in names if plain.startswith(start)]
                known = near[0] if len(near) == 1 else text
            self.alias[text] = known
        return known

    def add(
        self,
        kind: str,
        name: str,
        source: str,
        pointer: str,
        description: str | None,
        *,
        ruled: bool = False,
        required: bool | None = None,
        critical: bool | None = None,
        weight: float | None = None,
        guide: str | None = None,
    ) -> None:
        """Add a criterion, unless it is there already.

        What a definition says of it (`ruled`) outranks what results say.
        """
        row = self.criteria.get((kind, name))
        if row is None:
            self._spelled[kind][name] = spelled(name)
            low, high, pass_at = (1.0, 5.0, None) if kind == "rubric" else (0.0, 1.0, 1.0)
            # In the order of its columns: by name it takes thrice the time.
            row = self.criteria[kind, name] = CriterionRow(
                self.suite, self.case_id, kind, name, description, required, critical, weight,
                low, high, pass_at, guide, len(self.criteria), source, pointer,
            )  # fmt: skip
        if ruled:
            self.ruled[kind].setdefault(name, row)

    def defined_as(self, kind: str, name: str) -> dict[str, bool | float | None]:
        """Return what a definition says of a criterion; nothing where none has it."""
        found = self._stated.get((kind, name))
        if found is None:
            row = self.ruled[kind].get(name)
            if row is None:  # the metadata of a further folder may define it yet
                return {}
            names = ("critical", "required", "weight", "max_score")[: 4 if kind == "rubric" else 3]
            found = self._stated[kind, name] = {each: getattr(row, each) for each in names}
        return found

    def unanswered(self, kind: str, answered: Container[str]) -> list[str]:
        """Return the defined criteria of a kind that a run has no result for."""
        return [name for name in self.ruled[kind] if name not in answered]


def numbered(name: str, seen: dict[str, int]) -> str:
    """Return `name`, or `name#2` and so on where it was met before; `seen` counts."""
    seen[name] = seen.get(name, 0) + 1
    return name if seen[name] == 1 else f"{name}#{seen[name]}"


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


def plain(name: str) -> str:
    """Return a name as runners make a folder's of it: small letters, and - between its words."""
    return BETWEEN.sub("-", spelled(name)).strip("-")


def alike_prompts(one: str, two: str) -> bool:
    """Return whether two prompts are one, perhaps reworded: half of the words are shared."""
    if one == two:
        return True
    first, second = set(WORD.findall(one.lower())), set(WORD.findall(two.lower()))
    return len(first & second) >= 0.5 * min(len(first), len(second), MOST_WORDS)
