"""A test case with its criteria, and what objects of evals say of it under the names of tools."""

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

import orjson

from evalcore.checks.typed import check_of
from evalcore.disk.values import Node
from evalcore.families.base import SEVERAL
from evalcore.families.iterations.amounts import amount
from evalcore.names import PROMPT, WEIGHT, first, slashed, spelled
from evalcore.problems import pointer
from evalcore.tables.rows import CriterionRow

ALIKE: Final = 40
SHORT: Final = 16
WORD: Final = re.compile(r"\w+")
MOST_WORDS: Final = 40

LISTS: Final = ("expectations", "assertions", "success_criteria", "checklist")
OTHER_LISTS: Final = frozenset(
    {"expectations", "assertions", "criteria", "checks", "checklist", "rubric", "assert",
     "behavior", "behaviors", "behaviour", "behaviours"}
)  # fmt: skip
"""How the name of any other list of criteria ends, such as `deterministic_assertions`."""
OPPOSITE: Final = frozenset({"not", "no", "negative", "forbidden", "anti", "disallowed", "fail"})
"""Words in the name of a list whose items must not hold."""
EMPTY: Final[tuple[Any, ...]] = (None, "", [], {})
OWN: Final = frozenset({"structural_expectations", "quality_rubric"})
WORDINGS: Final = (
    "text", "description", "assertion", "expectation", "criterion", "name", "expect",
)  # fmt: skip
LABELS: Final = ("id", "name", "criterion")
NAMES: Final = ("name", "eval_name", "title", "test_name")
TAGS: Final = ("category", "test_type")
IDS: Final = ("id", "eval_id", "case_id")
READ: Final = frozenset((*IDS, *NAMES, *TAGS, *OWN, "expected_output", "files", "tags"))
OF_CHECK: Final = ("id", "description", "critical")
CRITICAL: Final = ("critical", "blocker")
USED: Final = frozenset((*WORDINGS[:-1], *LABELS, *WEIGHT, "severity", "critical", "required"))


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
        self.ruled: dict[str, dict[str, CriterionRow]] = defaultdict(dict)
        """Kind to the criteria that a definition says something of; `criteria` has all of them."""
        self.alias: dict[str, str] = {}
        self._spelled: dict[str, str] = {}
        """Each expectation as it is compared with what graders wrote."""

    @property
    def names(self) -> str | None:
        """Its name, and any others behind it."""
        return SEVERAL.join(filter(None, [self.name, *self.also])) or None

    def call(self, *names: str) -> None:
        """Note names that it goes by besides its own."""
        for name in names:
            if name not in (self.case_id, self.name, *self.also):
                self.also.append(name)

    def known_as(self, text: str) -> str:
        """Return the defined wording of an expectation that a judge shortened or touched up.

        A wording met before means what it meant then. What differs only in case or Unicode form,
        begins alike for 40 letters, or is the beginning of the other, is taken for the same; where
        none or several do, `text` is returned.
        """
        known = self.alias.get(text)
        if known is None:
            known = text
            if ("expectation", text) not in self.criteria:
                wanted, names = spelled(text), self._spelled.items()
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
        """Add a criterion, unless it is there; a definition (`ruled`) outranks what results say."""
        row = self.criteria.get((kind, name))
        if row is None:
            if kind == "expectation":
                self._spelled[name] = spelled(name)
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
        row = self.ruled[kind].get(name)
        if row is None:
            return {}
        found = {"critical": row.critical, "required": row.required, "weight": row.weight}
        return {**found, "max_score": row.max_score} if kind == "rubric" else found

    def unanswered(self, kind: str, answered: Container[str]) -> list[str]:
        """Return the defined criteria of a kind that a run has no result for."""
        return [name for name in self.ruled[kind] if name not in answered]

    def take(self, item: Node, noted: set[str]) -> None:
        """Take an eval's fields and criteria; `noted` has the codes remarked on in its document."""
        path = self.source = item.path
        self.pointer = item.at
        self.expected = expected_of(item, noted) or self.expected
        self.files = _files(item) or self.files
        tags = [text for text, _ in item.texts("tags")]
        stated = (value for key in TAGS if isinstance(value := item.get(key), str))
        self.tags = [*tags, *(value for value in stated if value not in tags)] or self.tags
        for group, value, at in listed(item):
            text, labels = label_words(value)
            if text is None:
                node = Node(item.reader, path, value, at, item.suite)
                node.type_problem("a text, or an object with a text")
                continue
            for label in labels:
                self.alias.setdefault(label, text)
            if ("expectation", text) not in self.criteria:  # as in each version's metadata
                said = _said_of(value, group)
                self.add("expectation", text, path, at, text, ruled=True, **said)
        seen: dict[str, int] = {}
        for node in item.items("structural_expectations"):
            stated_id = node.text("id") or node.text("description") or f"S{sum(seen.values()) + 1}"
            critical, text = node.flag("critical"), node.text("description")
            rule = {k: v for k, v in node.value.items() if k not in OF_CHECK}
            said = {"critical": critical, "guide": as_json(rule)}
            name = numbered(stated_id, seen)
            self.add("structural", name, path, node.at, text, ruled=True, **said)
        rubric = item.child("quality_rubric")
        for node in rubric.items("dimensions") if isinstance(rubric.value, dict) else ():
            dimension = node.text("name") or node.text("id")
            if dimension is None:
                what = "This dimension has neither a name nor an id."
                node.note("warning", "no-name", what, "Give it a name.")
                continue
            weight, levels = node.number("weight"), node.get("scoring")
            self.dimensions[dimension] = 1.0 if weight is None else weight
            guide = as_json(levels) if isinstance(levels, dict) else None
            said, text = {"weight": weight, "guide": guide}, node.text("description")
            self.add("rubric", dimension, path, node.at, text, ruled=True, **said)


def numbered(name: str, seen: dict[str, int]) -> str:
    """Return `name`, or `name#2` and so on where it was met before; `seen` counts."""
    seen[name] = seen.get(name, 0) + 1
    return name if seen[name] == 1 else f"{name}#{seen[name]}"


def alike_prompts(one: str, two: str) -> bool:
    """Return whether two prompts are one, perhaps reworded: half of the words are shared."""
    if one == two:
        return True
    first, second = set(WORD.findall(one.lower())), set(WORD.findall(two.lower()))
    return len(first & second) >= 0.5 * min(len(first), len(second), MOST_WORDS)


def _said_of(value: Any, group: str | None) -> dict[str, Any]:
    """Return what an expectation says beside its text: columns of its criterion."""
    fields = value if isinstance(value, dict) else {}
    if not fields and group is None:
        return {}
    found = {k: fields[k] for k in ("critical", "required") if isinstance(fields.get(k), bool)}
    severity, weight = fields.get("severity"), amount(first(fields, WEIGHT))
    if isinstance(severity, str):
        found["critical"] = severity.strip().lower() in CRITICAL
    if weight is not None:
        found["weight"] = weight.value
    rule = {} if group is None else {"group": group}
    rule |= {key: inner for key, inner in fields.items() if key not in USED}
    return {**found, "guide": as_json(rule)} if rule else found


def text_under(value: Any, keys: tuple[str, ...]) -> str | None:
    """Return the first of some fields of an object that is a text and not empty."""
    if type(value) is dict:
        for key in keys:
            if key in value and isinstance(text := value[key], str) and text:
                return text
    return None


def expected_of(item: Node, noted: set[str]) -> str | None:
    """Return what an eval expects; an object or a list is kept as its JSON text."""
    value = item.get("expected_output")
    if not isinstance(value, (dict, list)):
        return item.text("expected_output")
    if "expected-as-json" not in noted:
        noted.add("expected-as-json")
        what = "expected_output is not text; it is shown as JSON."
        hint = "Write what is expected as a text, and what can be checked as assertions."
        item.note("info", "expected-as-json", what, hint, "expected_output")
    return as_json(value)


def _files(item: Node) -> list[str]:
    """Return the files of an eval: paths, or objects that name one."""
    value = item.get("files")
    named = [value] if value and isinstance(value, str) else value
    found = []
    for index, each in enumerate(named if isinstance(named, (list, dict)) else ()):
        path = text_under(each, ("path", "name", "file", "source")) or each
        if isinstance(path, (str, dict)):
            found.append(slashed(path) if isinstance(path, str) else as_json(path))
        else:
            item.child("files").child(index).type_problem("a path")
    return found


def _lists_in(item: Node) -> list[str]:
    """Return the fields with an eval's criteria: those of the usual names, then its others."""
    fields = item.value if isinstance(item.value, dict) else {}
    others = [key for key in fields if _lists_criteria(key) and isinstance(fields[key], list)]
    return [*(key for key in LISTS if key in fields), *others]


@lru_cache(maxsize=1024)
def _lists_criteria(name: str) -> bool:
    """Say whether a list of this name has criteria, where it has none of the usual names."""
    words = name.lower().replace("-", "_").split("_")
    usual = name in LISTS or name in OWN
    return not usual and words[-1] in OTHER_LISTS and OPPOSITE.isdisjoint(words)


def unread_in(item: Node) -> list[str]:
    """Return the fields of an eval in which nothing was looked for."""
    fields = item.value if isinstance(item.value, dict) else {}
    asked = next((key for key in PROMPT if isinstance(fields.get(key), str)), None)
    read = {*READ, *_lists_in(item), asked}
    return [key for key, value in fields.items() if key not in read and value not in EMPTY]


def listed(item: Node) -> Iterator[tuple[str | None, Any, str]]:
    """Yield (group, value, pointer) of each expectation: in lists, lists by group, or by id."""
    for key in _lists_in(item):
        held, base, own = item.value[key], item.at + pointer(key), None if key in LISTS else key
        for name, inner in held.items() if isinstance(held, dict) else (("", held),):
            at = base + pointer(name) if isinstance(held, dict) else base
            if isinstance(inner, list):
                for index, value in enumerate(inner):
                    yield name or own, value, f"{at}/{index}"
            elif isinstance(held, dict):
                yield own, {"id": name, **inner} if isinstance(inner, dict) else inner, at


def label_words(value: Any) -> tuple[str | None, list[str]]:
    """Return a criterion's wording, and the short names that a judge may use for it."""
    if not isinstance(value, dict):
        return (value if isinstance(value, str) else None), []
    named = [value[key] for key in LABELS if key in value]
    labels = [label for label in named if isinstance(label, str) and label]
    return text_under(value, WORDINGS) or words_of(value), labels


def words_of(fields: Mapping[str, Any]) -> str | None:
    """Return a criterion without a text in words: what its type looks for, else its id."""
    check = check_of(fields)
    if check is not None and check.field is not None:
        return check.words
    return text_under(fields, ("check", "id")) or (check.words if check is not None else None)


def as_json(value: Any) -> str:
    """Return a value as JSON text; what is nested too deeply for that as an empty object."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return "{}"
